import type { BlogImage, Heading } from '../../../schemas/blog.ts'
import { cleanTree } from './clean-tree.ts'
import type { Cleaning, SanitizeOptions } from './cleaning.ts'
import { nameHeadings } from './headings.ts'
import { limitNesting } from './limit-nesting.ts'
import { passagesOf, type Passage } from './passages.ts'
import { stripHtml } from './strip-html.ts'
import { tameTemplateTags, templateTagsOf } from './template-tags.ts'
import { makeElement, makeText, parseInDiv, serialize, setChildren } from './tree.ts'

/**
 * Some trees change when they are written and read again (a link in a link, a paragraph in a
 * table); each pass comes nearer to one that does not.
 */
const MOST_PASSES = 8

export interface Sanitized {
  /**
   * Wrapped in `<div class="svc-blog" data-svc-blog="{id}">`, with the placeholder for the
   * service's own address.
   */
  html: string
  headings: Heading[]
  images: BlogImage[]
  passages: Passage[]
  firstOwnImage: string | null
  /** What was left out or needs a look, one sentence each. */
  warnings: string[]
}

/**
 * Makes any HTML into HTML that may be set into a customer's page: only what the allow-list names,
 * well-formed, images and links checked, headings named.
 * Sanitizing its result, stored or delivered, changes no byte: that is asserted by doing it. Never
 * throws on any input.
 */
export function sanitizeHtml(html: string, options: SanitizeOptions): Sanitized {
  const warnings = new Set<string>()
  let last = pass(limitNesting(tameTemplateTags(toWellFormedText(html))), options, warnings)
  for (let count = 1; count < MOST_PASSES; count++) {
    const next = pass(last.html, options, warnings)
    if (next.html === last.html) return { ...next, warnings: [...warnings] }
    last = next
  }
  warnings.add('the HTML is too tangled to be kept: only its text was')
  return { ...pass(asParagraphs(last.passages), options, warnings), warnings: [...warnings] }
}

/**
 * Text without lone surrogates, NUL and other control characters that HTML forbids; line ends as
 * one newline.
 */
export function toWellFormedText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufdd0-\ufdef\ufffe\uffff]/g, '')
}

function pass(html: string, options: SanitizeOptions, warnings: Set<string>): Omit<Sanitized, 'warnings'> {
  const warn = (warning: string) => {
    warnings.add(warning)
  }
  const cleaning: Cleaning = { options, warn, images: [], firstOwnImage: null }
  // In every pass, because the pass before may have decoded `&#1;` into a control character.
  const root = parseInDiv(stripHtml(toWellFormedText(html), warn))
  cleanTree(root, cleaning)
  const headings = nameHeadings(root, cleaning)
  const passages = passagesOf(root)
  for (const { spoken } of passages) {
    for (const tag of templateTagsOf(spoken)) warn(`the text holds the template tag ${tag}`)
  }
  const wrapper = makeElement('div', { class: 'svc-blog', 'data-svc-blog': options.blogId }, root.childNodes)
  setChildren(root, [wrapper])
  return { html: serialize(root), headings, passages, images: cleaning.images, firstOwnImage: cleaning.firstOwnImage }
}

function asParagraphs(passages: Passage[]): string {
  return serialize(
    makeElement(
      'div',
      {},
      passages.map(({ text }) => makeElement('p', {}, [makeText(text)]))
    )
  )
}
