import { join } from 'node:path'
import type { Store } from './port.ts'

/**
 * Opens MongoDB when `mongodbUrl` is set, and otherwise the embedded SQLite store at
 * `<dataDir>/store.db`. Loads only the driver that is used. Throws StartError when the store cannot
 * be opened. `timeoutMs`: operations throw `unavailable` when MongoDB does not respond for this time.
 */
export async function openStore(options: { mongodbUrl?: string; dataDir: string; timeoutMs?: number }): Promise<Store> {
  const { mongodbUrl: url, timeoutMs } = options
  if (url !== undefined) return await (await import('./mongodb/index.ts')).openMongodbStore({ url, timeoutMs })
  const { openSqliteStore } = await import('./sqlite/index.ts')
  return await openSqliteStore({ path: join(options.dataDir, 'store.db') })
}

/**
 * Prepares a MongoDB database for this version. Returns the names of the indexes that were created,
 * that were removed by a `cleanup`, and that a cleanup would remove, and whether nothing is left for a
 * cleanup. Throws StartError when the database cannot be prepared.
 */
export async function migrateStore({
  mongodbUrl,
  cleanup = false
}: {
  mongodbUrl: string
  cleanup?: boolean
}): Promise<{ created: string[]; removed: string[]; obsolete: string[]; isComplete: boolean }> {
  return await (await import('./mongodb/index.ts')).migrateMongodb({ url: mongodbUrl, cleanup })
}
