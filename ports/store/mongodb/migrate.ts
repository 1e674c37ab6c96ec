import { StartError } from '../../../errors.ts'
import type { Database } from './database.ts'
import { INDEXES } from './indexes.ts'

/** Grows when stored documents must be converted. Indexes are compared by name instead. */
const SCHEMA_VERSION = 1

interface SchemaDocument {
  _id: 'schema'
  version: number
}

export interface Migration {
  /** Created indexes, as `collection.name`. */
  created: string[]
  /** Dropped indexes that are no longer defined, as `collection.name`. */
  removed: string[]
  version: number
}

/**
 * Creates missing indexes, drops obsolete ones, and stores the schema version. May run again, and
 * while other processes serve requests. Throws a StartError when the documents have a newer
 * version.
 */
export async function migrate(database: Database): Promise<Migration> {
  await database.run(async () => assertNotNewer(await readSchemaVersion(database)))
  const existing = await database.run(() => listIndexes(database))
  const created: string[] = []
  for (const { collection, name, key, options } of INDEXES) {
    if (existing.has(`${collection}.${name}`)) continue
    await database.run(() => database.collection(collection).createIndex(key, { ...options, name }))
    created.push(`${collection}.${name}`)
  }
  const removed: string[] = []
  for (const path of existing) {
    const [collection, name] = splitPath(path)
    if (name === '_id_' || INDEXES.some((index) => index.collection === collection && index.name === name)) continue
    await database.run(() => database.collection(collection).dropIndex(name))
    removed.push(path)
  }
  await database.run(() =>
    schemaCollection(database).updateOne({ _id: 'schema' }, { $set: { version: SCHEMA_VERSION } }, { upsert: true })
  )
  return { created, removed, version: SCHEMA_VERSION }
}

/**
 * Throws a StartError unless `migrate` of this version has run. Opening a store never creates
 * indexes, because that may take long on a large database.
 */
export async function assertMigrated(database: Database): Promise<void> {
  const version = await database.run(() => readSchemaVersion(database))
  assertNotNewer(version)
  const existing = await database.run(() => listIndexes(database))
  const missing = INDEXES.map(({ collection, name }) => `${collection}.${name}`).filter((path) => !existing.has(path))
  if (version !== null && version >= SCHEMA_VERSION && missing.length === 0) return
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

const schemaCollection = (database: Database) => database.collection<SchemaDocument>('meta')

async function readSchemaVersion(database: Database): Promise<number | null> {
  return (await schemaCollection(database).findOne({ _id: 'schema' }))?.version ?? null
}

/** The existing indexes of the store's collections, as `collection.name`. */
async function listIndexes(database: Database): Promise<Set<string>> {
  const collections = await database.db.listCollections({}, { nameOnly: true }).toArray()
  const existing = new Set(collections.map(({ name }) => name))
  const paths = new Set<string>()
  for (const collection of new Set(INDEXES.map((index) => index.collection))) {
    if (!existing.has(collection)) continue
    for (const { name } of await database.collection(collection).listIndexes().toArray()) {
      paths.add(`${collection}.${String(name)}`)
    }
  }
  return paths
}

function splitPath(path: string): [collection: string, name: string] {
  const dot = path.indexOf('.')
  return [path.slice(0, dot), path.slice(dot + 1)]
}
