import type { LinkSnapshot, RoleSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { getBlockPlaces, getReadableBlocks, isFlattenedHeading } from './helpers/blocks.ts'
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
  const lost = reportLost(input, headings, {
    isLost: isLostRole,
    groupBy: ({ block }) => blocks.find(({ index }) => index === block)?.tag ?? ''
  })
  return lost ?? detectInvertedHeadings(input)
}

/** Sites set a small heading in capitals above larger ones, but not a smaller one of the same kind. */
const MAX_SUBHEADING_RATIO = 1.3

/** Headings that are much larger than those of the level above, so that readers take them for the main ones. */
function detectInvertedHeadings(input: RuleInput): RuleHit | null {
  const headings = getReadableBlocks(input).filter(({ tag, actualTag }) => tag === actualTag && /^h[2-6]$/.test(tag))
  const sizeOf = (tag: string): number => {
    const sizes = headings.filter((one) => one.tag === tag).map(({ typography }) => typography.fontPx)
    return sizes.sort((one, other) => one - other)[sizes.length >> 1] ?? Number.NaN
  }
  const larger = headings.filter(({ tag }) => sizeOf(tag) > MAX_SUBHEADING_RATIO * sizeOf(`h${Number(tag[1]) - 1}`))
  if (larger.length === 0) return null
  return {
    extent: larger.length / headings.length,
    places: getBlockPlaces(larger),
    evidence: { larger: larger.length, of: headings.length },
    message: 'Subheadings are larger than the headings above them.',
    advice: 'Give each level of headings a smaller font size than the one above it.'
  }
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
    version: 3,
    message: 'Headings look like paragraphs.',
    advice: 'Give headings a larger font size, a bolder weight or another color than paragraphs.',
    detect: detectLostHeadings
  },
  {
    code: 'LIST_STYLE_LOST',
    category: 'style',
    severity: 'medium',
    scope: 'article',
    version: 8,
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
    version: 5,
    message: 'Code has lost its lines or its monospace font.',
    advice: 'Keep `white-space: pre` and a monospace font for `pre` and the `code` in it.',
    detect: (input) => detectLostRole('code', input)
  },
  {
    code: 'TABLE_LAYOUT_LOST',
    category: 'style',
    severity: 'medium',
    scope: 'article',
    version: 5,
    message: 'The cells of a table row are not beside each other, or run in the other direction.',
    advice: 'Keep the `display` values of tables, rows and cells on wide screens.',
    detect: detectLostTables
  },
  {
    code: 'LINK_STYLE_LOST',
    category: 'style',
    severity: 'medium',
    scope: 'article',
    version: 3,
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
