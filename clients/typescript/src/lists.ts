import type { FetchOptions } from 'openapi-fetch'
import type { paths } from './openapi.ts'

/** The lists of the API by path, with the field that contains the items. */
export const LISTS = {
  '/api/audit': 'entries',
  '/api/events': 'events',
  '/api/v1/blogs': 'blogs',
  '/api/v1/blogs/{blogId}/revisions': 'revisions',
  '/api/v1/blogs/{blogId}/visual-checks': 'visualChecks',
  '/api/v1/products': 'products',
  '/api/v1/products/imports': 'imports',
  '/api/webhooks/{webhookId}/deliveries': 'deliveries'
} as const satisfies Partial<Record<keyof paths, string>>

type Lists = typeof LISTS
export type ListPath = keyof Lists

type ListResponse<Path extends ListPath> = paths[Path]['get']['responses'][200]['content']['application/json']

/** An item of the list. */
export type ListItem<Path extends ListPath> =
  ListResponse<Path> extends Record<Lists[Path], Array<infer Item>> ? Item : never

export type ListOptions<Path extends ListPath> = FetchOptions<paths[Path]['get']>
export type Query = Record<string, unknown>

/** The fields of a list response that lead to its next page. */
interface Page {
  nextCursor?: string | null
  page?: number
  totalPages?: number
  next?: number
}

/**
 * The query of the next page: by cursor if the list has cursors, by number otherwise, and by
 * sequence for events. Null after the last page.
 */
export function nextQuery(query: Query, list: Page, itemCount: number): Query | null {
  if (list.nextCursor !== undefined) {
    if (list.nextCursor === null) return null
    const { page: _, ...others } = query
    return { ...others, cursor: list.nextCursor }
  }
  if (list.next !== undefined) return itemCount === 0 ? null : { ...query, after: list.next }
  const { page = 1, totalPages = 1 } = list
  return page < totalPages ? { ...query, page: page + 1 } : null
}
