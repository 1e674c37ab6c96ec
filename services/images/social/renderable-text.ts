import { escapeMarkup } from '../../../lib/html.ts'
import type { SharpFactory } from '../sharp.ts'

/**
 * Font families of the cards: common bold fonts in order of preference; the last is the system's
 * sans-serif.
 */
export const FONT_FAMILY = 'Inter,Noto Sans,Helvetica Neue,Arial,DejaVu Sans,sans-serif'
/**
 * Large enough to see that the strokes of an enclosed Chinese character extend beyond its frame.
 */
const PROBE_PX = 48
const SIDE_SHARE = 0.95
const LINE_SHARE = 0.85
/**
 * A missing-glyph box is hollow; the letter l, a dash and a period also fill all sides, but are
 * solid.
 */
const FULL_SHARE = 0.8

/** Spaces, joiners and directional marks; without fonts even these are drawn as boxes. */
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}]+$/u

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * The part of a text that the installed fonts can render: the text without unsupported pictographs,
 * or null when any letter is unsupported, because half a title is worse than none. Pango draws an
 * unsupported letter as a closed box, so each letter is rendered once and inspected.
 */
export async function renderableText(text: string, sharp: SharpFactory): Promise<string | null> {
  const clean = text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\ufffd-\uffff]/gu, '')
    .trim()
  const letters = [...segmenter.segment(clean)].map(({ segment }) => segment)
  const missing = new Set<string>()
  let visible = false
  for (const letter of new Set(letters)) {
    const appearance = INVISIBLE.test(letter) ? 'blank' : await probe(letter, sharp)
    if (appearance === 'box') missing.add(letter)
    visible ||= appearance === 'drawn'
  }
  if ([...missing].some((letter) => !/\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(letter))) return null
  return visible
    ? letters
        .filter((letter) => !missing.has(letter))
        .join('')
        .replace(/ +/g, ' ')
        .trim()
    : null
}

/**
 * How a letter is rendered. A box, or several side by side, has a frame on all four sides and is
 * not solid.
 */
async function probe(letter: string, sharp: SharpFactory): Promise<'drawn' | 'box' | 'blank'> {
  const picture = await sharp({
    text: { text: escapeMarkup(letter), font: `${FONT_FAMILY} bold ${PROBE_PX}`, dpi: 72 }
  })
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(nothingToDraw)
  if (picture === null) return 'blank'
  return isBox(picture.data, picture.info) ? 'box' : 'drawn'
}

/** sharp throws for text without visible pixels. */
function nothingToDraw(error: unknown): null {
  if (error instanceof Error && error.message.includes('no text to render')) return null
  throw error
}

function isBox(data: Buffer, info: { width: number; height: number }): boolean {
  const isDark = (x: number, y: number): boolean => (data[y * info.width + x] ?? 0) > 96
  const columns = span(info.width, (x) => share([0, info.height - 1], (y) => isDark(x, y)) > 0)
  const rows = span(info.height, (y) => share([0, info.width - 1], (x) => isDark(x, y)) > 0)
  if (columns === null || rows === null) return false
  const full = share(columns, (x) => share(rows, (y) => isDark(x, y)) >= SIDE_SHARE)
  return (
    full < FULL_SHARE &&
    columns.every((x) => share(rows, (y) => isDark(x, y)) >= SIDE_SHARE) &&
    rows.every((y) => share(columns, (x) => isDark(x, y)) >= LINE_SHARE)
  )
}

/** First and last index, inclusive. */
type Span = [number, number]

function span(length: number, test: (index: number) => boolean): Span | null {
  const indexes = Array.from({ length }, (_, i) => i).filter(test)
  const [first] = indexes
  const last = indexes.at(-1)
  return first === undefined || last === undefined ? null : [first, last]
}

/** The share of the span for which the test is true, 0–1. */
function share([first, last]: Span, test: (index: number) => boolean): number {
  let hits = 0
  for (let i = first; i <= last; i++) if (test(i)) hits++
  return hits / (last - first + 1)
}
