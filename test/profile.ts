import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import type { Database } from '../ports/store/mongodb/database.ts'

/** Whether the tests run over MongoDB and Redis (`npm run test:scaled`) instead of the embedded adapters. */
export const scaled = process.env.TEST_PROFILE === 'scaled'

/**
 * Whether tests of random or large data run at their small size. `FULL=1` runs them at full size; the
 * assertions are the same.
 */
export const small = process.env.FULL !== '1'

/**
 * A test that only runs in the embedded profile, because it uses the data folder or the server that
 * the command line finds there.
 */
export const testEmbedded = (title: string, body: (t: Test) => Promise<void>): void => {
  if (!scaled) t.test(title, body)
}

/** The servers that test/run.ts found, or undefined. */
export const MONGODB_URL = process.env.TEST_MONGODB_URL
export const REDIS_URL = process.env.TEST_REDIS_URL

const SECRETS_KEY = Buffer.alloc(32, 'a key for tests').toString('base64')
const owners = new Map<string, Promise<string>>()
/** Empty, migrated databases for reuse: migrating takes longer than emptying. */
const idle: string[] = []
const opened = new Map<string, Database>()

/**
 * The settings of a service with this data folder. In the scaled profile, each folder has its own
 * database and Redis prefix, so a restarted service finds its data.
 */
export async function settingsFor(dataDir: string): Promise<Record<string, string>> {
  if (!scaled) return { DATA_DIR: dataDir }
  let name = owners.get(dataDir)
  // Stores the promise, because a test may start several processes on the folder concurrently.
  if (name === undefined) owners.set(dataDir, (name = prepared()))
  return {
    DATA_DIR: dataDir,
    MONGODB_URL: `${MONGODB_URL}${await name}`,
    REDIS_URL: REDIS_URL!,
    REDIS_PREFIX: prefixOf(dataDir),
    SECRETS_KEY,
    // No load balancer is in front of the processes of a test.
    SHUTDOWN_DELAY_MS: '0',
    // The stand-in for MongoDB is slow on a busy machine.
    STORE_TIMEOUT_MS: '30000'
  }
}

/** Releases the database of a folder: it is emptied for reuse. */
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
