import { problem, type ApiError } from '../../errors.ts'
import { createYielder } from '../../lib/async.ts'
import { compareText } from '../../lib/text.ts'
import { languageOf } from '../../lib/transliterate.ts'
import type { BlogMetadata, BlogTombstone, ReadScope, SlugResolution, Store } from '../../ports/store/port.ts'
import type {
  AuthorCount,
  Blog,
  BlogList,
  BlogListItem,
  BlogListQuery,
  BlogRedirect,
  BlogSummary,
  CategoryCount,
  TagCount
} from '../../schemas/blog.ts'
import { toUtc } from '../../schemas/formats.ts'
import type { BlogDelivery } from './delivery.ts'
import { toBlogResponse, toListItemResponse, toSummaryResponse } from './responses.ts'
import { queryTerms } from './search-terms.ts'
import { isId } from './slug.ts'
import { ambiguousSlug, assertProjectAllowed } from './writing.ts'

/** Maximum length of the content on one page of a list, in characters. */
const MAX_PAGE_LENGTH = 32_000_000

function pageTooLong(): ApiError {
  const message = `must be smaller: the page has more than ${MAX_PAGE_LENGTH / 1_000_000} million characters of content`
  return problem('invalid_request', `pageSize ${message}.`, {
    errors: [{ pointer: 'pageSize', code: 'too_much_content', message }]
  })
}

function sortNeedsStatus(): ApiError {
  const message = 'must be another order, unless status is `scheduled`: other blogs have no publication time ahead'
  return problem('invalid_request', `sort ${message}.`, {
    errors: [{ pointer: 'sort', code: 'not_scheduled', message }]
  })
}

/** The address of a blog in requests: its slug, which is unique within a project, or its id. */
export interface BlogAddress {
  slug: string
  projectId?: string | undefined
}

/**
 * The blog with a slug, or the slug it moved to. `otherProjects`: the other projects with a published
 * blog with this slug. `modifiedAt` is null when it is unknown.
 */
export type BlogBySlug =
  | { kind: 'blog'; blog: Blog; modifiedAt: string | null; otherProjects: string[] }
  | { kind: 'moved'; slug: string }

