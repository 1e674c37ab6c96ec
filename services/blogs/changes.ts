import type { Limits } from '../../ports/limits/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { BlogMetadata, NewEvent, Store } from '../../ports/store/port.ts'
import type { EventType } from '../../schemas/event.ts'
import { newEvent } from '../events/envelope.ts'

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

/**
 * What a website is to be told of a change, as a function of where it shows its blog; null when its
 * readers see nothing of it.
 * `before` is null for a new blog, `after` for a deleted one.
 */
export function blogEvent(
  before: BlogMetadata | null,
  after: BlogMetadata | null
): ((blogPath: string) => NewEvent) | null {
  const type = eventType(before, after)
  if (type === null) return null
  const blog = (after ?? before)!
  const previousSlug =
    before !== null && before.status === 'published' && before.slug !== blog.slug ? before.slug : null
  // A deletion makes no version of its own.
  const contentVersion = after === null ? blog.version + 1 : blog.version
  return (blogPath) =>
    newEvent({
      accountId: blog.accountId,
      projectId: blog.projectId,
      type,
      key: `${blog.id} ${contentVersion}`,
      timestamp: after?.updatedAt ?? new Date().toISOString(),
      data: {
        id: blog.id,
        projectId: blog.projectId,
        slug: blog.slug,
        previousSlug,
        title: blog.title,
        locale: blog.locale,
        category: blog.category,
        paths: affectedPaths(blogPath, [blog.slug, previousSlug]),
        contentVersion,
        publishedAt: blog.publishedAt
      }
    })
}

function eventType(before: BlogMetadata | null, after: BlogMetadata | null): EventType | null {
  const wasPublic = before?.status === 'published'
  if (after === null) {
    return before !== null && (before.slugWasPublic || before.formerSlugs.length > 0) ? 'blog.deleted' : null
  }
  if (after.status === 'published') {
    return !wasPublic ? 'blog.published' : before.version === after.version ? null : 'blog.updated'
  }
  return wasPublic ? 'blog.unpublished' : null
}

/**
 * The pages of the website that show something else now: the blog's own, the one that it had, and
 * the list.
 */
function affectedPaths(blogPath: string, slugs: (string | null)[]): string[] {
  const base = blogPath.replace(/\/+$/, '')
  return [...slugs.filter((slug) => slug !== null).map((slug) => `${base}/${slug}`), base === '' ? '/' : base]
}
