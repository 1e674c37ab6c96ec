/// <reference lib="dom" />
import { contrastOf, gradientColours, laidOn, parseColour, type Colour } from './colours.ts'
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
  let layers: Colour[][] = []
  let isOpaque = false
  for (const element of under) {
    const { backgroundColor, backgroundImage, backgroundClip, mixBlendMode } = getComputedStyle(element)
    if (mixBlendMode !== 'normal' || (element === host && backgroundClip === 'text')) return null
    if (/^(?:img|video|canvas|iframe|object|embed)$/.test(element.localName) && element !== host) return null
    if (backgroundImage !== 'none' && backgroundClip !== 'text') {
      const colours = gradientColours(backgroundImage)
      if (colours === null) return null
      layers.push(colours)
      if (colours.every(([, , , alpha]) => alpha === 1)) isOpaque = true
    }
    const colour = parseColour(backgroundColor)
    if (!isOpaque && colour[3] > 0) layers.push([colour])
    if (isOpaque || colour[3] === 1) break
  }
  layers = layers.reverse()
  let grounds: Colour[] = [[255, 255, 255, 1]]
  // A page without a colour of its own in a dark scheme is drawn on black.
  if (
    /\bdark\b/.test(getComputedStyle(document.documentElement).colorScheme) &&
    matchMedia('(prefers-color-scheme: dark)').matches
  ) {
    grounds = [[18, 18, 18, 1]]
  }
  for (const colours of layers) {
    grounds = grounds.flatMap((ground) => colours.map((colour) => laidOn(colour, ground))).slice(0, 16)
  }
  const [red, green, blue, alpha] = parseColour(style.webkitTextFillColor || style.color)
  const opacity = lineOf(host).reduce((product, element) => product * Number(getComputedStyle(element).opacity), 1)
  return Math.max(...grounds.map((ground) => contrastOf(laidOn([red, green, blue, alpha * opacity], ground), ground)))
}
