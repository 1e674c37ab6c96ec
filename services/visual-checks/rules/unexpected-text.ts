import type { BlockSnapshot, UnexpectedText } from '../../../ports/browser/port/page-snapshot.ts'
import { countEntities, countMarkdown, countMojibake, countPlaceholders, countTags } from './helpers/defective-text.ts'
import { getBlockPlaces, sumWeights } from './helpers/blocks.ts'
import { detectMixed } from './helpers/foreign-text.ts'
import { hashText } from './helpers/site-texts.ts'
import { getTextMatch, getUnmatchedBlocks } from './helpers/text-match.ts'
import { isLong } from './helpers/text.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

/** Characters of programs, style sheets and templates. No script has them in its prose. */
const CODE_CHARACTER = /[{}<=;$_\\^~]/g
const MIN_CODE_CHARACTERS = 4
const MIN_CODE_CHARACTER_KINDS = 2
const MIN_CODE_CHARACTER_SHARE = 0.03
/** Source text that has few such characters, and messages of servers and programs. */
const SOURCE = new RegExp(
  [
    // A shortcode or a template tag with attributes, or one that closes: [gallery ids="1,2"], [/quote].
    '\\[\\/?[a-z][\\w-]*(?:\\s+[\\w-]+\\s*=\\s*(?:"[^"]*"|\'[^\']*\'|\\S+))+\\s*\\/?\\]|\\[\\/[a-z][\\w-]*\\]',
    '<\\?(?:php|=)|<!--|-->|<!\\[CDATA\\[|^:{3,}\\s*\\w*',
    // The name of a file as the whole text.
    '^[\\w .()-]{1,80}\\.(?:avif|gif|jpe?g|png|webp)$',
    // A rule of a style sheet, and its at-rules.
    '\\{\\s{0,20}[a-z-]{2,30}:[^{}]{1,200}\\}|@(?:media|import|font-face|supports|keyframes)\\b[^{;]{0,100}[{;]',
    '\\bfunction\\s*\\w*\\([^)]*\\)\\s*\\{|\\b(?:const|let|var)\\s+\\w+\\s*=|\\b(?:document|window|console)\\.\\w+\\(',
    // Errors and stack traces of common platforms.
    '\\b[A-Z]\\w*(?:Error|Exception)\\b\\s*(?::|in\\b|at\\b)|\\bSQLSTATE\\[|\\bTraceback \\(most recent call last\\)',
    '\\bat \\S+ \\(\\S+:\\d+:\\d+\\)|\\b(?:Undefined|Uninitialized) (?:variable|index|array key|offset|property)\\b',
    '\\b(?:Warning|Notice|Fatal error|Parse error|Deprecated): .{3,200} on line \\d+',
    '\\b(?:ECONNREFUSED|ENOTFOUND|ETIMEDOUT|ENOENT)\\b|\\.(?:php|py|rb|js|java|go):\\d+\\b'
  ].join('|'),
  'm'
)
/** Marks of Markdown at the start of a text or around words, in any script. */
const MARKDOWN_MARK =
  /^#{1,6}\s\S|^(?:```|~~~)|\*\*\S[^*]{0,200}\*\*|!?\[[^\][]{1,200}\]\([^)\s]{1,300}\)|^[-*]\s\[[ x]\]\s/i

/** Readers' comments may contain code. */
const COMMENTS = /comment|discussion|respond/i
/** From this many texts on, the extent is 1. */
const FULL_EXTENT_TEXTS = 4

function isCode(text: string): boolean {
  const characters = text.match(CODE_CHARACTER) ?? []
  return (
    characters.length >= MIN_CODE_CHARACTERS &&
    new Set(characters).size >= MIN_CODE_CHARACTER_KINDS &&
    characters.length >= text.length * MIN_CODE_CHARACTER_SHARE
  )
}

/** Other rules report visible tags, entities, placeholders and wrong characters. */
const isReportedElsewhere = (text: string): boolean =>
  countTags(text, '') + countEntities(text, '') + countMojibake(text, '') + countPlaceholders(text) > 0 ||
  countMarkdown(text, '') > 0

