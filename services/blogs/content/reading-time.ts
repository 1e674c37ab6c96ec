import { segmenterFor } from '../../../lib/text.ts'

/**
 * Reading speed. English non-fiction, silently: 238 words a minute (Brysbaert 2019, "How many words
 * do we read per minute?", a review of 190 studies). Chinese 255 and Japanese 357 characters a
 * minute (Trauzettel-Klosinski and Dietz 2012, "Standardized Assessment of Reading Performance",
 * IReST).
 */
const WORDS_PER_MINUTE = 238
const CHINESE_CHARACTERS_PER_MINUTE = 255
const JAPANESE_CHARACTERS_PER_MINUTE = 357

const IDEOGRAPHS_AND_KANA = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const PIECE_LENGTH = 4_000

/**
 * Counts words (Unicode UAX #29 with the dictionaries of ICU). Numbers count, punctuation does not.
 */
export function countWords(text: string, locale: string): number {
  const segmenter = segmenterFor(locale, 'word')
  const simple = withoutSimpleWords(text)
  let { count } = simple
  for (const piece of piecesOf(simple.rest)) {
    for (const { isWordLike } of segmenter.segment(piece)) if (isWordLike) count++
  }
  return count
}

/**
 * Counts and removes the words between spaces or line ends that are one word by UAX #29 in every language: ASCII
 * letters and digits, with punctuation around them. Most words are, and a segmenter takes several times as long. Of the
 * spaces, `rest` has the one before each other word: a segmenter takes time for all of them.
 */
function withoutSimpleWords(text: string): { count: number; rest: string } {
  let count = 0
  let rest = ''
  for (let at = 0; at < text.length; at++) {
    const start = at
    while (OPENING.has(text.charCodeAt(at))) at++
    const begin = at
    while (isWordCharacter(text.charCodeAt(at))) at++
    let isSimple = at > begin
    while (CLOSING.has(text.charCodeAt(at))) at++
    isSimple &&= at === text.length || isSpace(text.charCodeAt(at))
    if (isSimple) {
      count++
      continue
    }
    while (at < text.length && !isSpace(text.charCodeAt(at))) at++
    // With the space before it, or line end.
    if (at > start) rest += text.slice(Math.max(0, start - 1), at)
  }
  return { count, rest }
}

const codesOf = (characters: string): ReadonlySet<number> =>
  new Set(Array.from(characters, (character) => character.charCodeAt(0)))
const OPENING = codesOf('"(')
const CLOSING = codesOf('.,;:!?)"')
const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a
/** Whether it is an ASCII letter or digit. */
const isWordCharacter = (code: number): boolean =>
  ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) || (code >= 0x30 && code <= 0x39)

/**
 * Groups whole lines into pieces of a few thousand characters, because starting a segmenter for
 * each short line is slow.
 */
function* piecesOf(text: string): Generator<string> {
  let start = 0
  while (start < text.length) {
    const end = text.indexOf('\n', start + PIECE_LENGTH)
    yield text.slice(start, end < 0 ? text.length : end)
    start = end < 0 ? text.length : end
  }
}

/**
 * Reading time in whole minutes: words at the speed of English; Chinese and Japanese by characters.
 * At least 1 for any text. `wordCount` avoids counting again.
 */
export function readingMinutes(text: string, locale: string, wordCount: number = countWords(text, locale)): number {
  const characters = text.match(IDEOGRAPHS_AND_KANA)?.length ?? 0
  const words = characters === 0 ? wordCount : countWords(text.replace(IDEOGRAPHS_AND_KANA, ' '), locale)
  if (characters + words === 0) return 0
  const perMinute = KANA.test(text) ? JAPANESE_CHARACTERS_PER_MINUTE : CHINESE_CHARACTERS_PER_MINUTE
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE + characters / perMinute))
}
