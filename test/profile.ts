import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import type { Database } from '../ports/store/mongodb/database.ts'

/** Whether the tests run over MongoDB and Redis (`npm run test:scaled`) instead of the embedded adapters. */
export const scaled = process.env.TEST_PROFILE === 'scaled'

/** Whether stress tests run at their small size. `FULL=1` runs them at full size; the assertions are the same. */
export const small = process.env.FULL !== '1'

/**
 * A test of what only the embedded profile has: its data folder, and a server that the command line
 * finds there.
 */
export const testEmbedded = (title: string, body: (t: Test) => Promise<void>): void => {
  if (!scaled) t.test(title, body)
}

/** The servers that test/run.ts found; undefined where there is none. */
export const MONGODB_URL = process.env.TEST_MONGODB_URL
export const REDIS_URL = process.env.TEST_REDIS_URL

const SECRETS_KEY = Buffer.alloc(32, 'a key for tests').toString('base64')
const owners = new Map<string, Promise<string>>()
/** Databases that are prepared and empty: preparing one takes longer than emptying it. */
const idle: string[] = []
const opened = new Map<string, Database>()

/**
 * The settings by which a service uses this folder; over MongoDB and Redis one folder stands for
 * one database and one prefix, so that a service that is
 * started on it again finds what it left.
 */
export async function settingsFor(dataDir: string): Promise<Record<string, string>> {
  if (!scaled) return { DATA_DIR: dataDir }
  let name = owners.get(dataDir)
  // The promise, because several processes of one test may be started on the folder at once.
  if (name === undefined) owners.set(dataDir, (name = prepared()))
  return {
    DATA_DIR: dataDir,
    MONGODB_URL: `${MONGODB_URL}${await name}`,
    REDIS_URL: REDIS_URL!,
    REDIS_PREFIX: prefixOf(dataDir),
    SECRETS_KEY
  }
}

/** Ends the use of a folder: its database is emptied and used again. */
export async function freeSettings(dataDir: string): Promise<void> {
  const owned = owners.get(dataDir)
  if (owned === undefined) return
  owners.delete(dataDir)
  const name = await owned
  prefixes.delete(dataDir)
  const { db } = opened.get(name)!
  for (const { name: collection } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (collection !== 'meta') await db.collection(collection).deleteMany({})
  }
  idle.push(name)
}

const prefixes = new Map<string, string>()
function prefixOf(dataDir: string): string {
  let prefix = prefixes.get(dataDir)
  if (prefix === undefined) prefixes.set(dataDir, (prefix = `test-${randomUUID()}`))
  return prefix
}

const prepared = async (): Promise<string> => idle.pop() ?? (await prepareDatabase())

async function prepareDatabase(): Promise<string> {
  const { openDatabase } = await import('../ports/store/mongodb/database.ts')
  const { migrate } = await import('../ports/store/mongodb/migrate.ts')
  const { prepareFiles } = await import('../ports/files/open.ts')
  if (MONGODB_URL === undefined || REDIS_URL === undefined) {
    throw new Error('TEST_PROFILE=scaled needs TEST_MONGODB_URL and TEST_REDIS_URL: use npm run test:scaled')
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const database = await openDatabase(`${MONGODB_URL}${name}`)
  await migrate(database)
  await prepareFiles({ mongodbUrl: `${MONGODB_URL}${name}` })
  opened.set(name, database)
  return name
}

if (scaled) {
  t.teardown(async () => {
    for (const database of opened.values()) {
      await database.db.dropDatabase()
      await database.close()
    }
  })
}
