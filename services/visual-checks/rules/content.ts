import type { BlockSnapshot, ElementLocation, ViewportSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { BLOG_CSS_CODES } from './codes.ts'
import { getArticlePlaces, getBlockPlaces, getShare, isFlattenedHeading } from './helpers/blocks.ts'
import { countEntities, countMojibake, countPlaceholdersBetween, countTags } from './helpers/defective-text.ts'
import { getMissingImages } from './helpers/images.ts'
import {
  hasAddedBreaks,
  hasHeldSpaces,
  hasMergedWords,
  hasProseMarks,
  hasSpacedMarks,
  repeatsInitial
} from './helpers/changed-text.ts'
import { detectMixed } from './helpers/foreign-text.ts'
import { getTextMatch, getUnmatchedBlocks, isUnchanged } from './helpers/text-match.ts'
import { isLong, round } from './helpers/text.ts'
import { detectReordered } from './order.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

/** If more than this share is missing, the text is truncated rather than incomplete. */
const TRUNCATED_SHARE = 0.3

/** More than the share is missing, or only the beginning is left. */
function detectTruncated(input: RuleInput): RuleHit | null {
  const match = getTextMatch(input)
  const { missing } = getUnmatchedBlocks(input)
  const share = getShare(missing, input.snapshot.blocks)
  if (match !== 'excerpt' && (match !== 'present' || share <= TRUNCATED_SHARE)) return null
  return {
    extent: share,
    places: getArticlePlaces(input.snapshot),
    count: Math.max(1, missing.length),
    evidence: {
      share: round(share),
      blocks: missing.length,
      missing: missing.slice(0, 4).map(({ text }) => text.slice(0, 120))
    }
  }
}

const MIN_MISSING_SHARE = 0.005
/** This many missing blocks are reported even if they are short. */
const MIN_MISSING_BLOCKS = 3

function detectIncomplete(input: RuleInput): RuleHit | null {
  const { missing } = getUnmatchedBlocks(input)
  const share = getShare(missing, input.snapshot.blocks)
  const isTrace =
    share <= MIN_MISSING_SHARE && missing.length < MIN_MISSING_BLOCKS && !missing.some(({ text }) => isLong(text))
  if (getTextMatch(input) !== 'present' || share > TRUNCATED_SHARE || isTrace) return null
  if (isReportedElsewhere(missing, input)) return null
  return {
    extent: share,
    places: getArticlePlaces(input.snapshot),
    count: Math.max(1, missing.length),
    evidence: {
      share: round(share),
      blocks: missing.map(({ index }) => index).slice(0, 20),
      missing: missing.slice(0, 4).map(({ text }) => text.slice(0, 120))
    },
    expected: missing[0]!.text.slice(0, 300)
  }
}

/** Whether other rules report the loss: captions of missing images, and blocks with placeholders. */
function isReportedElsewhere(missing: readonly BlockSnapshot[], input: RuleInput): boolean {
  if (missing.every(({ tag }) => tag === 'figcaption')) return missing.length <= getMissingImages(input).length
  return missing.length <= countPlaceholdersBetween(input)
}

/** If more than this share has run together, readers can hardly read it, or structure is lost. */
const MERGED_SHARE = 0.5

/** Visible markup and wrong characters are reported by their own rules. */
function isChanged(block: BlockSnapshot): boolean {
  const { similarity, text, actual, place } = block
  if (actual === null || place === null || similarity <= 0) return false
  const isOtherwise =
    hasMergedWords(actual, text) ||
    hasAddedBreaks(block) ||
    hasHeldSpaces(block) ||
    hasProseMarks(block) ||
    block.codeChanged === true ||
    repeatsInitial(actual, text) ||
    hasSpacedMarks(actual, text)
  if (isUnchanged({ similarity, text, actual }) && !isOtherwise) return false
  return countTags(actual, text) + countEntities(actual, text) + countMojibake(actual, text) === 0
}

/** Blocks with a similar text, blocks that have run together, and headings without a heading's style. */
function detectChanged(input: RuleInput): RuleHit | null {
  const { snapshot } = input
  const { merged } = getUnmatchedBlocks(input)
  if (getTextMatch(input) !== 'present' && merged.length === 0) return null
  const changed = snapshot.blocks.filter(isChanged)
  const all = [...new Set([...changed, ...merged])]
  if (all.length === 0) return null
  const [first] = changed
  const runTogether = [...merged, ...changed.filter(({ actual, text }) => hasMergedWords(actual!, text))]
  return {
    extent: getShare(all, snapshot.blocks),
    places: changed.length > 0 ? getBlockPlaces(changed) : getArticlePlaces(snapshot),
    ...(getShare(runTogether, snapshot.blocks) > MERGED_SHARE ? { severity: 'high' as const } : {}),
    count: all.length,
    evidence: {
      share: round(getShare(all, snapshot.blocks)),
      changed: changed.length,
      merged: merged.length
    },
    expected: (first ?? all[0]!).text.slice(0, 300),
    ...(first ? { actual: first.actual!.slice(0, 300) } : {}),
    ...getChangeMessage({ changed, merged })
  }
}

/** What a reader would say about changed text. */
function getChangeMessage({
  changed,
  merged
}: {
  changed: readonly BlockSnapshot[]
  merged: readonly BlockSnapshot[]
}): Pick<RuleHit, 'message' | 'advice'> {
  if (merged.length > 0 && changed.length === 0) {
    return {
      message: 'Paragraphs, headings or list items have run together into one text.',
      advice: 'Keep the elements of `htmlContent`. Look for a filter that removes them, or that uses only their text.'
    }
  }
  if (changed.length > 0 && changed.every(hasAddedBreaks)) {
    return {
      message: 'Lines break in the middle of sentences, where the blog has no line breaks.',
      advice: 'Insert `htmlContent` as it is. Look for an editor or a filter that adds `<br>` elements.'
    }
  }
  if (changed.length > 0 && changed.every(hasHeldSpaces)) {
    return {
      message: 'Spaces are no-break spaces: lines break within words or leave the screen.',
      advice: 'Insert `htmlContent` as it is. Look for an editor or a filter that writes `&nbsp;` for spaces.'
    }
  }
  if (!changed.every(({ actual, text }) => hasMergedWords(actual!, text))) return {}
  return {
    message: 'Words have run together: the spaces between them are missing.',
    advice: 'Keep the white space of `htmlContent`. Look for a filter or a minifier that removes it.'
  }
}

/** Headings with other words, or within a merged text, are reported as changed text. */
function detectFlattened(input: RuleInput): RuleHit | null {
  const { blocks } = input.snapshot
  const { merged } = getUnmatchedBlocks(input)
  const headings = blocks.filter(({ tag }) => /^h[1-6]$/.test(tag))
  const flattened = headings.filter(
    (block) => isFlattenedHeading(block, input.snapshot) && !isChanged(block) && !merged.includes(block)
  )
  const [first] = flattened
  if (first === undefined) return null
  return {
    extent: flattened.length / headings.length,
    places: getBlockPlaces(flattened),
    evidence: { headings: headings.length, flattened: flattened.length, shownAs: first.actualTag },
    expected: `<${first.tag}>${first.text.slice(0, 200)}`,
    actual: `<${first.actualTag}>${first.actual!.slice(0, 200)}`
  }
}

/** Above this share the whole blog is duplicated; below it, some paragraphs are. */
const DUPLICATED_SHARE = 0.3
/** Sites repeat the beginning as a lead, a teaser or a preview. */
const LEAD_BLOCKS = 2

function detectDuplicated({ snapshot }: RuleInput): RuleHit | null {
  const long = snapshot.blocks.filter(({ text, place }) => place !== null && isLong(text))
  const duplicated = long.filter(({ copies, expectedCopies }) => copies > Math.max(1, expectedCopies))
  const share = getShare(duplicated, long)
  const isWhole = share > DUPLICATED_SHARE && duplicated.length > LEAD_BLOCKS
  const inBody = duplicated.some((block) => long.indexOf(block) >= LEAD_BLOCKS && isLong(block.text, 60))
  const short = isWhole || inBody ? [] : getRepeatedItems(snapshot)
  if (short.length >= MIN_REPEATED_ITEMS) return reportRepeatedItems(short, snapshot)
  if (!isWhole && !inBody && !duplicated.some((block) => isRepeatedInArticle(block, snapshot))) return null
  return {
    extent: share,
    places: duplicated.map((block) => ({ place: block.secondCopy ?? block.place!, block: block.index })),
    evidence: { share: round(share), blocks: duplicated.length, text: duplicated[0]!.text.slice(0, 120) },
    ...(isWhole ? {} : { severity: 'medium' as const })
  }
}

/** One repeated word may be a coincidence. */
const MIN_REPEATED_ITEMS = 2

/** Blocks of any length, such as list items, with a copy beside them that the blog does not have. */
const getRepeatedItems = (snapshot: ViewportSnapshot): BlockSnapshot[] =>
  snapshot.blocks.filter(
    (block) =>
      block.copies > block.expectedCopies &&
      (/^(?:p|li|h[1-6]|blockquote|dt|dd)$/.test(block.tag)
        ? areSiblings(block.place, block.secondCopy) || isAdjacent(block)
        : block.tag === 'td' && isAdjacent(block))
  )

/** Whether the copy is directly below or above. */
function isAdjacent({ place, secondCopy }: BlockSnapshot): boolean {
  const [one, other] = [place?.box, secondCopy?.box]
  if (!one || !other) return false
  const distance = Math.max(one.y, other.y) - Math.min(one.y + one.height, other.y + other.height)
  const sharedWidth = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)
  return sharedWidth > 0 && Math.abs(distance) < 2 * Math.max(one.height, other.height)
}