/** Whether one of our blocks shows marks of Markdown that it does not have. */
const showsMarkdown = ({ actual, text, tag }: BlockSnapshot): boolean =>
  actual !== null && tag !== 'pre' && MARKDOWN_MARK.test(actual) && !MARKDOWN_MARK.test(text)

/** Whether a text in or around the article is made for a program instead of a reader. */
function isUnexpected({ text, scope, inCode, selector }: UnexpectedText): boolean {
  if (scope === 'site' || inCode || COMMENTS.test(selector) || isReportedElsewhere(text)) return false
  return isCode(text) || SOURCE.test(text) || MARKDOWN_MARK.test(text)
}

/** Labels, notes and captions are shorter. */
const MIN_PROSE_LENGTH = 40
const MIN_LETTER_SHARE = 0.6

/**
 * Whether a text between our blocks is prose that neither we nor the site's template wrote: nothing marks
 * it as a part of the site, and no other page of the site is known to have it.
 */
const isForeignProse = ({ scope, inCode, isFurniture, text }: UnexpectedText, siteTexts: readonly string[]): boolean =>
  scope === 'between' &&
  isFurniture === false &&
  !inCode &&
  isLong(text, MIN_PROSE_LENGTH) &&
  (text.match(/[\p{L}\p{M}]/gu)?.length ?? 0) >= text.replaceAll(' ', '').length * MIN_LETTER_SHARE &&
  !siteTexts.includes(hashText(text))

/** Longer texts are mixed content, and those that replace ours are a changed text: other rules report both. */
function getForeignProse(input: RuleInput): UnexpectedText[] {
  const prose = input.snapshot.unexpectedTexts.filter(
    (text) =>
      isForeignProse(text, input.expected.siteTexts ?? []) && !isUnexpected(text) && !isReportedElsewhere(text.text)
  )
  const replaced = sumWeights(getUnmatchedBlocks(input).missing)
  return sumWeights(prose) <= replaced || detectMixed(input) !== null ? [] : prose
}

function detectUnexpectedText(input: RuleInput): RuleHit | null {
  const { unexpectedTexts, blocks } = input.snapshot
  if (getTextMatch(input) !== 'present') return null
  const sources = unexpectedTexts.filter(isUnexpected)
  const foreign = [...sources, ...getForeignProse(input)]
  const marked = blocks.filter(showsMarkdown)
  const texts = [...foreign.map(({ text }) => text), ...marked.map(({ actual }) => actual!)]
  const [first] = texts
  if (first === undefined) return null
  const share = sumWeights([...foreign, ...marked]) / Math.max(1, sumWeights(blocks))
  return {
    extent: Math.min(1, Math.max(share, texts.length / FULL_EXTENT_TEXTS)),
    places: [...foreign.map(({ selector, box }) => ({ place: { selector, box } })), ...getBlockPlaces(marked)],
    evidence: { texts: texts.slice(0, 5).map((text) => text.slice(0, 200)) },
    actual: first.slice(0, 300),
    ...(sources.length + marked.length > 0 ? SOURCE_MESSAGE : {})
  }
}

const SOURCE_MESSAGE = {
  message: 'Source code, template code, Markdown or an error message is visible as text.',
  advice: 'Find the template, plugin or server that prints the text, and remove or render it.'
}

/** Text that is neither from the blog nor meant for readers. */
export const unexpectedTextRules: readonly Rule[] = [
  {
    code: 'UNEXPECTED_TEXT',
    category: 'content',
    severity: 'medium',
    scope: 'article',
    version: 4,
    message: 'Text between the paragraphs is neither from the blog nor recognizable as a part of the site.',
    advice:
      'Find the template, plugin or script that prints the text, and remove it. ' +
      'If it is a part of the site, put it into an `<aside>`.',
    detect: detectUnexpectedText,
    suppresses: { ifNotLarger: ['CONTENT_MIXED'] }
  }
]
