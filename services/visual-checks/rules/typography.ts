import { type RenderedBlock, detectBlocks, getBlockPlaces, getReadableBlocks, isRunningText } from './helpers/blocks.ts'
import { isFullWidthText, isLong, rightToLeftShare, round, usesScript } from './helpers/text.ts'
import { detectShortLines } from './layout.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

/** Share of the text from which on a defect of single paragraphs is reported. */
const MIN_SHARE = 0.2

const MIN_FONT_PX = 12

function detectSmallFont(input: RuleInput): RuleHit | null {
  const hit = detectBlocks(getReadableBlocks(input), {
    isBad: ({ typography }) => typography.fontPx < MIN_FONT_PX - 0.05,
    minShare: MIN_SHARE,
    evidence: (bad) => ({ fontPx: round(Math.min(...bad.map(({ typography }) => typography.fontPx)), 1) })
  })
  return hit && Number(hit.evidence.fontPx) >= MIN_FONT_PX * 0.9 ? { ...hit, severity: 'medium' } : hit
}

/** The headings within the articles of any site are smaller. */
const MAX_HEADING_PX = 110

const detectLargeHeadings = (input: RuleInput): RuleHit | null =>
  detectBlocks(
    getReadableBlocks(input).filter(({ tag }) => /^h[1-6]$/.test(tag)),
    {
      isBad: ({ typography }) => typography.fontPx > MAX_HEADING_PX,
      minShare: 0,
      evidence: (bad) => ({ fontPx: Math.round(Math.max(...bad.map(({ typography }) => typography.fontPx))) })
    }
  )

const MIN_LINE_HEIGHT = 1.15
/** Lines overlap. */
const GROSS_LINE_HEIGHT = 0.75

const detectTightLines = (input: RuleInput): RuleHit | null =>
  detectBlocks(getReadableBlocks(input), {
    isBad: ({ typography }) => typography.lines > 1 && typography.lineHeightRatio < MIN_LINE_HEIGHT,
    minShare: MIN_SHARE,
    isGross: ({ typography }) => typography.lineHeightRatio < GROSS_LINE_HEIGHT,
    evidence: (bad) => ({
      lineHeight: round(Math.min(...bad.map(({ typography }) => typography.lineHeightRatio)), 2)
    })
  })

/** In em. Headings and labels may be spaced a little wider than running text. */
const LETTER_SPACING = { min: -0.05, max: 0.22 }
const WORD_SPACING = { min: -0.15, max: 1 }
/** Never intended, even for a single paragraph. */
const GROSS_LETTER_SPACING = { min: -0.2, max: 0.6 }

const isOutside = (value: number, { min, max }: { min: number; max: number }): boolean => value < min || value > max

const detectSpacing = (input: RuleInput): RuleHit | null =>
  detectBlocks(getReadableBlocks(input), {
    isBad: ({ typography }) =>
      isOutside(typography.letterSpacingEm, LETTER_SPACING) || isOutside(typography.wordSpacingEm, WORD_SPACING),
    minShare: MIN_SHARE,
    isGross: ({ typography }) => isOutside(typography.letterSpacingEm, GROSS_LETTER_SPACING),
    evidence: ([first]) => ({
      letterSpacingEm: round(first!.typography.letterSpacingEm),
      wordSpacingEm: round(first!.typography.wordSpacingEm)
    })
  })

/** WCAG 2.2, 1.4.3: large text has at least 24 px, or 18.66 px in bold. */
const getRequiredContrast = ({ fontPx, bold }: RenderedBlock['typography']): number =>
  fontPx >= 24 || (fontPx >= 18.66 && bold) ? 3 : 4.5
const MIN_OPACITY = 0.5
const MIN_FAINT_SHARE = 0.02
/** Share of the required contrast below which a single heading is reported. */
const GROSS_CONTRAST_SHARE = 0.6

const isFaint = ({ visibility, typography }: RenderedBlock): boolean =>
  visibility.opacity < MIN_OPACITY ||
  (visibility.contrast !== null && visibility.contrast < getRequiredContrast(typography))
/** The share of the required contrast that a faint text has. */
const getContrastShare = ({ visibility, typography }: RenderedBlock): number =>
  visibility.opacity < MIN_OPACITY ? visibility.opacity : visibility.contrast! / getRequiredContrast(typography)

