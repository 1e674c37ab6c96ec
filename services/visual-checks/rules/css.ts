import { BLOG_CSS_CODES, ROLE_CODES } from './codes.ts'
import { getArticlePlaces, isFlattenedHeading } from './helpers/blocks.ts'
import { detectFailedRequests } from './helpers/page.ts'
import { getTextMatch, getUnmatchedBlocks } from './helpers/text-match.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

/** If less than this share of the declarations applies, the CSS is missing. */
const MISSING_SHARE = 0.5
/** From this share on the CSS works as intended. */
const INTACT_SHARE = 0.97
/** Between this share and `INTACT_SHARE`, a person has to decide. */
const REVIEW_SHARE = 0.9

function detectNotApplied(input: RuleInput): RuleHit | null {
  const { declarations, applied } = input.snapshot.css
  const share = declarations === 0 ? 1 : applied / declarations
  if (getTextMatch(input) !== 'present' || share >= MISSING_SHARE) return null
  return reportBroken(input, { applied, share })
}

function detectPartlyOverridden(input: RuleInput): RuleHit | null {
  const { declarations } = input.snapshot.css
  const applied = input.snapshot.css.applied + countForMissingElements(input)
  const share = declarations === 0 ? 1 : applied / declarations
  if (getTextMatch(input) !== 'present' || share < MISSING_SHARE || share >= INTACT_SHARE) return null
  return {
    ...reportBroken(input, { applied, share }),
    ...(share >= REVIEW_SHARE ? { confidence: 'review' as const } : {})
  }
}

/**
 * Declarations for missing elements do not count if the page lost text or headings: other rules
 * report the loss.
 */
function countForMissingElements(input: RuleInput): number {
  const { blocks, css } = input.snapshot
  const isReported =
    getUnmatchedBlocks(input).missing.length > 0 || blocks.some((block) => isFlattenedHeading(block, input.snapshot))
  return isReported ? css.broken.filter(({ actual }) => actual === null).length : 0
}

function reportBroken({ snapshot }: RuleInput, { applied, share }: { applied: number; share: number }): RuleHit {
  const { declarations, broken } = snapshot.css
  return {
    extent: 1 - share,
    places: getArticlePlaces(snapshot),
    evidence: {
      declarations,
      holding: applied,
      broken: broken.slice(0, 5),
      properties: [...new Set(broken.map(({ property }) => property))].sort()
    }
  }
}

function detectStylesheetFailed(input: RuleInput): RuleHit | null {
  const hit = detectFailedRequests(input, ({ sameHost, type }) => sameHost && type === 'stylesheet')
  return hit && { ...hit, extent: 1 }
}

export const cssRules: readonly Rule[] = [
  {
    code: 'BLOG_CSS_NOT_APPLIED',
    category: 'style',
    severity: 'high',
    scope: 'article',
    version: 1,
    message: "Most of the blog's CSS is not applied.",
    advice: 'Include `cssContent` beside `htmlContent`, and keep the class names of its elements.',
    detect: detectNotApplied,
    suppresses: {
      always: [
        ...ROLE_CODES,
        'HORIZONTAL_OVERFLOW',
        'PAGE_OVERFLOW_OUTSIDE_ARTICLE',
        'LINE_TOO_LONG',
        'IMAGE_DISTORTED'
      ]
    }
  },
  {
    // A site may restyle the blog. Lost roles, such as headings that look like text, have their own codes.
    code: 'BLOG_CSS_PARTLY_OVERRIDDEN',
    category: 'style',
    severity: 'info',
    scope: 'article',
    version: 3,
    message: "The site's CSS overrides part of the blog's CSS.",
    advice: "If this is not intended, lower the specificity of the site's rules, or remove `!important` from them.",
    detect: detectPartlyOverridden
  },
  {
    code: 'STYLESHEET_FAILED',
    category: 'style',
    severity: 'high',
    scope: 'article',
    version: 1,
    message: 'A stylesheet of the site fails to load.',
    advice: "Check the stylesheet's URL, and that its content type is `text/css`.",
    detect: detectStylesheetFailed,
    suppresses: {
      always: [
        ...BLOG_CSS_CODES,
        ...ROLE_CODES,
        'LINE_TOO_LONG',
        'LOW_CONTRAST',
        'LINE_HEIGHT_TIGHT',
        'HORIZONTAL_OVERFLOW',
        'PAGE_OVERFLOW_OUTSIDE_ARTICLE',
        'TEXT_INVISIBLE_COLOR'
      ]
    }
  }
]
