/// <reference lib="dom" />
import type { Typography, Visibility } from '../../port/page-snapshot.ts'
import { hostOf, rectsOf, type TextBlock } from './text-blocks.ts'
import { isDense } from './text-folding.ts'

/** How a rendered block is set. */
export function typesettingOf(block: TextBlock, { scale }: Pick<Visibility, 'scale'>): Typography {
  const host = hostOf(block)
  const style = getComputedStyle(host)
  const fontPx = parseFloat(style.fontSize)
  const rects = rectsOf(block)
  const lines = linesOf(rects)
  const width = rects.reduce((sum, rect) => sum + rect.width, 0)
  const characters = block.text.length
  // Letters of these scripts are as wide as high, whatever box a missing font puts in their place.
  const perPx = isDense(block.text) ? 1 / (fontPx * scale || 1) : characters / (width || 1)
  const own = block.element.getBoundingClientRect()
  const { paddingLeft, paddingRight } = getComputedStyle(block.element)
  const inner = Math.max(0, own.width - parseFloat(paddingLeft || '0') - parseFloat(paddingRight || '0'))
  const full = lines.slice(0, -1)
  const measured =
    full.length > 0
      ? ((full.reduce((sum, line) => sum + line, 0) / full.length) * characters) / (width || 1)
      : characters
  const lineHeight = parseFloat(style.lineHeight)
  return {
    fontPx: Math.round(fontPx * scale * 100) / 100,
    bold: Number(style.fontWeight) >= 700,
    // `normal` depends on the font and is never tight.
    lineHeightRatio: Number.isNaN(lineHeight) ? 1.2 : Math.round((lineHeight / fontPx) * 1000) / 1000,
    letterSpacingEm: Math.round(((parseFloat(style.letterSpacing) || 0) / fontPx) * 1000) / 1000,
    wordSpacingEm: Math.round(((parseFloat(style.wordSpacing) || 0) / fontPx) * 1000) / 1000,
    lines: lines.length,
    charactersPerLine: Math.round(isDense(block.text) ? Math.min(measured, Math.max(1, inner * perPx)) : measured),
    lineCapacity: Math.round(inner * perPx),
    direction: style.direction === 'rtl' ? 'rtl' : 'ltr',
    fontFamily: style.fontFamily
  }
}

/** The widths of the lines that rectangles of letters stand in, from the top down. */
export function linesOf(rects: DOMRect[]): number[] {
  const lines: { middle: number; height: number; width: number }[] = []
  for (const { top, height, width } of rects) {
    const middle = top + height / 2
    const line = lines.find((one) => Math.abs(one.middle - middle) < Math.min(one.height, height) * 0.6)
    if (line === undefined) lines.push({ middle, height, width })
    else line.width += width
  }
  return lines.sort((one, other) => one.middle - other.middle).map(({ width }) => width)
}
