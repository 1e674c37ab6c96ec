import type { Limits } from '../../ports/limits/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { BlogMetadata, NewEvent, Store } from '../../ports/store/port.ts'
import type { EventType } from '../../schemas/event.ts'
import { newEvent } from '../events/envelope.ts'
import { withoutTrailingSlash } from '../../lib/text.ts'

export type BlogChanges = ReturnType<typeof createBlogChanges>

/**
 * Side effects of a change of a blog: webhook events that are saved with it and, after the commit,
 * invalidation of cached responses, the fan-out job and the related-blogs job.
 */
export function createBlogChanges({ store, limits, queue }: { store: Store; limits: Limits; queue: Queue }) {
  return {
    /**
     * The events to save with the change. `before` is null for a new blog, `after` for a deleted
     * one.
     */
    async eventsFor(before: BlogMetadata | null, after: BlogMetadata | null): Promise<NewEvent[]> {
      const event = blogEvent(before, after)
      if (event === null) return []
      const { accountId, projectId } = (after ?? before)!
      const project = await store.projects.find(accountId, projectId)
      return [event(project?.blogPath ?? '/blog')]
    },

    /**
     * Invalidates cached responses before anything is written. Throws `unavailable` when that is
     * impossible: the caller then retries the whole change, and no blog is created twice.
     */
    async beforeChange(
      accountId: string,
      before: Pick<BlogMetadata, 'status'> | null,
      after: Pick<BlogMetadata, 'status'> | null
    ): Promise<void> {
      if (before?.status === 'published' || after?.status === 'published') await limits.bumpEpoch(accountId, 'content')
    },

    /** Runs after the commit. `before` is null for a new blog, `after` for a deleted one. */
    async afterChange(before: BlogMetadata | null, after: BlogMetadata | null): Promise<void> {
      const { accountId } = (after ?? before)!
      const wasPublic = before?.status === 'published'
      const isPublic = after?.status === 'published'
      // First, because the sweeper finds jobs that could not be enqueued, but nothing finds a
      // stale response.
      if (wasPublic || isPublic) await limits.bumpEpoch(accountId, 'content')
      if (blogEvent(before, after) !== null) await queue.add('fan-out-events', { accountId }, { key: accountId })
      if (wasPublic || isPublic) await queue.add('refresh-related', { accountId }, { key: accountId })
    },

    /**
     * Invalidates cached responses again for a repeated deletion, which may be a retry after this
     * step failed.
     */
    async afterRepeatedDelete(accountId: string): Promise<void> {
      await limits.bumpEpoch(accountId, 'content')
    }
  }
}

/**
 * The webhook event of a change, as a function of the path of the website's blog; null when readers
 * see no difference. `before` is null for a new blog, `after` for a deleted one.
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
  // A deletion does not increment the stored version.
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

/** Paths of the website that changed: the blog's current and previous path, and the list. */
function affectedPaths(blogPath: string, slugs: (string | null)[]): string[] {
  const base = withoutTrailingSlash(blogPath)
  return [...slugs.filter((slug) => slug !== null).map((slug) => `${base}/${slug}`), base === '' ? '/' : base]
}
