import { MISSING_ELEMENT_CODES, UNMATCHED_TEXT_CODES } from './codes.ts'
import {
  countEntities,
  countMarkdown,
  countMojibake,
  countPlaceholders,
  countPlaceholdersBetween,
  countTags,
  detectDefectiveText
} from './helpers/defective-text.ts'
import { getTextMatch, getUnmatchedBlocks } from './helpers/text-match.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

const joinBlocks = ({ snapshot }: RuleInput): string => snapshot.blocks.map(({ text }) => text).join(' ')

/** Markup in code is an example, unless text of ours is missing: then our text became code. */
function detectEscapedHtml(input: RuleInput): RuleHit | null {
  const countMarkup = (text: string, own: string): number => countTags(text, own) + countMarkdown(text, own)
  const { missing, escaped } = getUnmatchedBlocks(input)
  const includeCode = missing.length + escaped.length > 0
  const isUnrecognized = getTextMatch(input) === 'garbled' || input.snapshot.article === null
  return detectDefectiveText(input, {
    count: ({ text, own, inCode }) => (inCode && !includeCode ? 0 : countMarkup(text, own)),
    full: 8,
    page: isUnrecognized ? countMarkup(input.snapshot.document.text, joinBlocks(input)) : 0
  })
}

function detectMojibake(input: RuleInput): RuleHit | null {
  return detectDefectiveText(input, {
    count: ({ text, own, inCode }) => (inCode ? 0 : countMojibake(text, own)),
    full: 10,
    page: getTextMatch(input) === 'garbled' ? countMojibake(input.snapshot.document.text, joinBlocks(input)) : 0
  })
}

/** A placeholder that replaces a paragraph of ours weighs as much as its loss. */
function detectPlaceholder(input: RuleInput): RuleHit | null {
  const hit = detectDefectiveText(input, {
    count: ({ text, own, inCode }) => (inCode ? 0 : Math.max(0, countPlaceholders(text) - countPlaceholders(own))),
    full: 3
  })
  const replacesText = countPlaceholdersBetween(input) > 0 && getUnmatchedBlocks(input).missing.length > 0
  return hit !== null && replacesText ? { ...hit, severity: 'high' } : hit
}

/** Text that was escaped, decoded or filled in wrongly. */
export const markupRules: readonly Rule[] = [
  {
    code: 'ESCAPED_HTML',
    category: 'content',
    severity: 'critical',
    scope: 'article',
    version: 2,
    message: 'HTML tags or Markdown are visible as text.',
    advice: 'Insert `htmlContent` as HTML: do not escape it, parse it as Markdown or put it into a code block.',
    detect: detectEscapedHtml,
    suppresses: { always: [...UNMATCHED_TEXT_CODES, 'UNEXPECTED_TEXT'], ifNotLarger: MISSING_ELEMENT_CODES }
  },
  {
    code: 'ESCAPED_ENTITIES',
    category: 'content',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'HTML entities such as `&amp;` are visible as text.',
    advice: 'Do not escape `htmlContent` again: it is HTML already.',
    detect: (input) =>
      detectDefectiveText(input, {
        // Code of the blog that has entities is compared with itself. Other code of the site may show some.
        count: ({ text, own, inCode }) => (inCode && own === '' ? 0 : countEntities(text, own)),
        full: 8
      })
  },
  {
    code: 'MOJIBAKE',
    category: 'content',
    severity: 'critical',
    scope: 'article',
    version: 1,
    message: 'Characters are garbled by a wrong text encoding.',
    advice: 'Serve the page as UTF-8, and decode API responses as UTF-8.',
    detect: detectMojibake,
    suppresses: {
      always: [
        ...UNMATCHED_TEXT_CODES,
        'HEADLINE_MISSING',
        'HEADLINE_MISMATCH',
        'TITLE_MISMATCH',
        'META_DESCRIPTION_MISMATCH',
        'OG_TITLE_MISMATCH',
        'OG_DESCRIPTION_MISMATCH',
        'JSONLD_MISMATCH',
        'TEXT_DIRECTION'
      ],
      ifNotLarger: [...MISSING_ELEMENT_CODES, 'COLUMN_TOO_NARROW']
    }
  },
  {
    code: 'PLACEHOLDER_TEXT',
    category: 'content',
    severity: 'medium',
    scope: 'article',
    version: 3,
    message: 'A template placeholder or an empty value is visible.',
    advice: "Fill the template's field, or hide the element if there is no value.",
    detect: detectPlaceholder
  }
]
