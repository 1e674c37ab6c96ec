import type { BlogImage } from '../../../schemas/blog.ts'
import { ELEMENTS, GLOBAL_ATTRIBUTES, VALUE_CHECKS } from './allow-list.ts'
import { cleanImage, cleanSource } from './images.ts'
import { loadHighlighter } from './lazy-libraries.ts'
import { cleanLink } from './links.ts'
import { markOrderedList } from './ordered-lists.ts'
import { createPlaceholder, isPlaceholder, resolvePlaceholders } from './removed-media.ts'
import { labelScrollBoxes } from './scroll-boxes.ts'
import { cleanCheckbox, markTaskItem } from './task-lists.ts'
import {
  attributeOf,
  isElement,
  isText,
  makeElement,
  makeText,
  parseInDiv,
  setAttributes,
  setChildren,
  textOf,
  type ChildNode,
  type Element,
  type ParentNode
} from './tree.ts'
import { cleanFrame } from './videos.ts'
import { collapse } from '../../../lib/text.ts'

/** An image uploaded to the blog. */
export interface OwnImage {
  filename: string
  originalName: string
  alt: string
  width: number
  height: number
}

export interface SanitizeOptions {
  blogId: string
  images: OwnImage[]
  /** The public URL of the service: images under it are its own. */
  publicUrl: string
  /** BCP 47. The language and the direction of the wrapper. */
  locale: string
  /** A leading h1 with the same text is dropped, because the page has its own. */
  title?: string
}

/** Input and results of one pass over a tree. */
export interface CleanContext {
  options: SanitizeOptions
  warn: (warning: string) => void
  images: BlogImage[]
  firstOwnImage: string | null
  /** Characters of highlighted code so far. */
  highlighted: number
}

/** Deeper elements are replaced by their text; an article has about 15 levels. */
const MAX_DEPTH = 60
/** Attributes that are set by the builder of their element; the author's value is never copied. */
const BUILDER_ATTRIBUTES: ReadonlySet<string> = new Set([
  'href',
  'target',
  'rel',
  'src',
  'srcset',
  'alt',
  'loading',
  'decoding',
  'fetchpriority',
  'sandbox',
  'allow',
  'allowfullscreen',
  'referrerpolicy',
  'data-svc-blog',
  'checked',
  'disabled'
])

/**
 * The second stage of sanitizing: reduces a tree to the elements and attributes of the allow-list,
 * whatever its source was.
 */
export function cleanTree(root: ParentNode, cleaning: CleanContext): void {
  setChildren(root, unwrap(root))
  dropRepeatedTitle(root, cleaning.options.title)
  setChildren(root, cleanChildren(root, cleaning))
  resolvePlaceholders(root, cleaning.warn)
  flattenBelow(root, MAX_DEPTH)
  labelScrollBoxes(root, cleaning.options.title)
}

/** Removes the wrapper of content that was rendered before; it is added again. */
function unwrap(root: ParentNode): ChildNode[] {
  const [only, ...others] = root.childNodes.filter((node) => !isText(node) || node.value.trim() !== '')
  return isElement(only) && others.length === 0 && only.tagName === 'div' && attributeOf(only, 'class') === 'svc-blog'
    ? only.childNodes
    : root.childNodes
}

function dropRepeatedTitle(root: ParentNode, title: string | undefined): void {
  const first = root.childNodes.find((node) => !isText(node) || node.value.trim() !== '')
  if (title === undefined || !isElement(first) || first.tagName !== 'h1') return
  if (collapse(textOf(first)).toLowerCase() === collapse(title).toLowerCase()) {
    setChildren(
      root,
      root.childNodes.filter((node) => node !== first)
    )
  }
}

function cleanChildren(parent: ParentNode, cleaning: CleanContext): ChildNode[] {
  return parent.childNodes.flatMap((node) => {
    if (isElement(node)) return cleanElement(node, cleaning)
    return isText(node) ? [node] : []
  })
}

/** Returns the replacement of an element: itself, its children, or nothing. */
function cleanElement(element: Element, cleaning: CleanContext): ChildNode[] {
  if (element.tagName === 'h1') element.tagName = element.nodeName = 'h2'
  if (!Object.hasOwn(ELEMENTS, element.tagName)) return cleanChildren(element, cleaning)
  const filtered = filterAttributes(element)
  const build = BUILDERS[element.tagName]
  if (build?.(element, filtered, cleaning) === false) {
    return element.tagName === 'source' ? [] : [createPlaceholder(element)]
  }
  if (!build) setAttributes(element, filtered)
  setChildren(element, cleanChildren(element, cleaning))
  return finishElement(element, cleaning)
}

type Builder = (element: Element, filtered: Record<string, string>, cleaning: CleanContext) => boolean | void

const BUILDERS: Record<string, Builder> = {
  a: cleanLink,
  img: cleanImage,
  iframe: cleanFrame,
  input: cleanCheckbox,
  source: (source, filtered, cleaning) =>
    isElement(source.parentNode as ChildNode) &&
    (source.parentNode as Element).tagName === 'picture' &&
    cleanSource(source, filtered, cleaning)
}

