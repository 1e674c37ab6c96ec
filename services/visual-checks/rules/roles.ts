import type { LinkSnapshot, RoleSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { isFlattenedHeading } from './helpers/blocks.ts'
import { getTextMatch } from './helpers/text-match.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

/** From this share on, elements of a kind have lost their role. A few may be styled on purpose. */
const MIN_LOST_SHARE = 0.5

function reportLost(
  input: RuleInput,
  all: readonly (RoleSnapshot | LinkSnapshot)[],
  isLost: (one: RoleSnapshot | LinkSnapshot) => boolean
): RuleHit | null {
  const lost = all.filter(isLost)
  if (lost.length === 0 || lost.length < all.length * MIN_LOST_SHARE || getTextMatch(input) !== 'present') return null
  return {
    extent: lost.length / all.length,
    places: lost.map(({ selector, box, block }) => ({ place: { selector, box }, block })),
    evidence: { lost: lost.length, of: all.length }
  }
}

function detectLostRole(role: RoleSnapshot['role'], input: RuleInput): RuleHit | null {
  const all = input.snapshot.roles.filter((one) => one.role === role)
  return reportLost(input, all, (one) => 'held' in one && !one.held)
}

/** Headings that became paragraphs are reported as changed text. */
function detectLostHeadings(input: RuleInput): RuleHit | null {
  const { roles, blocks } = input.snapshot
  const flattened = blocks.filter((block) => isFlattenedHeading(block, input.snapshot)).map(({ index }) => index)
  const headings = roles.filter(({ role, block }) => role === 'heading' && !flattened.includes(block))
  return reportLost(input, headings, (one) => 'held' in one && !one.held)
}

/** Small screens may show the rows of a table as lists. */
const detectLostTables = (input: RuleInput): RuleHit | null =>
  input.snapshot.viewport === 'mobile' ? null : detectLostRole('table', input)

function detectLostLinks(input: RuleInput): RuleHit | null {
  const inText = input.snapshot.links.filter(({ distinct }) => distinct !== null)
  return reportLost(input, inText, (one) => 'distinct' in one && one.distinct === false)
}

/** A site may restyle the blog, as long as readers recognize what its elements are. */
export const roleRules: readonly Rule[] = [
  {
    code: 'HEADING_STYLE_LOST',
    category: 'style',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'Headings look like paragraphs.',
    advice: 'Give headings a larger font size, a bolder weight or another color than paragraphs.',
    detect: detectLostHeadings
  },
  {
    code: 'LIST_STYLE_LOST',
    category: 'style',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'List items have neither markers nor indents.',
    advice: 'Remove `list-style: none`, or indent the items. CSS resets need an exception for the blog.',
    detect: (input) => detectLostRole('list', input)
  },
  {
    code: 'QUOTE_STYLE_LOST',
    category: 'style',
    severity: 'low',
    scope: 'article',
    version: 1,
    message: 'Quotes look like paragraphs.',
    advice: 'Set quotes off with an indent, a border, a background or another font style.',
    detect: (input) => detectLostRole('quote', input)
  },
  {
    code: 'CODE_FORMAT_LOST',
    category: 'style',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'Code has lost its lines or its monospace font.',
    advice: 'Keep `white-space: pre` and a monospace font for `pre` and the `code` in it.',
    detect: (input) => detectLostRole('code', input)
  },
  {
    code: 'TABLE_LAYOUT_LOST',
    category: 'style',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'The cells of a table row are not beside each other.',
    advice: 'Keep the `display` values of tables, rows and cells on wide screens.',
    detect: detectLostTables
  },
  {
    code: 'LINK_STYLE_LOST',
    category: 'style',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'Links look like the text around them.',
    advice: 'Underline links, or give them another color or weight than the text.',
    detect: detectLostLinks
  }
]
