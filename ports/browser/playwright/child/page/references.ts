/// <reference lib="dom" />
import type { AlternateSnapshot, TimeSnapshot } from '../../../port/page-snapshot.ts'
import { composedClosest, composedContains, locate, queryAllDeep } from './dom.ts'
import { isByline } from './layout.ts'
import type { Article } from './matching.ts'
import { foldText, rectsOf, type TextBlock } from './text-blocks.ts'

/** The translations that the page names. */
export function captureAlternates(): AlternateSnapshot[] {
  return [...document.querySelectorAll('link[rel~="alternate" i][hreflang]')].slice(0, 100).map((link) => ({
    hreflang: (link.getAttribute('hreflang') ?? '').trim().slice(0, 100),
    href: (link.getAttribute('href') ?? '').trim().slice(0, 2_000)
  }))
}

/**
 * What may have the date of the blog: the rendered time elements of the byline, and its other texts with
 * digits. Not those of other posts.
 */
export function captureTimes(
  page: TextBlock[],
  { article, own, title }: { article: Article | null; own: TextBlock[]; title: string }
): TimeSnapshot[] {
  if (article === null) return []
  const headline = page.find(({ folded }) => folded === foldText(title))?.element
  const isOfByline = (element: Element): boolean => isAboutPost(element, { article, headline })
  const times = queryAllDeep('time[datetime]').filter(
    (element) => element.getClientRects().length > 0 && !composedContains(article.root, element) && isOfByline(element)
  )
  const ours = new Set(own.map(({ element }) => element))
  const [first] = own
  // Texts that the site puts into the article itself come before ours.
  const isAbove = ({ element }: TextBlock): boolean =>
    first !== undefined && (first.element.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
  const texts = page.filter(
    (block) =>
      /\p{Nd}/u.test(block.text) &&
      block.text.length <= 120 &&
      !ours.has(block.element) &&
      !times.some((time) => block.element.contains(time) || time.contains(block.element)) &&
      isAbove(block) &&
      isOfByline(block.element) &&
      rectsOf(block).length > 0
  )
  return [
    ...times.map((element) => ({
      ...locate(element),
      datetime: (element.getAttribute('datetime') ?? '').trim().slice(0, 100),
      text: (element.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 100)
    })),
    ...texts.map(({ element, text }) => ({ ...locate(element), datetime: '', text }))
  ].slice(0, 10)
}

/** Whether an element is between the headline and the article, or before the article in its frame. */
export function isAboutPost(
  element: Element,
  { article: { root, frame }, headline }: { article: Article; headline: Element | undefined }
): boolean {
  return (
    composedClosest(element, 'nav, aside, li, footer') === null &&
    (isByline(element, { headline, root }) ||
      (composedContains(frame, element) &&
        (root.contains(element) || (root.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0)))
  )
}
