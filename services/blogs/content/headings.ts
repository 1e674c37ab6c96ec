import type { Heading } from '../../../schemas/blog.ts'
import type { CleanContext } from './clean-tree.ts'
import { decodePercent } from './template-tags.ts'
import { attributeOf, elementsOf, setAttribute, textOf, type Element, type ParentNode } from './tree.ts'
import { collapse, trimEndOf } from '../../../lib/text.ts'
import { normalize } from '../../../lib/normalize.ts'

const PREFIX = 'svc-'
const MAX_ID_LENGTH = 80

/** Words of any script joined by hyphens; `section` when there is no letter or digit. */
export function headingSlug(text: string): string {
  const joined = Array.from(
    normalize(text, 'NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  )
    .slice(0, MAX_ID_LENGTH)
    .join('')
  const slug = trimEndOf(joined.replace(/^-+/, ''), /-/)
  return slug === '' ? 'section' : slug
}

/** Allocates unique ids in document order, so that the same document gets the same ids. */
function createIdAllocator() {
  const taken = new Set<string>()
  const next = new Map<string, number>()
  return function unique(wanted: string): string {
    let number = next.get(wanted) ?? 1
    let id = wanted
    while (taken.has(id)) id = `${wanted}-${++number}`
    next.set(wanted, number)
    taken.add(id)
    return id
  }
}

/**
 * Assigns ids to headings and to other elements with an id, and updates links to them. A link to a
 * missing id loses its target. Returns the headings for a table of contents.
 */
export function assignIds(root: ParentNode, { warn }: CleanContext): Heading[] {
  const unique = createIdAllocator()
  const renamed = new Map<string, string>()
  const headings: Heading[] = []
  const others: Element[] = []
  const links: Element[] = []
  for (const element of elementsOf(root)) {
    if (/^h[2-4]$/.test(element.tagName)) headings.push(assignHeadingId(element, unique, renamed))
    else if (attributeOf(element, 'id') !== undefined) others.push(element)
    if (attributeOf(element, 'href')?.startsWith('#')) links.push(element)
  }
  for (const element of others) assignElementId(element, unique, renamed)
  for (const link of links) {
    const wanted = decodePercent((attributeOf(link, 'href') ?? '').slice(1))
    const id = renamed.get(wanted) ?? renamed.get(PREFIX + headingSlug(wanted))
    setAttribute(link, 'href', id === undefined ? null : `#${id}`)
    if (id === undefined) warn(`the link to #${wanted.slice(0, 60)} has no target in the blog`)
  }
  return headings
}

function assignHeadingId(heading: Element, unique: (wanted: string) => string, renamed: Map<string, string>): Heading {
  const text = collapse(textOf(heading))
  const id = unique(PREFIX + headingSlug(text))
  const given = attributeOf(heading, 'id')
  if (given !== undefined && !renamed.has(given)) renamed.set(given, id)
  renamed.set(id, id)
  setAttribute(heading, 'id', id)
  return { level: Number(heading.tagName[1]), text, id }
}

function assignElementId(element: Element, unique: (wanted: string) => string, renamed: Map<string, string>): void {
  const given = attributeOf(element, 'id') ?? ''
  const name = Array.from(normalize(given.replace(/^svc-/, ''), 'NFC').replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-'))
    .slice(0, MAX_ID_LENGTH)
    .join('')
  if (name === '') return setAttribute(element, 'id', null)
  const id = unique(PREFIX + name)
  if (!renamed.has(given)) renamed.set(given, id)
  if (!renamed.has(id)) renamed.set(id, id)
  setAttribute(element, 'id', id)
}
