import type { Filter, Sort } from 'mongodb'
import { TITLED_BYTES, type ProductFilter, type ProductStore, type ProjectRef } from '../../port.ts'
import type { Database } from '../database.ts'
import { visibleTo } from '../documents.ts'
import { anyBeginsWith } from '../prefixes.ts'
import { readInSlices, readUpTo, REPLY_SIZE } from '../slices.ts'
import { readConsistent, readResolved } from './batches.ts'
import { NOT_HIDDEN, productCollection, titleHash, toProductRecord, type ProductDocument } from './documents.ts'
import { productTotalsOf } from './totals/read.ts'

/** Products that `findByTitles` returns per title. */
const MAX_PER_TITLE = 20
/** Enough to know that a product is not the only one. */
const MIN_PER_TITLE = 2
/** The leaders of so many groups are found by a command for each. */
const FEW_GROUPS = 4

/**
 * The index of products by account, project and externalId. Named where a read has an order or a limit, for which a
 * server may try several indexes: see `BY_ID`.
 */
const BY_EXTERNAL_ID = 'unique_external_id'

/** Reads products by id, externalId, claim or title. */
export function createProductReads(
  database: Database
): Pick<
  ProductStore,
  'find' | 'findByExternalIds' | 'existsInProject' | 'findClaimOwners' | 'findGroupLeaders' | 'findByTitles'
> {
  const products = productCollection(database)

  /** Products with one of these titles, in order of the titles' hashes, then of id. */
  const findTitled = async ({ accountId, projectId }: ProjectRef, titles: string[]) =>
    await readUpTo(
      products.find<TitledProduct>(
        { accountId, projectId, titleHash: { $in: titles.map(titleHash) }, title: { $in: titles } },
        {
          projection: { title: 1, titleHash: 1, sku: 1, attributes: 1, 'pending.batch': 1 },
          sort: { titleHash: 1, _id: 1 },
          limit: MAX_PER_TITLE * titles.length
        }
      ),
      TITLED_BYTES
    )

  /** Reads one product of each group, which may have all products of the project. */
  async function findEachLeader(place: ProjectRef, groups: string[]): Promise<ProductDocument[]> {
    const found = await Promise.all(
      groups.map((groupId) => products.findOne({ ...place, groupId }, { sort: { _id: 1 }, hint: 'by_group' }))
    )
    return found.filter((document) => document !== null)
  }

  /** Reads the index `by_group` only: in its order, so that a server may skip to the next group. */
  async function findLeaders(place: ProjectRef, groups: string[]): Promise<ProductDocument[]> {
    const leaders = await products
      .aggregate<{ leader: string }>(
        [
          { $match: { ...place, groupId: { $in: groups } } },
          { $sort: { groupId: 1, _id: 1 } },
          { $group: { _id: '$groupId', leader: { $first: '$_id' } } }
        ],
        { batchSize: REPLY_SIZE }
      )
      .toArray()
    return await readInSlices(products.find({ _id: { $in: leaders.map(({ leader }) => leader) } }))
  }

  /**
   * The first products of each title. When titles that many products have fill the reply, the
   * titles behind them, by hash, are read again: few commands, however many titles there are.
   */
  async function findByTitles(place: ProjectRef, titles: string[]): Promise<TitledProduct[]> {
    const found: TitledProduct[] = []
    let maxPerTitle = MAX_PER_TITLE
    for (let remaining = titles; remaining.length > 0; ) {
      const { documents: reply, isCut } = await findTitled(place, remaining)
      const byTitle = Map.groupBy(reply, ({ title }) => title)
      const isWhole = !isCut && reply.length < MAX_PER_TITLE * remaining.length
      const lastHash = isWhole ? Infinity : reply.at(-1)!.titleHash
      // A reply with a single title is not read again, however few products fill it.
      const enough = isCut ? Math.min(MIN_PER_TITLE, reply.length) : MAX_PER_TITLE
      const isComplete = (title: string): boolean =>
        titleHash(title) < lastHash || (byTitle.get(title)?.length ?? 0) >= enough
      for (const title of remaining.filter(isComplete)) {
        found.push(...(byTitle.get(title) ?? []).slice(0, maxPerTitle))
      }
      remaining = remaining.filter((title) => !isComplete(title))
      if (isCut) maxPerTitle = MIN_PER_TITLE
    }
    return found
  }

  return {
    find: (accountId, id) =>
      database.run(async () => {
        const [found] = await readResolved(database, async () =>
          [await products.findOne({ _id: id, accountId })].filter((document) => document !== null)
        )
        return found === undefined ? null : toProductRecord(found)
      }),
    findByExternalIds: ({ accountId, projectId }, externalIds) =>
      database.run(async () => {
        const found = await readResolved(database, () =>
          readInSlices(products.find({ accountId, projectId, externalId: { $in: externalIds } }))
        )
        return found.map(toProductRecord)
      }),
    existsInProject: ({ accountId, projectId }) =>
      database.run(() =>
        readConsistent(database, accountId, async (condition) => {
          const found = await products.findOne(
            { accountId, projectId, ...condition },
            { projection: { _id: 1 }, hint: BY_EXTERNAL_ID }
          )
          return found !== null
        })
      ),
    findClaimOwners: ({ accountId, projectId }, claims) =>
      database.run(async () => {
        const requested = new Set(claims)
        const projection = {
          claims: 1,
          groupId: 1,
          hidden: 1,
          'pending.batch': 1,
          'pending.previousClaims': 1
        } as const
        const found = await readResolved(database, () =>
          products
            .find({ accountId, projectId, claims: { $in: [...requested] } }, { projection, batchSize: REPLY_SIZE })
            .toArray()
        )
        return found.flatMap((document) =>
          [...new Set(document.pending?.previousClaims ?? document.claims ?? [])]
            .filter((claim) => requested.has(claim))
            .map((claim) => ({ claim, productId: document._id, groupId: document.groupId }))
        )
      }),
    findGroupLeaders: ({ accountId, projectId }, groupIds) =>
      database.run(async () => {
        if (groupIds.length === 0) return []
        const groups = [...new Set(groupIds)]
        const place = { accountId, projectId }
        const found = await readResolved(database, () =>
          groups.length <= FEW_GROUPS ? findEachLeader(place, groups) : findLeaders(place, groups)
        )
        return found.map(toProductRecord)
      }),
    findByTitles: (place, titles) =>
      database.run(async () => {
        const found = await readResolved(database, () => findByTitles(place, [...new Set(titles)]))
        return found.map(({ _id, title, sku, attributes }) => ({
          id: _id,
          title,
          sku,
          attributes: Object.fromEntries(attributes)
        }))
      })
  }
}

