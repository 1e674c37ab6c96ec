import { problem } from '../../errors.ts'
import type { ContentCoding } from '../../lib/http/negotiation.ts'
import { createYielder } from '../../lib/async.ts'
import { compareText } from '../../lib/text.ts'
import { languageOf } from '../../lib/transliterate.ts'
import type {
  BlogMetadata,
  BlogRecord,
  BlogTombstone,
  PreparedBlog,
  PreparedContent,
  PublishedBlog,
  ReadScope,
  RelatedEntry,
  SlugResolution,
  Store
} from '../../ports/store/port.ts'
import type { AuthorCount, BlogRedirect, BlogSummary, CategoryCount, TagCount } from '../../schemas/blog.ts'
import type { BlogDelivery } from './delivery.ts'
import { basisOf, type BlogSerializers, type PreparedBlogs } from './prepared.ts'
import { toSummaryResponse, type DeliveryContext } from './responses.ts'
import { isId } from './slug.ts'
import { ambiguousSlug, assertProjectAllowed } from './writing.ts'

/** The address of a blog in requests: its slug, which is unique within a project, or its id. */
export interface BlogAddress {
  slug: string
  projectId?: string | undefined
}

/** What a caller may read, and the epochs of the account when the caller was authenticated. */
export interface BlogReader extends ReadScope {
  keyEpoch?: number
  contentEpoch?: number
}

/** The JSON of a blog, ready to be sent. */
export interface BlogResponse {
  kind: 'blog'
  body: Buffer
  version: number
  /** The strong, quoted entity tag of `body`; null when it is not known yet. */
  etag: string | null
  /** The compressed bodies that exist. */
  compressed: { br: Buffer | null; gzip: Buffer | null }
  /** Call it with each other compressed body that was made, so that it need not be made again. */
  addCompressed: (coding: ContentCoding, bytes: Buffer) => void
  /** Null when it is unknown. */
  modifiedAt: string | null
  /** The other projects with a published blog with this slug. */
  otherProjects: string[]
}

/** A response without related blogs: its tag and its date are known. */
export interface StoredBlogResponse extends BlogResponse {
  etag: string
  modifiedAt: string
}

/** The blog with a slug, or the slug it moved to. */
export type BlogBySlug = BlogResponse | { kind: 'moved'; slug: string }

export interface BlogResponseOptions {
  /** The blog contains at most so many related blogs. Default: the member is missing. */
  relatedLimit?: number | undefined
  /** Default: JSON.stringify. */
  serialize?: BlogSerializers
}

/** A published blog, without its content. */
interface PublishedRef {
  id: string
  projectId: string
  /** The primary language subtag of the locale, in lower case. */
  language: string
}

const toRef = ({ id, projectId, locale }: BlogMetadata): PublishedRef => ({
  id,
  projectId,
  language: languageOf(locale)
})

const PLAIN_JSON: BlogSerializers = { blog: JSON.stringify, item: JSON.stringify }

