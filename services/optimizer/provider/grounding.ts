import { foldText, bigrams, splitRuns } from '../../../lib/text.ts'
import { stopWordsFor } from '../../blogs/related/vector.ts'
import { languageOf } from '../../../lib/transliterate.ts'

const NUMBER = /\p{N}+(?:[.,:/×x-]\p{N}+)*/gu
/** A unit directly follows a number, or is one of these words after a space. */
const UNITS = [
  'kg g mg µg t l ml cl dl m cm mm km in inch inches ft foot feet yd mi oz lb lbs gal w kw mw kwh wh v',
  'kv a ma ah mah hz khz mhz ghz b kb mb gb tb mp px dpi bar psi n nm lm lux db k c f °c °f % percent',
  'prozent year years month months week weeks day days hour hours minute minutes second seconds h min s',
  'ms jahre jahr monate monat tage tag stunden minuten ans an mois jours heures años año meses días',
  'horas piece pieces pcs pack stück'
].flatMap((line) => line.split(' '))
const QUANTITY = new RegExp(
  [
    '(?<![\\p{L}\\p{M}\\p{N}.,])',
    '(?<number>\\p{N}+(?:[.,]\\p{N}+)*)',
    `(?:(?<unit>[\\p{L}°%″"'²³/]+)|[\\s-](?<word>${UNITS.join('|')})(?![\\p{L}\\p{M}\\p{N}]))`
  ].join(''),
  'giu'
)
const CAPITALIZED = /(?<![\p{L}\p{M}\p{N}])\p{Lu}[\p{L}\p{M}\p{N}]*/gu
/**
 * The share of meaningful words that must also be in the source. A text on another topic, or in a
 * language without a stop word list, has fewer.
 */
const MIN_SHARED_WORDS = 0.5
const STOP_WORDS = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'].map(stopWordsFor)
/**
 * Promises that the shop did not make: folded word beginnings, allowed only if the source contains
 * the word.
 */
const PROMISES = [
  'free',
  'guarant',
  'warrant',
  'certif',
  'official',
  'authentic',
  'genuine',
  'best',
  'cheap',
  'discount',
  'sale',
  'ship',
  'deliver',
  'award',
  'cure',
  'heal',
  'proven',
  'kostenlos',
  'gratis',
  'garanti',
  'rabatt',
  'versand',
  'zertifi',
  'gratuit',
  'livraison',
  'envio',
  'garantia',
  'descuento',
  'sconto',
  'spedizione',
  'frete',
  'verzending',
  'korting',
  'stock',
  'lager',
  'waterproof',
  'organic',
  'vegan'
]

/**
 * Whether a text states only what its source states. All its numbers, units, capitalized words and
 * promises, and half of its other meaningful words, must be in the source.
 */
export function isGrounded(text: string, source: string, locale: string | null): boolean {
  const known = new Set(toWords(source))
  const words = toWords(text)
  return (
    numbersAreKnown(text, source) &&
    quantitiesAreKnown(text, source) &&
    capitalsAreKnown(text, known, locale) &&
    promisesAreKnown(words, known) &&
    sharesEnough(words, known)
  )
}

function toWords(text: string): string[] {
  return splitRuns(foldText(text)).flatMap((run) => (run.spaceless ? bigrams(run.text) : [run.text]))
}

function numbersAreKnown(text: string, source: string): boolean {
  const known = new Set([...(source.match(NUMBER) ?? []), ...(source.match(/\p{N}+/gu) ?? [])])
  return (text.match(NUMBER) ?? []).every((number) => known.has(number))
}

function quantitiesAreKnown(text: string, source: string): boolean {
  const known = new Set(Array.from(source.matchAll(QUANTITY), quantity))
  return Array.from(text.matchAll(QUANTITY)).every((match) => known.has(quantity(match)))
}

const quantity = ({ groups }: RegExpMatchArray) => `${groups!.number} ${(groups!.unit ?? groups!.word!).toLowerCase()}`

/**
 * A capitalized stop word is allowed only at the beginning of a sentence; elsewhere it is a name.
 */
function capitalsAreKnown(text: string, known: ReadonlySet<string>, locale: string | null): boolean {
  const stopWords = locale === null ? STOP_WORDS : [stopWordsFor(languageOf(locale)), stopWordsFor('en')]
  return Array.from(text.matchAll(CAPITALIZED)).every(({ 0: word, index }) => {
    const folded = foldText(word)
    return (
      known.has(folded) || (/(?:^|[.!?…]\s)$/.test(text.slice(0, index)) && stopWords.some((list) => list.has(folded)))
    )
  })
}

function promisesAreKnown(words: string[], known: ReadonlySet<string>): boolean {
  return words.every((word) => known.has(word) || !PROMISES.some((promise) => word.startsWith(promise)))
}

function sharesEnough(words: string[], known: ReadonlySet<string>): boolean {
  const meaningful = words.filter((word) => !STOP_WORDS.some((list) => list.has(word)))
  const beginnings = new Set(Array.from(known, beginning))
  return (
    meaningful.length === 0 ||
    meaningful.filter((word) => beginnings.has(beginning(word))).length >= meaningful.length * MIN_SHARED_WORDS
  )
}

/** The part of a word that its inflected forms share. */
const beginning = (word: string) => word.slice(0, 5)
