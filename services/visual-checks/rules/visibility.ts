import type { BlockSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { BLOG_CSS_CODES, HIDDEN_IMAGE_CODES, HIDDEN_TEXT_CODES } from './codes.ts'
import {
  type HiddenCode,
  getBlockPlaces,
  getHiddenReason,
  getShare,
  getWeight,
  hasFullPageOverlay,
  sumWeights
} from './helpers/blocks.ts'
import { areCaptionsOfInvisibleImages } from './helpers/images.ts'
import { clearlyExceeds, isLong, round } from './helpers/text.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

/** Hidden text is reported from this share on. A whole paragraph is always reported. */
const MIN_HIDDEN_SHARE = 0.005
/** If an overlay blocks scrolling, these are consequences of the overlay. */
const BEHIND_OVERLAY: readonly HiddenCode[] = ['TEXT_OFFSCREEN', 'TEXT_CLIPPED', 'TEXT_CUT_OFF']

/** Reports the blocks that are hidden for one reason. */
function detectHidden(code: HiddenCode, input: RuleInput): RuleHit | null {
  const { blocks: all } = input.snapshot
  if (BEHIND_OVERLAY.includes(code) && hasFullPageOverlay(input)) return null
  const blocks = all.filter((block) => getHiddenReason(block) === code)
  const share = getShare(blocks, all)
  const [first] = blocks
  if (first === undefined || (share < MIN_HIDDEN_SHARE && !blocks.some(({ text }) => isLong(text)))) return null
  if (areCaptionsOfInvisibleImages(blocks, input)) return null
  return {
    extent: share,
    places: getBlockPlaces(blocks),
    evidence: { ...getCause(blocks), text: first.text.slice(0, 120), share: round(share), ...measure(first, code) }
  }
}

/** What hides the text: the declaration, the rule that has it, and its style sheet. */
function getCause(blocks: readonly BlockSnapshot[]): Record<string, unknown> {
  const hiddenBy = blocks.find((block) => block.hiddenBy)?.hiddenBy
  if (!hiddenBy) return {}
  const { declaration, rule, stylesheet, element } = hiddenBy
  return { cause: declaration, rule, stylesheet, element }
}

/** The measurement by which text is hidden, of the block that is reported first. */
function measure({ visibility, typography }: BlockSnapshot, code: HiddenCode): Record<string, unknown> {
  const { opacity, clippedShare, offScreenShare, contrast } = visibility!
  const clipped = { clippedShare: round(clippedShare) }
  const offScreen = { offScreenShare: round(offScreenShare) }
  const measured: Partial<Record<HiddenCode, Record<string, unknown>>> = {
    TEXT_TRANSPARENT: { opacity: round(opacity, 2) },
    TEXT_CLIPPED: clipped,
    TEXT_OFFSCREEN: offScreen,
    TEXT_CUT_OFF: { ...clipped, ...offScreen },
    TEXT_SHRUNK: { fontPx: typography === null ? null : round(typography.fontPx, 1) },
    TEXT_INVISIBLE_COLOR: { contrast: contrast === null ? null : round(contrast, 2) }
  }
  return measured[code] ?? {}
}

/** Elements in the page hide text for good. Fixed layers hide only the end of the page. */
const MIN_COVERED_SHARE = 0.02
/** Headings count if the element that covers them scrolls with the page. */
const MIN_HEADING_LENGTH = 15
const STAYS_IN_VIEWPORT = ['fixed', 'sticky']

function detectCovered({ snapshot }: RuleInput): RuleHit | null {
  const blocks = snapshot.blocks.filter((block) => getHiddenReason(block) === 'TEXT_COVERED')
  const isLasting = blocks.some(
    ({ visibility, text }) =>
      !STAYS_IN_VIEWPORT.includes(visibility!.coveredBy?.position ?? 'fixed') && isLong(text, MIN_HEADING_LENGTH)
  )
  const covered = blocks.reduce((sum, block) => sum + getWeight(block) * block.visibility!.coveredShare, 0)
  const share = covered / Math.max(1, sumWeights(snapshot.blocks))
  if (blocks.length === 0 || (share <= MIN_COVERED_SHARE && !isLasting)) return null
  const by = blocks.find(({ visibility }) => visibility!.coveredBy !== null)?.visibility!.coveredBy
  return {
    extent: share,
    places: getBlockPlaces(blocks),
    evidence: {
      share: round(share),
      by: by ? { selector: by.selector, text: by.text.slice(0, 120), position: by.position } : null
    }
  }
}

const MAX_LAYERS_SHARE = 0.28
const LARGE_LAYERS_SHARE = 0.5

function detectObstructed({ snapshot: { layers, layersShare } }: RuleInput): RuleHit | null {
  if (layersShare <= MAX_LAYERS_SHARE) return null
  return {
    extent: layersShare,
    places: [...layers].sort((a, b) => b.share - a.share).map(({ selector, box }) => ({ place: { selector, box } })),
    evidence: { share: round(layersShare, 2), texts: layers.slice(0, 3).map(({ text }) => text.slice(0, 80)) },
    ...(clearlyExceeds(layersShare, LARGE_LAYERS_SHARE) ? { severity: 'high' as const } : {})
  }
}

/** The text is in the page, but readers cannot see it. */
export const visibilityRules: readonly Rule[] = [
  {
    code: 'TEXT_HIDDEN',
    category: 'layout',
    severity: 'critical',
    scope: 'article',
    version: 3,
    message: 'Text is hidden.',
    advice: 'Remove `display: none`, `visibility: hidden` or the collapsed state from the element and its ancestors.',
    detect: (input) => detectHidden('TEXT_HIDDEN', input),
    suppresses: { ifExtentAtLeast20: HIDDEN_IMAGE_CODES, ifNotLarger: [...HIDDEN_TEXT_CODES, 'TEXT_CUT_OFF'] }
  },
  {
    code: 'TEXT_TRANSPARENT',
    category: 'layout',
    severity: 'critical',
    scope: 'article',
    version: 2,
    message: 'Text is transparent.',
    advice:
      'Remove `opacity: 0`, masks, blend modes and filters from the element and its ancestors. ' +
      'Look for scroll animations whose script does not run.',
    detect: (input) => detectHidden('TEXT_TRANSPARENT', input),
    suppresses: {
      always: ['FONT_BLOCKS_TEXT'],
      ifExtentAtLeast20: HIDDEN_IMAGE_CODES,
      ifNotLarger: HIDDEN_TEXT_CODES
    }
  },
  {
    code: 'TEXT_CLIPPED',
    category: 'layout',
    severity: 'critical',
    scope: 'article',
    version: 3,
    message: 'Text is clipped.',
    advice: "Remove `overflow: hidden` with a fixed size, or `clip-path`, from the element's ancestors.",
    detect: (input) => detectHidden('TEXT_CLIPPED', input),
    suppresses: {
      always: ['TEXT_CUT_OFF', 'LINE_HEIGHT_TIGHT'],
      ifExtentAtLeast20: HIDDEN_IMAGE_CODES,
      ifNotLarger: HIDDEN_TEXT_CODES
    }
  },
  {
    code: 'TEXT_OFFSCREEN',
    category: 'layout',
    severity: 'critical',
    scope: 'article',
    version: 3,
    message: 'Text is outside the page.',
    advice: 'Remove the negative position, margin or indent, or the transform, that moves the text.',
    detect: (input) => detectHidden('TEXT_OFFSCREEN', input),
    suppresses: {
      always: ['TEXT_CUT_OFF', 'HORIZONTAL_OVERFLOW', 'PAGE_OVERFLOW_OUTSIDE_ARTICLE'],
      ifExtentAtLeast20: HIDDEN_IMAGE_CODES,
      ifNotLarger: HIDDEN_TEXT_CODES
    }
  },
  {
    code: 'TEXT_SHRUNK',
    category: 'layout',
    severity: 'critical',
    scope: 'article',
    version: 2,
    message: 'Text is too small to be visible.',
    advice: 'Remove the tiny font size, or the scale, from the element and its ancestors.',
    detect: (input) => detectHidden('TEXT_SHRUNK', input),
    suppresses: {
      always: ['FONT_TOO_SMALL', 'TEXT_SCALED'],
      ifNotLarger: [...HIDDEN_TEXT_CODES, 'LINE_HEIGHT_TIGHT', 'LINE_TOO_LONG', 'LETTER_SPACING', 'IMAGE_DISTORTED']
    }
  },
  {
    code: 'TEXT_INVISIBLE_COLOR',
    category: 'layout',
    severity: 'critical',
    scope: 'article',
    version: 2,
    message: 'Text has the same color as its background.',
    advice: 'Set a text color that differs from the background in every color scheme.',
    detect: (input) => detectHidden('TEXT_INVISIBLE_COLOR', input),
    suppresses: { always: ['LOW_CONTRAST'], ifNotLarger: BLOG_CSS_CODES }
  },
  {
    code: 'TEXT_COVERED',
    category: 'layout',
    severity: 'critical',
    scope: 'article',
    version: 2,
    message: 'Text is covered by another element.',
    advice: 'Move or close the covering element, or reserve space for it.',
    detect: detectCovered,
    suppresses: { always: ['VIEWPORT_OBSTRUCTED'], ifNotLarger: ['TEXT_OVERLAP', 'AXE_ARTICLE', 'AXE_ADDED'] }
  },
  {
    code: 'TEXT_CUT_OFF',
    category: 'layout',
    severity: 'high',
    scope: 'article',
    version: 1,
    message: 'Lines of text are cut off at an edge.',
    advice:
      'Let the element grow with its text and let lines wrap. ' +
      'Look for a fixed size, `white-space: nowrap` or `overflow: hidden`.',
    detect: (input) => detectHidden('TEXT_CUT_OFF', input),
    suppresses: { ifNotLarger: ['TEXT_OVERLAP', 'LINE_HEIGHT_TIGHT'] }
  },
  {
    code: 'VIEWPORT_OBSTRUCTED',
    category: 'layout',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'Fixed or sticky elements cover a large part of the viewport.',
    advice: 'Make fixed and sticky elements smaller, or let readers close them.',
    detect: detectObstructed
  }
]