function reportRepeatedItems(repeated: readonly BlockSnapshot[], { blocks }: ViewportSnapshot): RuleHit {
  const share = getShare(repeated, blocks)
  return {
    extent: share,
    places: repeated.map(({ secondCopy, place, index }) => ({ place: secondCopy ?? place!, block: index })),
    evidence: { share: round(share), blocks: repeated.length, text: repeated[0]!.text.slice(0, 120) },
    severity: 'medium'
  }
}

/** Whether both copies have the same parent. A lead or a teaser has a parent of its own. */
const areSiblings = (one: ElementLocation | null, other: ElementLocation | null): boolean =>
  one !== null && other !== null && one.selector.includes(' > ') && getParent(one) === getParent(other)
const getParent = ({ selector }: ElementLocation): string => selector.slice(0, selector.lastIndexOf(' > '))

/**
 * Whether both copies have the same parent, or stand in the article below a block that is there
 * once. A lead or a teaser stands above all blocks.
 */
function isRepeatedInArticle(
  { index, place, secondCopy }: BlockSnapshot,
  { blocks, article }: ViewportSnapshot
): boolean {
  const [one, other, around] = [place?.box, secondCopy?.box, article?.box]
  if (areSiblings(place, secondCopy)) return true
  if (!one || !other || !around || other.x < around.x || other.x + other.width > around.x + around.width) return false
  const isAbove = ({ place: above }: BlockSnapshot): boolean =>
    above?.box != null && above.box.y + above.box.height <= Math.min(one.y, other.y) && above.box.y >= around.y
  return (
    other.y + other.height <= around.y + around.height &&
    blocks.some((block) => block.index < index && block.copies === 1 && isAbove(block))
  )
}

