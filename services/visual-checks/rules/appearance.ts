import type { BlockSnapshot, Box } from '../../../ports/browser/port/page-snapshot.ts'
import { getBlogImages, reportImages } from './helpers/images.ts'
import { detectMixedType } from './flow.ts'
import { isTooSmall, isUnlikeFile } from './media.ts'
import { HIDDEN_IMAGE_CODES, HIDDEN_TEXT_CODES } from './codes.ts'
import {
  detectBlocks,
  getHiddenReason,
  hasFullPageOverlay,
  getReadableBlocks,
  isRendered,
  isRunningText,
  type RenderedBlock
} from './helpers/blocks.ts'
import { isLong, round } from './helpers/text.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

/** Blurred by less, text is still sharp enough to read without effort. In em. */
const MIN_BLUR_EM = 0.03
const MIN_STYLED_SHARE = 0.02

const isStruckThrough = ({ styles }: BlockSnapshot): boolean => styles?.struckThrough === true
const isBlurred = ({ styles }: BlockSnapshot): boolean => (styles?.blurEm ?? 0) > MIN_BLUR_EM
const isInCapitals = ({ styles }: BlockSnapshot): boolean => styles?.capitals === true

function detectStruckThrough(input: RuleInput): RuleHit | null {
  return detectBlocks(getReadableBlocks(input), {
    isBad: isStruckThrough,
    minShare: MIN_STYLED_SHARE,
    isGross: isStruckThrough,
    evidence: () => ({})
  })
}

function detectBlurred({ snapshot }: RuleInput): RuleHit | null {
  const rendered = snapshot.blocks.filter(isRendered)
  const hit = detectBlocks(rendered, {
    isBad: isBlurred,
    minShare: MIN_STYLED_SHARE,
    isGross: isBlurred,
    evidence: (bad) => ({ blurEm: round(Math.max(...bad.map(({ styles }) => styles!.blurEm)), 2) })
  })
  const isUnreadable = rendered.some((block) => getHiddenReason(block) === 'TEXT_BLURRED')
  return hit !== null && isUnreadable ? { ...hit, severity: 'critical' } : hit
}

/** Sites set a lead in capitals, or a quotation. */
const MIN_CAPITALS_SHARE = 0.15
/** Running text of this length is no label. */
const MIN_CAPITALS_LENGTH = 60

function detectCapitals(input: RuleInput): RuleHit | null {
  const blocks = getReadableBlocks(input)
  const [lead, ...further] = blocks.filter(isRunningText)
  return detectBlocks(blocks, {
    isBad: (block) => isInCapitals(block) && isRunningText(block) && (block !== lead || further.length === 0),
    minShare: MIN_CAPITALS_SHARE,
    isGross: ({ text, flow }) => isLong(text, MIN_CAPITALS_LENGTH) && /^(?:p|li)/.test(flow?.role ?? ''),
    evidence: (bad) => ({ text: bad[0]!.actual?.slice(0, 80) ?? '' })
  })
}

const hasWrongGlyphs = ({ styles }: BlockSnapshot): boolean => styles?.wrongGlyphs === true

function detectWrongGlyphs(input: RuleInput): RuleHit | null {
  return detectBlocks(getReadableBlocks(input), {
    isBad: hasWrongGlyphs,
    minShare: MIN_STYLED_SHARE,
    isGross: hasWrongGlyphs,
    evidence: (bad) => ({ fontFamily: bad[0]!.typography.fontFamily.slice(0, 120) })
  })
}

/** Text at another scale has another finding, and glyphs of slightly other shapes. */
const MIN_SCALE = 0.8
const MAX_SCALE = 1.25
/** So little of the reference is recognizable that readers see something else. */
const UNLIKE_CORRELATION = 0.5

/** At a lower contrast, the block has a finding about it. */
const ILLEGIBLE = 1.5

