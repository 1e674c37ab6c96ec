import { StartError } from '../../../errors.ts'
import type { Database } from './database.ts'
import { INDEXES } from './indexes.ts'

/**
 * The form of the documents. It grows when stored documents must be changed; indexes are compared
 * by name.
 */
const FORM = 1
const META = 'meta'
interface Meta {
  _id: 'form'
  version: number
}

export interface Migration {
  /** Indexes that were made now, as `collection.name`. */
  created: string[] /** Indexes of ours that nothing needs any more and that were removed. */
  removed: string[]
  version: number
}

/**
 * Makes what is missing: indexes, and the mark of the documents' form. May run beside processes
 * that serve, and twice. Throws StartError for documents of a newer version.
 */
export async function migrate(database: Database): Promise<Migration> {
  await database.act(async () => refuseNewer(await formOf(database)))
  const created: string[] = []
  const there = await database.act(() => present(database))
  for (const { collection, name, key, options } of INDEXES) {
    if (there.has(`${collection}.${name}`)) continue
    await database.act(() => database.collection(collection).createIndex(key, { ...options, name }))
    created.push(`${collection}.${name}`)
  }
  const removed: string[] = []
  for (const old of there) {
    const [collection, name] = split(old)
    if (name === '_id_' || INDEXES.some((row) => row.collection === collection && row.name === name)) continue
    await database.act(() => database.collection(collection).dropIndex(name))
    removed.push(old)
  }
  await database.act(() =>
    database.collection<Meta>(META).updateOne({ _id: 'form' }, { $set: { version: FORM } }, { upsert: true })
  )
  return { created, removed, version: FORM }
}

/**
 * Throws a StartError unless `migrate` of this version has run: indexes are never made behind an
 * operator's back, as that may take long on a full database.
 */
export async function assertMigrated(database: Database): Promise<void> {
  const form = await database.act(() => formOf(database))
  refuseNewer(form)
  const there = await database.act(() => present(database))
  const missing = INDEXES.filter(({ collection, name }) => !there.has(`${collection}.${name}`)).map(
    ({ collection, name }) => `${collection}.${name}`
  )
  if (form === null || form < FORM || missing.length > 0) {
    throw new StartError(
      `The MongoDB has not been prepared for this version${form === null ? '' : ` (missing: ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ', …' : ''})`}: run \`npm run svc -- migrate\` once, then start again.`
    )
  }
}

function refuseNewer(form: number | null): void {
  if (form !== null && form > FORM) {
    throw new StartError(
      `The MongoDB was written by a newer version (${form}; this one knows ${FORM}): start that version, or a newer one.`
    )
  }
}

async function formOf(database: Database): Promise<number | null> {
  return (await database.collection<Meta>(META).findOne({ _id: 'form' }))?.version ?? null
}

/** The indexes of our collections that are there, as `collection.name`. */
async function present(database: Database): Promise<Set<string>> {
  const names = new Set(INDEXES.map(({ collection }) => collection))
  const existing = new Set(
    (await database.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)
  )
  const there = new Set<string>()
  for (const collection of names) {
    if (!existing.has(collection)) continue
    for (const { name } of await database.collection(collection).listIndexes().toArray()) {
      there.add(`${collection}.${String(name)}`)
    }
  }
  return there
}

const split = (path: string): [string, string] => [path.slice(0, path.indexOf('.')), path.slice(path.indexOf('.') + 1)]
