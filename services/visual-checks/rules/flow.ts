import type { BlockFlow } from '../../../ports/browser/port/block-flow.ts'
import { getBlockPlaces, getHiddenReason, getReadableBlocks, getShare, type RenderedBlock } from './helpers/blocks.ts'
import { getTextMatch } from './helpers/text-match.ts'
import { isLong, round } from './helpers/text.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

/*
 * The order of a column that readers see before they read a word. Each site has its own: blocks are compared
 * with others of the same page, never with a fixed measure.
 */

type FlowBlock = RenderedBlock & { flow: BlockFlow }

const getFlowBlocks = (input: RuleInput): FlowBlock[] =>
  getTextMatch(input) === 'present'
    ? getReadableBlocks(input).filter((block): block is FlowBlock => block.flow !== undefined)
    : []

/** Sites leave at least about half an em between paragraphs, and more above a heading. */
const MIN_GAP_EM = 0.2
/** One place tells nothing: a heading may be the continuation of a sentence. */
const MIN_PLACES = 2
const MIN_LOST_SHARE = 0.8

/** Paragraphs without a space, an indent or a line between them, and headings without a space above. */
function detectLostSpacing(input: RuleInput): RuleHit | null {
  const comparable = getFlowBlocks(input).filter(({ flow }) => flow.gapEm !== null)
  const lost = comparable.filter(({ flow }) => flow.gapEm! < MIN_GAP_EM)
  if (lost.length < MIN_PLACES || lost.length < comparable.length * MIN_LOST_SHARE) return null
  return {
    extent: lost.length / comparable.length,
    places: getBlockPlaces(lost),
    evidence: { lost: lost.length, of: comparable.length, gapEm: Math.max(...lost.map(({ flow }) => flow.gapEm!)) }
  }
}

/** Poems and invitations are centered, and short texts of other posts. */
const MIN_ALIGNED_ELSEWHERE = 0.5
const LONG_TEXT = 60

/** Running text that is centered, or aligned to the edge at which its lines end. */
function detectAlignment(blocks: readonly FlowBlock[]): RuleHit | null {
  const running = blocks.filter(({ flow, text }) => /^(?:p|li)/.test(flow.role) && isLong(text, LONG_TEXT))
  const elsewhere = running.filter(({ flow }) => !flow.aligned)
  const share = getShare(elsewhere, running)
  if (elsewhere.length === 0 || share < MIN_ALIGNED_ELSEWHERE || isCenteredByDesign(blocks)) return null
  return {
    extent: share,
    places: getBlockPlaces(elsewhere),
    evidence: { share: round(share) },
    message: 'Paragraphs are centered, or aligned to the edge at which their lines end.',
    advice: 'Use `text-align: start` for paragraphs and lists. Look for a class of a hero or of another direction.'
  }
}

/**
 * Whether a site centers its text on purpose: with most of its headings, but without lists and code, which nobody can
 * read then. A style that reaches the text by accident leaves the headings as they are, or takes the lists along.
 */
function isCenteredByDesign(blocks: readonly FlowBlock[]): boolean {
  const headings = blocks.filter(({ flow }) => /^h/.test(flow.role))
  const lines = blocks.filter(({ flow }) => /^(?:li|pre)/.test(flow.role))
  const paragraphs = blocks.filter(({ flow }) => flow.role === 'p' && !flow.aligned)
  const isCentered = ({ flow }: FlowBlock): boolean => flow.centered === true
  return (
    headings.filter(isCentered).length > headings.length / 2 &&
    paragraphs.every(isCentered) &&
    lines.every(({ flow }) => flow.aligned)
  )
}

/** Two blocks beside each other may be a design, such as a note beside a text. */
const MIN_BESIDE = 2
const MIN_BESIDE_SHARE = 0.25

/** Blocks beside the one that they continue. A heading may be beside its text, and columns have many blocks each. */
function detectBeside(blocks: readonly FlowBlock[]): RuleHit | null {
  const beside = blocks.filter(({ flow }) => flow.isBesidePrevious)
  if (beside.length < MIN_BESIDE || beside.length < blocks.length * MIN_BESIDE_SHARE) return null
  return {
    extent: beside.length / blocks.length,
    places: getBlockPlaces(beside),
    evidence: { beside: beside.length, of: blocks.length },
    message: 'Blocks of the text are beside each other instead of below each other.',
    advice: 'Show the blocks of `htmlContent` in one column. Look for a grid or a flex container around them.'
  }
}

