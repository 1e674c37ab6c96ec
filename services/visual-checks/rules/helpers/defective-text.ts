import type { ElementLocation } from '../../../../ports/browser/port/page-snapshot.ts'
import type { RuleHit, RuleInput } from '../rule.ts'

/*
 * Signs of defective text: mojibake, visible markup and unfilled template placeholders. Each
 * counter returns how many signs the page's text has beyond those in our own text.
 */

const WINDOWS_1252_HIGH = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'
/**
 * UTF-8 text that was decoded as Windows-1252 or Latin-1, and the replacement character
 * (https://www.w3.org/International/questions/qa-what-is-encoding). After the first of three bytes,
 * spaces, quotes and ellipses do not count: French has them after accented letters.
 */
const MOJIBAKE = new RegExp(
  [
    `Ã[\\u0080-\\u00bf${WINDOWS_1252_HIGH}]`,
    'â€.?',
    'Â[\\u0080-\\u00bf]',
    `[ÐÑØÙ][\\u0080-\\u00bf${WINDOWS_1252_HIGH}]`,
    '[à-ï][\\u0080-\\u009f\\u00a1-\\u00aa\\u00ac-\\u00ba\\u00bc-\\u00bf€‚ƒ„†‡ˆ‰Š‹ŒŽ˜™š›œžŸ]{2}',
    'ï¿½',
    '\\ufffd'
  ].join('|'),
  'g'
)
/** A single match of these is sufficient proof. */
const UNMISTAKABLE_MOJIBAKE = /Ã[\u0080-\u00bf€]|â€|ï¿½|\ufffd/
const TAG_NAMES = [
  'p|h[1-6]|ul|ol|li|div|span|strong|em|b|i|code|pre|figure|figcaption|img|table|thead|tbody|tr|td|th',
  'blockquote|a|br|hr|section'
].join('|')
const TAG = new RegExp(`<\\/?(?:${TAG_NAMES})(?=[\\s>/])[^<>]{0,300}>`, 'gi')
const ENTITY_NAMES = [
  'amp|nbsp|[lr]squo|[lr]dquo|lt|gt|quot|apos|hellip|[mn]dash|copy|euro|shy',
  '[aeiou](?:uml|acute|grave|circ)|szlig|eacute|#\\d{2,6}|#x[0-9a-f]{2,5}'
].join('|')
const ENTITY = new RegExp(`&(?:${ENTITY_NAMES});`, 'gi')
const MARKDOWN = new RegExp(
  [
    '(?<=^|\\s)#{1,6} (?=\\S)',
    '\\*\\*[^*\\n]{2,120}\\*\\*',
    '!?\\[[^\\]\\n]{1,200}\\]\\((?:https?:|\\/|#)[^)\\s]*\\)',
    '(?<=^|\\s)```'
  ].join('|'),
  'g'
)

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Counts signs of a wrong character encoding. */
export function countMojibake(text: string, own: string): number {
  const surplus = count(text, MOJIBAKE) - count(own, MOJIBAKE)
  if (surplus > 1 || (surplus === 1 && UNMISTAKABLE_MOJIBAKE.test(text))) return surplus
  return countQuestionMarks(text, own)
}

/** Counts our non-ASCII characters if all of them became question marks. */
function countQuestionMarks(text: string, own: string): number {
  const lost = count(own, /[^\p{ASCII}]/gu)
  const replaced = own
    .replace(/[^\p{ASCII}]/gu, '?')
    .replace(/\s+/g, ' ')
    .trim()
  return lost > 0 && text.replace(/\s+/g, ' ').trim() === replaced ? lost : 0
}

export const countTags = (text: string, own: string): number => Math.max(0, count(text, TAG) - count(own, TAG))

/** Counts Markdown headings, bold words, links and fences. One or two may be a commenter's. */
export function countMarkdown(text: string, own: string): number {
  const surplus = count(text, MARKDOWN) - count(own, MARKDOWN)
  return surplus > 2 ? surplus : 0
}

export const countEntities = (text: string, own: string): number =>
  Math.max(0, count(text, ENTITY) - count(own, ENTITY))

/** Replaces visible tags and entities with spaces, to compare words. */
export const stripMarkup = (text: string): string => text.replace(TAG, ' ').replace(ENTITY, ' ')

