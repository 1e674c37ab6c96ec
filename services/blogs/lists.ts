import { createGrowingLru } from '../../lib/growing-lru.ts'
import { problem, type ApiError } from '../../errors.ts'
import { createYielder } from '../../lib/async.ts'
import { toTitleKey } from '../../lib/labels.ts'
import type { BlogFilter, BlogMetadata, BlogPosition, BlogRecord, Store } from '../../ports/store/port.ts'
import type { BlogListQuery, BlogSort, RemovedBlog } from '../../schemas/blog.ts'
import { toUtc } from '../../schemas/formats.ts'
import { readCursor, writeCursor } from './cursor.ts'
import type { BlogDelivery } from './delivery.ts'
import { basisOf, type BlogSerializers, type PreparedBlogs } from './prepared.ts'
import type { BlogReader } from './reading.ts'
import { readRemovedPart } from './removals.ts'
import { toListItemResponse, type DeliveryContext } from './responses.ts'
import { queryTerms, searchTerms } from './search-terms.ts'
import { assertProjectAllowed } from './writing.ts'

/** Maximum length of a page of a list, in characters of JSON, or in bytes if it is prepared. */
const MAX_PAGE_LENGTH = 32_000_000
/** Lists whose number of blogs is remembered. */
const MAX_TOTALS = 10_000

/** A page of a list. The members about the number of the page are missing after a cursor. */
export interface BlogPage {
  /** JSON in UTF-8 of each blog. */
  blogs: Buffer[]
  totalCount?: number
  page?: number
  totalPages?: number
  /** Null on the last page. */
  nextCursor: string | null
  deleted?: RemovedBlog[]
  /** Whether `deleted` goes on in the next page. */
  moreDeleted?: boolean
}

/** A record that cannot be serialized by its schema. */
export interface OmittedRecord {
  record: string
  reason: string
}

type ListedRecord = BlogMetadata & { body?: BlogRecord['body'] }

/** The blogs of a page, and the position of the last one if others follow. */
interface Slice {
  blogs: Buffer[]
  totalCount: number | null
  next: BlogPosition | null
  omitted: OmittedRecord[]
}

/** What a page is read by: `page` or `after`. Without either, it has no blogs: they are all before it. */
interface ListRequest {
  filter: BlogFilter
  pageSize: number
  page: number | null
  after: BlogPosition | null
  withBody: boolean
  /** The query names a status: items contain the state of each blog. */
  withState: boolean
}

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

