import { join } from 'node:path'
import type { Store } from './port.ts'

/**
 * Opens what keeps things: nothing set, the embedded store at `<dataDir>/store.db`. Throws
 * StartError when that cannot be. Only the chosen driver is loaded.
 */
export async function openStore(options: { mongodbUrl?: string; dataDir: string }): Promise<Store> {
  if (options.mongodbUrl !== undefined) {
    return await (await import('./mongodb/index.ts')).openMongodbStore({ url: options.mongodbUrl })
  }
  const { openSqliteStore } = await import('./sqlite/index.ts')
  return await openSqliteStore({ path: join(options.dataDir, 'store.db') })
}

/**
 * Prepares a MongoDB for this version: makes the indexes that are missing. Resolves with what was
 * made and removed. Throws StartError where that cannot be.
 */
export async function migrateStore({
  mongodbUrl
}: {
  mongodbUrl: string
}): Promise<{ created: string[]; removed: string[] }> {
  return await (await import('./mongodb/index.ts')).migrateMongodb({ url: mongodbUrl })
}
