import type { Limits } from '../../ports/limits/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { BlogMetadata, NewEvent, Store } from '../../ports/store/port.ts'
import { blogEvent } from './events.ts'

export type BlogChanges = ReturnType<typeof createBlogChanges>

/**
 * What follows from a change of a blog: events that are saved with it, and once it is committed the
 * end of readers' kept answers, and related blogs that are worked out again.
 */
export function createBlogChanges({ store, limits, queue }: { store: Store; limits: Limits; queue: Queue }) {
  return {
    /**
     * What is to be told of the change; `before` is null for a new blog, `after` for a deleted one.
     */
    async eventsFor(before: BlogMetadata | null, after: BlogMetadata | null): Promise<NewEvent[]> {
      const event = blogEvent(before, after)
      if (event === null) return []
      const { accountId, projectId } = (after ?? before)!
      const project = await store.projects.find(accountId, projectId)
      return [event(project?.blogPath ?? '/blog')]
    },

    /**
     * Tells readers that something is about to change, which is to be done before anything has:
     * throws `unavailable` where they cannot be told. Then the caller is
     * to repeat the change, and a blog that was made already would be made twice.
     */
    async beforeChange(
      accountId: string,
      before: Pick<BlogMetadata, 'status'> | null,
      after: Pick<BlogMetadata, 'status'> | null
    ): Promise<void> {
      if (before?.status === 'published' || after?.status === 'published') await limits.bumpEpoch(accountId, 'content')
    },

    /** `before` is null for a new blog, `after` for a deleted one. */
    async afterChange(before: BlogMetadata | null, after: BlogMetadata | null): Promise<void> {
      const { accountId } = (after ?? before)!
      const wasPublic = before?.status === 'published'
      const isPublic = after?.status === 'published'
      // First of all: what cannot be queued is found by the sweeper, while nobody finds a reader's
      // stale answer.
      if (wasPublic || isPublic) await limits.bumpEpoch(accountId, 'content')
      if (blogEvent(before, after) !== null) await queue.add('fan-out-events', { accountId }, { key: accountId })
      if (wasPublic || isPublic) await queue.add('refresh-related', { accountId }, { key: accountId })
    },

    /**
     * Tells readers once more that a blog is gone: whoever repeats its deletion may do so because
     * this failed the first time.
     */
    async afterRepeatedDelete(accountId: string): Promise<void> {
      await limits.bumpEpoch(accountId, 'content')
    }
  }
}
