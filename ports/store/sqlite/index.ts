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
import { createProducts } from './products.ts'
import { createProjects } from './projects.ts'
import { createRecoveries } from './recoveries.ts'
import { createTransfer } from './transfer.ts'
import { createUsage } from './usage.ts'
import { createVisualChecks } from './visual-checks.ts'
import { createWebhooks } from './webhooks.ts'

/**
 * Opens the embedded store: one SQLite file that one process uses at a time. Its folder is made
 * where it is missing.
 * Throws StartError when another process has the file open, or it is damaged, of a newer version,
 * or out of reach.
 */
export async function openSqliteStore(options: { path: string }): Promise<Store> {
  const db = openDatabase(options.path)
  // Nobody else can have the file, so whoever held these is gone: what was in flight when a process
  // was killed is tried again at once.
  db.run('DELETE FROM delivery_leases')
  return createSqliteStore(db)
}

/** The store over an open database, which `close` closes. */
export function createSqliteStore(db: Database): Store {
  return {
    accounts: createAccounts(db),
    projects: createProjects(db),
    apiKeys: createKeys(db),
    blogs: createBlogs(db),
    images: createImages(db),
    products: createProducts(db),
    imports: createImports(db),
    events: createEvents(db),
    webhooks: createWebhooks(db),
    deliveries: createDeliveries(db),
    recoveries: createRecoveries(db),
    visualChecks: createVisualChecks(db),
    idempotency: createIdempotency(db),
    leases: createLeases(db),
    usage: createUsage(db),
    transfer: createTransfer(db),
    ping: async () => {
      db.one('SELECT id FROM accounts LIMIT 1')
    },
    close: async () => db.close()
  }
}
