import type { Filter } from 'mongodb'
import { foldLabel } from '../../../../lib/labels.ts'
import type { BlogSort } from '../../../../schemas/blog.ts'
import type { BlogFilter, BlogMetadata, BlogStore } from '../../port.ts'
import type { Database } from '../database.ts'
import { visibleTo } from '../documents.ts'
import { readInSlices } from '../slices.ts'
import {
  blogCollection,
  METADATA_FIELDS,
  RECORD_FIELDS,
  toBlogMetadata,
  toBlogRecord,
  type BlogDocument
} from './documents.ts'

interface Slice {
  order: Order
  skip: number
  limit: number
}

type Order = Record<string, 1 | -1>

/** MongoDB sorts null before all other values. */
const ORDERS: Readonly<Record<BlogSort, Order>> = {
  '-publishedAt': { 'metadata.publishedAt': -1, _id: -1 },
  publishedAt: { 'metadata.publishedAt': 1, _id: 1 },
  '-updatedAt': { 'metadata.updatedAt': -1, _id: -1 },
  updatedAt: { 'metadata.updatedAt': 1, _id: 1 },
  title: { 'keys.title': 1, _id: 1 },
  '-title': { 'keys.title': -1, _id: -1 },
  publishAt: { 'metadata.publishAt': 1, _id: 1 }
}
const NEWEST_FIRST = ORDERS['-publishedAt']

/** The greatest code point, which never occurs in a term. */
const MAX_CHARACTER = '\u{10FFFF}'

/** Lists blogs page by page. */
export function createBlogLists(database: Database): Pick<BlogStore, 'list'> {
  const blogs = blogCollection(database)

  /** Reads only ids, from an index alone, so that deep pages are cheap to skip to. */
  async function readIdsInOrder(filter: Filter<BlogDocument>, { order, skip, limit }: Slice): Promise<string[]> {
    if (limit <= 0) return []
    const found = await blogs.find(filter, { projection: { _id: 1 }, sort: order, skip, limit }).toArray()
    return found.map(({ _id }) => _id)
  }

  /**
   * No index orders search results, so that they are reduced to small documents before the sort.
   */
  async function sortIds(filter: Filter<BlogDocument>, { order, skip, limit }: Slice): Promise<string[]> {
    if (limit <= 0) return []
    const found = await blogs
      .aggregate<{ _id: string }>([
        { $match: filter },
        { $project: Object.fromEntries(Object.keys(order).map((field) => [field, 1])) },
        { $sort: order },
        { $skip: skip },
        { $limit: limit }
      ])
      .toArray()
    return found.map(({ _id }) => _id)
  }

  async function listIds(filter: Filter<BlogDocument>, slice: Slice) {
    const [totalCount, ids] = await Promise.all([blogs.countDocuments(filter), readIdsInOrder(filter, slice)])
    return { totalCount, ids }
  }

  async function searchIdsInOrder(filter: Filter<BlogDocument>, terms: string[], slice: Slice) {
    const matches = { ...filter, ...hasTerms(terms, 'terms') }
    const [totalCount, ids] = await Promise.all([blogs.countDocuments(matches), sortIds(matches, slice)])
    return { totalCount, ids }
  }

  /** Blogs with all terms in the title come first. */
  async function searchIds(filter: Filter<BlogDocument>, terms: string[], { order, skip, limit }: Slice) {
    const matchesTitle = hasTerms(terms, 'body.titleTerms')
    const matchesAnywhere = { ...filter, ...hasTerms(terms, 'terms') }
    const [totalCount, titleCount] = await Promise.all([
      blogs.countDocuments(matchesAnywhere),
      blogs.countDocuments({ ...filter, ...matchesTitle })
    ])
    const inTitle = skip < titleCount ? await sortIds({ ...filter, ...matchesTitle }, { order, skip, limit }) : []
    const inText = await sortIds(
      { ...matchesAnywhere, $nor: [matchesTitle] },
      { order, skip: Math.max(0, skip - titleCount), limit: limit - inTitle.length }
    )
    return { totalCount, ids: [...inTitle, ...inText] }
  }

  /** The blogs with these ids that still match the filter, in the order of the ids. */
  async function readBlogs(ids: string[], filter: Filter<BlogDocument>, withBody: boolean): Promise<BlogMetadata[]> {
    if (ids.length === 0) return []
    const documents = await readInSlices(
      blogs.find({ ...filter, _id: { $in: ids } }, { projection: withBody ? RECORD_FIELDS : METADATA_FIELDS })
    )
    const byId = new Map(
      documents.map((document) => [
        toBlogMetadata(document).id,
        withBody ? toBlogRecord(document) : toBlogMetadata(document)
      ])
    )
    return ids.map((id) => byId.get(id)).filter((blog) => blog !== undefined)
  }

  return {
    list: (filter, { page, pageSize, withBody }) =>
      database.run(async () => {
        const conditions = toFilter(filter)
        const { terms = [], sort } = filter
        const order = sort === undefined ? NEWEST_FIRST : ORDERS[sort]
        const slice = { order, skip: (page - 1) * pageSize, limit: pageSize }
        const search = sort === undefined ? searchIds : searchIdsInOrder
        const { totalCount, ids } = terms.some((term) => term !== '')
          ? await search(conditions, terms, slice)
          : await listIds(conditions, slice)
        return { blogs: await readBlogs(ids, conditions, withBody), totalCount }
      })
  }
}

function toFilter(filter: BlogFilter): Filter<BlogDocument> {
  const { status, category, locale, language, author, tag, publishedAfter, publishedBefore, updatedSince } = filter
  return {
    ...visibleTo(filter),
    ...(status === 'any' ? { deleted: false } : { 'metadata.status': status }),
    ...(category === undefined ? {} : { 'keys.category': foldLabel(category) }),
    ...(locale === undefined ? {} : { 'keys.locale': locale.toLowerCase() }),
    ...(language === undefined ? {} : { 'keys.language': language }),
    ...(author === undefined ? {} : { 'keys.authors': foldLabel(author) }),
    ...(tag === undefined ? {} : { 'keys.tags': foldLabel(tag) }),
    ...(publishedAfter === undefined && publishedBefore === undefined
      ? {}
      : {
          'metadata.publishedAt': {
            ...(publishedAfter === undefined ? {} : { $gt: publishedAfter }),
            ...(publishedBefore === undefined ? {} : { $lt: publishedBefore })
          }
        }),
    ...(updatedSince === undefined ? {} : { 'metadata.updatedAt': { $gte: updatedSince } })
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
  if (prefix !== '') conditions.push({ [field]: { $elemMatch: { $gte: prefix, $lt: prefix + MAX_CHARACTER } } })
  return { $and: conditions }
}
