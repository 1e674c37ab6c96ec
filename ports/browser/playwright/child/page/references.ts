/// <reference lib="dom" />
import type { AlternateSnapshot, TimeSnapshot } from '../../../port/page-snapshot.ts'
import { composedClosest, composedContains, locate, queryAllDeep } from './dom.ts'
import { isByline } from './layout.ts'
import type { Article } from './matching.ts'
import { foldText, type TextBlock } from './text-blocks.ts'

/** The translations that the page names. */
export function captureAlternates(): AlternateSnapshot[] {
  return [...document.querySelectorAll('link[rel~="alternate" i][hreflang]')].slice(0, 100).map((link) => ({
    hreflang: (link.getAttribute('hreflang') ?? '').trim().slice(0, 100),
    href: (link.getAttribute('href') ?? '').trim().slice(0, 2_000)
  }))
}

/** The dates of the byline: rendered time elements around the headline, without those of other posts. */
export function captureTimes(
  page: TextBlock[],
  { article, title }: { article: Article | null; title: string }
): TimeSnapshot[] {
  if (article === null) return []
  const headline = page.find(({ folded }) => folded === foldText(title))?.element
  const { root, frame } = article
  return queryAllDeep('time[datetime]')
    .filter(
      (element) =>
        element.getClientRects().length > 0 &&
        !composedContains(root, element) &&
        composedClosest(element, 'nav, aside, li, footer') === null &&
        (isByline(element, { headline, root }) ||
          (composedContains(frame, element) &&
            (root.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0))
    )
    .slice(0, 10)
    .map((element) => ({
      ...locate(element),
      datetime: (element.getAttribute('datetime') ?? '').trim().slice(0, 100),
      text: (element.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 100)
    }))
}
