import { foldText, isWide, trimEndOf } from '../../../lib/text.ts'

/** Folded headings of product texts, in the languages of the rules. */
const matching = (list: string): RegExp => new RegExp(`^(?:${list})$`)

/** What follows is about the product. */
const SECTIONS = matching(
  [
    '(?:product )?(?:description|details|information|info|overview|features|highlights|specifications?|specs|data)',
    '(?:key|main|top|technical) (?:features|specifications|data|details|benefits)|benefits|features and benefits',
    'about (?:this|the) (?:item|product|book)|why (?:you will|youll) love it',
    '(?:produkt)?(?:beschreibung|details|eigenschaften|merkmale|vorteile|informationen)|technische daten',
    'description(?: du produit)?|caracteristiques(?: techniques)?|points forts|avantages|details du produit',
    'descripcion(?: del producto)?|caracteristicas(?: tecnicas)?|especificaciones|ventajas|detalles',
    '商品説明|商品詳細|特徴|特長|仕様|商品情報|الوصف|وصف المنتج|المميزات|المواصفات|تفاصيل المنتج'
  ].join('|')
)
/** What follows is about the box, the use, the ingredients or the shop. */
const ASIDES = matching(
  [
    '(?:whats |what is )?(?:in|inside) the (?:box|package|pack)|(?:package|box|pack) (?:contents?|includes?|included)',
    'package list|packing list|contents of (?:the )?(?:box|package)|scope of delivery|includes|included|kit includes',
    '(?:how to|directions for) use|directions|instructions|usage|care|care instructions|washing instructions',
    'ingredients|inci|allergens|nutrition(?:al)? (?:facts|information|values)|analytical constituents|composition',
    '(?:system|minimum) requirements|compatibility|compatible with|fits|shipping|delivery|returns|shipping and returns',
    'warranty|guarantee|note|notes|please note|attention|warning|warnings|disclaimer|about us|about the brand',
    'size chart|size guide|customer reviews|reviews',
    'lieferumfang|(?:paket|packungs?|verpackungs?)inhalt|im lieferumfang|paket (?:beinhaltet|enthalt)|anwendung',
    'pflege(?:hinweise)?|zutaten|inhaltsstoffe|zusammensetzung|nahrwerte|allergene|systemvoraussetzungen|versand',
    'hinweis|hinweise|achtung|garantie|grossentabelle|analytische bestandteile',
    'contenu (?:du colis|de la boite|du coffret)|inclus|mode demploi|utilisation|conseils dutilisation|entretien',
    'ingredients|composition|livraison|retours|remarque|attention|compatibilite|guide des tailles',
    'contenido(?: de la caja| del paquete)?|incluye|modo de (?:empleo|uso)|cuidados|ingredientes|composicion|envio',
    'devoluciones|nota|atencion|advertencia|garantia|compatibilidad|guia de tallas',
    'セット内容|付属品|同梱物|使用方法|使い方|お手入れ|原材料|全成分|成分|注意事項|ご注意|送料|配送|保証',
    'محتويات العلبة|طريقة الاستخدام|المكونات|الشحن|ملاحظة|الضمان'
  ].join('|')
)

/** Whether a line is a heading, and whether what follows it is about the product. */
export function headingKind(line: string): 'section' | 'aside' | null {
  if (line.length > 40) return null
  const folded = foldText(trimEndOf(line, /[\s:：.!?？]/u))
    .replace(/['’]/g, '')
    .replace(/&/g, 'and')
  if (ASIDES.test(folded)) return 'aside'
  return SECTIONS.test(folded) ? 'section' : null
}

/** `【Portable design】`, `[Soft]`, or `EASY TO USE ★` at the beginning of a line. */
const BRACKETED = /^(?:【(?<wide>[^【】]{1,40})】|\[(?<square>[^[\]]{1,40})\])\s*[:：-]?\s*/u
const CAPITALIZED = /^(?<name>\p{Lu}[\p{Lu}\p{N}\s%&/'’-]{2,40}?)\s*(?:[★☆✓✔|•:：]|[–—-](?=\s))+\s*(?=\p{L})/u

/**
 * Splits a line that begins with its own heading. The heading is empty if the line has none. In all
 * capitals, it must be set off by a symbol from a text in small letters.
 */
export function splitHeading(line: string): { heading: string; text: string } {
  const bracketed = BRACKETED.exec(line)
  const match = bracketed ?? (/\p{Ll}/u.test(line) ? CAPITALIZED.exec(line) : null)
  if (match === null) return { heading: '', text: line }
  const { wide, square, name } = match.groups!
  const heading = (wide ?? square ?? name ?? '').trim()
  const text = line.slice(match[0].length).trim()
  const isHeading = bracketed !== null || isWide(heading) || /\p{Lu}{3}/u.test(heading)
  return isHeading ? { heading, text } : { heading: '', text: line }
}