const PLACEHOLDER = new RegExp(
  [
    '\\[object [A-Z]\\w*\\]',
    '\\{\\{[^{}]{0,80}\\}\\}',
    '\\{%[^%]{0,80}%\\}',
    '<%[=-]?[^%]{0,80}%>',
    '%%\\w{2,40}%%',
    '\\$\\{[\\w.]{1,40}\\}',
    '\\[\\[[\\w. ]{1,40}\\]\\]',
    '__[A-Z][A-Z_]{2,40}__',
    '\\blorem ipsum\\b',
    '\\bInvalid Date\\b',
    '\\btranslation missing\\b',
    '\\bLiquid (?:syntax )?error\\b'
  ].join('|'),
  'gi'
)
const LABELS = [
  '[Bb]y|[Oo]n|[Ii]n|[Aa]t|[Ff]rom|[Tt]ags?|[Aa]uthor|[Dd]ate|[Pp]osted|[Pp]ublished|[Uu]pdated',
  '[Cc]ategory'
].join('|')
/**
 * `undefined`, `NaN` or `null` where a value belongs: alone, after a label or a separator, or before
 * a unit. In a sentence they may be words.
 */
const EMPTY_VALUE = new RegExp(
  [
    `(?:^|[:·|•(–—,-]\\s*|\\b(?:${LABELS})\\b\\W*|\\bundefined\\s+)`,
    '(?:undefined|NaN|null)',
    '(?=\\s*(?:$|[,.;:·|•)%–—-]|(?:min(?:utes?|s)?|read|views?|comments?|likes?|words?|undefined|NaN|null)\\b))'
  ].join(''),
  'g'
)
/** Longer texts are prose. */
const MAX_LABEL_LENGTH = 60

/** Counts template placeholders and empty template values. */
export function countPlaceholders(text: string): number {
  const empty =
    text.trim().length <= MAX_LABEL_LENGTH || /\b(?:By|Author|Date|Posted|Tags?)\W+(?:undefined|NaN)/.test(text)
      ? (text.trim().match(EMPTY_VALUE)?.length ?? 0)
      : 0
  return (text.match(PLACEHOLDER)?.length ?? 0) + empty
}

/** Counts texts with placeholders between our own blocks. */
export const countPlaceholdersBetween = ({ snapshot }: RuleInput): number =>
  snapshot.unexpectedTexts.filter(
    ({ scope, inCode, text }) => scope === 'between' && !inCode && countPlaceholders(text) > 0
  ).length

/** Text that a reader sees in or around the article. `own`: our text in its place, or ''. */
export interface VisibleText {
  text: string
  own: string
  place: ElementLocation
  block: number | null
  inCode: boolean
}

/** Our blocks, the headings, and other text in and around the article; not the rest of the site. */
function getVisibleTexts({ snapshot, expected }: RuleInput): VisibleText[] {
  const blocks = snapshot.blocks.flatMap(({ actual, text, place, index, tag }): VisibleText[] =>
    place === null || actual === null ? [] : [{ text: actual, own: text, place, block: index, inCode: tag === 'pre' }]
  )
  const unexpected = snapshot.unexpectedTexts
    .filter(({ scope }) => scope !== 'site')
    .map(({ text, selector, box, inCode }) => ({ text, own: '', place: { selector, box }, block: null, inCode }))
  const known = new Set(unexpected.map(({ place }) => place.selector))
  const headings = snapshot.document.h1s
    .filter(({ rendered, selector }) => rendered && !known.has(selector))
    .map(({ text, selector, box }) => ({
      text,
      own: expected.title,
      place: { selector, box },
      block: null,
      inCode: false
    }))
  return [...blocks, ...unexpected, ...headings]
}

interface DefectCounter {
  count: (text: VisibleText) => number
  /** From this many signs on, the extent is 1. */
  full: number
  /** Signs in the text of the whole page, for pages where none of our blocks was recognized. */
  page?: number
}

/** Reports the visible texts that have signs of a defect. */
export function detectDefectiveText(input: RuleInput, { count, full, page = 0 }: DefectCounter): RuleHit | null {
  const bad = getVisibleTexts(input)
    .map((text) => ({ ...text, signs: count(text) }))
    .filter(({ signs }) => signs > 0)
    .sort((a, b) => b.signs - a.signs)
  const signs = Math.max(
    page,
    bad.reduce((sum, text) => sum + text.signs, 0)
  )
  if (signs === 0) return null
  const [worst] = bad
  return {
    extent: Math.min(1, signs / full),
    places: bad.map(({ place, block }) => (block === null ? { place } : { place, block })),
    evidence: { signs },
    ...(worst?.own ? { expected: worst.own.slice(0, 300) } : {}),
    actual: (worst?.text ?? input.snapshot.document.text).slice(0, 300)
  }
}
