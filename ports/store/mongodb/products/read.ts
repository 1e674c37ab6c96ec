import type { Filter, Sort } from 'mongodb'
import type { ProductFilter, ProductStore, ProjectRef } from '../../port.ts'
import type { Database } from '../database.ts'
import { visibleTo } from '../documents.ts'
import { readInSlices } from '../slices.ts'
import { readConsistent, readResolved } from './batches.ts'
import { NOT_HIDDEN, productCollection, titleHash, toProductRecord, type ProductDocument } from './documents.ts'

/** Products that `findByTitles` returns per title. */
const MAX_PER_TITLE = 20

const MAX_CODE_POINT = 0x10ffff
const SURROGATES = { first: 0xd800, last: 0xdfff }

/** Reads products by id, externalId, claim or title. */
export function createProductReads(
  database: Database
): Pick<
  ProductStore,
  'find' | 'findByExternalIds' | 'existsInProject' | 'findClaimOwners' | 'findGroupLeaders' | 'findByTitles'
> {
  const products = productCollection(database)

  const findTitled = async ({ accountId, projectId }: ProjectRef, titles: string[], limit: number) =>
    await products
      .find<Pick<ProductDocument, '_id' | 'title' | 'sku' | 'attributes'>>(
        { accountId, projectId, titleHash: { $in: titles.map(titleHash) }, title: { $in: titles } },
        { projection: { title: 1, sku: 1, attributes: 1 }, sort: { titleHash: 1, _id: 1 }, limit }
      )
      .toArray()

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
          const found = await products.findOne({ accountId, projectId, ...condition }, { projection: { _id: 1 } })
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
          products.find({ accountId, projectId, claims: { $in: [...requested] } }, { projection }).toArray()
        )
        return found.flatMap((document) =>
          [...new Set(document.pending?.previousClaims ?? document.claims ?? [])]
            .filter((claim) => requested.has(claim))
            .map((claim) => ({ claim, productId: document._id, groupId: document.groupId }))
        )
      }),
    findGroupLeaders: ({ accountId, projectId }, groupIds) =>
      database.run(async () => {
        const found = await readResolved(database, async () =>
          (
            await Promise.all(
              [...new Set(groupIds)].map((groupId) =>
                products
                  .find({ accountId, projectId, groupId, ...NOT_HIDDEN })
                  .sort({ _id: 1 })
                  .limit(1)
                  .toArray()
              )
            )
          ).flat()
        )
        return found.map(toProductRecord)
      }),
    findByTitles: (place, titles) =>
      database.run(() =>
        readConsistent(database, place.accountId, async () => {
          const requested = [...new Set(titles)]
          if (requested.length === 0) return []
          const limit = MAX_PER_TITLE * requested.length
          const sample = await findTitled(place, requested, limit)
          // When the limit cuts off results, query each title separately.
          const found =
            sample.length < limit
              ? sample
              : (await Promise.all(requested.map((title) => findTitled(place, [title], MAX_PER_TITLE)))).flat()
          return [...Map.groupBy(found, ({ title }) => title).values()]
            .flatMap((same) => same.slice(0, MAX_PER_TITLE))
            .map(({ _id, title, sku, attributes }) => ({
              id: _id,
              title,
              sku,
              attributes: Object.fromEntries(attributes)
            }))
        })
      )
  }
}

type ProductKey = Pick<ProductDocument, 'projectId' | 'externalId'>

/** Lists products page by page. */
export function createProductLists(database: Database): Pick<ProductStore, 'list'> {
  return {
    list: (filter, { page, pageSize }) =>
      database.run(async () => {
        const conditions = toFilter(filter)
        return await readConsistent(database, filter.accountId, async (condition) => {
          const matching = { ...conditions, ...condition }
          const [totalCount, keys] = await Promise.all([
            productCollection(database).countDocuments(matching),
            readKeys(database, matching, { skip: (page - 1) * pageSize, limit: pageSize })
          ])
          return { products: await readProducts(database, filter, keys), totalCount }
        })
      })
  }
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

async function readProducts(database: Database, { accountId }: ProductFilter, keys: ProductKey[]) {
  if (keys.length === 0) return []
  const anyOf = (name: keyof ProductKey) => ({ $in: [...new Set(keys.map((key) => key[name]))] })
  const documents = await readInSlices(
    productCollection(database).find({
      accountId,
      projectId: anyOf('projectId'),
      externalId: anyOf('externalId'),
      ...NOT_HIDDEN
    })
  )
  const byKey = new Map(documents.map((document) => [toMapKey(document), document]))
  return keys.flatMap((key) => {
    const document = byKey.get(toMapKey(key))
    return document === undefined ? [] : [toProductRecord(document)]
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
  if (words.length === 0 && last === '') return {}
  return {
    terms: {
      ...(words.length === 0 ? {} : { $all: words }),
      ...(last === '' ? {} : { $elemMatch: prefixRange(last) })
    }
  }
}

/** The range of strings with this prefix, by code point. */
function prefixRange(prefix: string): { $gte: string; $lt?: string } {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number)
  while (points.at(-1) === MAX_CODE_POINT) points.pop()
  const last = points.pop()
  if (last === undefined) return { $gte: prefix }
  const next = last + 1 === SURROGATES.first ? SURROGATES.last + 1 : last + 1
  return { $gte: prefix, $lt: String.fromCodePoint(...points, next) }
}