/** Public reads of an account's blogs, limited to the projects of the caller's key. */
export function createBlogReading({
  store,
  delivery,
  publicUrl
}: {
  store: Store
  delivery: BlogDelivery
  publicUrl: () => string
}) {
  async function resolveId(reader: ReadScope, { slug: id, projectId }: BlogAddress): Promise<SlugResolution | null> {
    const blog = await store.blogs.find(reader.accountId, id)
    const place = blog ?? (await store.blogs.findTombstone(reader.accountId, id))
    const isVisible =
      place !== null &&
      (reader.projectIds?.includes(place.projectId) ?? true) &&
      (projectId === undefined || place.projectId === projectId)
    if (!isVisible) return null
    if (blog === null) return (place as BlogTombstone).wasPublic ? { kind: 'gone', blog: place as BlogTombstone } : null
    return blog.status === 'published' ? { kind: 'blog', blog, otherProjects: [] } : null
  }

  /** Throws `blog_not_found`, `blog_gone`, and `project_not_allowed` for a project outside the scope. */
  async function published(
    reader: ReadScope,
    address: BlogAddress
  ): Promise<Exclude<SlugResolution, { kind: 'gone' }>> {
    const { slug, projectId } = address
    assertProjectAllowed(reader, projectId)
    const answer = isId(slug)
      ? await resolveId(reader, address)
      : await store.blogs.resolveSlug({ ...reader, projectId }, slug)
    if (answer === null) throw problem('blog_not_found', `No published blog has the slug "${slug}".`)
    if (answer.kind === 'gone') {
      throw problem('blog_gone', `The blog with the slug "${slug}" was deleted.`, {
        members: { id: answer.blog.id, deletedAt: answer.blog.deletedAt }
      })
    }
    return answer
  }

  /**
   * The most similar published blogs of the same project and language, filled up with the newest
   * ones of the same project and language (score 0). Blogs of other languages are never related.
   */
  async function relatedTo(reader: ReadScope, blog: BlogMetadata, limit: number): Promise<BlogSummary[]> {
    const { id, projectId, locale } = blog
    const language = languageOf(locale)
    const entries = (await store.blogs.related(reader.accountId, id)).filter((entry) => entry.id !== id)
    const ids = entries.map((entry) => entry.id)
    const heads = new Map((await store.blogs.findPublished(reader, ids)).map((head) => [head.id, head]))
    // The entries may be older than a change of a blog's project or language.
    const isRelated = (head: BlogMetadata | undefined): boolean =>
      head !== undefined && head.projectId === projectId && languageOf(head.locale) === language
    const near = entries.filter((entry) => isRelated(heads.get(entry.id))).slice(0, limit)
    const chosen = near.map((entry) => toSummaryResponse(heads.get(entry.id)!, entry, publicUrl()))
    if (chosen.length === limit) return chosen
    const known = new Set([id, ...near.map((entry) => entry.id)])
    const newest = await store.blogs.list(
      { ...reader, projectId, language, status: 'published' },
      { page: 1, pageSize: limit + known.size, withBody: false }
    )
    const others = newest.blogs.filter((other) => !known.has(other.id)).slice(0, limit - chosen.length)
    return [...chosen, ...others.map((other) => toSummaryResponse(other, { score: 0 }, publicUrl()))]
  }

  return {
    /** With `relatedLimit`, the blog contains at most so many related blogs. */
    async getBySlug(reader: ReadScope, address: BlogAddress, relatedLimit?: number): Promise<BlogBySlug> {
      const found = await published(reader, address)
      if (found.kind === 'moved') return { kind: 'moved', slug: found.blog.slug }
      const place = await delivery.contextOf(found.blog)
      const blog = toBlogResponse(found.blog, place)
      const modifiedAt = [blog.updatedAt, place.project?.updatedAt ?? ''].sort(compareText).at(-1)!
      const { otherProjects } = found
      if (relatedLimit === undefined) return { kind: 'blog', blog, modifiedAt, otherProjects }
      // Related blogs change without the blog, and nothing records when.
      const related = await relatedTo(reader, found.blog, relatedLimit)
      return { kind: 'blog', blog: { ...blog, related }, modifiedAt: null, otherProjects }
    },

    /**
     * The id of the only published blog that has or had this slug. Throws `blog_not_found`,
     * `blog_gone`, `slug_ambiguous`.
     */
    async getIdBySlug(reader: ReadScope, address: BlogAddress): Promise<string> {
      const found = await published(reader, address)
      if (found.kind === 'blog' && found.otherProjects.length > 0) {
        throw ambiguousSlug(address.slug, [found.blog.projectId, ...found.otherProjects])
      }
      return found.blog.id
    },

    /** `status` is only for callers that may see unpublished blogs. */
    async list(reader: ReadScope, query: BlogListQuery): Promise<BlogList> {
      assertProjectAllowed(reader, query.projectId)
      if (query.sort === 'publishAt' && query.status !== 'scheduled') throw sortNeedsStatus()
      const {
        page,
        pageSize,
        q,
        include,
        status = 'published',
        updatedSince,
        publishedAfter,
        publishedBefore,
        ...filter
      } = query
      const terms = q === undefined ? undefined : queryTerms(q)
      const utc = (time: string | undefined) => (time === undefined ? undefined : toUtc(time))
      const withBody = include === 'content'
      const times = {
        updatedSince: utc(updatedSince),
        publishedAfter: utc(publishedAfter),
        publishedBefore: utc(publishedBefore)
      }
      // A query without letters or digits ("!!") matches nothing.
      const { blogs, totalCount } =
        terms?.length === 0
          ? { blogs: [], totalCount: 0 }
          : await store.blogs.list({ ...reader, ...filter, ...times, status, terms }, { page, pageSize, withBody })
      const contextFor = await delivery.contextsOf(blogs)
      const items: BlogListItem[] = []
      const pause = createYielder()
      let contentLength = 0
      for (const blog of blogs) {
        const item = toListItemResponse(blog, contextFor(blog))
        contentLength += (item.htmlContent?.length ?? 0) + (item.cssContent?.length ?? 0)
        if (contentLength > MAX_PAGE_LENGTH) throw pageTooLong()
        items.push({
          ...item,
          ...(query.status === undefined ? {} : { status: blog.status, publishAt: blog.publishAt })
        })
        await pause()
      }
      return {
        blogs: items,
        totalCount,
        page,
        totalPages: Math.ceil(totalCount / pageSize),
        ...(times.updatedSince === undefined
          ? {}
          : { deleted: await store.blogs.removedSince({ ...reader, projectId: query.projectId }, times.updatedSince) })
      }
    },

    async categories(reader: ReadScope, filter: { projectId?: string; locale?: string }): Promise<CategoryCount[]> {
      assertProjectAllowed(reader, filter.projectId)
      const counts = await store.blogs.countByLabel('category', { ...reader, ...filter })
      return counts.map(({ label: category, count }) => ({ category, count }))
    },

    async tags(reader: ReadScope, filter: { projectId?: string; locale?: string }): Promise<TagCount[]> {
      assertProjectAllowed(reader, filter.projectId)
      const counts = await store.blogs.countByLabel('tag', { ...reader, ...filter })
      return counts.map(({ label: tag, count }) => ({ tag, count }))
    },

    async authors(reader: ReadScope, filter: { projectId?: string; locale?: string }): Promise<AuthorCount[]> {
      assertProjectAllowed(reader, filter.projectId)
      const counts = await store.blogs.countByLabel('author', { ...reader, ...filter })
      return counts.map(({ label: author, count }) => ({ author, count }))
    },

    async redirects(reader: ReadScope, filter: { projectId?: string }): Promise<BlogRedirect[]> {
      assertProjectAllowed(reader, filter.projectId)
      return await store.blogs.redirects({ ...reader, ...filter })
    },

    /** The related blogs of the blog with this slug, or the slug it moved to. */
    async related(reader: ReadScope, address: BlogAddress, limit: number): Promise<BlogSummary[] | { moved: string }> {
      const found = await published(reader, address)
      return found.kind === 'moved' ? { moved: found.blog.slug } : await relatedTo(reader, found.blog, limit)
    }
  }
}
