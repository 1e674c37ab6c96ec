import { MongoServerError, type IndexSpecification } from 'mongodb'
import { StartError } from '../../../errors.ts'
import { isNewerVersion, VERSION } from '../../../lib/version.ts'
import type { Database } from './database.ts'
import { convertDocuments, raiseSchemaVersion } from './conversion.ts'
import { INDEXES, type IndexDefinition } from './indexes.ts'
import { OLDEST_VERSION, readSchemaVersion, SCHEMA_VERSION } from './schema-version.ts'

/** Server codes for an index that conflicts with an existing one, or with existing documents. */
const INDEX_ERRORS: ReadonlySet<unknown> = new Set([85, 86, 11000])

/** The record of an index that `migrate` created, or found as this version defines it. */
interface IndexRecord {
  /** `collection.name` */
  _id: string
  collection: string
  name: string
  key: string
  /** The newest version of the product that used the index. */
  version: string
}

export interface MigrationOptions {
  /** Drops the indexes that older versions created and this version does not use. */
  cleanup?: boolean
  /** Default: the indexes of this version. */
  indexes?: readonly IndexDefinition[]
  /** Default: the version of the product. */
  version?: string
}

/** Indexes are given as `collection.name`. */
export interface Migration {
  created: string[]
  /** Dropped by a cleanup. */
  removed: string[]
  /** Created by an older version and not used by this one. A cleanup removes them. */
  obsolete: string[]
  version: number
  /** Whether a cleanup has recorded that no process of the previous version is left. */
  isComplete: boolean
}

/**
 * Creates missing indexes, and stores the schema version. It drops nothing that this version does
 * not know: an index may belong to the operator, or to the previous version, which still runs
 * during an upgrade. A cleanup drops what older versions created, by the records in the store. May
 * run again, and while other processes serve requests. Throws a StartError when the documents have
 * a newer version, or when an index conflicts with an existing one.
 */
export async function migrate(
  database: Database,
  { cleanup = false, indexes = INDEXES, version = VERSION }: MigrationOptions = {}
): Promise<Migration> {
  const before = await database.run(() => readSchemaVersion(database))
  assertNotNewer(before)
  const records = recordCollection(database)
  const existing = await database.run(() => listIndexes(database, indexes))
  const created: string[] = []
  const isOurs = (index: IndexDefinition) => (existing.get(pathOf(index)) ?? keyText(index.key)) === keyText(index.key)
  // Recorded first: an index without a record would never be removed.
  await database.run(() => recordIndexes(database, indexes.filter(isOurs), version))
  for (const [collection, ofCollection] of Map.groupBy(indexes, (index) => index.collection)) {
    await database.run(() => createIndexes(database, collection, ofCollection))
    created.push(...ofCollection.map(pathOf).filter((path) => !existing.has(path)))
  }
  // Only a cleanup knows that no process of the previous version is left, and a new database has none.
  const isLast = cleanup || before === null
  const reached = isLast ? SCHEMA_VERSION : OLDEST_VERSION
  if (isLast && (before ?? 0) < SCHEMA_VERSION) await convertDocuments(database)
  else await database.run(() => raiseSchemaVersion(database, reached))
  const used = new Set(indexes.map(pathOf))
  const unused = (await database.run(() => records.find().sort({ _id: 1 }).toArray())).filter(
    (record) => !used.has(record._id) && !isNewerVersion(record.version, version)
  )
  const removed: string[] = []
  if (cleanup) {
    for (const record of unused) if (await database.run(() => dropIndex(database, record))) removed.push(record._id)
  }
  const stored = Math.max(before ?? 0, reached)
  return {
    created,
    removed,
    obsolete: cleanup ? [] : unused.map(({ _id }) => _id),
    version: stored,
    isComplete: stored === SCHEMA_VERSION
  }
}

/**
 * Creates the indexes of a collection in one command, so that the server reads its documents once. Has no effect on
 * existing indexes with these definitions.
 */
async function createIndexes(database: Database, collection: string, indexes: IndexDefinition[]): Promise<void> {
  try {
    await database
      .collection(collection)
      .createIndexes(indexes.map(({ name, key, options }) => ({ ...options, name, key })))
  } catch (error) {
    if (!isIndexError(error)) throw error
    for (const index of indexes) await createIndex(database, index)
  }
}

