import type { Filter } from 'mongodb'
import { compareText } from '../../../../lib/text.ts'
import { languageOf } from '../../../../lib/transliterate.ts'
import type { BlogFilter, BlogResponseStore, PreparedBlog, PublishedBlog } from '../../port.ts'
import type { Database } from '../database.ts'
import { findByIds, visibleTo } from '../documents.ts'
import { bulkWriteInSlices, readInSlices, REPLY_SIZE } from '../slices.ts'
import { countTotal, findIdsInOrder, MAX_SKIP } from './count.ts'
import { blogCollection, newestFirst, withSlug, type BlogDocument } from './documents.ts'
import { followsIn, ORDERS, toFilter } from './filters.ts'

const PUBLISHED_FIELDS = {
  projectId: 1,
  'metadata.version': 1,
  'metadata.updatedAt': 1,
  'metadata.translationKey': 1
} as const
const CONTENT_FIELDS = { 'response.item': 1, 'response.content': 1 } as const
const STATE_FIELDS = { 'response.version': 1, 'response.updatedAt': 1, 'response.basis': 1 } as const

/**
 * Prepared responses, in the documents of their blogs: a single command checks the state of a blog and
 * reads its response.
 */
export function createBlogResponses(database: Database): BlogResponseStore {
  const blogs = blogCollection(database)

  /** Published blogs with these fields. `limit` 0: all. */
  async function findNamed(filter: Filter<BlogDocument>, fields: Record<string, 1>, limit: number) {
    const projection = {
      ...PUBLISHED_FIELDS,
      ...STATE_FIELDS,
      'metadata.publishedAt': 1,
      'metadata.locale': 1,
      ...fields
    }
    return await blogs.find(filter, { projection, promoteBuffers: true, limit, batchSize: REPLY_SIZE }).toArray()
  }

  return {
    find: (scope, address) =>
      database.run(async () => {
        const filter: Filter<BlogDocument> = {
          ...('slug' in address ? withSlug(scope, address.slug) : { ...visibleTo(scope), _id: address.id }),
          'metadata.status': 'published'
        }
        const found = await findNamed(filter, CONTENT_FIELDS, 2)
        // Nearly always, one blog has the slug. A thousand projects may have one with it, each of megabytes.
        const all = found.length < 2 ? found : await findNamed(filter, {}, 0)
        const [first, ...others] = all.toSorted(newestFirst)
        if (first === undefined) return null
        const read = found.find(({ _id }) => _id === first._id)
        const newest = read ?? (await findNamed({ ...filter, _id: first._id }, CONTENT_FIELDS, 1))[0]
        // Deleted or unpublished meanwhile.
        if (newest === undefined) return null
        return {
          ...toPublished(newest),
          language: languageOf(newest.metadata!.locale),
          prepared: toPrepared(currentResponse(newest)),
          otherProjects: others.map(({ projectId }) => projectId).sort(compareText)
        }
      }),
    list: (published, page) =>
      database.run(async () => {
        const blogFilter = { ...published, status: 'published' } as BlogFilter
        const conditions = toFilter(blogFilter)
        const sort = ORDERS[published.sort ?? '-publishedAt']
        const field = Object.keys(sort)[0]!
        const projection = {
          ...PUBLISHED_FIELDS,
          ...STATE_FIELDS,
          [field]: 1,
          [page.withBody ? 'response.content.body' : 'response.item']: 1
        }
        const options = { projection, promoteBuffers: true }
        async function readDocuments(): Promise<BlogDocument[]> {
          if ('after' in page) {
            const { sort: order = '-publishedAt' } = published
            const following = { $and: [conditions, followsIn(order, page.after, { isNullable: false })] }
            return await readInSlices(blogs.find(following, { ...options, sort, limit: page.limit }))
          }
          const { pageSize: limit } = page
          const skip = (page.page - 1) * limit
          if (skip === 0) return await readInSlices(blogs.find(conditions, { ...options, sort, limit }))
          // Ids are read from an index alone, so that deep pages are cheap to skip to.
          const ids = await findIdsInOrder(database, blogFilter, { order: sort, skip, limit })
          if (ids.length === 0) return []
          const found = await readInSlices(findByIds(blogs, ids, { ...options, conditions }))
          const byId = new Map(found.map((document) => [document._id, document]))
          return ids.map((id) => byId.get(id)).filter((document) => document !== undefined)
        }
        const count = 'after' in page ? null : (page.totalCount ?? countTotal(database, blogFilter))
        // A page behind the end would skip all blogs.
        const isDeep = 'page' in page && (page.page - 1) * page.pageSize > MAX_SKIP
        const isBehind = isDeep && (page.page - 1) * page.pageSize >= ((await count) ?? Infinity)
        const [documents, totalCount] = await Promise.all([isBehind ? [] : readDocuments(), count])
        return {
          blogs: documents.map((document) => {
            const response = currentResponse(document)
            const json = page.withBody ? response?.content?.body : response?.item
            return {
              ...toPublished(document),
              sortValue: valueAt(document, field),
              prepared: json === undefined ? null : { basis: response!.basis, json }
            }
          }),
          totalCount
        }
      }),
    save: async (prepared) => {
      if (prepared.length === 0) return
      await database.run(() => bulkWriteInSlices(blogs, prepared, toUpdate))
    }
  }
}

function toUpdate({ accountId, id, version, updatedAt, basis, item, content }: PreparedBlog) {
  const isSame = { 'response.version': version, 'response.updatedAt': updatedAt, 'response.basis': basis }
  return {
    updateOne: {
      filter: {
        _id: id,
        accountId,
        'metadata.status': 'published',
        'metadata.version': version,
        'metadata.updatedAt': updatedAt,
        // Within `$and`, because a server may not look for the id if the filter itself has a `$nor`.
        ...(content === null ? { $and: [{ $nor: [isSame] }] } : {})
      } as Filter<BlogDocument>,
      update: { $set: { response: { version, updatedAt, basis, item, content } } }
    }
  }
}

function toPublished({ _id: id, projectId, metadata }: BlogDocument): PublishedBlog {
  const { version, updatedAt, translationKey } = metadata!
  return { id, projectId, version, updatedAt, translationKey }
}

function toPrepared(response: BlogDocument['response']) {
  if (response?.content == null) return null
  const { basis, item, content } = response
  return { basis, item, content }
}

/** The response of the document, if it was made from its state. */
function currentResponse({ response, metadata }: BlogDocument): BlogDocument['response'] | undefined {
  const isCurrent = response?.version === metadata?.version && response?.updatedAt === metadata?.updatedAt
  return isCurrent ? response : undefined
}

/** The text at a path such as `keys.title`. */
function valueAt(document: object, path: string): string | null {
  let value: unknown = document
  for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name]
  return (value as string | null | undefined) ?? null
}
