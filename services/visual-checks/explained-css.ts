import type { FindingCode } from './findings/index.ts'

/** The properties by which a site that overrides our CSS brings a finding about. */
const BROUGHT_ABOUT_BY: Readonly<Partial<Record<FindingCode, RegExp>>> = {
  LOW_CONTRAST: /color|background|opacity/,
  TEXT_INVISIBLE_COLOR: /color|background/,
  TEXT_TRANSPARENT: /opacity|transform|transition|animation/,
  TEXT_HIDDEN: /display|visibility|content-visibility/,
  TEXT_CLIPPED: /height|width|overflow|white-space|clip/,
  TEXT_CUT_OFF: /height|width|overflow|white-space|clip/,
  TEXT_OVERLAP: /height|margin|position|inset|top|left/,
  TEXT_SHRUNK: /font|transform|zoom|scale/,
  TEXT_SCALED: /transform|zoom|scale/,
  TEXT_ROTATED: /transform|rotate|writing-mode/,
  FONT_TOO_SMALL: /font|line-height/,
  LINE_HEIGHT_TIGHT: /line-height|font/,
  LETTER_SPACING: /spacing/,
  TEXT_DIRECTION: /direction|text-align|unicode-bidi/,
  COLUMN_TOO_NARROW: /width|column|float|inline-size/,
  LINE_TOO_LONG: /width|inline-size|font-size/,
  HORIZONTAL_OVERFLOW: /width|overflow|white-space|inline-size/,
  IMAGE_DISTORTED: /width|height|object-fit|aspect-ratio/,
  IMAGE_INVISIBLE: /display|visibility|opacity|width|height/
}

/**
 * Whether each declaration that does not hold is of a property that a finding of the same page
 * tells already: then it is one act of the site, told by what readers see of it.
 */
export function areExplained(properties: unknown, codes: readonly FindingCode[]): boolean {
  if (!Array.isArray(properties) || properties.length === 0) return false
  return properties.every((property) => codes.some((code) => BROUGHT_ABOUT_BY[code]?.test(String(property)) === true))
}
