import type { Store } from '../port.ts'
import { createAccounts } from './accounts.ts'
import { createBlogs } from './blogs.ts'
import { openDatabase, type Database } from './database.ts'
import { createDeliveries } from './deliveries.ts'
import { createEvents } from './events.ts'
import { createIdempotency } from './idempotency.ts'
import { createImages } from './images.ts'
import { createImports } from './imports.ts'
import { createKeys } from './keys.ts'
import { createLeases } from './leases.ts'
import { assertMigrated, migrate, type Migration } from './migrate.ts'
import { createProducts } from './products.ts'
import { createProjects } from './projects.ts'
import { createRecoveries } from './recoveries.ts'
import { createTransfer } from './transfer.ts'
import { createUsage } from './usage.ts'
import { createVisualChecks } from './visual-checks.ts'
import { createWebhooks } from './webhooks.ts'

/**
 * Opens the store in a MongoDB, which many processes may use at a time. Every act is whole on a
 * standalone server too; plain operators only, so that what speaks
 * MongoDB's protocol serves as well. Throws StartError when no server answers, or `migrateMongodb`
 * of this version has not run.
 */
export async function openMongodbStore({ url }: { url: string }): Promise<Store> {
  const database = await openDatabase(url)
  try {
    await assertMigrated(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return createMongodbStore(database)
}

/**
 * Makes the indexes that are missing. Throws StartError when no server answers or its documents are
 * of a newer version.
 */
export async function migrateMongodb({ url }: { url: string }): Promise<Migration> {
  const database = await openDatabase(url)
  try {
    return await migrate(database)
  } finally {
    await database.close()
  }
}

/** The store over an open database, which `close` closes. */
export function createMongodbStore(database: Database): Store {
  return {
    accounts: createAccounts(database),
    projects: createProjects(database),
    apiKeys: createKeys(database),
    blogs: createBlogs(database),
    images: createImages(database),
    products: createProducts(database),
    imports: createImports(database),
    events: createEvents(database),
    webhooks: createWebhooks(database),
    deliveries: createDeliveries(database),
    recoveries: createRecoveries(database),
    visualChecks: createVisualChecks(database),
    idempotency: createIdempotency(database),
    leases: createLeases(database),
    usage: createUsage(database),
    transfer: createTransfer(database),
    ping: async () => {
      await database.act(() => database.db.command({ ping: 1 }))
    },
    close: () => database.close()
  }
}