/** Padding of cards and levels of an outline move blocks by less. Of the width of the article. */
const MIN_SHIFT = 0.08
const MIN_SHIFT_PX = 32
const MIN_SHIFTED = 2
const MIN_SHIFTED_SHARE = 0.25
/** Of the paragraphs below headings of a level, whatever the other blocks are like. */
const MIN_SHIFTED_PARAGRAPHS = 0.33

/** Of the width of the article, and in pixels. No level of an outline indents its text by so much. */
const FAR = { share: 0.2, px: 64 }
/** Lists may be indented more than the paragraphs around them. */
const FAR_LIST = { share: 0.4, px: 120 }

/** Blocks so far from the edge of others that no level of a heading or of a list explains it. */
function findFarBlocks(blocks: readonly FlowBlock[], width: number): FlowBlock[] {
  // Text that is cut off starts outside of the column.
  const paragraphs = blocks.filter((block) => block.flow.role === 'p' && getHiddenReason(block) === null)
  const edge = paragraphs.map(({ flow }) => flow.startPx).sort((one, other) => one - other)[0]
  if (edge === undefined) return []
  const isFar = ({ flow }: FlowBlock, { share, px }: typeof FAR): boolean =>
    flow.startPx - edge >= Math.max(px, share * width)
  const farLists = blocks.filter((block) => block.flow.role === 'li 1' && isFar(block, FAR_LIST))
  const farParagraphs = paragraphs.filter((block) => isFar(block, FAR))
  return [...(farParagraphs.length < paragraphs.length ? farParagraphs : []), ...farLists]
}

/**
 * Blocks that start at another edge than others of their kind below headings of the same level. Sites indent
 * lists, quotes and the text of a section, but all of them alike.
 */
function detectShifted(input: RuleInput, blocks: readonly FlowBlock[]): RuleHit | null {
  const width = input.snapshot.article?.box?.width ?? input.snapshot.width
  const tolerance = Math.max(MIN_SHIFT_PX, MIN_SHIFT * width)
  const unaccompanied = blocks.filter(({ flow }) => !flow.isBeside && flow.aligned)
  const groups = [...Map.groupBy(unaccompanied, ({ flow }) => `${flow.role} ${flow.depth}`).values()].filter(
    ({ length }) => length > 1
  )
  const shifted = groups.flatMap((group) => {
    const near = ({ flow }: FlowBlock): number =>
      group.filter((other) => Math.abs(other.flow.startPx - flow.startPx) < tolerance).length
    const usual = group.reduce((one, other) => (near(other) > near(one) ? other : one))
    return group.filter(({ flow }) => Math.abs(flow.startPx - usual.flow.startPx) >= tolerance)
  })
  const far = findFarBlocks(unaccompanied, width)
  if (far.length >= MIN_SHIFTED) shifted.push(...far.filter((block) => !shifted.includes(block)))
  const comparable = [...new Set([...groups.flat(), ...far])]
  const isHeading = ({ tag }: FlowBlock): boolean => /^h[1-6]$/.test(tag)
  const isMany = (some: readonly FlowBlock[], of: readonly FlowBlock[]): boolean =>
    some.length >= MIN_SHIFTED && some.length >= of.length * MIN_SHIFTED_SHARE
  // Headings count on their own: nothing but their level decides where they start.
  const areHeadings = isMany(shifted.filter(isHeading), comparable.filter(isHeading))
  const areParagraphs = groups.some((group) => {
    const inGroup = group.filter((block) => block.flow.role === 'p' && shifted.includes(block))
    return inGroup.length >= MIN_SHIFTED && inGroup.length >= group.length * MIN_SHIFTED_PARAGRAPHS
  })
  if (far.length < MIN_SHIFTED && !areHeadings && !areParagraphs && !isMany(shifted, comparable)) return null
  const all = comparable.length
  return {
    extent: shifted.length / all,
    places: getBlockPlaces(shifted),
    evidence: { shifted: shifted.length, of: all },
    message: 'Paragraphs and headings of the same kind start at different edges.',
    advice: 'Give all blocks of a kind the same indent. Look for margins of nested or alternating elements.'
  }
}