/** Public reads of an account's blogs, limited to the projects of the caller's key. */
export function createBlogReading({
  store,
  delivery,
  prepared,
  publicUrl
}: {
  store: Store
  delivery: BlogDelivery
  prepared: PreparedBlogs
  publicUrl: () => string
}) {
  const pause = createYielder()

  async function resolveId(reader: ReadScope, { slug: id, projectId }: BlogAddress): Promise<SlugResolution | null> {
    // A draft may have megabytes. They are not read for a caller who does not see it.
    const head = await store.blogs.findMetadata(reader.accountId, id)
    const place = head ?? (await store.blogs.findTombstone(reader.accountId, id))
    const isVisible =
      place !== null &&
      (reader.projectIds?.includes(place.projectId) ?? true) &&
      (projectId === undefined || place.projectId === projectId)
    if (!isVisible) return null
    if (head === null) return (place as BlogTombstone).wasPublic ? { kind: 'gone', blog: place as BlogTombstone } : null
    if (head.status !== 'published') return null
    await pause()
    const blog = await store.blogs.find(reader.accountId, id)
    return blog?.status === 'published' ? { kind: 'blog', blog, otherProjects: [] } : null
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
  async function relatedTo(
    reader: ReadScope,
    { id, projectId, language }: PublishedRef,
    limit: number
  ): Promise<BlogSummary[]> {
    const entries = (await store.blogs.related(reader.accountId, id)).filter((entry) => entry.id !== id)
    const near: { entry: RelatedEntry; head: BlogMetadata }[] = []
    // Blogs may be large, and nearly always the first ones suffice.
    for (const some of [entries.slice(0, limit), entries.slice(limit)]) {
      if (near.length === limit || some.length === 0) continue
      const published = await store.blogs.findPublished(
        reader,
        some.map((entry) => entry.id)
      )
      const heads = new Map(published.map((head) => [head.id, head]))
      for (const entry of some) {
        const head = heads.get(entry.id)
        // The entries may be older than a change of a blog's project or language.
        const isRelated = head?.projectId === projectId && languageOf(head.locale) === language
        if (isRelated && near.length < limit) near.push({ entry, head })
      }
    }
    const chosen = near.map(({ entry, head }) => toSummaryResponse(head, entry, publicUrl()))
    if (chosen.length === limit) return chosen
    const known = new Set([id, ...near.map(({ head }) => head.id)])
    const newest = await store.blogs.list(
      { ...reader, projectId, language, status: 'published' },
      { page: 1, pageSize: limit + known.size, withBody: false }
    )
    const others = newest.blogs.filter((other) => !known.has(other.id)).slice(0, limit - chosen.length)
    return [...chosen, ...others.map((other) => toSummaryResponse(other, { score: 0 }, publicUrl()))]
  }

  type Found = (BlogResponse & { blog: PublishedRef }) | { kind: 'moved'; slug: string }

  const toScope = ({ accountId, projectIds }: BlogReader, { projectId }: BlogAddress) => ({
    accountId,
    projectIds,
    projectId
  })

  /** The blog at this address, without its record. Null if there is none. */
  async function findPublished(reader: BlogReader, address: BlogAddress) {
    assertProjectAllowed(reader, address.projectId)
    const { slug } = address
    return await store.blogResponses.find(toScope(reader, address), isId(slug) ? { id: slug } : { slug })
  }

  function toResponse(
    blog: PublishedRef,
    made: PreparedBlog & { content: PreparedContent },
    { project }: DeliveryContext
  ): Omit<StoredBlogResponse & { blog: PublishedRef }, 'otherProjects'> {
    const { body, etag, br, gzip } = made.content
    return {
      kind: 'blog',
      blog,
      body,
      version: made.version,
      etag,
      compressed: { br, gzip },
      addCompressed: (coding, bytes) => prepared.addCompressed(made, coding, bytes),
      modifiedAt: [made.updatedAt, project?.updatedAt ?? ''].sort(compareText).at(-1)!
    }
  }

  /** The response in the store, and the published blog. The response is null unless it is current. */
  async function findStored(reader: BlogReader, address: BlogAddress) {
    const { accountId, keyEpoch } = reader
    const found = await findPublished(reader, address)
    if (found === null) return null
    const { id, version, updatedAt, otherProjects } = found
    const place = await delivery.contextOf({ ...found, accountId }, keyEpoch)
    if (found.prepared?.basis !== basisOf(place)) return { found, place, response: null }
    const made = { accountId, id, version, updatedAt, ...found.prepared }
    return { found, place, response: { ...toResponse(found, made, place), otherProjects } }
  }

  /** The record of a blog in the state in which it was found. Null if it has changed since. */
  async function readRecord({ accountId }: BlogReader, found: PublishedBlog): Promise<BlogRecord | null> {
    await pause()
    const blog = await store.blogs.find(accountId, found.id)
    const isSame = blog?.version === found.version && blog.updatedAt === found.updatedAt
    return isSame && blog.status === 'published' ? blog : null
  }

  /** Responses may have megabytes: those that are made at the same time take turns, by account. */
  async function makeContent(blog: BlogRecord, place: DeliveryContext, serialize: BlogSerializers) {
    await pause()
    return prepared.makeContent(blog, place, serialize)
  }

  /** The stored response, or a new one. */
  async function findOrPrepare(reader: BlogReader, address: BlogAddress, serialize: BlogSerializers): Promise<Found> {
    const stored = await findStored(reader, address)
    if (stored !== null) {
      const { found, place, response } = stored
      if (response !== null) return response
      const blog = await readRecord(reader, found)
      if (blog !== null) {
        const { otherProjects } = found
        return { ...toResponse(found, await makeContent(blog, place, serialize), place), otherProjects }
      }
    }
    // No blog is published under this slug, or it has changed meanwhile.
    const resolved = await published(reader, address)
    if (resolved.kind === 'moved') return { kind: 'moved', slug: resolved.blog.slug }
    const { blog, otherProjects } = resolved
    const place = await delivery.contextOf(blog, reader.keyEpoch)
    return { ...toResponse(toRef(blog), await makeContent(blog, place, serialize), place), otherProjects }
  }

  return {
    /** The response in the store. Null if there is none, if it is not current, or if the blog is not found. */
    async findStored(reader: BlogReader, address: BlogAddress): Promise<StoredBlogResponse | null> {
      return (await findStored(reader, address))?.response ?? null
    },

    /** Throws `blog_not_found`, `blog_gone` and `project_not_allowed`. */
    async getBySlug(
      reader: BlogReader,
      address: BlogAddress,
      { relatedLimit, serialize = PLAIN_JSON }: BlogResponseOptions = {}
    ): Promise<BlogBySlug> {
      const found = await findOrPrepare(reader, address, serialize)
      if (found.kind === 'moved' || relatedLimit === undefined) return found
      const related = await relatedTo(reader, found.blog, relatedLimit)
      // Related blogs change without the blog, and nothing records when.
      return {
        ...found,
        body: Buffer.concat([found.body.subarray(0, -1), Buffer.from(`,"related":${JSON.stringify(related)}}`)]),
        etag: null,
        modifiedAt: null,
        compressed: { br: null, gzip: null },
        addCompressed: () => {}
      }
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
      const current = await findPublished(reader, address)
      if (current !== null) return await relatedTo(reader, current, limit)
      const found = await published(reader, address)
      if (found.kind === 'moved') return { moved: found.blog.slug }
      return await relatedTo(reader, toRef(found.blog), limit)
    }
  }
}
