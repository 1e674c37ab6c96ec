/// <reference lib="dom" />
import type { LinkSnapshot } from '../../../port/page-snapshot.ts'
import { composedClosest, locate, queryAllDeep } from './dom.ts'
import { differsInColor, differsInFont } from './looks.ts'
import type { Match } from './matching.ts'
import { compactText, hostOf, rectsOf, type TextBlock } from './text-blocks.ts'

/**
 * The blog's links with a text, and where the same text leads in the page. A link that surrounds
 * its whole block needs no look of its own: `distinct` is null.
 */
export function captureLinks(
  blocks: { index: number; block: TextBlock; own: Match['own'] }[],
  withoutClicks: ReadonlySet<Element>
): LinkSnapshot[] {
  return blocks
    .filter(({ block }) => rectsOf(block).length > 0)
    .flatMap(({ index, block, own }) => {
      const anchors = [...new Set(block.nodes.flatMap((node) => anchorOf(node) ?? []))]
      return ownLinksOf(own).map(({ text, href }): LinkSnapshot => {
        const at = anchors.findIndex((anchor) => compactText(anchor.textContent ?? '') === text)
        const found = at < 0 ? null : anchors.splice(at, 1)[0]!
        const anchor = found !== null && withoutClicks.has(found) ? null : found
        const isWhole = text.length > own.compact.length * 0.8
        return {
          // Without a base element of the site, which the blog does not know.
          expected: resolveHref(href, location.href),
          actual: anchor === null ? null : (anchor.getAttribute('href') ?? '').slice(0, 2_000),
          resolved: anchor === null ? null : resolveHref(anchor.getAttribute('href') ?? ''),
          targetExists: anchor === null ? false : hasTarget(anchor),
          distinct: anchor === null || isWhole ? null : isDistinctLink(anchor, block),
          block: index,
          ...locate(found ?? block.element)
        }
      })
    })
    .slice(0, 500)
}

/** Links that take no clicks (`pointer-events: none`). Must be called before the page is frozen. */
export const findLinksWithoutClicks = (): Set<Element> =>
  new Set((queryAllDeep('a[href]') as HTMLElement[]).filter((link) => getComputedStyle(link).pointerEvents === 'none'))

export const anchorOf = (node: Text): HTMLAnchorElement | null => {
  const anchor = node.parentElement === null ? null : composedClosest(node.parentElement, 'a')
  return anchor as HTMLAnchorElement | null
}

/** The links of one of the blog's blocks that have text, without marks of footnotes. */
export function ownLinksOf({ nodes }: TextBlock): { text: string; href: string }[] {
  const anchors = [...new Set(nodes.flatMap((node) => node.parentElement?.closest('a[href]') ?? []))]
  return anchors
    .filter((anchor) => anchor.closest('sup') === null)
    .map((anchor) => ({ text: compactText(anchor.textContent ?? ''), href: anchor.getAttribute('href') ?? '' }))
    .filter(({ text, href }) => text.length > 1 && href !== '')
}

/** An absolute URL. '' if the address is empty or invalid. */
export function resolveHref(href: string, base: string = document.baseURI): string {
  if (href.trim() === '' || !URL.canParse(href, base)) return ''
  return new URL(href, base).href.slice(0, 2_000)
}

/** Whether a link within the page has an element to jump to. True for other links. */
export function hasTarget(anchor: HTMLAnchorElement): boolean {
  const href = anchor.getAttribute('href') ?? ''
  if (!href.startsWith('#')) return true
  let id = href.slice(1)
  try {
    id = decodeURIComponent(id)
  } catch {
    // A literal percent sign.
  }
  return id !== '' && (document.getElementById(id) !== null || document.getElementsByName(id).length > 0)
}

/** Whether a link differs from the text around it: by color, weight, line, background, symbol, or as an arrow. */
export function isDistinctLink(anchor: Element, block: TextBlock): boolean {
  if (!/[\p{L}\p{N}]/u.test(anchor.textContent ?? '')) return true
  const inner = [anchor, ...anchor.querySelectorAll('*')]
  const rest = block.nodes.filter((node) => !anchor.contains(node) && anchorOf(node) === null)
  const around = getComputedStyle(rest[0]?.parentElement ?? hostOf(block))
  return inner.some((element) => {
    const style = getComputedStyle(element)
    const hasLine = ['Top', 'Bottom', 'Left'].some(
      (side) => parseFloat(style[`border${side}Width` as 'borderTopWidth']) > 0
    )
    const hasSymbol = ['::before', '::after'].some(
      (part) => !['none', 'normal', '""'].includes(getComputedStyle(element, part).content)
    )
    return (
      style.textDecorationLine !== 'none' ||
      differsInColor(style.color, around.color) ||
      style.fontWeight !== around.fontWeight ||
      style.fontStyle !== around.fontStyle ||
      differsInFont(style.fontFamily, around.fontFamily) ||
      style.backgroundImage !== 'none' ||
      style.boxShadow !== 'none' ||
      !/^(?:transparent|rgba\(.*, 0\))$/.test(style.backgroundColor) ||
      hasLine ||
      hasSymbol
    )
  })
}
