import { BLOG_KINDS } from './blogs.ts'
import { FILE_KINDS } from './files.ts'
import type { Kind } from './kind.ts'
import { PRODUCT_KINDS } from './products.ts'

/** The kinds of requests of the first account, by the names that KINDS selects. */
export const KINDS: Record<string, Kind> = { ...BLOG_KINDS, ...PRODUCT_KINDS, ...FILE_KINDS }

/** The kinds of a list of names with commas; all without one. Throws if a name is unknown. */
export function selectKinds(names: string | undefined): string[] {
  if (names === undefined) return Object.keys(KINDS)
  const selected = names.split(',').map((name) => name.trim())
  const unknown = selected.filter((name) => !Object.hasOwn(KINDS, name))
  if (unknown.length > 0) {
    throw new Error(`Unknown kinds: ${unknown.join(', ')}. Kinds: ${Object.keys(KINDS).join(', ')}.`)
  }
  return selected
}