/** Whether a block differs from the reference rendering, and no other rule says why. */
function looksDifferent(block: RenderedBlock, overlapping: ReadonlySet<number>): boolean {
  const { appearance, visibility, index, styles } = block
  if (isStruckThrough(block) || isBlurred(block) || isInCapitals(block) || hasWrongGlyphs(block)) return false
  const { coveredShare, clippedShare, contrast, scale } = visibility
  if (contrast !== null && contrast < ILLEGIBLE) return false
  if (overlapping.has(index) || coveredShare > 0 || clippedShare > 0.01) return false
  if (scale < MIN_SCALE || scale > MAX_SCALE) return false
  return styles?.marked === true || isUnderLink(block) || (appearance?.differentShare ?? 0) > 0
}

/** Of the sampled points: a link that reaches into a line covers fewer. */
const MIN_UNDER_LINK = 0.6
const isUnderLink = ({ visibility }: BlockSnapshot): boolean => (visibility?.underLinkShare ?? 0) >= MIN_UNDER_LINK

const UNDER_LINK = {
  message: 'A link or button that readers do not see lies over the text: a click on the text leads elsewhere.',
  advice: 'Limit the area of links with `position: absolute`. Look for a teaser or a card around the article.'
}

const FOREIGN_ROLE = {
  message: 'Paragraphs, or large parts of them, are links, quotes, list items, code or emphasis, but not in the blog.',
  advice: 'Look for an element around or before the text that is not closed, and for links around the article.'
}

function detectDifferent(input: RuleInput): RuleHit | null {
  const { overlaps } = input.snapshot
  const overlapping = new Set(overlaps.flatMap(({ block, other }) => (other === null ? [block] : [block, other])))
  const compared = getReadableBlocks(input).filter(
    (block) => block.appearance !== undefined || block.styles?.marked === true || isUnderLink(block)
  )
  const differentShareOf = ({ appearance }: BlockSnapshot): number => appearance?.differentShare ?? 0
  const hit = detectBlocks(compared, {
    isBad: (block) => looksDifferent(block, overlapping),
    minShare: 0,
    evidence: (bad) => {
      const worst = bad.reduce((one, other) => (differentShareOf(other) > differentShareOf(one) ? other : one))
      const { comparedShare, ...measures } = worst.appearance ?? {}
      return { text: worst.text.slice(0, 120), ...measures, styles: worst.styles?.effects ?? [] }
    }
  })
  // Words that are partly in the color of their background have the same cause as whole texts that are.
  const isExplained = input.snapshot.blocks.some((block) => getHiddenReason(block) === 'TEXT_INVISIBLE_COLOR')
  if (hit === null || isExplained) {
    return detectDifferentPictures(input) ?? detectSpreadLines(input) ?? detectMixedType(input)
  }
  const isHitUnderLink = (index?: number): boolean => compared.some((one) => one.index === index && isUnderLink(one))
  if (hit.places.every(({ block }) => isHitUnderLink(block))) return { ...hit, ...UNDER_LINK }
  if (hit.places.every(({ block }) => compared.find(({ index }) => index === block)?.styles?.foreignRole === true)) {
    return { ...hit, ...FOREIGN_ROLE }
  }
  const isUnlike = hit.extent >= 0.2 && Number(hit.evidence.correlation ?? 1) < UNLIKE_CORRELATION
  return isUnlike ? { ...hit, severity: 'high' } : hit
}

/** More degrees are `TEXT_ROTATED`, which explains the pictures, too. */
const MAX_DEGREES = 5

const isTurned = ({ visibility }: BlockSnapshot): boolean => {
  const rotation = visibility?.rotation ?? 0
  return Math.min(rotation, 360 - rotation) > MAX_DEGREES
}

/** Pictures whose pixels are not those of their files. If text looks different, too, one finding is sufficient. */
function detectDifferentPictures(input: RuleInput): RuleHit | null {
  if (hasFullPageOverlay(input) || input.snapshot.blocks.some(isTurned)) return null
  // Of few pixels, little of a file can be recognized.
  const images = getBlogImages(input).filter((image) => isUnlikeFile(image) && !isTooSmall(image, input))
  const [first] = images
  if (first === undefined) return null
  const hit = reportImages(input, images, { ...first.appearance })
  return (
    hit && {
      ...hit,
      message: 'An image looks different from its file: it is inverted, mirrored, covered or in pieces.',
      advice: 'Look for filters, transforms, blend modes and layers on the image and its ancestors.'
    }
  )
}

