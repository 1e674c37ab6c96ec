import type { Collection, Document, Filter, FindOptions, OptionalUnlessRequiredId } from 'mongodb'
import { duplicatePositions } from '../../../../lib/mongodb.ts'
import { readInSlices } from '../slices.ts'
import type { TransferKind, TransferRecord } from '../../port.ts'

/** The values of the ordering fields of the last document of a page. */
export type Position = (string | number)[]

/** `conflict`: a unique index rejected the record. `orphan`: the record's owner does not exist. */
export type InsertOutcome = 'added' | 'conflict' | 'orphan'

/** Reads and writes records of one kind, many at a time. */
export interface TransferHandler<Item> {
  /** Identifies a record in messages for people. */
  label: (record: Item) => Position
  /** `at` is the position of the last document that was read. Null when no documents follow. */
  page: (after: Position | null, limit: number) => Promise<{ records: Item[]; at: Position | null }>
  /** For each record, the stored records with its id or another of its unique values. */
  findExisting: (records: Item[]) => Promise<Item[][]>
  insert: (records: Item[]) => Promise<InsertOutcome[]>
}

export type TransferHandlers = { [Kind in TransferKind]: TransferHandler<TransferRecord<Kind>> }

export interface PageSource<Stored extends Document> {
  collection: Collection<Stored>
  /** Restricts the documents that are transferred. */
  filter?: Filter<Stored>
  /** One or two ordering fields that are covered by an index. */
  order: [string] | [string, string]
  hint?: string
  /** Default: whole documents. */
  projection?: Document
}

/** Reads documents after the position, in order. `at` is the position of the last one. */
export async function documentsAfter<Stored extends Document>(
  { collection, filter = {}, order, hint, projection }: PageSource<Stored>,
  after: Position | null,
  limit: number
): Promise<{ found: Stored[]; at: Position | null }> {
  const options: FindOptions = {
    sort: Object.fromEntries(order.map((field) => [field, 1])),
    ...(hint === undefined ? {} : { hint }),
    ...(projection === undefined ? {} : { projection })
  }
  const read = async (range: object, max: number) =>
    max <= 0
      ? []
      : await readInSlices(
          collection.find<Stored>({ ...filter, ...range } as Filter<Stored>, { ...options, limit: max })
        )
  const [first, second] = order
  const sameFirst =
    after === null || second === undefined ? [] : await read({ [first]: after[0], [second]: { $gt: after[1] } }, limit)
  const found = [
    ...sameFirst,
    ...(await read(after === null ? {} : { [first]: { $gt: after[0] } }, limit - sameFirst.length))
  ]
  const last = found.at(-1)
  return {
    found,
    at: last === undefined || found.length < limit ? null : order.map((field) => last[field] as string | number)
  }
}

/** The documents that match any of the filters, each once. */
export async function findAny<Stored extends Document>(
  collection: Collection<Stored>,
  filters: Filter<Stored>[],
  projection: Document = {}
): Promise<Stored[]> {
  const found = new Map<unknown, Stored>()
  for (const filter of filters) {
    for (const document of await readInSlices(collection.find<Stored>(filter, { projection }))) {
      found.set(document._id, document)
    }
  }
  return [...found.values()]
}

/** Inserts the documents independently of each other. */
export async function insertEach<Stored extends Document>(
  collection: Collection<Stored>,
  documents: Stored[]
): Promise<InsertOutcome[]> {
  if (documents.length === 0) return []
  try {
    await collection.insertMany(documents as OptionalUnlessRequiredId<Stored>[], { ordered: false })
    return documents.map(() => 'added')
  } catch (error) {
    const duplicates = new Set(duplicatePositions(error))
    return documents.map((_, index) => (duplicates.has(index) ? 'conflict' : 'added'))
  }
}

/** Inserts the records that have an owner; the others are orphans. */
export async function insertWithOwner<Item>(
  records: Item[],
  hasOwner: (record: Item) => boolean,
  insert: (records: Item[]) => Promise<InsertOutcome[]>
): Promise<InsertOutcome[]> {
  const outcomes = await insert(records.filter(hasOwner))
  return records.map((record) => (hasOwner(record) ? outcomes.shift()! : 'orphan'))
}

interface DocumentSource<Item, Stored extends Document> extends PageSource<Stored> {
  label: (record: Item) => Position
  toDocument: (record: Item) => Stored
  toRecord: (document: Stored) => Item
  /** Filters for stored documents that may collide with these records. Default: the same `_id`s. */
  existingFilters?: (records: Item[]) => Filter<Stored>[]
  /** True when the stored record occupies a unique value of the record. Default: equal labels. */
  collides?: (stored: Item, record: Item) => boolean
}

/** For a collection that holds one record per document. */
export function createDocumentHandler<Item, Stored extends Document & { _id: string }>(
  source: DocumentSource<Item, Stored>
): TransferHandler<Item> {
  const { collection, label, toDocument, toRecord } = source
  const byId = (records: Item[]) => [
    { _id: { $in: records.map((record) => toDocument(record)._id) } } as unknown as Filter<Stored>
  ]
  const sameLabel = (stored: Item, record: Item) => JSON.stringify(label(stored)) === JSON.stringify(label(record))

  return {
    label,
    page: async (after, limit) => {
      const { found, at } = await documentsAfter(source, after, limit)
      return { records: found.map(toRecord), at }
    },
    findExisting: async (records) => {
      const found = (await findAny(collection, (source.existingFilters ?? byId)(records))).map(toRecord)
      return records.map((record) => found.filter((stored) => (source.collides ?? sameLabel)(stored, record)))
    },
    insert: async (records) => await insertEach(collection, records.map(toDocument))
  }
}
