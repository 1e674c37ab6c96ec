import type { Filter } from 'mongodb'
import type { BlogFilter, BlogMetadata, BlogStore } from '../../port.ts'
import type { Database } from '../database.ts'
import { findByIds } from '../documents.ts'
import { anyBeginsWith } from '../prefixes.ts'
import { readInSlices } from '../slices.ts'
import { countTotal, findIdsInOrder, MAX_SKIP } from './count.ts'
import {
  blogCollection,
  METADATA_FIELDS,
  RECORD_FIELDS,
  toBlogMetadata,
  toBlogRecord,
  type BlogDocument
} from './documents.ts'
import { and, followsIn, ORDERS, toFilter, type Order, type Slice } from './filters.ts'

const NEWEST_FIRST = ORDERS['-publishedAt']

/** Lists blogs page by page. */
export function createBlogLists(database: Database): Pick<BlogStore, 'list' | 'listAfter'> {
  const blogs = blogCollection(database)

  /** Reads only ids, from an index alone, so that deep pages are cheap to skip to. */
  async function readIdsInOrder(filter: Filter<BlogDocument>, { order, skip, limit }: Slice): Promise<string[]> {
    if (limit <= 0) return []
    const found = await blogs.find(filter, { projection: { _id: 1 }, sort: order, skip, limit }).toArray()
    return found.map(({ _id }) => _id)
  }

  /**
   * No index orders search results, so that they are reduced to small documents before the sort. The index of terms is
   * named: the server may choose one that reads all blogs of the account.
   */
  async function sortIds(
    filter: Filter<BlogDocument>,
    { order, skip, limit }: Slice,
    hint: 'by_term' | 'by_title_term'
  ): Promise<string[]> {
    if (limit <= 0) return []
    const found = await blogs
      .aggregate<{ _id: string }>(
        [
          { $match: filter },
          { $project: Object.fromEntries(Object.keys(order).map((field) => [field, 1])) },
          { $sort: order },
          { $skip: skip },
          { $limit: limit }
        ],
        { hint }
      )
      .toArray()
    return found.map(({ _id }) => _id)
  }

  async function listIds(filter: BlogFilter, slice: Slice) {
    const ids = () => findIdsInOrder(database, filter, slice)
    if (slice.skip <= MAX_SKIP) {
      const [totalCount, found] = await Promise.all([countTotal(database, filter), ids()])
      return { totalCount, ids: found }
    }
    // A page behind the end would skip all blogs.
    const totalCount = await countTotal(database, filter)
    return { totalCount, ids: slice.skip < totalCount ? await ids() : [] }
  }

  async function searchIdsInOrder(filter: Filter<BlogDocument>, terms: string[], slice: Slice) {
    const matches = { ...filter, ...hasTerms(terms, 'terms') }
    const [totalCount, ids] = await Promise.all([
      blogs.countDocuments(matches, { hint: 'by_term' }),
      sortIds(matches, slice, 'by_term')
    ])
    return { totalCount, ids }
  }

  /** Blogs with all terms in the title come first. */
  async function searchIds(filter: Filter<BlogDocument>, terms: string[], { order, skip, limit }: Slice) {
    const matchesTitle = hasTerms(terms, 'body.titleTerms')
    const matchesAnywhere = { ...filter, ...hasTerms(terms, 'terms') }
    const [totalCount, titleCount] = await Promise.all([
      blogs.countDocuments(matchesAnywhere, { hint: 'by_term' }),
      blogs.countDocuments({ ...filter, ...matchesTitle }, { hint: 'by_title_term' })
    ])
    const inTitle =
      skip < titleCount ? await sortIds({ ...filter, ...matchesTitle }, { order, skip, limit }, 'by_title_term') : []
    const inText = await sortIds(
      { ...matchesAnywhere, $nor: [matchesTitle] },
      { order, skip: Math.max(0, skip - titleCount), limit: limit - inTitle.length },
      'by_term'
    )
    return { totalCount, ids: [...inTitle, ...inText] }
  }

  /** The blogs with these ids that still match the filter, in the order of the ids. */
  async function readBlogs(ids: string[], filter: Filter<BlogDocument>, withBody: boolean): Promise<BlogMetadata[]> {
    if (ids.length === 0) return []
    const documents = await readInSlices(
      findByIds(blogs, ids, { conditions: filter, projection: withBody ? RECORD_FIELDS : METADATA_FIELDS })
    )
    const byId = new Map(
      documents.map((document) => [
        toBlogMetadata(document).id,
        withBody ? toBlogRecord(document) : toBlogMetadata(document)
      ])
    )
    return ids.map((id) => byId.get(id)).filter((blog) => blog !== undefined)
  }

  /** The first page. Nothing is skipped, so that documents are read at once. */
  async function readFirst(
    filter: BlogFilter,
    { order, limit, withBody }: { order: Order; limit: number; withBody: boolean }
  ) {
    const projection = withBody ? RECORD_FIELDS : METADATA_FIELDS
    const [totalCount, documents] = await Promise.all([
      countTotal(database, filter),
      readInSlices(blogs.find(toFilter(filter), { projection, sort: order, limit }))
    ])
    return { blogs: documents.map(withBody ? toBlogRecord : toBlogMetadata), totalCount }
  }

  return {
    list: (filter, { page, pageSize, withBody }) =>
      database.run(async () => {
        const conditions = toFilter(filter)
        const { terms = [], sort } = filter
        const order = sort === undefined ? NEWEST_FIRST : ORDERS[sort]
        const slice = { order, skip: (page - 1) * pageSize, limit: pageSize }
        const isSearch = terms.some((term) => term !== '')
        if (!isSearch && page === 1) return await readFirst(filter, { order, limit: pageSize, withBody })
        const search = sort === undefined ? searchIds : searchIdsInOrder
        const { totalCount, ids } = isSearch ? await search(conditions, terms, slice) : await listIds(filter, slice)
        return { blogs: await readBlogs(ids, conditions, withBody), totalCount }
      }),
    listAfter: (filter, { after, limit, withBody }) =>
      database.run(async () => {
        const conditions = toFilter(filter)
        const { terms = [], sort } = filter
        const following = and(
          conditions,
          followsIn(sort ?? '-publishedAt', after, { isNullable: filter.status !== 'published' })
        )
        const slice = { order: ORDERS[sort ?? '-publishedAt'], skip: 0, limit }
        const findIds = async (): Promise<string[]> => {
          if (terms.every((term) => term === '')) return await readIdsInOrder(following, slice)
          if (sort !== undefined) return await sortIds(and(following, hasTerms(terms, 'terms')), slice, 'by_term')
          const matchesTitle = hasTerms(terms, 'body.titleTerms')
          const inTitle =
            after.inTitle === true ? await sortIds(and(following, matchesTitle), slice, 'by_title_term') : []
          const others = after.inTitle === true ? conditions : following
          const inText = and(others, hasTerms(terms, 'terms'), { $nor: [matchesTitle] })
          return [...inTitle, ...(await sortIds(inText, { ...slice, limit: limit - inTitle.length }, 'by_term'))]
        }
        return await readBlogs(await findIds(), conditions, withBody)
      })
  }
}

/**
 * Matches blogs with all these terms. The last term matches as a prefix. Empty terms are ignored;
 * at least one must not be empty.
 */
function hasTerms(terms: string[], field: 'terms' | 'body.titleTerms'): Filter<BlogDocument> {
  const prefix = terms.at(-1) ?? ''
  const words = terms.slice(0, -1).filter((term) => term !== '')
  const conditions: object[] = []
  if (words.length > 0) conditions.push({ [field]: { $all: words } })
  if (prefix !== '') conditions.push({ [field]: anyBeginsWith(prefix) })
  return { $and: conditions }
}
