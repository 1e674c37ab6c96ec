/// <reference lib="dom" />
import type { AxeViolation } from '../../../port/page-snapshot.ts'
import { composedParent, locate } from './dom.ts'
import { decodeSource, fileNameOf, lazySourceOf } from './images.ts'
import { compactText } from './text-blocks.ts'

/** A violation as axe-core returns it with `elementRef`. */
export interface FoundViolation {
  id: string
  impact: string | null
  help: string
  nodes: { element?: Element; target: unknown[] }[]
}

/**
 * What identifies an element of the blog in a page: its text, the file or the description of its picture,
 * or the address of its link.
 */
export function elementKeysOf(element: Element): string[] {
  const name = element.localName
  const source = (address: string | null): string => (address === null ? '' : fileNameOf(decodeSource(address)))
  const lazy = name === 'img' ? lazySourceOf(element as HTMLImageElement) : null
  const parts = [
    ['text', compactText(element.textContent ?? '').slice(0, 100)],
    ['file', source(element.getAttribute('src'))],
    ['file', source(lazy)],
    ['alt', (element.getAttribute('alt') ?? '').trim()],
    ['link', element.getAttribute('href')?.replace(/^#.*$/, '') ?? '']
  ]
  return parts.filter(([, value]) => value !== '').map(([kind, value]) => `${name} ${kind} ${value}`)
}

/** The keys of all elements of the blog. */
export function ownKeysOf(own: Element): Set<string> {
  return new Set([...own.querySelectorAll('*')].flatMap(elementKeysOf))
}

/**
 * Whether an element of the article is from the blog, or only divides it, such as the spans of
 * highlighted code. Links, pictures, controls and frames are from the blog only if they have a key.
 */
export function isOwnElement(element: Element, { root, keys }: { root: Element; keys: Set<string> }): boolean {
  if (elementKeysOf(element).some((key) => keys.has(key))) return true
  const isStandalone = element.matches(
    'a, area, audio, button, canvas, embed, form, iframe, img, input, nav, object, select, svg, textarea, video, ' +
      '[role], [tabindex]'
  )
  if (isStandalone || element === root) return false
  const parent = composedParent(element)
  return parent !== null && isOwnElement(parent, { root, keys })
}

/** Violations by rule, those of the blog's elements apart from those of elements that the site added. */
export function describeViolations(
  violations: FoundViolation[],
  { root, keys }: { root: Element; keys: Set<string> }
): AxeViolation[] {
  return violations.flatMap(({ id, impact, help, nodes }) => {
    const [own, added]: [FoundViolation['nodes'], FoundViolation['nodes']] = [[], []]
    for (const node of nodes) {
      const list = node.element === undefined || isOwnElement(node.element, { root, keys }) ? own : added
      list.push(node)
    }
    const describe = (some: FoundViolation['nodes'], isAdded: boolean): AxeViolation[] => {
      const [first] = some
      if (first === undefined) return []
      const target =
        first.element === undefined ? { selector: String(first.target[0]), box: null } : locate(first.element)
      return [
        { rule: id, impact: impact ?? 'minor', help, nodes: some.length, target, ...(isAdded ? { isAdded } : {}) }
      ]
    }
    return [...describe(own, false), ...describe(added, true)]
  })
}
