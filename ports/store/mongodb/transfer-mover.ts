import type { Collection, Document, Filter, FindOptions, OptionalUnlessRequiredId } from 'mongodb'
import type { TransferKind, TransferRecord } from '../port.ts'
import { duplicatesOf } from './driver-errors.ts'

/** The values by which documents are told in order, of the last one of a page. */
export type Position = (string | number)[]
/**
 * What became of a record: something else was in its place after all, or what it belongs to is not
 * there.
 */
export type Inserted = 'added' | 'conflict' | 'orphan'

/** How records of one kind are read and written, many at once. */
export interface Mover<Moved> {
  /** What names a record, for people. */
  name: (record: Moved) => Position
  /** `at` is the position of the last document that was read, null when there are none after it. */
  page: (after: Position | null, limit: number) => Promise<{ records: Moved[]; at: Position | null }>
  /** For each record what is in its place: has its id, or another value that only one may have. */
  near: (records: Moved[]) => Promise<Moved[][]>
  insert: (records: Moved[]) => Promise<Inserted[]>
}

export type Movers = { [Kind in TransferKind]: Mover<TransferRecord<Kind>> }

export interface Reading<Stored extends Document> {
  collection: Collection<Stored>
  /** Only documents that these values are told of. */
  filter?: Filter<Stored>
  /** The fields of their order, one or two; an index has them. */
  order: [string] | [string, string]
  hint?: string
  /** What is read of a document; left out: all. */
  projection?: Document
}

/** Documents in their order, those after the position, and the position of the last one. */
export async function documentsAfter<Stored extends Document>(
  { collection, filter = {}, order, hint, projection }: Reading<Stored>,
  after: Position | null,
  limit: number
): Promise<{ found: Stored[]; at: Position | null }> {
  const options: FindOptions = {
    sort: Object.fromEntries(order.map((field) => [field, 1])),
    ...(hint === undefined ? {} : { hint }),
    ...(projection === undefined ? {} : { projection })
  }
  const read = async (past: object, most: number) =>
    most <= 0
      ? []
      : await collection.find<Stored>({ ...filter, ...past } as Filter<Stored>, { ...options, limit: most }).toArray()
  const [first, second] = order
  const within =
    after === null || second === undefined ? [] : await read({ [first]: after[0], [second]: { $gt: after[1] } }, limit)
  const found = [
    ...within,
    ...(await read(after === null ? {} : { [first]: { $gt: after[0] } }, limit - within.length))
  ]
  const last = found.at(-1)
  return {
    found,
    at: last === undefined || found.length < limit ? null : order.map((field) => last[field] as string | number)
  }
}

/** All documents that one of these questions finds, each once. */
export async function anyOf<Stored extends Document>(
  collection: Collection<Stored>,
  filters: Filter<Stored>[],
  projection: Document = {}
): Promise<Stored[]> {
  const found = new Map<unknown, Stored>()
  for (const filter of filters) {
    for (const document of await collection.find<Stored>(filter, { projection }).toArray()) {
      found.set(document._id, document)
    }
  }
  return [...found.values()]
}

/** Inserts each document by itself: 'conflict' where one of its unique values is there. */
export async function insertEach<Stored extends Document>(
  collection: Collection<Stored>,
  documents: Stored[]
): Promise<Inserted[]> {
  if (documents.length === 0) return []
  try {
    await collection.insertMany(documents as OptionalUnlessRequiredId<Stored>[], { ordered: false })
    return documents.map(() => 'added')
  } catch (error) {
    const refused = new Set(duplicatesOf(error))
    return documents.map((_, at) => (refused.has(at) ? 'conflict' : 'added'))
  }
}

/** Inserts those that belong to something that is there; `belongs` tells of each. */
export async function insertOwned<Moved>(
  records: Moved[],
  belongs: (record: Moved) => boolean,
  insert: (records: Moved[]) => Promise<Inserted[]>
): Promise<Inserted[]> {
  const outcomes = await insert(records.filter(belongs))
  return records.map((record) => (belongs(record) ? outcomes.shift()! : 'orphan'))
}

interface DocumentTable<Moved, Stored extends Document> extends Reading<Stored> {
  name: (record: Moved) => Position
  documentOf: (record: Moved) => Stored
  recordOf: (document: Stored) => Moved
  /** Questions for what is in the place of these records; left out: their `_id`s. */
  places?: (records: Moved[]) => Filter<Stored>[]
  /** Whether the found one is in the place of the record; left out: their names are the same. */
  concerns?: (found: Moved, record: Moved) => boolean
}

/** For a collection that holds a record in each document. */
export function documentMover<Moved, Stored extends Document & { _id: string }>(
  table: DocumentTable<Moved, Stored>
): Mover<Moved> {
  const { collection, name, documentOf, recordOf } = table
  const byId = (records: Moved[]) => [
    { _id: { $in: records.map((record) => documentOf(record)._id) } } as unknown as Filter<Stored>
  ]
  const sameName = (found: Moved, record: Moved) => JSON.stringify(name(found)) === JSON.stringify(name(record))

  return {
    name,
    page: async (after, limit) => {
      const { found, at } = await documentsAfter(table, after, limit)
      return { records: found.map(recordOf), at }
    },
    near: async (records) => {
      const found = (await anyOf(collection, (table.places ?? byId)(records))).map(recordOf)
      return records.map((record) => found.filter((one) => (table.concerns ?? sameName)(one, record)))
    },
    insert: async (records) => await insertEach(collection, records.map(documentOf))
  }
}
