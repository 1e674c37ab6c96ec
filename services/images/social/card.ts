import type { OverlayOptions } from 'sharp'
import { escapeMarkup } from '../../../lib/html.ts'
import { loadSharp, type SharpFactory } from '../sharp.ts'
import { createSeededRandom, PALETTES, PATTERNS, SOCIAL_HEIGHT, SOCIAL_WIDTH } from './patterns.ts'
import { FONT_FAMILY, renderableText } from './renderable-text.ts'

const MARGIN = 72
const TEXT_WIDTH = 700
const TITLE_TOP = 132
const TITLE_HEIGHT = 300
/** Font sizes in pixels; the largest in which the title fits is used. */
const TITLE_SIZES = [76, 66, 57, 49, 42, 36]
const BRAND_SIZE = 28
const BRAND_HEIGHT = 40
const MAX_TITLE = 140

export interface CardText {
  title: string
  brand: string | null
}

/**
 * Draws a card for a blog without an image: shapes and colors derived from the title, and the title
 * itself if the installed fonts can render all of it. JPEG, 1200 × 630.
 */
export async function drawCard(text: CardText): Promise<Buffer> {
  const sharp = await loadSharp()
  const random = createSeededRandom(text.title)
  const palette = PALETTES[random.pick(PALETTES.length)] ?? PALETTES[0]
  const pattern = PATTERNS[random.pick(PATTERNS.length)] ?? PATTERNS[0]
  if (palette === undefined || pattern === undefined) throw new Error('A card needs a palette and a pattern')
  const title = await renderableText(shorten(text.title), sharp)
  const shapes = pattern({ random, palette, withText: title !== null })
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SOCIAL_WIDTH}" height="${SOCIAL_HEIGHT}">` +
    `<rect width="100%" height="100%" fill="${palette.background}"/>${shapes}</svg>`
  const layers: OverlayOptions[] = []
  if (title !== null) {
    layers.push({
      input: await fit({ text: title, color: palette.text, sizes: TITLE_SIZES, height: TITLE_HEIGHT }, sharp),
      left: MARGIN,
      top: TITLE_TOP
    })
  }
  const brand = title === null || text.brand === null ? null : await renderableText(shorten(text.brand), sharp)
  if (brand !== null) {
    layers.push({
      input: await fit({ text: brand, color: palette.mutedText, sizes: [BRAND_SIZE], height: BRAND_HEIGHT }, sharp),
      left: MARGIN,
      top: MARGIN
    })
  }
  return sharp(Buffer.from(svg))
    .composite(layers)
    .flatten()
    .jpeg({ quality: 88, chromaSubsampling: '4:4:4', mozjpeg: true })
    .toBuffer()
}

interface Line {
  text: string
  color: string
  sizes: number[]
  height: number
}

/** Renders the text in the largest size that fits; scales it down if none fits. PNG. */
async function fit(line: Line, sharp: SharpFactory): Promise<Buffer> {
  let picture = Buffer.alloc(0)
  for (const size of line.sizes) {
    const text = `<span foreground="${line.color}">${escapeMarkup(line.text)}</span>`
    const written = await sharp({
      text: { text, font: `${FONT_FAMILY} bold ${size}`, width: TEXT_WIDTH, dpi: 72, rgba: true, wrap: 'word-char' }
    })
      .png()
      .toBuffer({ resolveWithObject: true })
    if (written.info.height <= line.height && written.info.width <= TEXT_WIDTH) return written.data
    picture = written.data
  }
  return sharp(picture)
    .resize({ width: TEXT_WIDTH, height: line.height, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
}

/** Truncates to `MAX_TITLE` graphemes, after a word if there is one in the last third. */
function shorten(text: string): string {
  const letters = [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text.replace(/\s+/g, ' ').trim())]
  if (letters.length <= MAX_TITLE) return letters.map(({ segment }) => segment).join('')
  const cut = letters
    .slice(0, MAX_TITLE - 1)
    .map(({ segment }) => segment)
    .join('')
  const space = cut.lastIndexOf(' ')
  return `${space > (cut.length * 2) / 3 ? cut.slice(0, space) : cut}…`
}
