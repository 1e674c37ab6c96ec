import type { ViewportName } from '../../schemas/visual-check.ts'
import { BLOG_CSS_CODES, type FindingCode } from './rules/codes.ts'
import { getRule } from './rules/index.ts'

/**
 * Codes that a finding suppresses in every viewport: the same element causes both, but is reported
 * for different viewports.
 */
const SUPPRESSED_IN_ANY_VIEWPORT: readonly FindingCode[] = [
  'VIEWPORT_OBSTRUCTED',
  'PAGE_OVERFLOW_OUTSIDE_ARTICLE',
  'ENDLESS_LOADING',
  'AXE_ARTICLE',
  'AXE_ADDED',
  ...BLOG_CSS_CODES
]

/** CSS properties that cause a finding if the site overrides them. */
const CAUSED_BY_PROPERTIES: Readonly<Partial<Record<FindingCode, RegExp>>> = {
  LOW_CONTRAST: /color|background|opacity/,
  TEXT_INVISIBLE_COLOR: /color|background/,
  TEXT_TRANSPARENT: /opacity|transform|transition|animation/,
  TEXT_HIDDEN: /display|visibility|content-visibility/,
  TEXT_CLIPPED: /height|width|overflow|white-space|clip/,
  TEXT_CUT_OFF: /height|width|overflow|white-space|clip/,
  SPACING_LOST: /margin|padding/,
  BLOCKS_MISALIGNED: /margin|text-align|width|display|float/,
  TEXT_OVERLAP: /height|margin|position|inset|top|left/,
  TEXT_SHRUNK: /font|transform|zoom|scale/,
  TEXT_SCALED: /transform|zoom|scale/,
  TEXT_ROTATED: /transform|rotate|writing-mode/,
  FONT_TOO_SMALL: /font|line-height/,
  LINE_HEIGHT_TIGHT: /line-height|font/,
  LETTER_SPACING: /spacing/,
  TEXT_DIRECTION: /direction|text-align|unicode-bidi/,
  FONT_TOO_LARGE: /font/,
  COLUMN_TOO_NARROW: /width|column|float|inline-size/,
  LINE_TOO_LONG: /width|inline-size|font-size/,
  HORIZONTAL_OVERFLOW: /width|overflow|white-space|inline-size/,
  IMAGE_DISTORTED: /width|height|object-fit|aspect-ratio/,
  IMAGE_INVISIBLE: /display|visibility|opacity|width|height/
}

export interface SuppressibleHit {
  code: FindingCode
  viewport: ViewportName
  extent: number
  evidence: Record<string, unknown>
}

/**
 * Removes hits that other hits of the same viewport suppress, so that one defect is scored once. A
 * suppressed hit still suppresses others. Suppressions must not be circular: a test verifies that.
 */
export function removeSuppressed<Hit extends SuppressibleHit>(hits: readonly Hit[]): Hit[] {
  const remaining = hits.filter((hit) => !hits.some((other) => suppresses(other, hit)))
  const codes = remaining.map(({ code }) => code)
  return remaining.filter(
    ({ code, evidence }) => !BLOG_CSS_CODES.includes(code) || !areExplained(evidence.properties, codes)
  )
}

function suppresses(hit: SuppressibleHit, other: SuppressibleHit): boolean {
  const { suppresses: rules = {} } = getRule(hit.code)
  const { code } = other
  if (hit.viewport !== other.viewport && !SUPPRESSED_IN_ANY_VIEWPORT.includes(code)) return false
  return (
    includes(rules.always, code) ||
    (includes(rules.ifExtentAtLeast20, code) && hit.extent >= 0.2) ||
    (includes(rules.ifExtentAtLeast50, code) && hit.extent >= 0.5) ||
    (includes(rules.ifNotLarger, code) && hit.extent >= other.extent) ||
    (includes(rules.ifCoveredInFlow, code) && isCoveredInFlow(other))
  )
}

const includes = (codes: readonly FindingCode[] | undefined, code: FindingCode): boolean =>
  codes?.includes(code) ?? false

/** Bars and overlays are positioned. Scaled or rotated text covers its neighbors in the flow. */
const isCoveredInFlow = ({ evidence: { by } }: SuppressibleHit): boolean =>
  typeof by === 'object' && by !== null && 'position' in by && by.position === 'static'

/** Whether other findings of the page explain every overridden property of the blog's CSS. */
function areExplained(properties: unknown, codes: readonly FindingCode[]): boolean {
  if (!Array.isArray(properties) || properties.length === 0) return false
  return properties.every((property) =>
    codes.some((code) => CAUSED_BY_PROPERTIES[code]?.test(String(property)) === true)
  )
}
