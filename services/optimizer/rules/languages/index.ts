import { languageOf } from '../../../../lib/transliterate.ts'
import { english } from './english.ts'
import { german } from './german.ts'
import { beginning, COOKIE_NOTICES, NEVER, words, type Facts, type Grammar } from './grammar.ts'
import { french, spanish } from './romance.ts'

export type { Facts, Grammar, Measure } from './grammar.ts'

/**
 * For languages without word lists: sentences are taken whole and in their order. Contact data,
 * prices and identifiers are dropped in every language.
 */
const neutral: Grammar = {
  verbs: NEVER,
  droppable: NEVER,
  joints: /(?!)/gu,
  modifiers: /(?!)/gu,
  predicates: NEVER,
  bound: NEVER,
  opener: NEVER,
  dependent: NEVER,
  demonstrative: /^(?:この|これらの|هذا |هذه )/u,
  innerPronoun: NEVER,
  reference: NEVER,
  pronoun: NEVER,
  service: words(`sku|ean|gtin|upc|isbn|lorem ipsum|dolor sit amet|${COOKIE_NOTICES}|newsletter`),
  instruction: NEVER,
  company: NEVER,
  vague: NEVER,
  care: NEVER,
  uses: [/\p{N}\s?(?:cm|mm|m|kg|g|ml|l|w|mah|gb|hz|см|мм|м|кг|г|мл|л)(?!\p{L})/iu],
  dangling: NEVER,
  and: ', ',
  colon: ': ',
  separator: ', ',
  lowersAfterColon: false,
  describe: ({ name, brand }) => (brand === '' ? [] : [`${name}, ${brand}`])
}

const japanese: Grammar = {
  ...neutral,
  dependent: /^(?:それ|これ|この|その|また|さらに|しかし|そして|ただし|なお|だから|そのため|しかも|加えて)/u,
  service: new RegExp(
    'お避けください|ないでください|別売|送料|配送|発送|返品|返金|交換|ご注文|ご購入|カート|クリック|お問い合わせ|在庫|' +
      '割引|セール|ポイント|保証|品番|型番|画像|写真|モニター|色味|ご了承|ご注意|注意|レビュー|メルマガ|最安値',
    'u'
  ),
  company: /当社|弊社|私たち|創業|当店/u,
  vague: /最高級|大人気|おすすめ|プレゼントに最適|大好評|今だけ/u,
  care: /洗濯機|手洗い|漂白|アイロン|保存|保管|原材料|アレルギー|賞味期限|使用上/u,
  uses: [
    /綿|コットン|ウール|麻|リネン|シルク|革|レザー|木|オーク|竹|鋼|ステンレス|ガラス|陶|磁器|銅|鉄|アルミ|シリコン|豆|小麦|製/u,
    /\p{N}\s?(?:cm|mm|m|kg|g|ml|l|センチ|ミリ|グラム|キロ|リットル|人|時間|分|枚|個)/iu,
    /用|ため|最適|ぴったり|使え|キッチン|庭|旅行|通勤|通学|毎日|普段|朝食|食卓|夏|冬|雨|オフィス|アウトドア/u,
    /軽|柔らか|暖か|涼し|丈夫|防水|洗え|静か|簡単|すぐ|長持ち|滑り|コンパクト|折りたた|乾|香り|味|甘|爽やか/u,
    /メンズ|レディース|キッズ|子ども|子供|赤ちゃん|家族|女性|男性|初心者|犬|猫/u
  ],
  and: '、',
  colon: '：',
  separator: '、',
  describe: describeInJapanese
}

function describeInJapanese({ name, brand, color, material, measures, category }: Facts): string[] {
  const named = brand === '' ? name : `${brand}の${name}`
  const details = [
    color === '' ? '' : `カラーは${color}`,
    material === '' ? '' : `素材は${material}`,
    measures.length === 0 ? '' : `サイズは${measures.map(({ value }) => value).join('×')}`
  ].filter((detail) => detail !== '')
  const texts = details.length === 0 ? [] : [`${named}。${details.join('、')}です`]
  if (category !== '') texts.push(`${category}の${named}`)
  return named === name ? texts : [...texts, named]
}

const arabic: Grammar = {
  ...neutral,
  dependent: beginning('هو|هي|هذا|هذه|كما|أيضا|أيضًا|لكن|لذلك|وهو|وهي|بالإضافة|علاوة|إنه|إنها'),
  service: words(
    'شحن|الشحن|توصيل|التوصيل|إرجاع|الإرجاع|استرجاع|اطلب|اشتر|اشتري|أضف إلى|السلة|اضغط|انقر|النشرة|تواصل|اتصل|' +
      'يرجى|ملاحظة|' +
      'تنبيه|الصور|متوفر|خصم|خصومات|عرض|ضمان|الضمان|رقم المنتج|الدفع|تقييمات|جدول المقاسات'
  ),
  company: words('نحن|شركتنا|متجرنا|لدينا|تأسست'),
  uses: [
    words(
      'قطن|القطن|صوف|الصوف|كتان|الكتان|حرير|الحرير|جلد|الجلد|خشب|الخشب|بلوط|البلوط|فولاذ|الفولاذ|زجاج|الزجاج|' +
        'سيراميك|نحاس|مصنوع|مصنوعة'
    ),
    /\p{N}\s?(?:سم|مم|م|كجم|جم|مل|لتر|ساعة|ساعات|أشخاص|cm|mm|kg|g|ml)/iu,
    words('مثالي|مثالية|مناسب|مناسبة|للاستخدام|للمطبخ|للحديقة|للسفر|للمنزل|للمكتب|يومي|اليومي|للصيف|للشتاء'),
    words(
      'خفيف|خفيفة|ناعم|ناعمة|دافئ|دافئة|مريح|مريحة|متين|متينة|مقاوم|مقاومة|سهل|سهلة|يحمي|تحمي|يحافظ|تحافظ|بدون|' +
        'سريع|سريعة'
    ),
    words('للرجال|للنساء|للأطفال|للعائلة|للمبتدئين|للرضع|للكبار')
  ],
  and: ' و',
  separator: '، ',
  describe: ({ name, brand, color, material, measures, category }) => {
    const details = [
      color === '' ? '' : `باللون ${color}`,
      material === '' ? '' : `من ${material}`,
      ...measures.map(({ value }) => value)
    ].filter((detail) => detail !== '')
    const named = brand === '' ? name : `${name} من ${brand}`
    const texts = details.length === 0 ? [] : [`${named} ${details.join('، ')}`]
    if (category !== '') texts.push(`${named} في فئة ${category}`)
    return named === name ? texts : [...texts, named]
  }
}

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  ja: japanese,
  ar: arabic
}

/** The grammar of the language of a locale; a neutral one if the language has no word lists. */
export function grammarFor(locale: string): Grammar {
  return GRAMMARS[languageOf(locale)] ?? neutral
}