/** The blog's text is in the page, but not as written. */
export const contentRules: readonly Rule[] = [
  {
    code: 'CONTENT_TRUNCATED',
    category: 'content',
    severity: 'critical',
    scope: 'article',
    version: 1,
    message: 'A large part of the text is missing.',
    advice: 'Include all of `htmlContent`. Look for an excerpt, a character limit or a paywall.',
    detect: detectTruncated,
    suppresses: {
      always: ['CONTENT_INCOMPLETE', 'IMAGE_MISSING', 'EMBED_MISSING'],
      ifNotLarger: ['CONTENT_CHANGED', ...BLOG_CSS_CODES]
    }
  },
  {
    code: 'CONTENT_INCOMPLETE',
    category: 'content',
    severity: 'high',
    scope: 'article',
    version: 2,
    message: 'Parts of the text are missing.',
    advice:
      'Compare the missing paragraphs with `htmlContent`. ' +
      'Look for an outdated revision, a filter, or a template that drops elements.',
    detect: detectIncomplete
  },
  {
    code: 'CONTENT_CHANGED',
    category: 'content',
    severity: 'medium',
    scope: 'article',
    version: 7,
    message: 'The text differs from the published blog.',
    advice: 'Publish the current revision of `htmlContent` without changing its text or removing its elements.',
    detect: detectChanged,
    suppresses: {
      // The words of merged paragraphs are not where those of the blog are.
      ifExtentAtLeast50: ['IMAGE_MISSING', 'CONTENT_REORDERED', 'LOOKS_DIFFERENT', ...BLOG_CSS_CODES],
      ifNotLarger: ['CONTENT_REORDERED']
    }
  },
  {
    code: 'HEADINGS_FLATTENED',
    category: 'content',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'Headings look like ordinary text: they are no longer heading elements.',
    advice: 'Keep the elements `<h2>` to `<h6>` of `htmlContent`. Look for a filter or an editor that replaces them.',
    detect: detectFlattened
  },
  {
    code: 'CONTENT_DUPLICATED',
    category: 'content',
    severity: 'high',
    scope: 'article',
    version: 5,
    message: 'The text appears more than once.',
    advice: 'Include `htmlContent` once. Look for a script that inserts the text again after server rendering.',
    detect: detectDuplicated,
    suppresses: { always: ['H1_DUPLICATE', 'CONTENT_REORDERED', 'CONTENT_MIXED'] }
  },
  {
    code: 'CONTENT_REORDERED',
    category: 'content',
    severity: 'medium',
    scope: 'article',
    version: 4,
    message: 'Paragraphs or images are in a different order than in the blog.',
    advice: 'Keep the order of `htmlContent`. Look for templates that sort, move or split it.',
    detect: detectReordered
  },
  {
    code: 'CONTENT_MIXED',
    category: 'content',
    severity: 'high',
    scope: 'article',
    version: 1,
    message: "Unrelated text appears between the blog's paragraphs.",
    advice: 'Check what the template inserts between paragraphs: another blog, a wrong record or an outdated revision.',
    detect: detectMixed
  }
]
