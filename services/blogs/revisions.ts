import { isDeepStrictEqual } from 'node:util'
import { problem } from '../../errors.ts'
import { createYielder } from '../../lib/async.ts'
import { compress, decompress } from '../../lib/http/compression.ts'
import type { BlogMetadata, BlogRecord, BlogRevisionRecord, RevisionChange, Store } from '../../ports/store/port.ts'
import type { BlogPatch } from '../../schemas/blog.ts'
import {
  REVISION_FIELDS,
  type BlogRevision,
  type BlogRevisionDetail,
  type BlogRevisionList,
  type RevisionAuthor,
  type RevisionField
} from '../../schemas/blog-revision.ts'
import type { Page } from '../../schemas/page.ts'
import { toAuthoredFields, type AuthoredFields } from './compose.ts'
import type { BlogWriter, createBlogWriting } from './writing.ts'

/** More than the longest source as JSON: each character may take six bytes. */
const MAX_CONTENT_BYTES = 32 * 2 ** 20
/** Bytes of a stored revision besides its content, as an estimate. */
const HEAD_BYTES = 600

/** What a revision contains: the author's fields of the blog. */
type RevisionContent = Omit<AuthoredFields, 'id'>

/** The first revision of a new blog. */
export const firstRevision = (savedAt: string, savedBy: RevisionAuthor | null): RevisionChange => ({
  number: 1,
  version: 1,
  savedAt,
  savedBy,
  changedFields: [],
  restoredFrom: null
})

/** The current revision. That of a blog of an earlier version of the service is its first one. */
export const revisionOf = ({ revision, version, updatedAt }: BlogMetadata): RevisionChange =>
  revision ?? { ...firstRevision(updatedAt, null), version }

/** The revision that a change of these fields creates. */
export const nextRevision = (
  blog: BlogMetadata,
  change: Pick<RevisionChange, 'savedBy' | 'changedFields' | 'restoredFrom'>
): RevisionChange => ({
  number: revisionOf(blog).number + 1,
  version: blog.version + 1,
  savedAt: new Date().toISOString(),
  ...change
})

/** The author's fields of the blog that differ. An omitted field equals null. */
export function changedFields(before: RevisionContent, after: RevisionContent): RevisionField[] {
  const [old, current] = [before, after].map((fields) => ({ ...toPatch(fields), ...fields.source }))
  return REVISION_FIELDS.filter((name) => !isDeepStrictEqual(old?.[name] ?? null, current?.[name] ?? null))
}

/** The current revision of the blog, to store before a change replaces it. */
export async function toStoredRevision(blog: BlogRecord): Promise<BlogRevisionRecord> {
  const { id, ...content } = toAuthoredFields(blog)
  return {
    ...revisionOf(blog),
    accountId: blog.accountId,
    blogId: id,
    title: blog.title,
    status: blog.status,
    replacedVersion: blog.version,
    content: await compress(Buffer.from(JSON.stringify(content)), 'br')
  }
}

/** What the revision adds to the storage of the account. A blog with `keep` revisions loses one for each new one. */
export const revisionBytes = ({ number, content }: BlogRevisionRecord, keep: number): number =>
  number > keep ? 0 : content.length + HEAD_BYTES

/** A patch that gives a blog the content of the revision. */
function toPatch({ source, title, locale, category, tags, authors, translationKey }: RevisionContent) {
  const { css, metaTitle, metaDescription, excerpt, cover, ogImageUrl, canonicalUrl } = source
  return {
    title,
    locale,
    category,
    tags,
    authors: authors.map(({ name, url }) => ({ name, url: url ?? null })),
    translationKey,
    css,
    metaTitle: metaTitle ?? null,
    metaDescription,
    excerpt: excerpt ?? null,
    cover: cover ?? null,
    ogImageUrl,
    canonicalUrl
  } satisfies BlogPatch
}