type TitledProduct = Pick<ProductDocument, '_id' | 'title' | 'titleHash' | 'sku' | 'attributes' | 'hidden'> & {
  pending?: { batch: string }
}
type ProductKey = Pick<ProductDocument, 'projectId' | 'externalId'>

/** Lists products page by page. */
export function createProductLists(database: Database): Pick<ProductStore, 'list' | 'listAfter' | 'listGroup'> {
  return {
    listGroup: ({ accountId, projectId }, groupId, { afterId, limit }) =>
      database.run(async () => {
        const following = afterId === null ? {} : { _id: { $gt: afterId } }
        const documents = await readConsistent(database, accountId, (condition) =>
          readInSlices(
            productCollection(database).find(
              { accountId, projectId, groupId, ...following, ...condition, ...NOT_HIDDEN },
              {
                sort: { _id: 1 },
                limit,
                hint: 'by_group',
                projection: { externalId: 1, seo: 1, optimizePendingSince: 1 }
              }
            )
          )
        )
        return documents.map(({ _id: id, externalId, seo, optimizePendingSince = null }) => ({
          id,
          externalId,
          seo,
          optimizePendingSince
        }))
      }),
    listAfter: ({ accountId, projectId }, { after, limit }) =>
      database.run(async () => {
        const following = after === null ? {} : { externalId: { $gt: after } }
        const documents = await readConsistent(database, accountId, (condition) =>
          readInSlices(
            productCollection(database).find(
              { accountId, projectId, ...following, ...condition, ...NOT_HIDDEN },
              { sort: { externalId: 1 }, limit, hint: BY_EXTERNAL_ID }
            )
          )
        )
        return documents.map(toProductRecord)
      }),
    list: (filter, { page, pageSize }) =>
      database.run(async () => {
        const conditions = toFilter(filter)
        return await readConsistent(database, filter.accountId, async (condition) => {
          const matching = { ...conditions, ...condition }
          const slice = { skip: (page - 1) * pageSize, limit: pageSize }
          const [totalCount, keys] = await readTotalAndKeys(
            slice,
            () => countTotal(database, filter, matching),
            () => readKeys(database, matching, slice)
          )
          return { products: await readProducts(database, filter, keys), totalCount }
        })
      })
  }
}

/** Up to here, a page is read while its total is. */
const MAX_SKIP = 1_000

async function readTotalAndKeys(
  { skip, limit }: { skip: number; limit: number },
  readTotal: () => Promise<number>,
  readPage: () => Promise<ProductKey[]>
): Promise<[number, ProductKey[]]> {
  if (limit > 0 && skip <= MAX_SKIP) return await Promise.all([readTotal(), readPage()])
  const totalCount = await readTotal()
  // A page behind the end would skip all products.
  return [totalCount, limit > 0 && skip < totalCount ? await readPage() : []]
}