/** Lists of blogs, by page number or cursor. Published blogs are sent as they were prepared. */
export function createBlogLists({
  store,
  delivery,
  prepared
}: {
  store: Store
  delivery: BlogDelivery
  prepared: PreparedBlogs
}) {
  /** The number of blogs in a list, and the content epoch that was read before it was counted. */
  const totals = createGrowingLru<string, { epoch: number; totalCount: number }>(MAX_TOTALS)

  function knownTotal(key: string, epoch: number): { totalCount?: number } {
    const known = totals.get(key)
    return known?.epoch === epoch ? { totalCount: known.totalCount } : {}
  }

  /** A page as it was prepared. Null if some of it is not, or no longer. */
  async function readPrepared(reader: BlogReader, request: ListRequest): Promise<Slice | null> {
    const { filter, page, after, pageSize, withBody } = request
    const { contentEpoch = NaN } = reader
    const key = JSON.stringify(filter)
    const { blogs: found, totalCount } = await store.blogResponses.list(
      filter,
      after === null
        ? { page: page!, pageSize, withBody, ...knownTotal(key, contentEpoch) }
        : { after, limit: pageSize + 1, withBody }
    )
    if (totalCount !== null && !Number.isNaN(contentEpoch)) totals.set(key, { epoch: contentEpoch, totalCount })
    const keys = found.map((blog) => ({ ...blog, accountId: reader.accountId }))
    const bytes = keys.slice(0, pageSize).reduce((sum, { prepared }) => sum + (prepared?.json.length ?? 0), 0)
    if (bytes > MAX_PAGE_LENGTH) return null
    const contextFor = await delivery.contextsOf(keys, reader.keyEpoch)
    const blogs: Buffer[] = []
    const pause = createYielder()
    for (const blog of keys.slice(0, pageSize)) {
      // The digest of a hundred translations takes a millisecond.
      await pause()
      if (blog.prepared === null || blog.prepared.basis !== basisOf(contextFor(blog))) return null
      blogs.push(blog.prepared.json)
    }
    const last = found[blogs.length - 1]
    const next = last !== undefined && hasNext(request, found.length, totalCount) ? last : null
    return { blogs, totalCount, next: next && { value: next.sortValue, id: next.id }, omitted: [] }
  }

  /** A page made from the records. */
  async function readRecords(reader: BlogReader, request: ListRequest, serialize: BlogSerializers): Promise<Slice> {
    const { filter, page, after, pageSize, withBody } = request
    const { blogs: found, totalCount } =
      after === null
        ? await store.blogs.list(filter, { page: page!, pageSize, withBody })
        : { blogs: await store.blogs.listAfter(filter, { after, limit: pageSize + 1, withBody }), totalCount: null }
    const records = found.slice(0, pageSize)
    const contextFor = await delivery.contextsOf(records, reader.keyEpoch)
    const pause = createYielder()
    const blogs: Buffer[] = []
    const omitted: OmittedRecord[] = []
    let length = 0
    for (const blog of records) {
      try {
        const json = toJson(blog, contextFor(blog), { withState: request.withState, serialize })
        length += json.length
        blogs.push(json)
      } catch (error) {
        omitted.push({ record: blog.id, reason: String(error) })
      }
      if (length > MAX_PAGE_LENGTH) throw pageTooLong()
      await pause()
    }
    const last = records.at(-1)
    const next = last !== undefined && hasNext(request, found.length, totalCount) ? positionOf(last, filter) : null
    return { blogs, totalCount, next, omitted }
  }

  function toJson(
    blog: ListedRecord,
    place: DeliveryContext,
    { withState, serialize }: { withState: boolean; serialize: BlogSerializers }
  ): Buffer {
    const { status, publishAt } = blog
    if (withState || status !== 'published') {
      return Buffer.from(serialize.item({ ...toListItemResponse(blog, place), status, publishAt }))
    }
    if (blog.body === undefined) return prepared.makeItem(blog, place, serialize.item)
    return prepared.makeContent({ ...blog, body: blog.body }, place, serialize).content.body
  }

  return {
    /**
     * `status` is only for callers that may see unpublished blogs. Throws `invalid_request` and
     * `project_not_allowed`.
     */
    async list(
      { accountId, projectIds, ...epochs }: BlogReader,
      query: BlogListQuery,
      serialize: BlogSerializers = { blog: JSON.stringify, item: JSON.stringify }
    ): Promise<{ list: BlogPage; omitted: OmittedRecord[] }> {
      const reader = { accountId, projectIds }
      assertProjectAllowed(reader, query.projectId)
      if (query.sort === 'publishAt' && query.status !== 'scheduled') throw sortNeedsStatus()
      const { page, pageSize, cursor, q, include, updatedSince, publishedAfter, publishedBefore, ...others } = query
      const terms = q === undefined ? undefined : queryTerms(q)
      const utc = (time: string | undefined) => (time === undefined ? undefined : toUtc(time))
      const since = utc(updatedSince)
      const filter: BlogFilter = {
        ...reader,
        ...others,
        updatedSince: since,
        publishedAfter: utc(publishedAfter),
        publishedBefore: utc(publishedBefore),
        status: query.status ?? 'published',
        terms
      }
      const position =
        cursor === undefined ? null : readCursor(cursor, { page, sort: query.sort, isSearch: q !== undefined })
      const request: ListRequest = {
        filter,
        page: position === null ? page : null,
        after: position?.after ?? null,
        pageSize,
        withBody: include === 'content',
        withState: query.status !== undefined
      }
      const slice = await read({ ...reader, ...epochs }, request, serialize)
      const { blogs, totalCount, next, omitted } = slice
      const part =
        since === undefined
          ? null
          : await readRemovedPart(
              store.blogs,
              { scope: { ...reader, projectId: query.projectId }, since },
              { after: position?.removedAfter ?? null, page }
            )
      const hasMore = part?.hasMore ?? false
      const pages = totalCount === null ? 0 : Math.ceil(totalCount / pageSize)
      const list: BlogPage = {
        blogs,
        ...(totalCount === null ? {} : { totalCount, page, totalPages: hasMore ? Math.max(pages, page + 1) : pages }),
        nextCursor:
          next === null && !hasMore ? null : writeCursor({ after: next, removedAfter: part?.next ?? null }, query.sort),
        ...(part === null ? {} : { deleted: part.removed, moreDeleted: hasMore })
      }
      return { list, omitted }
    }
  }

  async function read(reader: BlogReader, request: ListRequest, serialize: BlogSerializers): Promise<Slice> {
    const { terms } = request.filter
    // A query without letters or digits ("!!") matches nothing.
    if (terms?.length === 0) {
      return { blogs: [], totalCount: request.page === null ? null : 0, next: null, omitted: [] }
    }
    if (request.page === null && request.after === null) return { blogs: [], totalCount: null, next: null, omitted: [] }
    const mayBePrepared = terms === undefined && !request.withState
    const slice = mayBePrepared ? await readPrepared(reader, request) : null
    return slice ?? (await readRecords(reader, request, serialize))
  }
}

/** Whether blogs follow those of the page. After a position, one more is read than the page has. */
function hasNext({ page, pageSize }: ListRequest, found: number, totalCount: number | null): boolean {
  return totalCount === null ? found > pageSize : page! * pageSize < totalCount
}

/** The position directly after a blog in this list. */
function positionOf(blog: BlogMetadata, { sort, terms }: BlogFilter): BlogPosition {
  const value = sortValue(blog, sort ?? '-publishedAt')
  if (terms === undefined || sort !== undefined) return { value, id: blog.id }
  const inTitle = searchTerms(blog.title, blog.locale)
  const [words, prefix] = [terms.slice(0, -1), terms.at(-1)!]
  const matches = words.every((word) => inTitle.includes(word)) && inTitle.some((term) => term.startsWith(prefix))
  return { value, id: blog.id, inTitle: matches }
}

function sortValue({ title, publishedAt, updatedAt, publishAt }: BlogMetadata, sort: BlogSort): string | null {
  switch (sort) {
    case 'title':
    case '-title':
      return toTitleKey(title)
    case 'updatedAt':
    case '-updatedAt':
      return updatedAt
    case 'publishAt':
      return publishAt
    default:
      return publishedAt
  }
}