/** Of the paragraphs. One or two may be a lead or a note. */
const MIN_OTHER_TYPE = 2
const MIN_OTHER_TYPE_SHARE = 0.25
/** Other sizes than this are of another kind of text. */
const SAME_SIZE = 0.2

/**
 * Paragraphs in another size or font than others. Sites set the text below a subheading, the first paragraph and the
 * last one apart, but not some of the paragraphs of the same kind.
 */
export function detectMixedType(input: RuleInput): RuleHit | null {
  const paragraphs = getFlowBlocks(input).filter(({ flow }) => flow.role === 'p')
  const inner = paragraphs.slice(1, isLong(paragraphs.at(-1)?.text ?? '', LONG_TEXT) ? undefined : -1)
  const differ = ({ typography: one }: FlowBlock, { typography: other }: FlowBlock): boolean =>
    Math.abs(one.fontPx / other.fontPx - 1) > SAME_SIZE || one.fontFamily !== other.fontFamily
  const near = (block: FlowBlock): number => inner.filter((other) => !differ(block, other)).length
  if (inner.length < 2 * MIN_OTHER_TYPE) return detectMixedTypeOfFew(inner)
  // Of two sizes that are equally common, the smaller one is that of text.
  const bySize = inner.toSorted((one, other) => one.typography.fontPx - other.typography.fontPx)
  const usual = bySize.reduce((one, other) => (near(other) > near(one) ? other : one))
  const others = inner.filter((block) => differ(block, usual))
  const isOfDepth = [...Map.groupBy(inner, ({ flow }) => flow.depth).values()].every((group) =>
    group.every((block) => !differ(block, group[0]!))
  )
  if (isOfDepth || others.length < MIN_OTHER_TYPE || others.length < inner.length * MIN_OTHER_TYPE_SHARE) return null
  return {
    extent: getShare(others, inner),
    places: getBlockPlaces(others),
    evidence: { others: others.length, of: inner.length, fontPx: others[0]!.typography.fontPx },
    ...MIXED_TYPE
  }
}

const MIXED_TYPE = {
  message: 'Some paragraphs have another font or size than the others.',
  advice: 'Give all paragraphs the same font. Look for rules that apply to every other element.'
}

/** Of a few paragraphs, one that is larger than this has the size of a heading. */
const SIZE_OF_HEADING = 1.6

/** Short posts have too few paragraphs to tell what is usual. One in the type of something else is not. */
function detectMixedTypeOfFew(inner: readonly FlowBlock[]): RuleHit | null {
  const smallest = Math.min(...inner.map(({ typography }) => typography.fontPx))
  const first = inner.find(({ typography }) => typography.fontPx === smallest)
  const others = inner.filter(
    ({ typography: one }) =>
      one.fontPx > SIZE_OF_HEADING * smallest ||
      (one.fontFamily !== first!.typography.fontFamily && one.bold !== first!.typography.bold)
  )
  if (others.length === 0) return null
  return {
    extent: getShare(others, inner),
    places: getBlockPlaces(others),
    evidence: { others: others.length, of: inner.length, fontPx: others[0]!.typography.fontPx },
    ...MIXED_TYPE
  }
}

function detectMisaligned(input: RuleInput): RuleHit | null {
  const blocks = getFlowBlocks(input)
  return detectAlignment(blocks) ?? detectBeside(blocks) ?? detectShifted(input, blocks)
}

/** The blocks of the article are readable, but not in the order of a column. */
export const flowRules: readonly Rule[] = [
  {
    code: 'SPACING_LOST',
    category: 'layout',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'Neither space nor indents separate paragraphs and headings from the text above them.',
    advice: 'Give paragraphs and headings a margin. Look for a CSS reset, which needs an exception for the blog.',
    detect: detectLostSpacing
  },
  {
    code: 'BLOCKS_MISALIGNED',
    category: 'layout',
    severity: 'medium',
    scope: 'article',
    version: 3,
    message: 'Blocks of the text are not aligned with each other.',
    advice: 'Show the blocks of `htmlContent` in one column, with lines that start at the same edge.',
    detect: detectMisaligned
  }
]
