/** Combining marks in a row, and the half-width kana marks, which NFKC turns into such. Not U+034F itself. */
const MARK = '(?!\\u034f)[\\p{M}\\uff9e\\uff9f]'
/** The limit of UAX #15, Stream-Safe Text Format. No language needs more than four or five. */
const MAX_MARKS = 30
const LONG_RUN = new RegExp(`(?:${MARK}){${MAX_MARKS}}(?=${MARK})`, 'gu')
const MARK_OR_SURROGATE = new RegExp(`${MARK}|[\\ud800-\\udfff]`, 'u')
/** Below U+0300, there are no marks. */
const FIRST_MARK = 0x300
const MAY_HAVE_MARKS = /[\u0300-\uffff]/
/** U+034F COMBINING GRAPHEME JOINER: invisible, and marks are not reordered across it. */
const JOINER = '\u034f'

/**
 * The Unicode normalization form of a text, in linear time. `String.prototype.normalize` sorts the
 * marks that follow a letter, and takes quadratic time for it: 8 seconds for 50,000 characters. So an
 * invisible U+034F is inserted after each 30 marks, which makes the text stream-safe (UAX #15,
 * section 13). Texts of any language are unaffected. Idempotent.
 */
export function normalize(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  if (!MAY_HAVE_MARKS.test(text)) return text.normalize(form)
  const normalized = limitMarks(text).normalize(form)
  // A mark may have become two.
  return limitMarks(normalized)
}

const limitMarks = (text: string): string => (mayHaveLongRun(text) ? text.replace(LONG_RUN, `$&${JOINER}`) : text)

/**
 * Whether more than 30 marks may be in a row: exact but for marks of two code units. Only around each 31st code unit
 * that is a mark, the others are counted: much faster than a search, also in a text of marks that has its joiners.
 */
function mayHaveLongRun(text: string): boolean {
  for (let index = MAX_MARKS; index < text.length; index += MAX_MARKS + 1) {
    if (!isMark(text, index)) continue
    let [start, end] = [index, index + 1]
    while (start > 0 && end - start <= MAX_MARKS && isMark(text, start - 1)) start--
    while (end < text.length && end - start <= MAX_MARKS && isMark(text, end)) end++
    if (end - start > MAX_MARKS) return true
  }
  return false
}

/** Which code units are marks, or surrogates. 0: not known yet. */
const kinds = new Int8Array(0x10000)

function isMark(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  if (unit < FIRST_MARK) return false
  kinds[unit] ||= MARK_OR_SURROGATE.test(text.charAt(index)) ? 1 : -1
  return kinds[unit] === 1
}
