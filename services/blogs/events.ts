import type { BlogMetadata, NewEvent } from '../../ports/store/port.ts'
import type { EventType } from '../../schemas/event.ts'
import { newEvent } from '../events/envelope.ts'

/**
 * What a website is to be told of a change, as a function of where it shows its blog; null when its
 * readers see nothing of it.
 * `before` is null for a new blog, `after` for a deleted one.
 */
export function blogEvent(
  before: BlogMetadata | null,
  after: BlogMetadata | null
): ((blogPath: string) => NewEvent) | null {
  const type = typeOf(before, after)
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
        paths: pathsOf(blogPath, [blog.slug, previousSlug]),
        contentVersion,
        publishedAt: blog.publishedAt
      }
    })
}

function typeOf(before: BlogMetadata | null, after: BlogMetadata | null): EventType | null {
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
function pathsOf(blogPath: string, slugs: (string | null)[]): string[] {
  const base = blogPath.replace(/\/+$/, '')
  return [...slugs.filter((slug) => slug !== null).map((slug) => `${base}/${slug}`), base === '' ? '/' : base]
}
