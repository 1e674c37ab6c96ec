import type { Store } from '../port.ts'
import { createAccounts, createProjects, createUsage } from './accounts.ts'
import { createApiKeys } from './api-keys.ts'
import { createAudit } from './audit.ts'
import { createBlogs } from './blogs/index.ts'
import { createBlogResponses } from './blogs/responses.ts'
import { createBlogRevisions } from './blogs/revisions.ts'
import { blogTotalsOf } from './blogs/totals/read.ts'
import { openDatabase, type Database } from './database.ts'
import { createDeliveries } from './deliveries/index.ts'
import { createEvents } from './events/index.ts'
import { createGeneratedFiles } from './generated-files.ts'
import { createIdempotency } from './idempotency.ts'
import { createImages } from './images.ts'
import { createImports } from './imports.ts'
import { createLeases } from './leases.ts'
import { createMetadata } from './metadata.ts'
import { assertMigrated, migrate, type Migration } from './migrate.ts'
import { createProducts } from './products/index.ts'
import { productTotalsOf } from './products/totals/read.ts'
import { createRecoveries } from './recoveries.ts'
import { createRelatedIndex } from './related-index.ts'
import { createStorage } from './storage.ts'
import { createTransfer } from './transfer/index.ts'
import { createVisualChecks } from './visual-checks.ts'
import { createWebhooks } from './webhooks/index.ts'

/**
 * Opens the store in a MongoDB database that several processes may share. Every operation is atomic
 * on a standalone server too. Only plain operators are used, so that compatible servers work as
 * well. Throws a StartError when no server answers or `migrateMongodb` of this version has not run.
 * `timeoutMs`: see openDatabase.
 */
export async function openMongodbStore({ url, timeoutMs }: { url: string; timeoutMs?: number }): Promise<Store> {
  const database = await openDatabase(url, { timeoutMs })
  try {
    await assertMigrated(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return createMongodbStore(database)
}

/**
 * Creates missing indexes. With `cleanup`, drops those that only older versions use. Throws a
 * StartError when no server answers, the documents have a newer schema version, or an index
 * conflicts with an existing one.
 */
export async function migrateMongodb({ url, cleanup }: { url: string; cleanup: boolean }): Promise<Migration> {
  const database = await openDatabase(url)
  try {
    return await migrate(database, { cleanup })
  } finally {
    await database.close()
  }
}

/** The store over an open database. Closing the store closes the database. */
export function createMongodbStore(database: Database): Store {
  return {
    isRemote: true,
    accounts: createAccounts(database),
    projects: createProjects(database),
    apiKeys: createApiKeys(database),
    blogs: createBlogs(database),
    blogResponses: createBlogResponses(database),
    blogRevisions: createBlogRevisions(database),
    relatedIndex: createRelatedIndex(database),
    images: createImages(database),
    generatedFiles: createGeneratedFiles(database),
    products: createProducts(database),
    imports: createImports(database),
    events: createEvents(database),
    webhooks: createWebhooks(database),
    deliveries: createDeliveries(database),
    recoveries: createRecoveries(database),
    visualChecks: createVisualChecks(database),
    idempotency: createIdempotency(database),
    leases: createLeases(database),
    metadata: createMetadata(database),
    usage: createUsage(database),
    audit: createAudit(database),
    storage: createStorage(database),
    transfer: createTransfer(database),
    ping: async () => {
      await database.run(() => database.db.command({ ping: 1 }))
    },
    // Each write waits for a majority itself.
    durable: async () => {},
    deferDurability: (work) => work(),
    writeDelay: () => null,
    probe: async () => {
      await database.run(() =>
        database
          .collection<{ _id: string }>('meta')
          .updateOne({ _id: 'probe' }, { $set: { writtenAt: new Date() } }, { upsert: true })
      )
    },
    // `svc migrate` changes the data of earlier versions, and reads start what can wait.
    maintain: async () => {},
    close: async () => {
      try {
        await Promise.all([blogTotalsOf(database).close(), productTotalsOf(database).close()])
      } finally {
        await database.close()
      }
    }
  }
}
