/// <reference lib="dom" />
import { blend, parseColor, relativeLuminance, type Color } from './colors.ts'

/*
 * Whether readers see that two elements look different. Computed styles may differ without any effect.
 */

/** CIE 1976 L*a*b* of an opaque sRGB color (D65). */
export function labOf(color: Color): [number, number, number] {
  const linear = (value: number): number => relativeLuminance([value, value, value, 1])
  const [red, green, blue] = [linear(color[0]), linear(color[1]), linear(color[2])]
  const curve = (value: number): number =>
    value > 216 / 24389 ? Math.cbrt(value) : (24389 / 27 / 116) * value + 16 / 116
  const x = curve((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
  const y = curve(0.2126 * red + 0.7152 * green + 0.0722 * blue)
  const z = curve((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

/**
 * Whether text in two computed colors looks different at a glance: a difference of 18 in L*a*b*, more than
 * between #111 and #333. Thin strokes look more alike than areas. Translucent colors are compared on black
 * and on white.
 */
export function differsInColor(one: string, other: string): boolean {
  if (one === other) return false
  const [a, b] = [parseColor(one), parseColor(other)]
  const canvases: Color[] = [
    [0, 0, 0, 1],
    [255, 255, 255, 1]
  ]
  return canvases.some((under) => {
    const [first, second] = [labOf(blend(a, under)), labOf(blend(b, under))]
    return Math.hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]) >= 18
  })
}

/** Whether two lists of font families give different glyphs, measured by the width of a sample. */
export function differsInFont(one: string, other: string): boolean {
  if (one === other) return false
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (context === null) return true
  const widths = [one, other].map((families) => {
    context.font = `100px ${families}`
    return context.measureText('Hamburgefonstiv 0123 ملف 手紙').width
  })
  return Math.abs(widths[0]! - widths[1]!) > 1
}

/** Whether short lines of text start at different edges. Justified text starts where other text does. */
export function differsInAlignment(one: CSSStyleDeclaration, other: { textAlign: string; direction: string }): boolean {
  const edgeOf = ({ textAlign, direction }: { textAlign: string; direction: string }): string => {
    const start = direction === 'rtl' ? 'right' : 'left'
    const align = textAlign.replace(/^-webkit-/, '')
    if (/^(?:start|justify|auto|match-parent)$/.test(align)) return start
    return align === 'end' ? (start === 'left' ? 'right' : 'left') : align
  }
  return edgeOf(one) !== edgeOf(other)
}

/** Whether an element has a visible border, a background, a shadow, or generated content. */
export function hasDecoration(element: Element): boolean {
  const style = getComputedStyle(element)
  const isVisible = (color: string): boolean => parseColor(color)[3] > 0.05
  const hasBorder = (['Top', 'Right', 'Bottom', 'Left'] as const).some(
    (side) => parseFloat(style[`border${side}Width`]) > 0 && isVisible(style[`border${side}Color`])
  )
  const hasContent = ['::before', '::after'].some((part) => {
    const { content, display, opacity, visibility } = getComputedStyle(element, part)
    if (content === 'none' || content === 'normal' || display === 'none') return false
    if (Number(opacity) < 0.1 || visibility === 'hidden') return false
    const { width, height, backgroundImage, backgroundColor, borderTopWidth } = getComputedStyle(element, part)
    const hasArea = parseFloat(width) > 0 && parseFloat(height) > 0
    return (
      content !== '""' ||
      (hasArea && (isVisible(backgroundColor) || backgroundImage !== 'none')) ||
      parseFloat(borderTopWidth) > 0
    )
  })
  return (
    hasBorder ||
    hasContent ||
    style.backgroundImage !== 'none' ||
    isVisible(style.backgroundColor) ||
    style.boxShadow !== 'none'
  )
}
