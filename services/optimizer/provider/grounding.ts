import { foldText, bigrams, splitRuns } from '../../../lib/text.ts'
import { stopWordsFor } from '../../blogs/related/vector.ts'
import { languageOf } from '../../../lib/transliterate.ts'

const NUMBER = /\p{N}+(?:[.,:/×x-]\p{N}+)*/gu
/** What stands right behind a number is its unit, and so is a word of this list after a space. */
const UNITS = (
  'kg g mg µg t l ml cl dl m cm mm km in inch inches ft foot feet yd mi oz lb lbs gal w kw mw kwh wh v kv a ma ah mah hz khz mhz ghz b kb mb gb tb mp px dpi bar psi n nm lm lux db k c f °c °f % percent prozent ' +
  'year years month months week weeks day days hour hours minute minutes second seconds h min s ms jahre jahr monate monat tage tag stunden minuten ans an mois jours heures años año meses días horas piece pieces pcs pack stück'
).split(' ')
const QUANTITY = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}.,])(?<number>\\p{N}+(?:[.,]\\p{N}+)*)(?:(?<unit>[\\p{L}°%″"'²³/]+)|[\\s-](?<word>${UNITS.join('|')})(?![\\p{L}\\p{M}\\p{N}]))`,
  'giu'
)
const CAPITALIZED = /(?<![\p{L}\p{M}\p{N}])\p{Lu}[\p{L}\p{M}\p{N}]*/gu
/**
 * Of the words that carry meaning, so many must be the source's: a text about something else, or in
 * a language without a list of stop words, has fewer.
 */
const MIN_SHARED_WORDS = 0.5
const STOP_WORDS = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'].map(stopWordsFor)
/**
 * Promises that must not be made for the shop: folded beginnings of words, allowed where the source
 * makes them.
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
 * Whether a text says nothing that its source does not: each number, each number's unit and each
 * capitalized word of it stands in the source,
 * and so do half of its other words of meaning; promises as well.
 */
export function isGrounded(text: string, source: string, locale: string | null): boolean {
  const known = new Set(wordsOf(source))
  const words = wordsOf(text)
  return (
    numbersAreKnown(text, source) &&
    quantitiesAreKnown(text, source) &&
    capitalsAreKnown(text, known, locale) &&
    promisesAreKnown(words, known) &&
    sharesEnough(words, known)
  )
}

function wordsOf(text: string): string[] {
  return splitRuns(foldText(text)).flatMap((run) => (run.spaceless ? bigrams(run.text) : [run.text]))
}

function numbersAreKnown(text: string, source: string): boolean {
  const known = new Set([...(source.match(NUMBER) ?? []), ...(source.match(/\p{N}+/gu) ?? [])])
  return (text.match(NUMBER) ?? []).every((number) => known.has(number))
}

function quantitiesAreKnown(text: string, source: string): boolean {
  const known = new Set(Array.from(source.matchAll(QUANTITY), quantity))
  return Array.from(text.matchAll(QUANTITY)).every((found) => known.has(quantity(found)))
}

const quantity = ({ groups }: RegExpMatchArray) => `${groups!.number} ${(groups!.unit ?? groups!.word!).toLowerCase()}`

/** A stop word may begin a sentence; in no other place is it capitalized without being a name. */
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
  const meaning = words.filter((word) => !STOP_WORDS.some((list) => list.has(word)))
  const beginnings = new Set(Array.from(known, beginning))
  return (
    meaning.length === 0 ||
    meaning.filter((word) => beginnings.has(beginning(word))).length >= meaning.length * MIN_SHARED_WORDS
  )
}

/** Inflected forms share it. */
const beginning = (word: string) => word.slice(0, 5)
