/// <reference lib="dom" />
import { contrastOf, gradientColors, laidOn, parseColor, type Color } from './colors.ts'
import { lineOf } from './tree.ts'

/**
 * The contrast of an element's letters with what is drawn under them: the best one, where that is a
 * gradient; null where it is a picture, a blend, or letters that
 * have an outline or a shadow of their own. `under` is what is drawn there from the topmost on; by
 * default the elements that it stands in.
 */
export function contrastWith(host: Element, under: Element[] = lineOf(host)): number | null {
  const style = getComputedStyle(host)
  if (style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth) > 0) return null
  let layers: Color[][] = []
  let isOpaque = false
  for (const element of under) {
    const { backgroundColor, backgroundImage, backgroundClip, mixBlendMode } = getComputedStyle(element)
    if (mixBlendMode !== 'normal' || (element === host && backgroundClip === 'text')) return null
    if (/^(?:img|video|canvas|iframe|object|embed)$/.test(element.localName) && element !== host) return null
    if (backgroundImage !== 'none' && backgroundClip !== 'text') {
      const colors = gradientColors(backgroundImage)
      if (colors === null) return null
      layers.push(colors)
      if (colors.every(([, , , alpha]) => alpha === 1)) isOpaque = true
    }
    const color = parseColor(backgroundColor)
    if (!isOpaque && color[3] > 0) layers.push([color])
    if (isOpaque || color[3] === 1) break
  }
  layers = layers.reverse()
  let grounds: Color[] = [[255, 255, 255, 1]]
  // A page without a color of its own in a dark scheme is drawn on black.
  if (
    /\bdark\b/.test(getComputedStyle(document.documentElement).colorScheme) &&
    matchMedia('(prefers-color-scheme: dark)').matches
  ) {
    grounds = [[18, 18, 18, 1]]
  }
  for (const colors of layers) {
    grounds = grounds.flatMap((ground) => colors.map((color) => laidOn(color, ground))).slice(0, 16)
  }
  const [red, green, blue, alpha] = parseColor(style.webkitTextFillColor || style.color)
  const opacity = lineOf(host).reduce((product, element) => product * Number(getComputedStyle(element).opacity), 1)
  return Math.max(...grounds.map((ground) => contrastOf(laidOn([red, green, blue, alpha * opacity], ground), ground)))
}
