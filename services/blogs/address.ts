import type { BlogMetadata, BlogRecord, BlogTombstone, Departure } from '../../ports/store/port.ts'

/*
 * The address of a blog is its project and its slug. A website that knew the blog under another address redirects
 * from former slugs, and removes blogs that left its project.
 */

/** Former slugs, and departures, of a blog. Each change writes all of them, so their number is limited. */
const MAX_FORMER = 100

/** The blog with another slug or project, if the change has any. */
export function withAddress(
  blog: BlogRecord,
  { slug = blog.slug, projectId = blog.projectId }: { slug?: string | undefined; projectId?: string | undefined }
): BlogRecord {
  const at = new Date().toISOString()
  return { ...withSlug(blog, slug, at), ...leaving(blog, projectId, at), projectId }
}

/**
 * Changes the slug. A slug that was public is remembered, and replaces the oldest one if there are
 * too many. Redirects are one hop long, because all former slugs refer to the blog.
 *
 * A blog that is not public and returns to a former slug keeps it as that: it gave the slug up then, and a redirect of
 * another blog may have it since. See `withPublicSlug`.
 */
function withSlug(blog: BlogRecord, slug: string, at: string): BlogRecord {
  if (slug === blog.slug) return blog
  const others = blog.formerSlugs.filter((former) => !(blog.slugWasPublic && former.slug === blog.slug))
  const formerSlugs = blog.slugWasPublic ? [...others, { slug: blog.slug, leftAt: at }] : others
  const renamed = { ...blog, slug, formerSlugs: formerSlugs.slice(-MAX_FORMER), slugWasPublic: false }
  return blog.status === 'published' ? withPublicSlug(renamed) : renamed
}

/** The blog when it is public under its slug, which is then no former one. */
export const withPublicSlug = (blog: BlogRecord): BlogRecord => ({
  ...blog,
  slugWasPublic: true,
  formerSlugs: blog.formerSlugs.filter(({ slug }) => slug !== blog.slug)
})

/**
 * The departures of a blog that moves to the project. Nothing if they do not change. A departure from the project
 * that it moves to remains: if the blog leaves again before it is public there, that is still how readers lost it.
 */
function leaving(blog: BlogMetadata, projectId: string, at: string): { departures?: Departure[] } {
  if (projectId === blog.projectId) return {}
  const { departures = [] } = blog
  const isPublic = blog.status === 'published'
  const removedAt = isPublic ? at : blog.withdrawnAt
  // A blog that was withdrawn in an earlier project, and has left that, was not public in this one since.
  if (removedAt === null || (!isPublic && departures.some((departure) => departure.at === removedAt))) return {}
  const others = departures.filter((departure) => departure.projectId !== blog.projectId)
  const slug = isPublic ? blog.slug : withdrawnSlug(blog, removedAt)
  return { departures: [...others, { projectId: blog.projectId, slug, at: removedAt }].slice(-MAX_FORMER) }
}

/** The slug that readers knew last. A blog that was withdrawn may have been renamed since then. */
const withdrawnSlug = ({ formerSlugs, slug }: BlogMetadata, withdrawnAt: string): string =>
  formerSlugs.find(({ leftAt }) => leftAt > withdrawnAt)?.slug ?? slug

/**
 * The tombstone of a deleted blog, under its last public slug. A slug that was never public may be
 * a redirect of another blog, which must keep working.
 */
export function toTombstone(blog: BlogRecord): BlogTombstone {
  const { id, accountId, projectId, slug, formerSlugs, slugWasPublic, departures } = blog
  const lastPublic = slugWasPublic ? slug : formerSlugs.at(-1)?.slug
  return {
    id,
    accountId,
    projectId,
    slug: lastPublic ?? slug,
    formerSlugs,
    ...(departures === undefined ? {} : { departures }),
    wasPublic: lastPublic !== undefined,
    deletedAt: new Date().toISOString()
  }
}
