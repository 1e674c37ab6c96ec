import type { SharpFactory } from '../sharp.ts'

/**
 * The face of the cards: bold faces that people have, in order of liking; the last is whatever the
 * machine calls its sans-serif.
 */
export const FONT_FAMILY = 'Inter,Noto Sans,Helvetica Neue,Arial,DejaVu Sans,sans-serif'
/**
 * Large enough to see that the strokes of a framed Chinese character stand out beyond its frame.
 */
const PROBE_PX = 48
const SIDE_SHARE = 0.95
const LINE_SHARE = 0.85
/** A box is hollow; the letter l, a dash and a full stop are closed on all sides too, but full. */
const FULL_SHARE = 0.8

/** Spaces, joiners and signs of direction; a machine without fonts draws even these as boxes. */
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}]+$/u

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * What of a text this machine can write: the text without its pictographs where no font has them,
 * or null when a letter has no font, be it that the script
 * lacks one or that there are no fonts at all. Half a title would be worse than none.
 * Pango draws a letter that no font has as a closed box; so each letter is drawn once, by itself,
 * and looked at.
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
    const look = INVISIBLE.test(letter) ? 'blank' : await probe(letter, sharp)
    if (look === 'box') missing.add(letter)
    visible ||= look === 'drawn'
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
 * How the letter comes out; a box, or several beside each other, has a frame on all four sides and
 * is not full.
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

/** A sign that leaves no ink is an error to the library. */
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

/** First and last, both included. */
type Span = [number, number]

function span(length: number, test: (index: number) => boolean): Span | null {
  const indexes = Array.from({ length }, (_, i) => i).filter(test)
  const [first] = indexes
  const last = indexes.at(-1)
  return first === undefined || last === undefined ? null : [first, last]
}

/** The part of the span for which the test holds, 0–1. */
function share([first, last]: Span, test: (index: number) => boolean): number {
  let hits = 0
  for (let i = first; i <= last; i++) if (test(i)) hits++
  return hits / (last - first + 1)
}

/** Text as it may stand in Pango's markup. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
