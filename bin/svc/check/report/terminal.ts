import type { Severity } from '../../../../schemas/visual-check.ts'

export type Ink = (text: string, as: 'bold' | 'quiet' | Severity | 'good') => string

const CODES: Readonly<Record<Parameters<Ink>[1], string>> = {
  bold: '1',
  quiet: '2',
  critical: '1;31',
  high: '31',
  medium: '33',
  low: '36',
  info: '2',
  good: '32'
}

/** Colors where the reader has them, the plain text elsewhere. */
export const ink =
  (colors: boolean): Ink =>
  (text, as) =>
    colors ? `\u001b[${CODES[as]}m${text}\u001b[0m` : text

/**
 * Text of a foreign page on one line: what would steer a terminal, or turn the direction of
 * writing, is taken out (https://trojansource.codes).
 */
export const plain = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, '')
    .trim()

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })
const WIDE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\u3000-\u303f\uff01-\uff60]/u

/** The columns that a text takes in a terminal. */
export const columns = (text: string): number =>
  [...segmenter.segment(text)].reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0)

/**
 * Text in lines of at most so many columns, broken at spaces, or within a word that is longer than
 * a line.
 */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of plain(text)
    .split(' ')
    .flatMap((word) => pieces(word, width))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (columns(longer) <= width) {
      line = longer
      continue
    }
    lines.push(line)
    line = word
  }
  return [...lines, line]
}

function pieces(word: string, width: number): string[] {
  if (columns(word) <= width) return [word]
  const parts = ['']
  for (const { segment } of segmenter.segment(word)) {
    if (columns(parts.at(-1)! + segment) > width) parts.push('')
    parts[parts.length - 1] += segment
  }
  return parts
}