/** Creates one index. Its error names it, which that of several does not. */
async function createIndex(database: Database, { collection, name, key, options }: IndexDefinition): Promise<void> {
  try {
    await database.collection(collection).createIndex(key, { ...options, name })
  } catch (error) {
    if (!isIndexError(error)) throw error
    throw new StartError(
      `The index ${collection}.${name} cannot be created: ${error.message}. ` +
        `Drop the conflicting index of ${collection}, or remove the duplicates. Then run the command again.`,
      { cause: error }
    )
  }
}

const isIndexError = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError && INDEX_ERRORS.has(error.code)

/** Keeps the newer versions of existing records. */
async function recordIndexes(database: Database, indexes: IndexDefinition[], version: string): Promise<void> {
  const records = recordCollection(database)
  const current = new Map((await records.find().toArray()).map((record) => [record._id, record]))
  const writes = indexes.flatMap((index) => {
    const { collection, name } = index
    const [_id, key] = [pathOf(index), keyText(index.key)]
    const known = current.get(_id)
    if (known !== undefined && !isNewerVersion(version, known.version)) return []
    return [{ updateOne: { filter: { _id }, update: { $set: { collection, name, key, version } }, upsert: true } }]
  })
  if (writes.length > 0) await records.bulkWrite(writes)
}

/** Returns false if the index no longer exists, or if someone replaced it by another one. */
async function dropIndex(database: Database, { _id, collection, name, key }: IndexRecord): Promise<boolean> {
  const indexes = await database.collection(collection).listIndexes().toArray()
  const isOurs = indexes.some((index) => index.name === name && keyText(index.key as IndexSpecification) === key)
  if (isOurs) await database.collection(collection).dropIndex(name)
  await recordCollection(database).deleteOne({ _id })
  return isOurs
}

/**
 * Throws a StartError unless `migrate` of this version has run. Opening a store never creates
 * indexes, because that may take long on a large database.
 */
export async function assertMigrated(
  database: Database,
  { indexes = INDEXES }: Pick<MigrationOptions, 'indexes'> = {}
): Promise<void> {
  const version = await database.run(() => readSchemaVersion(database))
  assertNotNewer(version)
  const existing = await database.run(() => listIndexes(database, indexes))
  const missing = indexes.filter((index) => existing.get(pathOf(index)) !== keyText(index.key)).map(pathOf)
  if (version !== null && version >= OLDEST_VERSION && missing.length === 0) return
  const examples = `${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ', …' : ''}`
  throw new StartError(
    `The MongoDB database has not been migrated to this version${version === null ? '' : ` (missing: ${examples})`}. ` +
      'Run `npm run svc -- migrate`, then start the service again.'
  )
}

function assertNotNewer(version: number | null): void {
  if (version !== null && version > SCHEMA_VERSION) {
    throw new StartError(
      `The MongoDB database has schema version ${version}, written by a newer version of the service. ` +
        `This version supports ${SCHEMA_VERSION}. Start the newer version instead.`
    )
  }
}

const recordCollection = (database: Database) => database.collection<IndexRecord>('created_indexes')

const pathOf = ({ collection, name }: Pick<IndexDefinition, 'collection' | 'name'>) => `${collection}.${name}`

/** The fields of a key in their order, as a text to compare. */
const keyText = (key: IndexSpecification): string =>
  JSON.stringify(Object.entries(key as Record<string, unknown>).map(([field, order]) => [field, Number(order)]))

/** The keys of all indexes of these collections, by `collection.name`. */
async function listIndexes(database: Database, indexes: readonly IndexDefinition[]): Promise<Map<string, string>> {
  const collections = await database.db.listCollections({}, { nameOnly: true }).toArray()
  const existing = new Set(collections.map(({ name }) => name))
  const keys = new Map<string, string>()
  for (const collection of new Set(indexes.map((index) => index.collection))) {
    if (!existing.has(collection)) continue
    for (const { name, key } of await database.collection(collection).listIndexes().toArray()) {
      keys.set(pathOf({ collection, name: String(name) }), keyText(key as IndexSpecification))
    }
  }
  return keys
}
