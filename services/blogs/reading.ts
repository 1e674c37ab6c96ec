import { problem, type ApiError } from '../../errors.ts'
import { createYielder } from '../../lib/async.ts'
import type {
  BlogMetadata,
  BlogTombstone,
  ReadScope,
  ProjectRecord,
  SlugResolution,
  Store
} from '../../ports/store/port.ts'
import type {
  Blog,
  BlogList,
  BlogListItem,
  BlogListQuery,
  BlogRedirect,
  BlogSummary,
  CategoryCount
} from '../../schemas/blog.ts'
import { toUtc } from '../../schemas/formats.ts'
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

/** The address of a blog in requests: its slug, which is unique within a project, or its id. */
export interface BlogAddress {
  slug: string
  projectId?: string | undefined
}

/**
 * The blog with a slug, or the slug it moved to. `otherProjects`: the other projects with a published
 * blog with this slug.
 */
export type BlogBySlug =
  | { kind: 'blog'; blog: Blog; modifiedAt: string; otherProjects: string[] }
  | { kind: 'moved'; slug: string }

/** Public reads of an account's blogs, limited to the projects of the caller's key. */
export function createBlogReading({ store, publicUrl }: { store: Store; publicUrl: () => string }) {
  async function projectsOf(blogs: BlogMetadata[]): Promise<Map<string, ProjectRecord>> {
    if (blogs.length === 0) return new Map()
    const ids = [...new Set(blogs.map(({ projectId }) => projectId))]
    const projects = await store.projects.list(blogs[0]!.accountId, ids)
    return new Map(projects.map((project) => [project.id, project]))
  }

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

  return {
    async getBySlug(reader: ReadScope, address: BlogAddress): Promise<BlogBySlug> {
      const found = await published(reader, address)
      if (found.kind === 'moved') return { kind: 'moved', slug: found.blog.slug }
      const project = await store.projects.find(reader.accountId, found.blog.projectId)
      const blog = toBlogResponse(found.blog, { project, publicUrl: publicUrl() })
      const modifiedAt = project !== null && project.updatedAt > blog.updatedAt ? project.updatedAt : blog.updatedAt
      return { kind: 'blog', blog, modifiedAt, otherProjects: found.otherProjects }
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
      const projects = await projectsOf(blogs)
      const items: BlogListItem[] = []
      const pause = createYielder()
      let contentLength = 0
      for (const blog of blogs) {
        const place = { project: projects.get(blog.projectId) ?? null, publicUrl: publicUrl() }
        const item = toListItemResponse(blog, place)
        contentLength += (item.htmlContent?.length ?? 0) + (item.cssContent?.length ?? 0)
        if (contentLength > MAX_PAGE_LENGTH) throw pageTooLong()
        items.push({ ...item, ...(query.status === undefined ? {} : { status: blog.status }) })
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
      return await store.blogs.countByCategory({ ...reader, ...filter })
    },

    async redirects(reader: ReadScope, filter: { projectId?: string }): Promise<BlogRedirect[]> {
      assertProjectAllowed(reader, filter.projectId)
      return await store.blogs.redirects({ ...reader, ...filter })
    },

    /**
     * The most similar published blogs of the same project, filled up with the newest ones: always
     * min(limit, other published blogs of the project).
     */
    async related(reader: ReadScope, address: BlogAddress, limit: number): Promise<BlogSummary[] | { moved: string }> {
      const found = await published(reader, address)
      if (found.kind === 'moved') return { moved: found.blog.slug }
      const { id, projectId } = found.blog
      const entries = (await store.blogs.related(reader.accountId, id)).filter((entry) => entry.id !== id)
      const heads = new Map(
        (
          await store.blogs.findPublished(
            reader,
            entries.map((entry) => entry.id)
          )
        ).map((head) => [head.id, head])
      )
      const near = entries.filter((entry) => heads.get(entry.id)?.projectId === projectId).slice(0, limit)
      const chosen = near.map((entry) => toSummaryResponse(heads.get(entry.id)!, entry, publicUrl()))
      if (chosen.length === limit) return chosen
      const known = new Set([id, ...near.map((entry) => entry.id)])
      const newest = await store.blogs.list(
        { ...reader, projectId, status: 'published' },
        { page: 1, pageSize: limit + known.size, withBody: false }
      )
      for (const blog of newest.blogs) {
        if (chosen.length === limit || known.has(blog.id)) continue
        known.add(blog.id)
        chosen.push(toSummaryResponse(blog, { score: 0 }, publicUrl()))
      }
      return chosen
    }
  }
}
