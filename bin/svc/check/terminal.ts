import { styleText } from 'node:util'
import type { Severity } from '../../../schemas/visual-check.ts'

export type Style = 'bold' | 'muted' | 'good' | Severity
export type Paint = (text: string, style: Style) => string

type Format = Parameters<typeof styleText>[0]

const FORMATS: Readonly<Record<Style, Format>> = {
  bold: 'bold',
  muted: 'dim',
  critical: ['bold', 'red'],
  high: 'red',
  medium: 'yellow',
  low: 'cyan',
  info: 'dim',
  good: 'green'
}

/** Returns a function that colors text, or that returns the text unchanged. */
export const createPaint =
  (colors: boolean): Paint =>
  (text, style) =>
    colors ? styleText(FORMATS[style], text, { validateStream: false }) : text

/**
 * Text of a foreign page on one line, without characters that control a terminal or change the
 * direction of writing (https://trojansource.codes).
 */
export const sanitize = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, '')
    .trim()

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })
const WIDE = new RegExp(
  [
    String.raw`\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}`,
    String.raw`\p{Emoji_Presentation}|[\u3000-\u303f\uff01-\uff60]`
  ].join('|'),
  'u'
)

/** The number of terminal columns of a text. */
export const columnWidth = (text: string): number =>
  [...segmenter.segment(text)].reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0)

/**
 * Sanitizes text and breaks it into lines of at most `width` columns: at spaces, or within a word
 * that is longer than a line.
 */
export function wrap(text: string, width: number): string[] {
  const words = sanitize(text)
    .split(' ')
    .flatMap((word) => splitWord(word, width))
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`
    if (columnWidth(longer) <= width) {
      line = longer
      continue
    }
    lines.push(line)
    line = word
  }
  return [...lines, line]
}

function splitWord(word: string, width: number): string[] {
  if (columnWidth(word) <= width) return [word]
  const parts = ['']
  for (const { segment } of segmenter.segment(word)) {
    if (columnWidth(parts.at(-1)! + segment) > width) parts.push('')
    parts[parts.length - 1] += segment
  }
  return parts
}