function toResponse(
  change: RevisionChange,
  blog: Pick<BlogMetadata, 'title' | 'status'>,
  isCurrent: boolean
): BlogRevision {
  const { number, version, savedAt, savedBy, restoredFrom } = change
  const { title, status } = blog
  return {
    revision: number,
    isCurrent,
    version,
    title,
    status,
    savedAt,
    savedBy,
    changedFields: change.changedFields,
    restoredFrom
  }
}

function toDetailResponse(head: BlogRevision, content: RevisionContent): BlogRevisionDetail {
  const { title, locale, category, tags, authors, translationKey, ...source } = toPatch(content)
  const { format, text } = content.source
  return { ...head, title, locale, category, tags, authors, translationKey, source: { format, text, ...source } }
}

/**
 * Revisions of blogs: the current one is the blog itself, and the last `keep` ones before it are stored.
 * Every function throws `blog_not_found` and `blog_gone`.
 */
export function createBlogRevisions({
  store,
  writing,
  keep
}: {
  store: Store
  writing: ReturnType<typeof createBlogWriting>
  keep: number
}) {
  const unknownRevision = (number: number) => problem('revision_not_found', `The blog has no revision ${number}.`)

  /** An earlier revision of the blog. Throws `revision_not_found`. */
  async function find(blog: BlogMetadata, number: number): Promise<BlogRevisionRecord> {
    const { number: current } = revisionOf(blog)
    if (number >= current || number < current - keep) throw unknownRevision(number)
    const found = await store.blogRevisions.find(blog.accountId, blog.id, number)
    if (found === null) throw unknownRevision(number)
    return found
  }

  /** A revision may have megabytes: others are served between reading, parsing and serializing it. */
  const pause = createYielder()

  async function readContent({ content }: BlogRevisionRecord): Promise<RevisionContent> {
    const json = await decompress(content, MAX_CONTENT_BYTES)
    await pause()
    const parsed = JSON.parse(json.toString()) as RevisionContent
    await pause()
    return parsed
  }

  /** A revision with its source. Throws `revision_not_found`. */
  async function get(reader: BlogWriter, id: string, number: number): Promise<BlogRevisionDetail> {
    const head = await writing.getMetadata(reader, id)
    if (number !== revisionOf(head).number) {
      const found = await find(head, number)
      return toDetailResponse(toResponse(found, found, false), await readContent(found))
    }
    await pause()
    const blog = await writing.get(reader, id)
    const current = revisionOf(blog)
    await pause()
    // It may have changed meanwhile. Then it is an earlier revision.
    if (number !== current.number) return await get(reader, id, number)
    return toDetailResponse(toResponse(current, blog, true), toAuthoredFields(blog))
  }

  return {
    get,

    /** Newest first, beginning with the current revision. */
    async list(reader: BlogWriter, id: string, { page, pageSize }: Page): Promise<BlogRevisionList> {
      const blog = await writing.getMetadata(reader, id)
      const current = revisionOf(blog)
      const range = { from: current.number - keep, before: current.number }
      const earlier = await store.blogRevisions.list(blog.accountId, id, range)
      const revisions = [
        toResponse(current, blog, true),
        ...earlier.map((revision) => toResponse(revision, revision, false))
      ]
      return {
        revisions: revisions.slice((page - 1) * pageSize, page * pageSize),
        totalCount: revisions.length,
        page,
        totalPages: Math.ceil(revisions.length / pageSize)
      }
    },

    /**
     * Gives the blog the source of the revision, as a change like any other. The slug, the state and the
     * dates stay. Without effect if the blog has this source. Throws `revision_not_found` and what `patch`
     * throws.
     */
    async restore(
      writer: BlogWriter,
      id: string,
      { revision, ifVersions }: { revision: number; ifVersions: number[] | null }
    ): Promise<BlogRecord> {
      const blog = await writing.get(writer, id)
      const content =
        revision === revisionOf(blog).number ? toAuthoredFields(blog) : await readContent(await find(blog, revision))
      const { format, text } = content.source
      const patch: BlogPatch = { ...toPatch(content), [format]: text }
      return await writing.patch(writer, id, { patch, ifVersions, restoredFrom: revision })
    }
  }
}
