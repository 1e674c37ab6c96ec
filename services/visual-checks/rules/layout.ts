import type { ViewportSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import {
  type RenderedBlock,
  detectBlocks,
  getBlockPlaces,
  getHiddenReason,
  getReadableBlocks,
  getShare,
  isRendered,
  isRunningText
} from './helpers/blocks.ts'
import { clearlyExceeds, isFullWidthText, isLong, round } from './helpers/text.ts'
import { detectGap } from './gaps.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

const MIN_OVERLAP_SHARE = 0.2

/** Sites let headings and heads of tables stick, and sometimes a note. */
const MIN_STICKY_BLOCKS = 3

/** Paragraphs that readers see over each other when they scroll. */
function detectStickyText({ blocks }: ViewportSnapshot): RuleHit | null {
  const texts = blocks.filter(isRendered).filter(isRunningText)
  const sticky = texts.filter(({ styles }) => styles?.sticky === true)
  if (sticky.length < MIN_STICKY_BLOCKS) return null
  return {
    extent: sticky.length / texts.length,
    places: getBlockPlaces(sticky),
    evidence: { sticky: sticky.length },
    message: 'Paragraphs stay at the edge of the screen and cover each other when readers scroll.',
    advice: 'Remove `position: sticky` from paragraphs and lists.'
  }
}

function detectOverlap({ snapshot }: RuleInput): RuleHit | null {
  const pairs = snapshot.overlaps.filter(({ share }) => share > MIN_OVERLAP_SHARE)
  if (pairs.length === 0) return detectStickyText(snapshot)
  const affected = new Set(pairs.flatMap(({ block, other }) => (other === null ? [block] : [block, other])))
  return {
    extent: Math.min(1, affected.size / Math.max(1, snapshot.blocks.length)),
    places: [...pairs].sort((a, b) => b.share - a.share).map(({ place, block }) => ({ place, block })),
    evidence: { pairs: pairs.length, worst: round(Math.max(...pairs.map(({ share }) => share)), 2) }
  }
}

const MIN_SCALE = 0.8
const MAX_SCALE = 1.25
const MIN_TRANSFORMED_SHARE = 0.01

/** How far the scale is off: 2 for double and for half. */
const getScaleFactor = ({ visibility: { scale } }: RenderedBlock): number => Math.max(scale, 1 / Math.max(scale, 0.01))

/** Text that is enlarged beyond the page counts as scaled. */
function detectScaled(input: RuleInput): RuleHit | null {
  const enlarged = input.snapshot.blocks
    .filter(isRendered)
    .filter((block) => getHiddenReason(block) === 'TEXT_OFFSCREEN' && block.visibility.scale > MAX_SCALE)
  const hit = detectBlocks([...getReadableBlocks(input), ...enlarged], {
    isBad: ({ visibility }) => visibility.scale < MIN_SCALE || visibility.scale > MAX_SCALE,
    minShare: MIN_TRANSFORMED_SHARE,
    evidence: (bad) => ({
      scale: round(bad[0]!.visibility.scale, 2),
      worst: round(Math.max(...bad.map(getScaleFactor)), 2)
    })
  })
  return hit && clearlyExceeds(Number(hit.evidence.worst), 1.5) ? { ...hit, severity: 'high' } : hit
}

/** A few degrees are a matter of taste: of a note, a quote, a picture, but not of most of the text. */
const MAX_DEGREES = 5
/** A whole text may be tilted by less. */
const MIN_TILTED_DEGREES = 2
const MIN_TILTED_SHARE = 0.5
/** Rotation may cut text off or move it out of the page. It is reported as rotated then. */
const CAUSED_BY_ROTATION = [null, 'TEXT_CUT_OFF', 'TEXT_CLIPPED', 'TEXT_OFFSCREEN', 'TEXT_COVERED']

function detectRotated({ snapshot }: RuleInput): RuleHit | null {
  const getDegrees = ({ visibility: { rotation } }: RenderedBlock): number => Math.min(rotation, 360 - rotation)
  const blocks = snapshot.blocks
    .filter(isRendered)
    .filter((block) => CAUSED_BY_ROTATION.includes(getHiddenReason(block)))
  const evidence = (bad: readonly RenderedBlock[]) => ({ degrees: round(Math.max(...bad.map(getDegrees)), 0) })
  const turned = detectBlocks(blocks, {
    isBad: (block) => getDegrees(block) > MAX_DEGREES,
    minShare: MIN_TRANSFORMED_SHARE,
    evidence
  })
  if (turned !== null) return turned
  const tilted = detectBlocks(blocks, {
    isBad: (block) => getDegrees(block) >= MIN_TILTED_DEGREES,
    minShare: MIN_TILTED_SHARE,
    evidence
  })
  return tilted && { ...tilted, severity: 'medium', message: 'Most of the text is tilted by a few degrees.' }
}

const MIN_OVERFLOW_PX = 4
/** Less overflow lets the page move slightly, but hides no word. */
const SMALL_OVERFLOW_PX = 16

/**
 * Whether mobile browsers lay the page out for a wide screen and shrink it: there is no viewport
 * meta element, or one with a fixed width.
 */
const lacksMobileViewport = ({ viewport, width, document }: ViewportSnapshot): boolean =>
  viewport === 'mobile' && document.layoutWidth > width * 1.3

/** A page that does not scroll horizontally cuts its text off, which is reported instead. */
const isCutOffInstead = ({ document, blocks }: ViewportSnapshot): boolean =>
  document.scrollWidth <= document.layoutWidth && blocks.some((block) => getHiddenReason(block) === 'TEXT_CUT_OFF')

function detectHorizontalOverflow({ snapshot }: RuleInput): RuleHit | null {
  const overflows = snapshot.overflows
    .filter(({ overflowPx, inArticle }) => inArticle && overflowPx > MIN_OVERFLOW_PX)
    .sort((a, b) => b.overflowPx - a.overflowPx)
  const [worst] = overflows
  if (worst === undefined || lacksMobileViewport(snapshot) || isCutOffInstead(snapshot)) return null
  return {
    extent: Math.min(1, worst.overflowPx / snapshot.width),
    places: overflows.map(({ selector, box }) => ({ place: { selector, box } })),
    evidence: { overflowPx: Math.round(worst.overflowPx), scrollWidth: snapshot.document.scrollWidth },
    ...(worst.overflowPx <= SMALL_OVERFLOW_PX ? { severity: 'medium' as const } : {})
  }
}

/** Requires an article: without one, nothing is outside the article. */
function detectPageOverflow({ snapshot }: RuleInput): RuleHit | null {
  if (snapshot.article === null) return null
  const overflowPx = snapshot.document.scrollWidth - snapshot.document.layoutWidth
  const isInArticle = snapshot.overflows.some((one) => one.inArticle && one.overflowPx > MIN_OVERFLOW_PX)
  if (overflowPx <= MIN_OVERFLOW_PX || lacksMobileViewport(snapshot) || isInArticle) return null
  return {
    extent: Math.min(1, overflowPx / snapshot.width),
    places: [...snapshot.overflows]
      .sort((a, b) => b.overflowPx - a.overflowPx)
      .map(({ selector, box }) => ({ place: { selector, box } })),
    evidence: { overflowPx: Math.round(overflowPx) },
    // The article moves sideways with the page.
    ...(overflowPx > SMALL_OVERFLOW_PX ? { severity: 'medium' as const } : {})
  }
}

function detectNoMobileViewport({ snapshot }: RuleInput): RuleHit | null {
  if (!lacksMobileViewport(snapshot)) return null
  const { layoutWidth, viewportMeta } = snapshot.document
  return { extent: 1, places: [], evidence: { layoutWidth, viewport: viewportMeta } }
}

/** Characters in a line. */
const MIN_CHARACTERS = { fullWidth: 8, other: 17 }
/** About one word in a line. */
const GROSS_CHARACTERS = { fullWidth: 4, other: 10 }
const MIN_NARROW_SHARE = 0.2
/** Where more would fit, long words make lines short, not the column. Beside a float, less fits than in the block. */
const SUFFICIENT_CAPACITY = 21

/** A larger font, not the column, makes lines short. Sites use up to about 24 px for body text. */
const LARGE_FONT_PX = 30

/** Reports paragraphs whose lines have only a few words because of a large font, or for other reasons. */
export function detectShortLines(input: RuleInput, { largeFont }: { largeFont: boolean }): RuleHit | null {
  const hasFewer = ({ text, typography }: RenderedBlock, limits: typeof MIN_CHARACTERS): boolean =>
    typography.charactersPerLine < (isFullWidthText(text) ? limits.fullWidth : limits.other)
  const paragraphs = getReadableBlocks(input).filter((block) => isRunningText(block) && isLong(block.text, 60))
  const isCause = ({ typography }: RenderedBlock) => typography.fontPx >= LARGE_FONT_PX === largeFont
  return detectBlocks(paragraphs, {
    isBad: (block) =>
      isCause(block) &&
      block.typography.lines > 2 &&
      hasFewer(block, MIN_CHARACTERS) &&
      (largeFont ||
        isFullWidthText(block.text) ||
        block.typography.lineCapacity < SUFFICIENT_CAPACITY ||
        block.flow?.isBeside !== false ||
        hasFewer(block, GROSS_CHARACTERS)),
    minShare: MIN_NARROW_SHARE,
    isGross: (block) => hasFewer(block, GROSS_CHARACTERS),
    evidence: (bad) => ({
      charactersPerLine: Math.round(Math.min(...bad.map(({ typography }) => typography.charactersPerLine))),
      ...(largeFont ? { fontPx: Math.round(Math.max(...bad.map(({ typography }) => typography.fontPx))) } : {})
    })
  })
}

/** Shorter quotes are a few words anyway. */
const MIN_QUOTE_LENGTH = 25
/** Of the characters in a line of the paragraphs. */
const MAX_QUOTE_SHARE = 0.4

/** Quotes with about one word in a line, beside paragraphs that have more room. They are shorter than paragraphs. */
function detectNarrowQuotes(input: RuleInput): RuleHit | null {
  const blocks = getReadableBlocks(input)
  const quotes = blocks.filter(
    ({ flow, text }) => flow?.role === 'blockquote' && isLong(text, MIN_QUOTE_LENGTH) && !isFullWidthText(text)
  )
  const usual = Math.max(
    0,
    ...blocks.filter(({ flow }) => flow?.role === 'p').map((block) => block.typography.lineCapacity)
  )
  const narrow = quotes.filter(
    ({ typography: { charactersPerLine, lines } }) =>
      lines > 2 && charactersPerLine < GROSS_CHARACTERS.other && charactersPerLine < usual * MAX_QUOTE_SHARE
  )
  if (narrow.length === 0) return null
  return {
    extent: getShare(narrow, blocks),
    places: getBlockPlaces(narrow),
    evidence: { charactersPerLine: Math.round(narrow[0]!.typography.charactersPerLine) },
    message: 'A quote is too narrow: its lines have about one word.',
    advice: 'Give quotes more width. Look for a fixed width that is meant for a sign or a picture.'
  }
}

/** Of all headings, and of the cells of all tables. A column of symbols or numbers may be narrow. */
const MIN_NARROW_SHARE_OF_KIND = 0.4

/** Cells or headings whose words are broken into lines of a few letters each. */
function detectBrokenWords(input: RuleInput, kind: RegExp): RuleHit | null {
  const cells = getReadableBlocks(input).filter(({ tag, text }) => kind.test(tag) && !isFullWidthText(text))
  const narrow = cells.filter(({ text, typography: { lines } }) => {
    const words = text.split(/\s+/)
    const longest = Math.max(...words.map(({ length }) => length))
    return longest >= 6 && lines > 1.5 * words.length
  })
  // Huge letters have a finding of their own.
  if (detectShortLines(input, { largeFont: true }) !== null) return null
  if (narrow.length < 2 || narrow.length < cells.length * MIN_NARROW_SHARE_OF_KIND) return null
  return {
    extent: narrow.length / cells.length,
    places: getBlockPlaces(narrow),
    evidence: { narrow: narrow.length, of: cells.length },
    message: 'Headings or the columns of a table are too narrow: words are broken into lines of a few letters.',
    advice: 'Give them more width, or let readers scroll a table sideways. Look for `word-break: break-all`.'
  }
}

/** The text is visible, but its layout is broken. */
export const layoutRules: readonly Rule[] = [
  {
    code: 'TEXT_OVERLAP',
    category: 'layout',
    severity: 'high',
    scope: 'article',
    version: 4,
    message: 'Lines of text overlap.',
    advice: 'Let elements grow with their text. Look for fixed heights, negative margins and absolute positions.',
    detect: detectOverlap,
    suppresses: { ifNotLarger: ['LOW_CONTRAST', 'SPACING_LOST', 'BLOCKS_MISALIGNED'] }
  },
  {
    code: 'TEXT_SCALED',
    category: 'layout',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'Text is scaled up or down.',
    advice: "Remove `transform: scale()` or `zoom` from the text's ancestors.",
    detect: detectScaled,
    suppresses: {
      always: ['FONT_TOO_SMALL', 'HORIZONTAL_OVERFLOW', 'PAGE_OVERFLOW_OUTSIDE_ARTICLE', 'LINE_TOO_LONG'],
      ifNotLarger: ['LINE_HEIGHT_TIGHT', 'TEXT_CUT_OFF', 'TEXT_OVERLAP', 'TEXT_OFFSCREEN'],
      ifCoveredInFlow: ['TEXT_COVERED']
    }
  },
  {
    code: 'TEXT_ROTATED',
    category: 'layout',
    severity: 'high',
    scope: 'article',
    version: 3,
    message: 'Text is rotated or mirrored.',
    advice: "Remove `transform: rotate()`, a negative scale or `writing-mode` from the text's ancestors.",
    detect: detectRotated,
    suppresses: {
      always: ['TEXT_SCALED', 'TEXT_OVERLAP', 'IMAGE_DISTORTED', 'BLOCKS_MISALIGNED', 'SPACING_LOST'],
      ifNotLarger: [
        'HORIZONTAL_OVERFLOW',
        'PAGE_OVERFLOW_OUTSIDE_ARTICLE',
        'LINE_HEIGHT_TIGHT',
        'TEXT_CUT_OFF',
        'TEXT_OFFSCREEN',
        'TEXT_CLIPPED',
        'COLUMN_TOO_NARROW',
        'LINE_TOO_LONG'
      ],
      ifCoveredInFlow: ['TEXT_COVERED']
    }
  },
  {
    code: 'HORIZONTAL_OVERFLOW',
    category: 'layout',
    severity: 'high',
    scope: 'article',
    version: 2,
    message: 'The blog is wider than the screen and requires horizontal scrolling.',
    advice:
      'Limit wide elements with `max-width: 100%`, let long words break, and put wide tables into a scroll container.',
    detect: detectHorizontalOverflow,
    suppresses: { always: ['PAGE_OVERFLOW_OUTSIDE_ARTICLE'] }
  },
  {
    code: 'PAGE_OVERFLOW_OUTSIDE_ARTICLE',
    category: 'layout',
    severity: 'low',
    scope: 'site',
    version: 2,
    message: 'An element outside the blog causes horizontal scrolling.',
    advice: 'Limit the width of the element.',
    detect: detectPageOverflow
  },
  {
    code: 'NO_MOBILE_VIEWPORT',
    category: 'layout',
    severity: 'high',
    scope: 'article',
    version: 1,
    message: 'The page has no mobile viewport: phones show a shrunken desktop layout.',
    advice: 'Add `<meta name="viewport" content="width=device-width, initial-scale=1">` to the head.',
    detect: detectNoMobileViewport,
    suppresses: {
      always: ['FONT_TOO_SMALL', 'HORIZONTAL_OVERFLOW', 'PAGE_OVERFLOW_OUTSIDE_ARTICLE', 'LINE_TOO_LONG']
    }
  },
  {
    code: 'COLUMN_TOO_NARROW',
    category: 'layout',
    severity: 'high',
    scope: 'article',
    version: 5,
    message: 'The text column is too narrow: lines have only a few words.',
    advice: 'Give the text more width. Look for fixed widths, floats and columns beside the text.',
    detect: (input) =>
      detectShortLines(input, { largeFont: false }) ??
      detectNarrowQuotes(input) ??
      detectBrokenWords(input, /^t[dh]$/) ??
      detectBrokenWords(input, /^h[1-6]$/),
    suppresses: {
      always: [
        'TEXT_CUT_OFF',
        'HORIZONTAL_OVERFLOW',
        'PAGE_OVERFLOW_OUTSIDE_ARTICLE',
        'IMAGE_TOO_SMALL',
        'LARGE_GAP',
        'BLOCKS_MISALIGNED'
      ],
      ifNotLarger: ['LINE_HEIGHT_TIGHT', 'TEXT_OVERLAP', 'TEXT_CLIPPED']
    }
  },
  {
    code: 'LARGE_GAP',
    category: 'layout',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'More than a whole screen is empty within or above the article.',
    advice: 'Remove the empty space. Look for margins, minimum heights and containers whose content is missing.',
    detect: detectGap
  }
]
