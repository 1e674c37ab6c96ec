import { createChoices, SEED, type Choices } from '../../seed.ts'
import { BOILERPLATE, FRAMES, KINDS, PARTS, THIN_FRAME, type Kind } from './texts.ts'

/** A product of a generated feed, and what an editor may make of its text. */
export interface FeedProduct {
  externalId: string
  sku: string
  title: string
  description: string
  category: string
  brand: string
  locale: string | null
  attributes: Record<string, string>
  /** The main word of the title. */
  word: string
  language: string
  /** Every sentence that may occur in a description, with and without its subordinate clause. */
  wholes: string[]
  items: string[]
  /** How the text is written. */
  form: Form
}

const FORMS = ['plain', 'html', 'list', 'capitals', 'boilerplate', 'table', 'mixed', 'thin'] as const
type Form = (typeof FORMS)[number]

export const FEEDS = Object.keys(KINDS)
const BRANDS = ['Northfold', 'Quarry & Pine', 'Tidewater', 'Hallmere', 'Oststern', 'Lanternhill', 'Brisk']
const SERIES = ['Alba', 'Borne', 'Corvo', 'Delta', 'Estera', 'Fjord', 'Gale', 'Hilde', 'Isla', 'Juno', 'Kite', 'Lumo']

/** A feed as a shop exports it. The same name, count and seed give the same feed. */
export function generateFeed(feed: string, count: number, seed: number = SEED): FeedProduct[] {
  const choices = createChoices(`feed ${feed}`, seed)
  return Array.from({ length: count }, (_, at) => generateProduct(feed, at, choices))
}

function generateProduct(feed: string, at: number, choices: Choices): FeedProduct {
  const { pick, index, chance, sample } = choices
  const kinds = KINDS[feed]!
  const isEnglish = chance(0.85)
  const kind = pick(kinds.filter(({ language }) => (language === 'en') === isEnglish))
  const { features, benefits, users, needs } = PARTS[feed]!
  const title = pick(kind.titles)
  const series = pick(SERIES)
  const brand = pick(BRANDS)
  const values = {
    name: kind.language === 'en' && chance(0.5) ? `${series} ${title}` : title,
    color: pick(kind.colors),
    material: pick(kind.materials),
    n: String(2 + index(27))
  }
  const fill = (text: string) => {
    const [feature, feature2] = sample(features, 2)
    const slots: Record<string, string> = {
      ...values,
      feature: feature!,
      feature2: feature2!,
      benefit: pick(benefits),
      user: pick(users),
      need: pick(needs)
    }
    return text
      .replace(/\[([^\]]*)\]/g, (_match, options: string) => pick(options.split('/')))
      .replace(/\{(\w+)\}/g, (_match, slot: string) => slots[slot]!)
      .replace(/.*/s, (sentence) => (isEnglish && kind.word.endsWith('s') ? withPlural(sentence) : sentence))
  }
  const form = pick(FORMS)
  const isSpaced = kind.language !== 'ja' && kind.language !== 'ar'
  const known = sample(kind.sentences, form === 'thin' ? 1 : kind.language === 'en' ? 1 : 3 + index(2))
  const own = kind.language !== 'en' ? [] : form === 'thin' ? [THIN_FRAME] : sample(FRAMES, 3 + index(3))
  const sentences = sample(form === 'thin' && own.length > 0 ? own : [...known, ...own], 7).map((sentence) => {
    const clauses = fill(sentence).split('|')
    const forms = clauses.map((_, i) => clauses.slice(0, i + 1).join('') + (isSpaced ? '.' : ''))
    return { main: forms[0]!, full: forms.at(-1)!, forms }
  })
  const items = sample(
    [
      ...kind.items.map(fill),
      ...(kind.language === 'en' ? features.map((feature) => feature.replace(/^an? /, '')) : [])
    ],
    4
  )
  const texts = form === 'thin' ? [thinText(sentences, items)] : sentences.map(({ full }) => full)
  return {
    externalId: `${feed}-${at + 1}`,
    sku: `${feed.slice(0, 3).toUpperCase()}-${series.toUpperCase()}-${1000 + at}`,
    title: writeTitle(title, { series, brand, color: values.color, kind, choices }),
    description: write(texts, { form, items, kind, choices, at }),
    category: kind.category,
    brand,
    locale: chance(0.5) ? kind.language : null,
    attributes: chance(0.5) ? attributesOf(kind, values) : {},
    word: kind.word,
    language: kind.language,
    wholes: sentences.flatMap(({ forms }) => forms),
    items,
    form
  }
}

