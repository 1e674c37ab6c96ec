import type { Limits } from '../../ports/limits/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { BlogMetadata, BlogTranslationRef, NewEvent, Store } from '../../ports/store/port.ts'
import type { EventType } from '../../schemas/event.ts'
import type { ProjectCache } from '../project-cache.ts'
import { newEvent } from '../events/envelope.ts'
import { withoutTrailingSlash } from '../../lib/text.ts'

export type BlogChanges = ReturnType<typeof createBlogChanges>

/**
 * Side effects of a change of a blog: webhook events that are saved with it and, after the commit,
 * invalidation of cached responses, the fan-out job and the related-blogs job.
 */
export function createBlogChanges({
  store,
  limits,
  queue,
  projectCache
}: {
  store: Store
  limits: Limits
  queue: Queue
  projectCache: ProjectCache
}) {
  /** The published translations of the blog before and after the change, without the blog. */
  async function translationsOf(
    before: BlogMetadata | null,
    after: BlogMetadata | null
  ): Promise<BlogTranslationRef[]> {
    const found: BlogTranslationRef[] = []
    for (const { project, translationKey, id } of groupsOf(before, after)) {
      const members = await store.blogs.findTranslations(project, [translationKey])
      found.push(...members.filter((member) => member.id !== id))
    }
    return found
  }

  /**
   * Records that the responses of the blog's translations have changed, because they name each
   * other. Returns whether there are any.
   */
  async function touchTranslations(before: BlogMetadata | null, after: BlogMetadata | null): Promise<boolean> {
    let touched = 0
    const at = new Date().toISOString()
    for (const { project, translationKey, id } of groupsOf(before, after)) {
      touched += await store.blogs.touchTranslations(project, { translationKeys: [translationKey], exceptId: id, at })
    }
    return touched > 0
  }

  return {
    /**
     * The events to save with the change. `before` is null for a new blog, `after` for a deleted
     * one. `keyEpoch`: the account's, when the request was authenticated.
     */
    async eventsFor(before: BlogMetadata | null, after: BlogMetadata | null, keyEpoch = NaN): Promise<NewEvent[]> {
      const events: NewEvent[] = []
      for (const part of partsOf(before, after)) {
        const event = blogEvent(part.before, part.after)
        if (event === null) continue
        const { accountId, projectId } = (part.after ?? part.before)!
        const project = (await projectCache.get(accountId, [projectId], keyEpoch)).get(projectId)
        events.push(event(project?.blogPath ?? '/blog', await translationsOf(part.before, part.after)))
      }
      return events
    },

    /** The events to save with a new blog that has no translations. */
    eventsForNew(blog: BlogMetadata, blogPath: string): NewEvent[] {
      const event = blogEvent(null, blog)
      return event === null ? [] : [event(blogPath)]
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
      if (await touchTranslations(before, after)) await limits.bumpEpoch(accountId, 'content')
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

/** A change as the readers of one project see it. */
interface ChangePart {
  before: BlogMetadata | null
  after: BlogMetadata | null
}

/** A public blog that moves to another project is unpublished in the one, and published in the other. */
function partsOf(before: BlogMetadata | null, after: BlogMetadata | null): ChangePart[] {
  const hasMoved =
    before?.status === 'published' && after?.status === 'published' && before.projectId !== after.projectId
  if (!hasMoved) return [{ before, after }]
  const { version, updatedAt } = after
  return [
    { before, after: { ...before, status: 'unpublished', version, updatedAt } },
    { before: null, after }
  ]
}

/**
 * The webhook event of a change, as a function of the path of the website's blog; null when readers
 * see no difference. `before` is null for a new blog, `after` for a deleted one.
 */
export function blogEvent(
  before: BlogMetadata | null,
  after: BlogMetadata | null
): ((blogPath: string, translations?: Pick<BlogMetadata, 'slug'>[]) => NewEvent) | null {
  const type = eventType(before, after)
  if (type === null) return null
  const blog = (after ?? before)!
  const previousSlug =
    before !== null && before.status === 'published' && before.slug !== blog.slug ? before.slug : null
  // A deletion does not increment the stored version.
  const contentVersion = after === null ? blog.version + 1 : blog.version
  return (blogPath, translations = []) =>
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
        paths: affectedPaths(blogPath, [blog.slug, previousSlug, ...translations.map(({ slug }) => slug)]),
        contentVersion,
        publishedAt: blog.publishedAt
      }
    })
}

/**
 * The groups of translations that a change of a public blog affects, before and after it. When a
 * request is retried, both are the same blog, which may be unpublished by now.
 */
function groupsOf(before: BlogMetadata | null, after: BlogMetadata | null) {
  const states = [before, after].filter((blog) => blog !== null)
  const isRetry = before === after && states.some(({ slugWasPublic }) => slugWasPublic)
  if (!isRetry && states.every(({ status }) => status !== 'published')) return []
  const groups = states.flatMap(({ accountId, projectId, translationKey, id }) =>
    translationKey === null ? [] : [{ project: { accountId, projectId }, translationKey, id }]
  )
  return groups.filter((group, at) => at === 0 || JSON.stringify(group) !== JSON.stringify(groups[0]))
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

/** Paths of the website that changed: of the blog, before and after, its translations and the list. */
function affectedPaths(blogPath: string, slugs: (string | null)[]): string[] {
  const base = withoutTrailingSlash(blogPath)
  return [...slugs.filter((slug) => slug !== null).map((slug) => `${base}/${slug}`), base === '' ? '/' : base]
}
