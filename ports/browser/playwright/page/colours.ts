/// <reference lib="dom" />

/** Red, green, blue (0 to 255) and alpha (0 to 1). */
export type Colour = [number, number, number, number]

/**
 * Reads what getComputedStyle says of a colour; spaces other than sRGB are drawn to learn what they
 * are.
 */
export function parseColour(text: string): Colour {
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

/** One colour on another. */
export function laidOn(top: Colour, under: Colour): Colour {
  const mix = (index: 0 | 1 | 2): number => top[index] * top[3] + under[index] * (1 - top[3])
  return [mix(0), mix(1), mix(2), 1]
}

/** WCAG 2.2, relative luminance: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
export function luminanceOf([red, green, blue]: Colour): number {
  const linear = (value: number): number =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** WCAG 2.2, contrast ratio: 1 to 21. */
export function contrastOf(one: Colour, other: Colour): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** The colours that a gradient goes through; null for pictures. */
export function gradientColours(image: string): Colour[] | null {
  if (/url\(|image-set\(|element\(|paint\(/.test(image)) return null
  const colours = image.match(/(?:rgba?|hsla?|color|oklab|oklch|lab|lch)\([^()]*\)/g)?.map(parseColour) ?? []
  return colours.length > 0 ? colours : null
}