/** Kinds such as boots have plural forms. */
function withPlural(sentence: string): string {
  return sentence
    .replace(/, it is made/, ', they are made')
    .replace(/^It suits/, 'They suit')
    .replace(/^Every (.*) leaves/, 'All $1 leave')
    .replace(/choose it for/, 'choose them for')
}

/** A text of less than 70 characters. */
function thinText(sentences: { main: string }[], items: string[]): string {
  return sentences.find(({ main }) => main.length < 70)?.main ?? items[0]!
}

interface TitleOptions {
  series: string
  brand: string
  color: string
  kind: Kind
  choices: Choices
}

function writeTitle(title: string, { series, brand, color, kind, choices: { index } }: TitleOptions): string {
  if (kind.language !== 'en') return [`${title} ${series}`, `${title} – ${color}`, title][index(3)]!
  return [
    `${series} ${title}`,
    `${brand} ${series} ${title}`,
    `${series} ${title} - ${color}`,
    `${series} ${title} (${color}) | NEW`,
    `${series} ${title}`.toUpperCase()
  ][index(5)]!
}

interface WriteOptions {
  form: Form
  items: string[]
  kind: Kind
  choices: Choices
  at: number
}

function write(texts: string[], { form, items, kind, choices: { pick, sample }, at }: WriteOptions): string {
  const service = sample(BOILERPLATE[kind.language]!, 3)
  const [first = '', ...rest] = texts
  const separator = kind.language === 'ja' ? '' : ' '
  switch (form) {
    case 'html':
      return [
        `<h2>Details</h2><p>${texts.slice(0, 2).join(separator)}</p>`,
        `<p>${texts.slice(2).join(separator)}</p><p><strong>${service[0]!}</strong></p>`
      ].join('\n')
    case 'list':
      return `<p>${first}</p><ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`
    case 'capitals':
      return kind.language === 'en' ? `${first.toUpperCase()} ${rest.join(' ')}` : texts.join(separator)
    case 'boilerplate':
      return [service[0]!, ...texts, ...service.slice(1)].join(separator)
    case 'table': {
      const rows = { Weight: `${at + 50} g`, SKU: `X-${at}` }
      const cells = Object.entries(rows).map(([name, value]) => `<tr><td>${name}</td><td>${value}</td></tr>`)
      return `<p>${texts.join(separator)}</p><table>${cells.join('')}</table>`
    }
    case 'mixed':
      return [
        `★ ${pick(['NEW', 'TOP', 'BIO'])} ★\n${first}`,
        rest.join(separator),
        items.map((item) => `- ${item}`).join('\n'),
        `Weight: ${at + 50} g\nItem no.: 44-${at}\n${service[0]!}`
      ].join('\n\n')
    default:
      return texts.join(separator)
  }
}

/** Shops of other languages name their attributes in their own words. */
const ATTRIBUTE_NAMES: Readonly<Record<string, [color: string, material: string]>> = {
  en: ['Color', 'Material'],
  de: ['Farbe', 'Material'],
  fr: ['Couleur', 'Matière'],
  es: ['Color', 'Material'],
  ja: ['カラー', '素材'],
  ar: ['اللون', 'الخامة']
}

function attributesOf({ language }: Kind, { color, material }: { color: string; material: string }) {
  const [colorName, materialName] = ATTRIBUTE_NAMES[language]!
  return { [colorName]: color, [materialName]: material }
}
