import type { Store } from '../port.ts'
import { createAccounts, createProjects } from './accounts.ts'
import { createApiKeys } from './api-keys.ts'
import { createAudit } from './audit.ts'
import { createBlogs } from './blogs/index.ts'
import { createBlogPages } from './blogs/pages.ts'
import { createBlogResponses } from './blogs/responses.ts'
import { createBlogRevisions, deleteRemainingRevisions } from './blogs/revisions.ts'
import { mergePartitions } from './blogs/search-merge.ts'
import { openDatabase, type Database } from './database.ts'
import { createDeliveries } from './deliveries/index.ts'
import { durableStore } from './durable-store.ts'
import { createEvents } from './events.ts'
import { createGeneratedFiles } from './generated-files.ts'
import { createIdempotency } from './idempotency.ts'
import { createImages } from './images.ts'
import { createImports } from './imports.ts'
import { createLeases } from './leases.ts'
import { createMetadata } from './metadata.ts'
import { createProducts } from './products/index.ts'
import { createRecoveries } from './recoveries.ts'
import { createRelatedIndex } from './related-index.ts'
import { createStorage } from './storage.ts'
import { createTransfer } from './transfer/index.ts'
import { STEP_SIZES } from './steps.ts'
import { createUsage } from './usage.ts'
import { createVisualChecks } from './visual-checks.ts'
import { createWebhooks } from './webhooks.ts'

/**
 * Opens the embedded store: one SQLite file that only one process can open at a time. Creates its
 * folder when it is missing. Throws StartError when another process has the file open, or when the
 * file is damaged, of a newer version, or cannot be opened.
 */
export async function openSqliteStore(options: { path: string }): Promise<Store> {
  const db = openDatabase(options.path, { hasThread: process.platform !== 'win32' })
  return durableStore(createSqliteStore(db), db)
}

/**
 * The store on an open database. Its methods do not wait for the disk. `close` closes the database. `stepSizes` is for
 * tests.
 */
export function createSqliteStore(db: Database, stepSizes = STEP_SIZES): Store {
  const blogPages = createBlogPages(db, stepSizes)
  return {
    isRemote: false,
    accounts: createAccounts(db),
    projects: createProjects(db),
    apiKeys: createApiKeys(db),
    blogs: createBlogs(db, blogPages, stepSizes),
    blogResponses: createBlogResponses(db, blogPages),
    blogRevisions: createBlogRevisions(db),
    relatedIndex: createRelatedIndex(db),
    images: createImages(db),
    generatedFiles: createGeneratedFiles(db, stepSizes),
    products: createProducts(db, stepSizes),
    imports: createImports(db, stepSizes),
    events: createEvents(db),
    webhooks: createWebhooks(db),
    deliveries: createDeliveries(db),
    recoveries: createRecoveries(db),
    visualChecks: createVisualChecks(db, stepSizes),
    idempotency: createIdempotency(db),
    leases: createLeases(db),
    metadata: createMetadata(db),
    usage: createUsage(db),
    audit: createAudit(db, stepSizes),
    storage: createStorage(db),
    transfer: createTransfer(db),
    ping: async () => {
      db.one('SELECT id FROM accounts LIMIT 1')
    },
    probe: async () => db.probe(),
    durable: async () => await db.flushed(db.changes()),
    deferDurability: (work) => work(),
    writeDelay: () => db.writeDelay(),
    maintain: async (signal) => {
      await deleteRemainingRevisions(db, signal)
      await mergePartitions(db, signal)
    },
    close: async () => await db.close()
  }
}
