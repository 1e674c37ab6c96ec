import type { Limits } from '../../ports/limits/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { BlogHead } from '../../ports/store/port.ts'

export type BlogChanges = ReturnType<typeof createChanges>

/** What follows from a change of a blog that is committed already: readers' kept answers end, and related blogs are worked out again. */
export function createChanges ({ limits, queue }: { limits: Limits, queue: Queue }) {
  return {
    /** `before` is null for a new blog, `after` for a deleted one. */
    async changed (before: BlogHead | null, after: BlogHead | null): Promise<void> {
      const wasPublic = before?.status === 'published'
      const isPublic = after?.status === 'published'
      if (!wasPublic && !isPublic) return
      const { accountId } = (after ?? before)!
      await limits.bumpEpoch(accountId, 'content')
      await queue.add('refresh-related', { accountId }, { key: accountId })
    }
  }
}
