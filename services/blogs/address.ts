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
 */
function withSlug(blog: BlogRecord, slug: string, at: string): BlogRecord {
  if (slug === blog.slug) return blog
  const others = blog.formerSlugs.filter((former) => former.slug !== slug && former.slug !== blog.slug)
  const formerSlugs = blog.slugWasPublic ? [...others, { slug: blog.slug, leftAt: at }] : others
  return {
    ...blog,
    slug,
    formerSlugs: formerSlugs.slice(-MAX_FORMER),
    slugWasPublic: blog.status === 'published'
  }
}

/** The departures of a blog that moves to the project. Nothing if they do not change. */
function leaving(blog: BlogMetadata, projectId: string, at: string): { departures?: Departure[] } {
  const { departures = [] } = blog
  if (projectId === blog.projectId) return {}
  const others = departures.filter((departure) => departure.projectId !== projectId)
  const removedAt = blog.status === 'published' ? at : blog.withdrawnAt
  // A blog that was withdrawn in an earlier project was never public in this one.
  const wasPublicHere = removedAt !== null && !departures.some((departure) => departure.at >= removedAt)
  if (!wasPublicHere) return others.length === departures.length ? {} : { departures: others }
  const before = others.filter((departure) => departure.projectId !== blog.projectId)
  const left = { projectId: blog.projectId, slug: publicSlug(blog, removedAt), at: removedAt }
  return { departures: [...before, left].slice(-MAX_FORMER) }
}

/** The slug that readers knew last. A blog that was withdrawn may have been renamed since then. */
const publicSlug = ({ formerSlugs, slug }: BlogMetadata, removedAt: string): string =>
  formerSlugs.find(({ leftAt }) => leftAt > removedAt)?.slug ?? slug

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
