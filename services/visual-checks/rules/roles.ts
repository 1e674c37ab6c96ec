import type { LinkSnapshot, RoleSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { isFlattenedHeading } from './helpers/blocks.ts'
import { getTextMatch } from './helpers/text-match.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

/** From this share on, elements of a kind have lost their role. A few may be styled on purpose. */
const MIN_LOST_SHARE = 0.5

type Recognizable = RoleSnapshot | LinkSnapshot

function reportLost(
  input: RuleInput,
  all: readonly Recognizable[],
  { isLost, groupBy = () => '' }: { isLost: (one: Recognizable) => boolean; groupBy?: (one: Recognizable) => string }
): RuleHit | null {
  if (getTextMatch(input) !== 'present') return null
  const groups = [...Map.groupBy(all, groupBy).values()]
  const lost = groups.flatMap((group) => {
    const inGroup = group.filter(isLost)
    return inGroup.length < group.length * MIN_LOST_SHARE ? [] : inGroup
  })
  if (lost.length === 0) return null
  return {
    extent: lost.length / all.length,
    places: lost.map(({ selector, box, block }) => ({ place: { selector, box }, block })),
    evidence: { lost: lost.length, of: all.length }
  }
}

const isLostRole = (one: Recognizable): boolean => 'held' in one && !one.held

/** Each element counts on its own: exponents may be lost even if strong words are not. */
function detectLostRole(role: RoleSnapshot['role'], input: RuleInput): RuleHit | null {
  const all = input.snapshot.roles.filter((one) => one.role === role)
  return reportLost(input, all, {
    isLost: isLostRole,
    groupBy: (one) => ('element' in one ? (one.element ?? '') : '')
  })
}

/**
 * Each level counts on its own: a level that looks like paragraphs is lost, whatever the others look like.
 * Headings that became paragraphs are reported as changed text.
 */
function detectLostHeadings(input: RuleInput): RuleHit | null {
  const { roles, blocks } = input.snapshot
  const flattened = blocks.filter((block) => isFlattenedHeading(block, input.snapshot)).map(({ index }) => index)
  const headings = roles.filter(({ role, block }) => role === 'heading' && !flattened.includes(block))
  return reportLost(input, headings, {
    isLost: isLostRole,
    groupBy: ({ block }) => blocks.find(({ index }) => index === block)?.tag ?? ''
  })
}

/** Small screens may show the rows of a table as lists. */
const detectLostTables = (input: RuleInput): RuleHit | null =>
  input.snapshot.viewport === 'mobile' ? null : detectLostRole('table', input)

function detectLostLinks(input: RuleInput): RuleHit | null {
  const inText = input.snapshot.links.filter(({ distinct }) => distinct !== null)
  return reportLost(input, inText, { isLost: (one) => 'distinct' in one && one.distinct === false })
}

/** A site may restyle the blog, as long as readers recognize what its elements are. */
export const roleRules: readonly Rule[] = [
  {
    code: 'HEADING_STYLE_LOST',
    category: 'style',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'Headings look like paragraphs.',
    advice: 'Give headings a larger font size, a bolder weight or another color than paragraphs.',
    detect: detectLostHeadings
  },
  {
    code: 'LIST_STYLE_LOST',
    category: 'style',
    severity: 'medium',
    scope: 'article',
    version: 5,
    message: 'List items have lost their markers, numbers, check boxes or indents.',
    advice:
      'Remove `list-style: none`, or indent the items, and keep each list in one element. ' +
      'CSS resets need an exception for the blog.',
    detect: (input) => detectLostRole('list', input)
  },
  {
    code: 'QUOTE_STYLE_LOST',
    category: 'style',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'Quotes look like paragraphs.',
    advice: 'Set quotes off with an indent, a border, a background or another font style.',
    detect: (input) => detectLostRole('quote', input)
  },
  {
    code: 'CODE_FORMAT_LOST',
    category: 'style',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'Code has lost its lines or its monospace font.',
    advice: 'Keep `white-space: pre` and a monospace font for `pre` and the `code` in it.',
    detect: (input) => detectLostRole('code', input)
  },
  {
    code: 'TABLE_LAYOUT_LOST',
    category: 'style',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'The cells of a table row are not beside each other.',
    advice: 'Keep the `display` values of tables, rows and cells on wide screens.',
    detect: detectLostTables
  },
  {
    code: 'LINK_STYLE_LOST',
    category: 'style',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'Links look like the text around them.',
    advice: 'Underline links, or give them another color or weight than the text.',
    detect: detectLostLinks
  },
  {
    code: 'EMPHASIS_LOST',
    category: 'style',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'Emphasized words, deleted words, exponents or inline code look like the text around them.',
    advice: 'Keep `<strong>`, `<em>`, `<code>`, `<sup>` and similar elements, and their styles.',
    detect: (input) => detectLostRole('emphasis', input)
  }
]