function detectLowContrast(input: RuleInput): RuleHit | null {
  const hit = detectBlocks(getReadableBlocks(input), {
    isBad: isFaint,
    minShare: MIN_FAINT_SHARE,
    isGross: (block) => getContrastShare(block) < GROSS_CONTRAST_SHARE,
    evidence: (bad) => ({
      worst: getWorstContrast(bad),
      ofNeeded: round(Math.min(...bad.map(getContrastShare)), 2)
    })
  })
  if (hit !== null) return Number(hit.evidence.ofNeeded) >= NEARLY_SUFFICIENT ? { ...hit, severity: 'low' } : hit
  return detectFaintHeadings(input)
}

/** The share of the required contrast from which on readers notice no difference. */
const NEARLY_SUFFICIENT = 0.9
const MIN_HEADING_LENGTH = 3

/** Headings of a level that nobody can read, however short they are. One alone may be an ornament. */
function detectFaintHeadings(input: RuleInput): RuleHit | null {
  const headings = getReadableBlocks(input).filter(
    ({ tag, text }) => /^h[1-6]$/.test(tag) && text.length >= MIN_HEADING_LENGTH
  )
  const isGross = (block: RenderedBlock): boolean => isFaint(block) && getContrastShare(block) < GROSS_CONTRAST_SHARE
  const levels = [...Map.groupBy(headings, ({ tag }) => tag).values()]
  const faint = levels.filter((level) => level.every(isGross)).flat()
  if (faint.length === 0) return null
  return {
    extent: faint.length / headings.length,
    places: getBlockPlaces(faint),
    evidence: { headings: faint.length, worst: getWorstContrast(faint) }
  }
}

function getWorstContrast(bad: readonly RenderedBlock[]): number | null {
  const contrasts = bad.flatMap(({ visibility }) => (visibility.contrast === null ? [] : [visibility.contrast]))
  return contrasts.length === 0 ? null : round(Math.min(...contrasts), 2)
}

const MIN_WRONG_DIRECTION_SHARE = 0.25

function hasWrongDirection({ text, typography }: RenderedBlock): boolean {
  if (!/\p{L}/u.test(text)) return false
  const share = rightToLeftShare(text)
  return typography.direction === 'rtl' ? share < 0.1 : share > 0.5
}

const detectDirection = (input: RuleInput): RuleHit | null =>
  detectBlocks(getReadableBlocks(input), {
    isBad: hasWrongDirection,
    minShare: MIN_WRONG_DIRECTION_SHARE,
    evidence: ([first]) => ({ direction: first!.typography.direction })
  })

/** Characters in a line: how many fit, and how many there are. Both limits must be exceeded. */
const MAX_CHARACTERS = {
  fullWidth: { capacity: 60, actual: 45 },
  // Joined letters are narrower than those of other scripts.
  joined: { capacity: 140, actual: 110 },
  other: { capacity: 120, actual: 95 }
}
const MIN_WIDTH_PX = 600
const MIN_LONG_LINES_SHARE = 0.4

function hasLongLines({ text, typography, place }: RenderedBlock): boolean {
  const isFullWidth = isFullWidthText(text)
  const isJoined = usesScript(text, ['Arabic', 'Syriac', 'Nko'])
  const max = MAX_CHARACTERS[isFullWidth ? 'fullWidth' : isJoined ? 'joined' : 'other']
  const width = isFullWidth ? typography.lineCapacity * typography.fontPx : (place?.box?.width ?? 0)
  return typography.lineCapacity > max.capacity && typography.charactersPerLine > max.actual && width > MIN_WIDTH_PX
}

function detectLongLines(input: RuleInput): RuleHit | null {
  const paragraphs = getReadableBlocks(input).filter((block) => isRunningText(block) && isLong(block.text, 90))
  return detectBlocks(paragraphs, {
    isBad: hasLongLines,
    minShare: MIN_LONG_LINES_SHARE,
    evidence: (bad) => ({
      charactersPerLine: Math.round(Math.max(...bad.map(({ typography }) => typography.charactersPerLine)))
    })
  })
}

/** The axe-core impacts that block readers. `moderate` and `minor` are recommendations. */
const BLOCKING_IMPACTS = ['serious', 'critical']

