import { foldText, bigrams, splitRuns } from '../../../lib/text.ts'
import { stopWordsFor } from '../../blogs/related/vector.ts'
import { languageOf } from '../../../lib/transliterate.ts'
import { unsupportedClaims, type ClaimKind } from './claims.ts'

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
/** Number words from 2 to 12, by number. Words that mean something else in another language are omitted. */
const NUMBER_WORDS = new Map(
  [
    'two zwei deux dos',
    'three drei trois tres',
    'four vier quatre cuatro',
    'five funf cinq cinco',
    'six sechs seis',
    'seven sieben sept siete',
    'eight acht huit ocho',
    'nine neun neuf nueve',
    'ten zehn dix diez',
    'eleven elf onze',
    'twelve zwolf douze doce'
  ].flatMap((words, i) => words.split(' ').map((word) => [word, String(i + 2)] as const))
)

/** A part of a text that its source does not support. */
export interface UngroundedPart {
  kind: 'number' | 'quantity' | 'name' | 'topic' | ClaimKind
  /** The part; empty for `topic`, which concerns the whole text. */
  text: string
}

/**
 * The parts of a text that its source does not support. All its numbers, units, capitalized words,
 * materials, certifications, superlatives, promises and properties, and half of its other
 * meaningful words, must be in the source.
 */
export function findUngrounded(text: string, source: string, locale: string | null): UngroundedPart[] {
  const sourceWords = toWords(source)
  const known = new Set(sourceWords)
  const words = toWords(text)
  return [
    ...unknownNumbers(text, { source, words, known }).map((number) => ({ kind: 'number' as const, text: number })),
    ...unknownQuantities(text, source).map((quantity) => ({ kind: 'quantity' as const, text: quantity })),
    ...unknownNames(text, known, locale).map((name) => ({ kind: 'name' as const, text: name })),
    ...unsupportedClaims(words, sourceWords).map(({ word, kind }) => ({ kind, text: word })),
    ...(sharesEnough(words, known) ? [] : [{ kind: 'topic' as const, text: '' }])
  ]
}

function toWords(text: string): string[] {
  return splitRuns(foldText(text)).flatMap((run) => (run.spaceless ? bigrams(run.text) : [run.text]))
}

function unknownNumbers(
  text: string,
  { source, words, known }: { source: string; words: readonly string[]; known: ReadonlySet<string> }
): string[] {
  const numbers = new Set([
    ...(source.match(NUMBER) ?? []),
    ...(source.match(/\p{N}+/gu) ?? []),
    ...Array.from(known, (word) => NUMBER_WORDS.get(word) ?? '')
  ])
  const digits = (text.match(NUMBER) ?? []).filter((number) => !numbers.has(number))
  return [
    ...digits,
    ...words.filter((word) => {
      const number = NUMBER_WORDS.get(word)
      return number !== undefined && !known.has(word) && !numbers.has(number)
    })
  ]
}

function unknownQuantities(text: string, source: string): string[] {
  const known = new Set(Array.from(source.matchAll(QUANTITY), quantity))
  return Array.from(text.matchAll(QUANTITY), quantity).filter((found) => !known.has(found))
}

const quantity = ({ groups }: RegExpMatchArray) => `${groups!.number} ${(groups!.unit ?? groups!.word!).toLowerCase()}`

/**
 * A capitalized stop word is allowed only at the beginning of a sentence; elsewhere it is a name.
 */
function unknownNames(text: string, known: ReadonlySet<string>, locale: string | null): string[] {
  const stopWords = locale === null ? STOP_WORDS : [stopWordsFor(languageOf(locale)), stopWordsFor('en')]
  return Array.from(text.matchAll(CAPITALIZED)).flatMap(({ 0: word, index }) => {
    const folded = foldText(word)
    const startsSentence = /(?:^|[.!?…]\s)$/.test(text.slice(0, index))
    return known.has(folded) || (startsSentence && stopWords.some((list) => list.has(folded))) ? [] : [word]
  })
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