/** Steps that need clean children. */
function finishElement(element: Element, cleaning: CleanContext): ChildNode[] {
  if (element.tagName === 'picture' && !element.childNodes.some((node) => isElement(node) && node.tagName === 'img')) {
    return element.childNodes.filter((node) => isText(node) || isPlaceholder(node))
  }
  if (element.tagName === 'a' && element.attrs.every(({ name }) => name !== 'href' && name !== 'id')) {
    return element.childNodes
  }
  if (element.tagName === 'li') markTaskItem(element)
  if (element.tagName === 'ol') markOrderedList(element)
  if (element.tagName === 'pre') finishPre(element, cleaning)
  if (element.tagName === 'table') return [makeElement('div', { class: TABLE_BOX }, [element])]
  // The box of a table that was rendered before: the table has a new one.
  if (isTableBox(element) && element.childNodes.every((node) => isElement(node) && isTableBox(node))) {
    return element.childNodes
  }
  return isEmptyParagraph(element) ? [] : [element]
}

const TABLE_BOX = 'svc-table'
const isTableBox = (element: Element) =>
  element.tagName === 'div' && attributeOf(element, 'class') === TABLE_BOX && element.childNodes.length > 0

const isEmptyParagraph = ({ tagName, attrs, childNodes }: Element) =>
  tagName === 'p' && attrs.length === 0 && childNodes.every((node) => isText(node) && /^[\t\n\f\r ]*$/.test(node.value))

/**
 * Removes leading newlines, because an HTML parser drops one after `<pre>` each time, and
 * highlights code.
 */
function finishPre(pre: Element, cleaning: CleanContext): void {
  const [first] = pre.childNodes
  if (isText(first)) first.value = first.value.replace(/^\n+/, '')
  for (const node of pre.childNodes) {
    if (isElement(node) && node.tagName === 'code') highlightCode(node, cleaning)
  }
}

function filterAttributes(element: Element): Record<string, string> {
  const filtered: Record<string, string> = {}
  const own = ELEMENTS[element.tagName] ?? []
  for (const { name, value } of element.attrs) {
    if (BUILDER_ATTRIBUTES.has(name) || !(GLOBAL_ATTRIBUTES.includes(name) || own.includes(name))) continue
    const clean = name === 'class' ? filterClasses(value) : value
    if ((name === 'class' && clean === '') || VALUE_CHECKS[name]?.(clean) === false) continue
    filtered[name] = clean
  }
  return filtered
}

/** Keeps class names for the author's CSS; `svc-blog` is reserved for the wrapper. */
function filterClasses(value: string): string {
  const names = value.split(/\s+/).filter((name) => /^[a-zA-Z][\w-]{0,79}$/.test(name) && name !== 'svc-blog')
  return [...new Set(names)].slice(0, 20).join(' ')
}

function flattenBelow(parent: ParentNode, levels: number): void {
  if (levels === 0) {
    return setChildren(
      parent,
      parent.childNodes.map((node) => (isElement(node) ? makeText(textOf(node)) : node))
    )
  }
  for (const node of parent.childNodes) if (isElement(node)) flattenBelow(node, levels - 1)
}

/** Longer code is not highlighted: the cost grows with its length. */
const MAX_HIGHLIGHTED_LENGTH = 20_000
/** Code with longer lines is not highlighted: for some grammars the cost grows with their cube. */
const MAX_HIGHLIGHTED_LINE = 1_000
/** Highlighted characters of one blog. */
const MAX_HIGHLIGHTED_TOTAL = 200_000

/**
 * Highlights a `code` element whose class names a known language and which contains only text. Adds
 * a warning if the code exceeds a limit.
 */
function highlightCode(code: Element, cleaning: CleanContext): void {
  const language = /(?:^|\s)language-([\w+#-]{1,30})/.exec(attributeOf(code, 'class') ?? '')?.[1]
  if (language === undefined || !code.childNodes.every(isText)) return
  const text = textOf(code)
  if (text.length === 0 || !loadHighlighter().getLanguage(language)) return
  if (
    text.length > MAX_HIGHLIGHTED_LENGTH ||
    cleaning.highlighted + text.length > MAX_HIGHLIGHTED_TOTAL ||
    text.split('\n').some((line) => line.length > MAX_HIGHLIGHTED_LINE)
  ) {
    cleaning.warn('some code was not highlighted because it is too long or has too long lines')
    return
  }
  cleaning.highlighted += text.length
  const { value } = loadHighlighter().highlight(text, { language, ignoreIllegals: true })
  // A scope's second word (`title function_`) adds nothing that the theme would show.
  setChildren(code, parseInDiv(value.replaceAll(/class="(svc-hl-[\w-]+)(?: [^"]*)?"/g, 'class="$1"')).childNodes)
}
