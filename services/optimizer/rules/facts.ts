import { foldText } from '../../../lib/text.ts'
import type { Facts, Measure } from './languages/index.ts'
import { containsName } from './words.ts'

/** Names of attributes and labels, folded, in the languages of the rules. */
const NAMES = Object.fromEntries(
  Object.entries({
    color: '(?:main |base )?colou?rs?|colorway|shade|(?:haupt)?farbe|farbton|couleur|coloris|teinte|カラー|色|اللون',
    material:
      '(?:main |outer )?materials?|fabric|composition|(?:ober)?material|matiere|tissu|materiau|tejido|' +
      '素材|材質|الخامة|المادة',
    size: 'size|shoe size|groesse|grosse|taille|pointure|talla|tamano|サイズ|المقاس',
    width: 'width|breite|largeur|ancho|anchura|幅|العرض',
    height: 'height|hohe|hauteur|alto|altura|高さ|الارتفاع',
    length: 'length|lange|longueur|largo|longitud|長さ|الطول',
    depth: 'depth|tiefe|profondeur|fondo|profundidad|奥行き?|العمق',
    diameter: 'diameter|durchmesser|diametre|diametro|直径|القطر',
    dimensions: 'dimensions?|measurements|mase|abmessungen|masse|medidas|dimensiones|寸法|الأبعاد',
    weight: '(?:net )?weight|(?:netto)?gewicht|poids|peso|重量|重さ|الوزن',
    volume:
      'volume|capacity|(?:net )?content|inhalt|volumen|fassungsvermogen|contenance|capacite|capacidad|contenido|' +
      '容量|内容量|السعة'
  }).map(([kind, names]) => [kind, new RegExp(`^(?:${names})$`)])
) as Record<'color' | 'material' | Measure['kind'], RegExp>
const MEASURES: readonly Measure['kind'][] = [
  'dimensions',
  'width',
  'height',
  'length',
  'depth',
  'diameter',
  'volume',
  'weight',
  'size'
]
/** Kinds whose values are numbers with a unit. Others may be names, such as `M` or `natural`. */
const WITH_UNIT = /\p{N}\s?\p{L}|\p{N}\s?["″%]/u
const MAX_MEASURES = 2
/** Longer values are statements. */
const MAX_VALUE_LENGTH = 40

/** The facts of a product that phrases can name, from its attributes and the labels in its text. */
export function factsOf({
  name,
  brand,
  category,
  pairs,
  keepsCase
}: {
  name: string
  brand: string
  category: string
  pairs: { name: string; value: string }[]
  /** Whether common words have capitals, as in German. */
  keepsCase: boolean
}): Facts {
  const find = (kind: keyof typeof NAMES): string => {
    const pair = pairs.find(
      ({ name: label, value }) =>
        value.length <= MAX_VALUE_LENGTH && NAMES[kind].test(foldText(label)) && !containsName(name, value)
    )
    return pair === undefined ? '' : keepsCase ? pair.value : asPhrase(pair.value)
  }
  const measures = MEASURES.flatMap((kind) => {
    const value = find(kind)
    return value !== '' && (kind === 'size' || WITH_UNIT.test(value)) ? [{ kind, value }] : []
  })
  return {
    name,
    brand: containsName(name, brand) ? '' : brand,
    color: find('color'),
    material: find('material'),
    measures: measures.slice(0, MAX_MEASURES),
    category: containsName(name, category) || containsName(category, name) ? '' : category
  }
}

/** Shops capitalize the first word of a value. A phrase does not, except for names and codes. */
function asPhrase(value: string): string {
  const isWord = /^\p{Lu}\p{Ll}+(?: (?:\p{Ll}|\p{N}|%)+)*$/u.test(value)
  return isWord ? value.charAt(0).toLowerCase() + value.slice(1) : value
}
