import type { Filter } from 'mongodb'
import type { BlogFilter, BlogMetadata, BlogStore } from '../port.ts'
import { blogOf, blogsOf, HEAD, headOf, WHOLE, type BlogDocument } from './blogs-documents.ts'
import { havingWords } from './blogs-words.ts'
import type { Database } from './database.ts'
import { seenBy } from './seen-by.ts'

interface Part {
  skip: number
  limit: number
}

/** MongoDB takes null for the least of all, so that it comes last. */
const NEWEST_FIRST = { 'head.publishedAt': -1, _id: -1 } as const

function conditionOf(filter: BlogFilter): Filter<BlogDocument> {
  const { status, category, locale, author, tag, publishedAfter, publishedBefore, updatedSince } = filter
  return {
    ...seenBy(filter),
    ...(status === 'any' ? { deleted: false } : { 'head.status': status }),
    ...(category === undefined ? {} : { 'head.category': category }),
    ...(locale === undefined ? {} : { 'head.locale': locale }),
    ...(author === undefined ? {} : { 'head.author.name': author }),
    ...(tag === undefined ? {} : { 'head.tags': tag }),
    ...(publishedAfter === undefined && publishedBefore === undefined
      ? {}
      : {
          'head.publishedAt': {
            ...(publishedAfter === undefined ? {} : { $gt: publishedAfter }),
            ...(publishedBefore === undefined ? {} : { $lt: publishedBefore })
          }
        }),
    ...(updatedSince === undefined ? {} : { 'head.updatedAt': { $gte: updatedSince } })
  }
}

/** Lists blogs page by page. */
export function createBlogLists(database: Database): Pick<BlogStore, 'list'> {
  const blogs = blogsOf(database)
  /**
   * Only the ids are read in order, from an index alone, so that what a deep page skips costs
   * little.
   */
  const idsInOrder = async (condition: Filter<BlogDocument>, { skip, limit }: Part) =>
    limit <= 0
      ? []
      : (await blogs.find(condition, { projection: { _id: 1 }, sort: NEWEST_FIRST, skip, limit }).toArray()).map(
          ({ _id }) => _id
        )
  /** No index has what is found by words in order: it is made small before it is sorted. */
  const idsSorted = async (condition: Filter<BlogDocument>, { skip, limit }: Part) =>
    limit <= 0
      ? []
      : (
          await blogs
            .aggregate<{ _id: string }>([
              { $match: condition },
              { $project: { 'head.publishedAt': 1 } },
              { $sort: NEWEST_FIRST },
              { $skip: skip },
              { $limit: limit }
            ])
            .toArray()
        ).map(({ _id }) => _id)

  async function listed(condition: Filter<BlogDocument>, part: Part) {
    const [totalCount, ids] = await Promise.all([blogs.countDocuments(condition), idsInOrder(condition, part)])
    return { totalCount, ids }
  }

  async function found(condition: Filter<BlogDocument>, terms: string[], { skip, limit }: Part) {
    const inTitle = havingWords(terms, 'body.titleTerms')
    const anywhere = { ...condition, ...havingWords(terms, 'words') }
    const [totalCount, titled] = await Promise.all([
      blogs.countDocuments(anywhere),
      blogs.countDocuments({ ...condition, ...inTitle })
    ])
    const first = skip < titled ? await idsSorted({ ...condition, ...inTitle }, { skip, limit }) : []
    const others = await idsSorted(
      { ...anywhere, $nor: [inTitle] },
      { skip: Math.max(0, skip - titled), limit: limit - first.length }
    )
    return { totalCount, ids: [...first, ...others] }
  }

  /** Those of the ids that still meet the condition, in this order. */
  async function read(ids: string[], condition: Filter<BlogDocument>, withBody: boolean): Promise<BlogMetadata[]> {
    if (ids.length === 0) return []
    const documents = await blogs
      .find({ ...condition, _id: { $in: ids } }, { projection: withBody ? WHOLE : HEAD })
      .toArray()
    const byId = new Map(
      documents.map((document) => [headOf(document).id, withBody ? blogOf(document) : headOf(document)])
    )
    return ids.map((id) => byId.get(id)).filter((blog) => blog !== undefined)
  }

  return {
    list: (filter, { page, pageSize, withBody }) =>
      database.act(async () => {
        const condition = conditionOf(filter)
        const part = { skip: (page - 1) * pageSize, limit: pageSize }
        const { terms = [] } = filter
        // Where all terms are empty, nothing is searched for.
        const { totalCount, ids } = terms.some((term) => term !== '')
          ? await found(condition, terms, part)
          : await listed(condition, part)
        return { blogs: await read(ids, condition, withBody), totalCount }
      })
  }
}
