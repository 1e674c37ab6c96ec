import type { ProjectScope, RemovalPosition, Store, Timestamp } from '../../ports/store/port.ts'
import type { RemovedBlog } from '../../schemas/blog.ts'

/** Maximum number of removed blogs in a response. */
export const MAX_REMOVED = 1000

/** Some of the removed blogs, oldest first. */
export interface RemovedPart {
  removed: RemovedBlog[]
  hasMore: boolean
  /** Where the next page of the list goes on. Null: from the beginning, because this part is all of them. */
  next: RemovalPosition | null
}

/**
 * The removed blogs of a page of a list: those after a position, or the part with the number of
 * the page. Pages after the last part repeat it, so that each page shows all removed blogs of an
 * account with at most `MAX_REMOVED`.
 */
export async function readRemovedPart(
  blogs: Pick<Store['blogs'], 'removedSince'>,
  { scope, since }: { scope: ProjectScope; since: Timestamp },
  start: { after: RemovalPosition | null; page: number }
): Promise<RemovedPart> {
  for (let { after, page } = start; ; page--) {
    const found = await blogs.removedSince(scope, since, { after, limit: MAX_REMOVED + 1 })
    const removed = found.slice(0, MAX_REMOVED)
    const hasMore = found.length > MAX_REMOVED
    const last = removed.at(-1)
    const end = last === undefined ? after : { at: last.at, id: last.id }
    if (!hasMore || page <= 1) return { removed, hasMore, next: hasMore || after !== null ? end : null }
    after = end
  }
}
