/// <reference lib="dom" />
import { selfAndAncestors } from './dom.ts'

/** Red, green, blue (0 to 255) and alpha (0 to 1). */
export type Color = [number, number, number, number]

/** Parses a computed color. A canvas converts other color spaces to sRGB. */
export function parseColor(text: string): Color {
  const plain = /^rgba?\(([\d.]+)[, ]+([\d.]+)[, ]+([\d.]+)(?:[,/ ]+([\d.]+))?\)$/.exec(text)
  if (plain) {
    return [Number(plain[1]), Number(plain[2]), Number(plain[3]), plain[4] === undefined ? 1 : Number(plain[4])]
  }
  if (text === 'transparent' || text === '') return [0, 0, 0, 0]
  const canvas = new OffscreenCanvas(1, 1).getContext('2d')!
  canvas.fillStyle = text
  canvas.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
  return [red, green, blue, alpha / 255]
}

/** The color that results from painting `top` on the opaque `under`. */
export function blend(top: Color, under: Color): Color {
  const mix = (index: 0 | 1 | 2): number => top[index] * top[3] + under[index] * (1 - top[3])
  return [mix(0), mix(1), mix(2), 1]
}

/** WCAG 2.2, relative luminance: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
export function relativeLuminance([red, green, blue]: Color): number {
  const linear = (value: number): number =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** WCAG 2.2, contrast ratio: 1 to 21. */
export function contrastRatio(one: Color, other: Color): number {
  const [a, b] = [relativeLuminance(one), relativeLuminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** The colors of a gradient. Null for images. */
export function gradientColors(image: string): Color[] | null {
  if (/url\(|image-set\(|element\(|paint\(/.test(image)) return null
  const colors = image.match(/(?:rgba?|hsla?|color|oklab|oklch|lab|lch)\([^()]*\)/g)?.map(parseColor) ?? []
  return colors.length > 0 ? colors : null
}

/**
 * The background images of an element that are behind its letters. Lines below words and icons beside them are
 * smaller, and not repeated.
 */
export function imagesBehindText(element: Element): string {
  const { backgroundImage, backgroundSize, backgroundRepeat, fontSize } = getComputedStyle(element)
  if (backgroundImage === 'none') return 'none'
  const [sizes, repeats] = [layersOf(backgroundSize), layersOf(backgroundRepeat)]
  const px = parseFloat(fontSize)
  const isSmall = (size: string | undefined): boolean => {
    if (size === undefined) return false
    return size.endsWith('%') ? parseFloat(size) < 50 : size.endsWith('px') && parseFloat(size) < 0.5 * px
  }
  const images = layersOf(backgroundImage).filter((_, at) => {
    const [width, height] = sizes[at % sizes.length]!.split(' ')
    const isOnce = repeats[at % repeats.length] === 'no-repeat'
    return !(isOnce && (isSmall(height) || (isSmall(width) && height === undefined)))
  })
  return images.length === 0 ? 'none' : images.join(', ')
}

/** Splits a list at the commas that are not within parentheses. */
export function layersOf(list: string): string[] {
  const layers = ['']
  let depth = 0
  for (const character of list) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (character === ',' && depth === 0) layers.push('')
    else layers[layers.length - 1] += character
  }
  return layers.map((layer) => layer.trim())
}

/**
 * The contrast of an element's text with its background; for gradients, the best one. Null if the
 * background is an image, a gradient on which only a part of the text is legible, or blended, and for text with
 * an outline or a shadow. `under` is what is painted below the text, topmost first; by default, the element and
 * its ancestors. `color`: the color of the text, if it is not that of the element.
 */
export function textContrast(
  host: Element,
  under: Element[] = selfAndAncestors(host),
  color: string | null = null
): number | null {
  const MIN_LEGIBLE = 2
  const style = getComputedStyle(host)
  if (style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth) > 0) return null
  let layers: Color[][] = []
  let isOpaque = false
  for (const element of under) {
    const { backgroundColor, backgroundClip, mixBlendMode } = getComputedStyle(element)
    const backgroundImage = imagesBehindText(element)
    if (mixBlendMode !== 'normal' || (element === host && backgroundClip === 'text')) return null
    if (/^(?:img|video|canvas|iframe|object|embed)$/.test(element.localName) && element !== host) return null
    if (backgroundImage !== 'none' && backgroundClip !== 'text') {
      const colors = gradientColors(backgroundImage)
      if (colors === null) return null
      layers.push(colors)
      if (colors.every(([, , , alpha]) => alpha === 1)) isOpaque = true
    }
    const ground = parseColor(backgroundColor)
    if (!isOpaque && ground[3] > 0) layers.push([ground])
    if (isOpaque || ground[3] === 1) break
  }
  layers = layers.reverse()
  let backgrounds: Color[] = [[255, 255, 255, 1]]
  // The canvas of a page with a dark color scheme is dark.
  if (
    /\bdark\b/.test(getComputedStyle(document.documentElement).colorScheme) &&
    matchMedia('(prefers-color-scheme: dark)').matches
  ) {
    backgrounds = [[18, 18, 18, 1]]
  }
  for (const colors of layers) {
    backgrounds = backgrounds.flatMap((under) => colors.map((color) => blend(color, under))).slice(0, 16)
  }
  const [red, green, blue, alpha] = parseColor(color ?? (style.webkitTextFillColor || style.color))
  const opacity = selfAndAncestors(host).reduce(
    (product, element) => product * Number(getComputedStyle(element).opacity),
    1
  )
  const contrasts = backgrounds.map((background) =>
    contrastRatio(blend([red, green, blue, alpha * opacity], background), background)
  )
  const [least, most] = [Math.min(...contrasts), Math.max(...contrasts)]
  return least < MIN_LEGIBLE && most >= MIN_LEGIBLE ? null : most
}
