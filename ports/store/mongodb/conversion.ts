import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../../../errors.ts'
import { addRevisionSizes } from './blogs/revisions.ts'
import { markAllBlogs } from './blogs/totals/enabled.ts'
import type { Database } from './database.ts'
import { createLeases } from './leases.ts'
import { markAllProducts } from './products/totals/enabled.ts'
import {
  PRODUCT_TOTALS_VERSION,
  readSchemaVersion,
  SCHEMA_VERSION,
  schemaCollection,
  TOTALS_VERSION
} from './schema-version.ts'

const LEASE = 'schema-conversion'
/** The conversion of a process that ended can be continued after this time. */
const LEASE_MS = 30_000
const RENEW_MS = 5_000
const RETRY_MS = 250

export interface ConversionOptions {
  /** In milliseconds. Default: 30 seconds. */
  leaseMs?: number
}

/**
 * Converts the documents to this version of the schema and stores the version. Must only run when no process of an
 * older version is left. One process at a time: what it deletes, and marks again, would otherwise be what the service
 * has counted since another process completed the conversion. Throws a StartError if another one is still converting
 * after twice the duration of a lease, or if this process stopped for so long that another one may have continued.
 */
export async function convertDocuments(
  database: Database,
  { leaseMs = LEASE_MS }: ConversionOptions = {}
): Promise<void> {
  const leases = createLeases(database)
  const holder = randomUUID()
  let renewedMs = performance.now()

  async function acquire(): Promise<boolean> {
    const startMs = performance.now()
    const now = Date.now()
    const until = new Date(now + leaseMs).toISOString()
    const isHeld = await leases.acquire({ name: LEASE, holder, now: new Date(now).toISOString(), until })
    if (isHeld) renewedMs = startMs
    return isHeld
  }

  /** Called before each part of the work. */
  async function renew(): Promise<void> {
    const ageMs = performance.now() - renewedMs
    if (ageMs < Math.min(RENEW_MS, leaseMs / 2)) return
    // After its end, another process may have held the lease in between.
    if (ageMs >= leaseMs || !(await acquire())) {
      throw new StartError('The migration stopped for too long, and another one may have continued. Run it again.')
    }
  }

  const deadlineMs = performance.now() + 2 * leaseMs
  while (!(await acquire())) {
    if (performance.now() > deadlineMs) {
      throw new StartError(
        'Another migration of this database is in progress. Run the command again when it has ended.'
      )
    }
    await delay(Math.min(RETRY_MS, leaseMs))
  }
  try {
    const version = (await database.run(() => readSchemaVersion(database))) ?? 0
    if (version < TOTALS_VERSION) await database.run(() => markAllBlogs(database, renew))
    if (version < PRODUCT_TOTALS_VERSION) {
      await database.run(() => markAllProducts(database, renew))
      await database.run(() => addRevisionSizes(database, renew))
    }
    await database.run(() => raiseSchemaVersion(database, SCHEMA_VERSION))
  } finally {
    await leases.release({ name: LEASE, holder })
  }
}

/** Stores the version, unless a later one is stored. */
export async function raiseSchemaVersion(database: Database, version: number): Promise<void> {
  await schemaCollection(database).updateOne({ _id: 'schema' }, { $max: { version } }, { upsert: true })
}
