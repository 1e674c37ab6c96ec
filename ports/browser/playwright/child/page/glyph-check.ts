/// <reference lib="dom" />
import { hostOf, type TextBlock } from './text-blocks.ts'

/** A glyph in a square of a few pixels, without the space around it: the share of each pixel that it covers. */
export interface Glyph {
  pixels: Float32Array
  /** Width by height. */
  aspect: number
}

/** The shapes of some letters in a font. Null: the font draws nothing for the letter. */
export type Glyphs = Map<string, Glyph | null>

/**
 * The blocks whose font draws other signs than the letters of the text: symbols, boxes, nothing, other
 * or mirrored letters. Compares the letters of each web font with those of the browser's own fonts.
 */
export function findWrongGlyphs(blocks: TextBlock[]): Set<TextBlock> {
  const [MAX_FONTS, MIN_LETTERS] = [6, 10]
  const families = new Set([...document.fonts].map(({ family }) => unquoted(family)))
  const byFont = Map.groupBy(blocks, (block) => {
    const { fontStyle, fontWeight, fontFamily } = getComputedStyle(hostOf(block))
    const used = fontFamily.split(',').map((family) => unquoted(family))
    const isChecked = used.some((family) => families.has(family)) || isSymbolFont(used[0] ?? '')
    return isChecked ? `${fontStyle} ${fontWeight} 40px ${fontFamily}` : ''
  })
  byFont.delete('')
  const lengthOf = (some: TextBlock[]): number => some.reduce((sum, { text }) => sum + text.length, 0)
  const fonts = [...byFont].sort((one, other) => lengthOf(other[1]) - lengthOf(one[1])).slice(0, MAX_FONTS)
  const wrong = new Set<TextBlock>()
  for (const [font, own] of fonts) {
    const letters = frequentLetters(own.map(({ text }) => text).join(' '))
    if (letters.length < MIN_LETTERS) continue
    const weight = /^\S+ (\d+)/.exec(font)?.[1] ?? '400'
    const known = ['serif', 'sans-serif', 'monospace', 'italic'].map((kind) =>
      drawGlyphs(letters, kind === 'italic' ? `italic ${weight} 40px serif` : `${weight} 40px ${kind}`)
    )
    const family = unquoted(font.slice(font.indexOf('px ') + 3).split(',')[0]!)
    if (isSymbolFont(family) || !recognizes(drawGlyphs(letters, font), known)) for (const block of own) wrong.add(block)
  }
  return wrong
}

