/// <reference lib="dom" />
import type { AddedText } from '../../../port/page-snapshot.ts'
import { locate } from './dom.ts'
import { withoutEntities } from './matching.ts'
import { foldText, type TextBlock } from './text-blocks.ts'

/**
 * Words that style sheets add to the blog's blocks, before or after their text or that of an element in
 * them (CSS `content`). Without the words of `css`, which is the blog's own. At most 30.
 */
export function findAddedTexts(
  own: { index: number; block: TextBlock }[],
  { css, texts }: { css: string; texts: string[] }
): AddedText[] {
  const MOST = 30
  // The site labels and explains these: "Figure", "opens in a new window", the name of a language.
  const LABELED = 'a, abbr, q, cite, kbd, time, figcaption, caption, blockquote, pre, summary'
  const known = texts.map(foldText)
  const isKnown = (element: Element, text: string): boolean =>
    css.includes(text) ||
    // Narrow screens show the headers of a table beside each cell.
    (/^t[dh]$/.test(element.localName) && known.some((one) => one.includes(withoutColon(foldText(text)))))
  return own
    .flatMap(({ index, block }) =>
      [
        ...new Set([...containersOf(block), ...block.nodes.flatMap(({ parentElement }) => parentElement ?? [])])
      ].flatMap((element) =>
        (['::marker', '::before', '::after'] as const).map((pseudo) => ({
          ...{ block: index, element, pseudo, text: shownContentOf(element, pseudo) }
        }))
      )
    )
    .filter(({ element, text }) => text !== '' && !isKnown(element, text))
    .filter(
      ({ element, text }) =>
        element.closest(LABELED) === null || showsAddress(element, text) || withoutEntities(text) !== text
    )
    .slice(0, MOST)
    .map(({ element, text, ...one }) => ({
      ...{ ...locate(element), ...one, text: text.slice(0, 200), isInline: isInline(element, one.pseudo) }
    }))
}

/** The element of a block, and the quote around it. */
export const containersOf = ({ element }: TextBlock): Element[] => {
  const quote = element.closest('blockquote')
  return quote === null ? [element] : [element, quote]
}

/** Whether generated content is the address of a link, as in style sheets for print. */
export function showsAddress(element: Element, text: string): boolean {
  const address = element.closest('a')?.getAttribute('href') ?? ''
  return address.length > 3 && text.includes(address)
}

/** The text of a pseudo-element that a reader sees within the text. '' for counters, signs and icons. */
export function shownContentOf(element: Element, pseudo: '::marker' | '::before' | '::after'): string {
  const style = getComputedStyle(element, pseudo)
  const { content, display, visibility, opacity, position, fontSize } = style
  const isMarker = pseudo === '::marker'
  if (isMarker && getComputedStyle(element).display !== 'list-item') return ''
  // A counter with a word is the name of a heading or a figure, but not of a paragraph.
  if (!/["']|attr\(/.test(content) || (/counters?\(/.test(content) && element.localName !== 'p')) return ''
  if (display === 'none' || visibility !== 'visible' || Number(opacity) < 0.15 || parseFloat(fontSize) < 4) return ''
  if (!isMarker && /absolute|fixed/.test(position)) return ''
  const parts = content.match(/"(?:[^"\\]|\\.)*"|attr\([\w-]+/g) ?? []
  const text = parts
    .map((part) =>
      part.startsWith('"')
        ? part.slice(1, -1).replace(/\\(.)/g, '$1')
        : (element.getAttribute(part.slice('attr('.length)) ?? '')
    )
    .join('')
    .trim()
  return /\p{L}{3}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}/u.test(text) ? text : ''
}

/** Whether a pseudo-element is a part of the line. Labels stand on a line of their own or in a box. */
export const isInline = (element: Element, pseudo: '::marker' | '::before' | '::after'): boolean =>
  pseudo === '::marker' || getComputedStyle(element, pseudo).display === 'inline'

export const withoutColon = (text: string): string =>
  text
    .trim()
    .replace(/[:：]$/, '')
    .trim()

/** The headers that narrow screens show beside each cell, where they hide the row of headers. */
export function labelsOfCells(own: { block: TextBlock }[]): ReadonlySet<string> {
  const cells = own.map(({ block }) => block.element).filter(({ localName }) => localName === 'td')
  const labels = cells.flatMap((cell) =>
    [shownContentOf(cell, '::before'), cell.firstElementChild?.textContent ?? ''].map((text) =>
      withoutColon(foldText(text))
    )
  )
  return new Set(labels.filter((label) => label !== ''))
}
