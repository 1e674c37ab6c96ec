/// <reference lib="dom" />

/** Red, green, blue (0 to 255) and alpha (0 to 1). */
export type Color = [number, number, number, number]

/**
 * Reads what getComputedStyle says of a color; spaces other than sRGB are drawn to learn what they
 * are.
 */
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

/** One color on another. */
export function laidOn(top: Color, under: Color): Color {
  const mix = (index: 0 | 1 | 2): number => top[index] * top[3] + under[index] * (1 - top[3])
  return [mix(0), mix(1), mix(2), 1]
}

/** WCAG 2.2, relative luminance: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
export function luminanceOf([red, green, blue]: Color): number {
  const linear = (value: number): number =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** WCAG 2.2, contrast ratio: 1 to 21. */
export function contrastOf(one: Color, other: Color): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** The colors that a gradient goes through; null for pictures. */
export function gradientColors(image: string): Color[] | null {
  if (/url\(|image-set\(|element\(|paint\(/.test(image)) return null
  const colors = image.match(/(?:rgba?|hsla?|color|oklab|oklch|lab|lch)\([^()]*\)/g)?.map(parseColor) ?? []
  return colors.length > 0 ? colors : null
}
