import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import type { HeadElement, Page } from './types.ts'

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.Node

/** Adds CSS of the site, after that of the blog. */
export function addCss(page: Page, css: string): void {
  addHead(page, `<style>${css}</style>`)
}

export function addHead(page: Page, html: string): void {
  page.head.set('extra', (page.head.get('extra') ?? '') + html)
}

/** Replaces an element of the head. Throws if the page has none or it stays as it is. */
export function editHead(page: Page, name: HeadElement, edit: (html: string) => string): void {
  const html = page.head.get(name) ?? ''
  const edited = edit(html)
  if (html === '' || edited === html) throw new Error(`${page.path}: ${name} in the head is not changed`)
  page.head.set(name, edited)
}

/** Replaces text in the article. Throws if it is not there. */
export function replaceText(page: Page, pattern: RegExp, replacement: string | ((match: string) => string)): void {
  const edited = page.article.replace(pattern, replacement as string)
  if (edited === page.article) throw new Error(`${page.path}: the article has no ${String(pattern)}`)
  page.article = edited
}

/** Which of the elements that match: by index, negative from the end, or `middle`, or all of them. */
export type Which = number | 'middle' | 'all'

/**
 * Replaces elements of the article by tag or `.class`, in document order. An element inside of one that
 * matches is not replaced on its own. Throws if there is none or nothing changes.
 */
export function editElements(page: Page, selector: string, which: Which, edit: (html: string) => string): void {
  const found = findElements(page.article, selector)
  const index = which === 'middle' ? Math.floor(found.length / 2) : which === 'all' ? 0 : which
  const chosen = which === 'all' ? found : found.slice(index).slice(0, 1)
  if (chosen.length === 0) throw new Error(`${page.path}: the article has no ${selector} (${String(which)})`)
  const before = page.article
  for (const { start, end } of chosen.toReversed()) {
    page.article = page.article.slice(0, start) + edit(page.article.slice(start, end)) + page.article.slice(end)
  }
  if (page.article === before) throw new Error(`${page.path}: ${selector} (${String(which)}) is not changed`)
}

interface Range {
  start: number
  end: number
}

function findElements(html: string, selector: string): Range[] {
  const matches = (element: Element): boolean =>
    selector.startsWith('.')
      ? element.attrs.some(({ name, value }) => name === 'class' && value.split(' ').includes(selector.slice(1)))
      : element.tagName === selector
  const ranges: Range[] = []
  const visit = (node: Node): void => {
    if ('tagName' in node && matches(node)) {
      const location = node.sourceCodeLocation
      if (location === null || location === undefined) throw new Error(`${selector} has no location`)
      ranges.push({ start: location.startOffset, end: location.endOffset })
    } else if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parseFragment(html, { sourceCodeLocationInfo: true }))
  return ranges
}

/** The blocks directly below the article's element, as HTML. */
export function listBlocks(page: Page): string[] {
  const fragment = parseFragment(page.article, { sourceCodeLocationInfo: true })
  const root = fragment.childNodes[0] as Element
  return root.childNodes
    .filter((node) => 'tagName' in node)
    .map(({ sourceCodeLocation: at }) => page.article.slice(at!.startOffset, at!.endOffset))
}

/** Replaces the blocks below the article's element. Throws if they stay as they are. */
export function editBlocks(page: Page, edit: (blocks: string[]) => string[]): void {
  const blocks = listBlocks(page)
  const open = page.article.slice(0, page.article.indexOf('>') + 1)
  const edited = `${open}${edit(blocks).join('\n')}</div>`
  if (edited === `${open}${blocks.join('\n')}</div>`) throw new Error(`${page.path}: the blocks are not changed`)
  page.article = edited
}

/** Adds an attribute to the first tag of some HTML. */
export const addAttribute = (html: string, attribute: string): string => html.replace(/^<([\w-]+)/, `<$1 ${attribute}`)

/** Changes the text between tags, not the tags themselves nor code. */
export const editTexts = (html: string, edit: (text: string) => string): string =>
  html.replace(
    /(<(?:pre|code)[^>]*>[\s\S]*?<\/(?:pre|code)>|<[^>]*>)|([^<]+)/g,
    (_, tag: string | undefined, text: string) => (tag === undefined ? edit(text) : tag)
  )

/** A text in the language of the page. */
export function say(page: Page, texts: { en: string; de: string; ar: string; ja: string }): string {
  const language = page.post.blog.locale.slice(0, 2) as keyof typeof texts
  return texts[language] ?? texts.en
}