/** The indexes of counts, by a field of the filter. The first one is used: its values have the fewest products. */
const COUNT_INDEXES = {
  externalId: 'list',
  sku: 'list_by_sku',
  'seo.handle.value': 'list_by_handle',
  groupId: 'list_by_group',
  terms: 'list_by_term',
  category: 'list_by_category',
  updatedAt: 'list_by_update',
  quality: 'list_by_quality',
  status: 'list_by_status'
} as const

/** A count has no order, so that nearly all indexes of products are candidates: see `countIn` of blogs. */
function countIndexOf(filter: Filter<ProductDocument>): string {
  const [, index] = Object.entries(COUNT_INDEXES).find(([field]) => field in filter) ?? []
  return index ?? (filter.projectId === undefined ? 'list' : BY_EXTERNAL_ID)
}

/** The number of all products of a list: stored, or counted by the server. */
async function countTotal(database: Database, filter: ProductFilter, matching: Filter<ProductDocument>) {
  const stored = await productTotalsOf(database).count(filter)
  return stored ?? (await productCollection(database).countDocuments(matching, { hint: countIndexOf(matching) }))
}

/** Reads only keys, from an index alone, so that deep pages are cheap to skip to. */
async function readKeys(
  database: Database,
  filter: Filter<ProductDocument>,
  slice: { skip: number; limit: number }
): Promise<ProductKey[]> {
  const sort: Sort = typeof filter.projectId === 'string' ? { externalId: 1 } : { externalId: 1, projectId: 1 }
  return await productCollection(database)
    .find<ProductKey>(filter, { projection: { _id: 0, externalId: 1, projectId: 1 }, sort, ...slice })
    .toArray()
}

/**
 * The products with these keys, in this order. By the fields of their unique index alone: with a condition on
 * `hidden`, or with the projects and the ids of all of them side by side, servers read more than these products.
 */
async function readProducts(database: Database, { accountId }: ProductFilter, keys: ProductKey[]) {
  if (keys.length === 0) return []
  const ofProjects = [...Map.groupBy(keys, ({ projectId }) => projectId)].map(([projectId, own]) => ({
    accountId,
    projectId,
    externalId: { $in: own.map(({ externalId }) => externalId) }
  }))
  const documents = await readInSlices(
    productCollection(database).find(ofProjects.length === 1 ? ofProjects[0]! : { $or: ofProjects })
  )
  const byKey = new Map(documents.map((document) => [toMapKey(document), document]))
  return keys.flatMap((key) => {
    const document = byKey.get(toMapKey(key))
    return document === undefined || document.hidden === true ? [] : [toProductRecord(document)]
  })
}

const toMapKey = ({ projectId, externalId }: ProductKey): string => JSON.stringify([projectId, externalId])

/** Narrows each field to a single range of its index. */
function toFilter({
  terms = [],
  category,
  updatedSince,
  status,
  sku,
  externalId,
  groupId,
  handle,
  quality,
  ...reader
}: ProductFilter): Filter<ProductDocument> {
  return {
    ...visibleTo(reader),
    ...(status === undefined ? {} : { status }),
    ...(sku === undefined ? {} : { sku }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(groupId === undefined ? {} : { groupId }),
    ...(handle === undefined ? {} : { 'seo.handle.value': handle }),
    ...(quality === undefined ? {} : { quality }),
    ...(updatedSince === undefined ? {} : { updatedAt: { $gte: updatedSince } }),
    ...(category === undefined ? {} : inCategory(category)),
    ...hasTerms(terms)
  }
}

/**
 * The category and its subcategories (`Coffee > Beans`). `!` is the character after the space, so
 * that the range holds hardly anything else.
 */
function inCategory(category: string): Filter<ProductDocument> {
  return {
    category: { $gte: category, $lt: `${category} >!` },
    $or: [{ category }, { category: { $gte: `${category} > ` } }]
  }
}

/** All these terms. The last one matches as a prefix. Empty terms are ignored. */
function hasTerms(terms: string[]): Filter<ProductDocument> {
  const last = terms.at(-1) ?? ''
  const words = terms.slice(0, -1).filter((term) => term !== '')
  const prefix = last === '' ? null : anyBeginsWith(last)
  if (words.length === 0) return prefix === null ? {} : ({ terms: prefix } as Filter<ProductDocument>)
  return {
    terms: { $all: words },
    ...(prefix === null ? {} : { $and: [{ terms: prefix }] })
  } as Filter<ProductDocument>
}
