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
/**
 * A word between spaces that is one word by UAX #29 in every language: ASCII letters and punctuation. Most
 * words are, and a segmenter takes several times as long. The spaces stay.
 */
const SIMPLE_WORD = /(?<![^ \n])["(]*[A-Za-z]+[.,;:!?)"]*(?![^ \n])/g
const PIECE_LENGTH = 4_000

/**
 * Counts words (Unicode UAX #29 with the dictionaries of ICU). Numbers count, punctuation does not.
 */
export function countWords(text: string, locale: string): number {
  const segmenter = segmenterFor(locale, 'word')
  let count = 0
  const rest = text.replace(SIMPLE_WORD, () => {
    count++
    return ''
  })
  for (const piece of piecesOf(rest)) for (const { isWordLike } of segmenter.segment(piece)) if (isWordLike) count++
  return count
}

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