/**
 * Reports violations of axe-core (https://dequeuniversity.com/rules/axe/) by elements of the blog, or by
 * those that the site added to it.
 */
function detectAxe({ snapshot: { axe } }: RuleInput, { isAdded: wanted }: { isAdded: boolean }): RuleHit | null {
  const violations = axe.filter(
    ({ impact, isAdded = false }) => BLOCKING_IMPACTS.includes(impact) && isAdded === wanted
  )
  if (violations.length === 0) return null
  return {
    extent: 0.5,
    places: violations.map(({ target }) => ({ place: target })),
    count: violations.reduce((sum, { nodes }) => sum + nodes, 0),
    evidence: {
      rules: violations.map(({ rule, impact, help, nodes }) => ({ rule, impact, help, nodes })).slice(0, 10)
    }
  }
}

/** The text is visible, but difficult to read. */
export const typographyRules: readonly Rule[] = [
  {
    code: 'FONT_TOO_SMALL',
    category: 'readability',
    severity: 'high',
    scope: 'article',
    version: 1,
    message: 'The font size is too small.',
    advice: 'Use at least 16 px for body text, and never less than 12 px.',
    detect: detectSmallFont,
    suppresses: { always: ['LINE_TOO_LONG'] }
  },
  {
    code: 'FONT_TOO_LARGE',
    category: 'readability',
    severity: 'high',
    scope: 'article',
    version: 2,
    message: 'The font is so large that only a few words fit in a line.',
    advice: 'Use 16 to 24 px for body text. Look for font sizes in `vw`, and for a size that is meant for headings.',
    detect: (input) => detectShortLines(input, { largeFont: true }) ?? detectLargeHeadings(input),
    suppresses: {
      always: ['TEXT_CUT_OFF', 'HORIZONTAL_OVERFLOW', 'PAGE_OVERFLOW_OUTSIDE_ARTICLE'],
      ifNotLarger: ['LINE_HEIGHT_TIGHT', 'TEXT_OVERLAP', 'TEXT_CLIPPED']
    }
  },
  {
    code: 'LINE_HEIGHT_TIGHT',
    category: 'readability',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'The line height is too small.',
    advice: 'Use a line height of about 1.5 for body text.',
    detect: detectTightLines,
    suppresses: { ifNotLarger: ['TEXT_OVERLAP'] }
  },
  {
    code: 'LETTER_SPACING',
    category: 'readability',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'Letters or words are too close together or too far apart.',
    advice: 'Use `letter-spacing: normal` and `word-spacing: normal` for body text.',
    detect: detectSpacing,
    suppresses: { ifExtentAtLeast20: ['HORIZONTAL_OVERFLOW'] }
  },
  {
    code: 'LOW_CONTRAST',
    category: 'readability',
    severity: 'high',
    scope: 'article',
    version: 3,
    message: 'Text and background have insufficient contrast.',
    advice: 'Use a contrast ratio of at least 4.5:1, or 3:1 for large text.',
    detect: detectLowContrast
  },
  {
    code: 'TEXT_DIRECTION',
    category: 'readability',
    severity: 'high',
    scope: 'article',
    version: 1,
    message: 'The text direction is wrong.',
    advice: 'Set `dir="rtl"` for Arabic, Hebrew and similar scripts, and `dir="ltr"` for others.',
    detect: detectDirection,
    suppresses: { always: ['BLOCKS_MISALIGNED'] }
  },
  {
    code: 'LINE_TOO_LONG',
    category: 'readability',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'Lines of text are too long.',
    advice: 'Limit the text width to about 75 characters, for example with `max-width: 70ch`.',
    detect: detectLongLines
  },
  {
    code: 'AXE_ARTICLE',
    category: 'readability',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'The article has accessibility violations.',
    advice: 'Fix the axe-core violations listed in the evidence.',
    detect: (input) => detectAxe(input, { isAdded: false })
  },
  {
    code: 'AXE_ADDED',
    category: 'readability',
    severity: 'low',
    scope: 'site',
    version: 1,
    message: 'Elements that the site adds to the article, such as anchors and avatars, have accessibility violations.',
    advice: 'Fix the axe-core violations listed in the evidence, in the template or plugin that adds the elements.',
    detect: (input) => detectAxe(input, { isAdded: true })
  }
]