export const unquoted = (family: string): string =>
  family
    .trim()
    .replace(/^["']|["']$/g, '')
    .toLowerCase()

/**
 * Whether a block or its marker shows characters of private use without a web font that has them: browsers draw
 * boxes then. Fonts of icons have their signs there.
 */
export function showsMissingIcons(block: TextBlock, own: string): boolean {
  const ICON = /[\uE000-\uF8FF]/
  const loaded = new Set(
    [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => unquoted(family))
  )
  const isWithout = ({ fontFamily }: CSSStyleDeclaration): boolean =>
    !fontFamily.split(',').some((family) => loaded.has(unquoted(family)))
  const { element } = block
  const isGenerated = (['::marker', '::before', '::after'] as const).some((pseudo) => {
    const style = getComputedStyle(element, pseudo)
    const { display, listStyleType } = getComputedStyle(element)
    const isMarker = pseudo === '::marker'
    if (isMarker ? !display.includes('list-item') : style.display === 'none' || style.visibility === 'hidden') {
      return false
    }
    const content = isMarker && /^(?:normal|)$/.test(style.content) ? listStyleType : style.content
    return ICON.test(content) && isWithout(isMarker ? getComputedStyle(element) : style)
  })
  return (
    isGenerated ||
    (!ICON.test(own) &&
      block.nodes.some(
        ({ data, parentElement }) =>
          ICON.test(data) && parentElement !== null && isWithout(getComputedStyle(parentElement))
      ))
  )
}

/**
 * Whether no font has a glyph for the first letter of a text, so that it looks like U+10FFFE, which no font has. Latin,
 * Greek and Cyrillic letters are in the fonts of every system.
 */
export function showsBoxes(text: string, host: Element): boolean {
  const letter = /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{L}/u.exec(text)?.[0]
  if (letter === undefined) return false
  const state = globalThis as unknown as { lettersWithoutFont?: Map<string, boolean> }
  state.lettersWithoutFont ??= new Map()
  const { fontFamily } = getComputedStyle(host)
  const key = `${letter.codePointAt(0)! >> 8} ${fontFamily}`
  const known = state.lettersWithoutFont.get(key)
  if (known !== undefined) return known
  const context = new OffscreenCanvas(48, 48).getContext('2d', { willReadFrequently: true })!
  const draw = (one: string): string => {
    context.clearRect(0, 0, 48, 48)
    context.font = `32px ${fontFamily}`
    context.fillText(one, 4, 36)
    return context.getImageData(0, 0, 48, 48).data.join()
  }
  const isBox = draw(letter) === draw('\u{10FFFE}')
  state.lettersWithoutFont.set(key, isBox)
  return isBox
}

/** Whether letters of a font that comes with a common system are symbols. */
export const isSymbolFont = (family: string): boolean =>
  /^(?:wingdings(?: [23])?|webdings|symbol|zapf ?dingbats|marlett|mt extra|bookshelf symbol 7)$/.test(family)

/**
 * The most frequent letters of a text in alphabets whose letters look alike in all fonts. Letters that
 * look like others, such as I and l, are left out.
 */
export function frequentLetters(text: string): string[] {
  const MOST = 36
  const counts = new Map<string, number>()
  for (const letter of text.match(/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/gu) ?? []) {
    if (/[iIl]|[oO]/.test(letter)) continue
    counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  return [...counts]
    .sort((one, other) => other[1] - one[1])
    .slice(0, MOST)
    .map(([letter]) => letter)
}

/** Draws letters beside each other, and scales each one to a square. */
export function drawGlyphs(letters: string[], font: string): Glyphs {
  const [CELL, SIZE] = [72, 12]
  const canvas = new OffscreenCanvas(CELL * letters.length, CELL)
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  context.font = font
  context.textBaseline = 'alphabetic'
  for (const [index, letter] of letters.entries()) {
    context.save()
    context.beginPath()
    context.rect(index * CELL, 0, CELL, CELL)
    context.clip()
    context.fillText(letter, index * CELL + 14, 50)
    context.restore()
  }
  const { data, width } = context.getImageData(0, 0, canvas.width, CELL)
  const inkAt = (x: number, y: number): number => data[(y * width + x) * 4 + 3]!
  return new Map(
    letters.map((letter, index) => {
      const start = index * CELL
      let [left, top, right, bottom] = [CELL, CELL, -1, -1]
      for (let y = 0; y < CELL; y++) {
        for (let x = 0; x < CELL; x++) {
          if (inkAt(start + x, y) < 96) continue
          left = Math.min(left, x)
          right = Math.max(right, x)
          top = Math.min(top, y)
          bottom = Math.max(bottom, y)
        }
      }
      if (right < 0) return [letter, null]
      const [glyphWidth, glyphHeight] = [right - left + 1, bottom - top + 1]
      const pixels = new Float32Array(SIZE * SIZE)
      const counts = new Float32Array(SIZE * SIZE)
      // Small glyphs have fewer pixels than the square, so each target reads several sources.
      const STEPS = 4
      for (let row = 0; row < SIZE * STEPS; row++) {
        for (let column = 0; column < SIZE * STEPS; column++) {
          const x = left + Math.floor(((column + 0.5) / (SIZE * STEPS)) * glyphWidth)
          const y = top + Math.floor(((row + 0.5) / (SIZE * STEPS)) * glyphHeight)
          const at = Math.floor(row / STEPS) * SIZE + Math.floor(column / STEPS)
          pixels[at]! += inkAt(start + x, y) / 255
          counts[at]! += 1
        }
      }
      for (let at = 0; at < pixels.length; at++) pixels[at]! /= counts[at]!
      return [letter, { pixels, aspect: glyphWidth / glyphHeight }]
    })
  )
}

/**
 * Whether the letters of a font look like those of known fonts. The glyph of a letter should be more
 * like that letter than like most others: in fonts of all styles for 86 % of the others and more, in the
 * most ornate handwriting for 67 %, in fonts with other signs for about half, as by chance. And letters
 * should not be more like mirrored ones.
 */
export function recognizes(font: Glyphs, known: Glyphs[]): boolean {
  const [MIN_LESS_ALIKE, MAX_MIRRORED, MIN_ASYMMETRIC] = [0.62, 0.32, 8]
  const alphabets = known.filter((glyphs) => isAlphabet(glyphs))
  if (alphabets.length === 0) return true
  const likeness = (glyph: Glyph | null, letter: string, mirror: 'none' | 'x' | 'y' = 'none'): number =>
    Math.max(...alphabets.map((glyphs) => likenessOf(glyph, glyphs.get(letter) ?? null, mirror)))
  let [lessAlike, mirrored, asymmetric] = [0, 0, 0]
  for (const [letter, glyph] of font) {
    const own = likeness(glyph, letter)
    const others = [...font.keys()].filter((other) => other.toLowerCase() !== letter.toLowerCase())
    const points = others.map((other) => Math.sign(own - likeness(glyph, other)) / 2 + 0.5)
    lessAlike += points.reduce((sum, point) => sum + point, 0) / (others.length || 1)
    for (const mirror of ['x', 'y'] as const) {
      const isAsymmetric = alphabets.every((glyphs) => {
        const one = glyphs.get(letter) ?? null
        return likenessOf(one, one, mirror) < 0.6
      })
      if (!isAsymmetric) continue
      asymmetric += 1
      if (likeness(glyph, letter, mirror) > own + 0.1) mirrored += 1
    }
  }
  const isMirrored = asymmetric >= MIN_ASYMMETRIC && mirrored / asymmetric > MAX_MIRRORED
  return lessAlike / font.size >= MIN_LESS_ALIKE && !isMirrored
}

/** Whether a font has a glyph of its own for most letters. Without a font for a script, all are alike. */
export function isAlphabet(glyphs: Glyphs): boolean {
  const all = [...glyphs.values()]
  const unlike = all.filter((glyph, at) =>
    all.every((other, before) => before >= at || likenessOf(glyph, other) < 0.98)
  )
  return unlike.length > 0.7 * all.length
}

/** Pearson's correlation of two glyphs, less where one is much wider than the other. -1 without ink. */
export function likenessOf(one: Glyph | null, other: Glyph | null, mirror: 'none' | 'x' | 'y' = 'none'): number {
  if (one === null || other === null) return -1
  const size = Math.sqrt(one.pixels.length)
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0]
  for (let at = 0; at < one.pixels.length; at++) {
    const [x, y] = [at % size, Math.floor(at / size)]
    const to = mirror === 'none' ? at : mirror === 'x' ? y * size + size - 1 - x : (size - 1 - y) * size + x
    const [a, b] = [one.pixels[at]!, other.pixels[to]!]
    sumA += a
    sumB += b
    squaresA += a * a
    squaresB += b * b
    products += a * b
  }
  const count = one.pixels.length
  const deviations = Math.sqrt((squaresA - sumA ** 2 / count) * (squaresB - sumB ** 2 / count))
  const correlation = deviations < 1e-6 ? 0 : (products - (sumA * sumB) / count) / deviations
  return correlation - 0.15 * Math.abs(Math.log(one.aspect / other.aspect))
}
