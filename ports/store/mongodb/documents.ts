import type {
  AggregateOptions,
  AggregationCursor,
  Collection,
  Document,
  Filter,
  OptionalUnlessRequiredId,
  Sort
} from 'mongodb'
import { isDuplicateKey } from '../../../lib/mongodb.ts'
import type { ReadScope, RecordRef, SweepCursor, SweepPage } from '../port.ts'
import type { Database } from './database.ts'
import { REPLY_SIZE } from './slices.ts'

/** Entries that `distinctValues` reads from the index at a time. */
const PAGE_SIZE = 100

/** Leaves out the `_id`, which is derived from the record's key. */
export const WITHOUT_ID = { _id: 0 } as const

/**
 * For writes by several ids with more conditions. Without it, the server tries the indexes of the other conditions
 * as well, each of which may have all records of an account. For reads, see `findByIds`.
 */
export const BY_ID = { hint: '_id_' } as const

/**
 * Finds the records with these ids, in no order, of which there must be at least one. The conditions are checked in
 * what was found: because of the `$limit`, they are not part of the query that an index is chosen for, and only the one
 * of ids is left. A hint does the same in MongoDB, but other servers read the whole collection for it.
 */
export const findByIds = <Stored extends { _id: string }>(
  collection: Collection<Stored>,
  ids: readonly string[],
  { conditions, projection, ...options }: AggregateOptions & { conditions: Filter<Stored>; projection: Document }
): AggregationCursor<Stored> =>
  collection.aggregate<Stored>(
    [{ $match: { _id: { $in: ids } } }, { $limit: ids.length }, { $match: conditions }, { $project: projection }],
    options
  )

/** The `_id` of a record whose key has several parts. The parts may contain any characters. */
export const compoundId = (...parts: string[]): string => JSON.stringify(parts)

/** The fields of a change to write. An undefined field stays as it is stored. */
export function changedFields<T extends object>(change: Partial<T>): Partial<T> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<T>
}

/**
 * Inserts the record unless one has this `_id`. Returns the stored record and whether it is new.
 */
export async function insertIfAbsent<Item extends object>(
  collection: Collection<Item & { _id: string }>,
  _id: string,
  record: Item
): Promise<{ record: Item; added: boolean }> {
  const find = async () =>
    await collection.findOne<Item>({ _id } as Filter<Item & { _id: string }>, { projection: WITHOUT_ID })
  for (;;) {
    const found = await find()
    if (found !== null) return { record: found, added: false }
    if (await tryInsert(collection, { _id, ...record })) return { record: structuredClone(record), added: true }
  }
}

/** False when a unique index rejects the document. */
async function tryInsert<Stored extends Document>(collection: Collection<Stored>, document: Stored): Promise<boolean> {
  try {
    await collection.insertOne(document as OptionalUnlessRequiredId<Stored>)
    return true
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}

/**
 * The filter for what a reader may see: its account, and the projects of its key. With `projectId`,
 * only that project.
 */
export function visibleTo({ accountId, projectIds, projectId }: ReadScope & { projectId?: string | undefined }): {
  accountId: string
  projectId?: string | { $in: string[] }
} {
  if (projectIds === null) return { accountId, ...(projectId === undefined ? {} : { projectId }) }
  const visible = projectIds.filter((id) => projectId === undefined || id === projectId)
  // For a single project, the usual case, an equality lets an index return its entries in order.
  return { accountId, projectId: visible.length === 1 ? (visible[0] as string) : { $in: visible } }
}

/** The page of a sweep that was read with its `limit`. `keyOf`: the text that `after` of the next page is. */
export function toSweepPage<Found, Item>(
  found: Found[],
  limit: number,
  { keyOf, toItem }: { keyOf: (found: Found) => string; toItem: (found: Found) => Item }
): SweepPage<Item> {
  const last = found.length < limit ? undefined : found.at(-1)
  return { items: found.map(toItem), next: last === undefined ? null : keyOf(last) }
}

/** A page of records of all accounts, in order of a field with a timestamp, then of id. */
export async function readOldestFirst<Stored extends { _id: string; accountId: string }>(
  collection: Collection<Stored>,
  { filter, field, hint }: { filter: object; field: string; hint?: string },
  { after, limit }: SweepCursor
): Promise<SweepPage<RecordRef>> {
  const [at, id] = after === null ? [] : (JSON.parse(after) as [string, string])
  const isLater = { $or: [{ [field]: { $gt: at } }, { _id: { $gt: id } }] }
  const found = await collection
    .find((after === null ? filter : { $and: [filter, { [field]: { $gte: at } }, isLater] }) as Filter<Stored>, {
      projection: { accountId: 1, [field]: 1 },
      sort: { [field]: 1, _id: 1 } as Sort,
      limit,
      batchSize: REPLY_SIZE,
      ...(hint === undefined ? {} : { hint })
    })
    .toArray()
  return toSweepPage(found as unknown as Record<string, string>[], limit, {
    keyOf: (record) => JSON.stringify([record[field], record._id]),
    toItem: ({ accountId, _id }) => ({ accountId: accountId!, id: _id! })
  })
}

export interface DistinctQuery<Field extends string> {
  collection: string
  /** A string field. */
  field: Field
  filter: object
  /** The name of an index that covers the filter and is ordered by the field. */
  index: string
  /** Only greater values. Null: all. */
  after: string | null
  limit: number
}

/**
 * The distinct values of the field in ascending order, at most `limit`. Reads few documents per
 * value, however many documents share that value.
 */
export async function distinctValues<Field extends string>(
  database: Database,
  { collection, field, filter, index, after, limit }: DistinctQuery<Field>
): Promise<SweepPage<string>> {
  const values: string[] = []
  for (let last = after; values.length < limit; ) {
    const isLater: Filter<object> = last === null ? filter : { ...filter, [field]: { $gt: last } }
    const page = await database
      .collection<Record<Field, string>>(collection)
      .find(isLater as object, {
        projection: { _id: 0, [field]: 1 },
        sort: { [field]: 1 } as Sort,
        limit: PAGE_SIZE,
        hint: index
      })
      .toArray()
    values.push(...new Set(page.map((document) => document[field as keyof typeof document] as string)))
    if (page.length < PAGE_SIZE) break
    last = values.at(-1)!
  }
  return toSweepPage(values.slice(0, limit), limit, { keyOf: (value) => value, toItem: (value) => value })
}