/** Lines of any site are closer together. Notes, formulas and icons in a line need some space. */
const MAX_SPREAD_PX = 160
const MAX_SPREAD = 1.6
/** Of the font size. The most open sites have about half of it. */
const MAX_LINE_HEIGHT = 3.2

/** Whether something other than our text or pictures moves the lines of a block apart. */
function hasSpreadLines({ tag, place, typography: { fontPx, lineHeightRatio, lines } }: RenderedBlock): boolean {
  const height = place?.box?.height ?? 0
  const own = fontPx * Math.max(1, lineHeightRatio) * lines
  if (lines > 1 && lineHeightRatio > MAX_LINE_HEIGHT) return true
  return (
    /^(?:p|li|h[1-6]|blockquote|figcaption)$/.test(tag) && height > own * MAX_SPREAD && height - own > MAX_SPREAD_PX
  )
}

/** Blocks between whose lines a site shows something else, such as icons without a size. */
function detectSpreadLines(input: RuleInput): RuleHit | null {
  const others = [...input.snapshot.images, ...(input.snapshot.embeds ?? []), ...input.snapshot.unexpectedTexts]
  const isInside = ({ place }: BlockSnapshot): boolean =>
    others.some(({ box }) => box !== null && place?.box != null && intersects(box, place.box))
  const hit = detectBlocks(getReadableBlocks(input), {
    isBad: (block) => block.visibility.rotation === 0 && hasSpreadLines(block) && !isInside(block),
    minShare: 0,
    evidence: (bad) => ({ heightPx: bad[0]!.place!.box!.height, lines: bad[0]!.typography.lines })
  })
  return (
    hit && {
      ...hit,
      message: 'The lines of a text are far apart: their height is too large, or something is between them.',
      advice: 'Use a line height of about 1.5. Look for icons and other inline elements without a size in the text.'
    }
  )
}

const intersects = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

/** The glyphs of the text, compared with a rendering of the blog in the fonts of the page. */
export const appearanceRules: readonly Rule[] = [
  {
    code: 'TEXT_BLURRED',
    category: 'layout',
    severity: 'high',
    scope: 'article',
    version: 1,
    message: 'Text is blurred.',
    advice: 'Remove `filter: blur()` from the element and its ancestors. Look for a paywall or a loading state.',
    detect: detectBlurred,
    suppresses: {
      ifExtentAtLeast20: [...HIDDEN_IMAGE_CODES, 'IMAGE_LOW_RESOLUTION'],
      ifNotLarger: HIDDEN_TEXT_CODES
    }
  },
  {
    code: 'TEXT_STRUCK_THROUGH',
    category: 'layout',
    severity: 'high',
    scope: 'article',
    version: 2,
    message: 'Text is struck through: readers take it for deleted.',
    advice: 'Remove `text-decoration: line-through` from the element and its ancestors.',
    detect: detectStruckThrough
  },
  {
    code: 'TEXT_ALL_CAPS',
    category: 'readability',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'Running text is in capitals.',
    advice: 'Remove `text-transform: uppercase` from paragraphs and lists.',
    detect: detectCapitals
  },
  {
    code: 'TEXT_WRONG_GLYPHS',
    category: 'layout',
    severity: 'high',
    scope: 'article',
    version: 2,
    message: 'The font shows other signs than the letters of the text: symbols, empty boxes or mirrored letters.',
    advice: "Check which file the font family loads, and that it has the letters of the blog's language.",
    detect: detectWrongGlyphs
  },
  {
    code: 'LOOKS_DIFFERENT',
    category: 'layout',
    severity: 'medium',
    scope: 'article',
    version: 11,
    message: 'Text looks different from what it says: parts of letters are missing, added, moved or covered.',
    advice:
      'Compare the screenshot with the reference beside it. Look for effects on the text or above it: ' +
      'filters, transforms, masks, shadows, outlines, text decorations and pseudo-elements.',
    detect: detectDifferent
  }
]
