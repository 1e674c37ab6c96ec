import { isDeepStrictEqual } from 'node:util'
import type { TransferKind, TransferOutcome, TransferRecord, TransferStore } from '../../port.ts'
import type { Database } from '../database.ts'
import { forgetNumbers } from '../sequences.ts'
import { createAccountHandlers } from './accounts.ts'
import { createBlogHandlers, createRelatedHandlers, createVisualCheckHandler } from './blogs.ts'
import { createEventHandlers } from './events.ts'
import type { InsertOutcome, Position, TransferHandler, TransferHandlers } from './handler.ts'
import { createProductHandlers } from './products.ts'
import { createRevisionHandler } from './revisions.ts'
import { createWebhookHandlers } from './webhooks.ts'

/**
 * Exports and imports all records of the store. Each record is a write of its own. After a crash, a
 * repeated `put` writes the missing records.
 */
export function createTransfer(database: Database): TransferStore {
  const handlers = createHandlers(database)
  const getHandler = <Kind extends TransferKind>(kind: Kind) =>
    handlers[kind] as unknown as TransferHandler<TransferRecord<Kind>>

  /** Calls `add` with the records that are not stored, and counts the outcomes of all records. */
  async function processRecords<Kind extends TransferKind>(
    kind: Kind,
    records: TransferRecord<Kind>[],
    add: (records: TransferRecord<Kind>[]) => Promise<InsertOutcome[]>
  ): Promise<TransferOutcome> {
    const { findExisting, label } = getHandler(kind)
    const total: TransferOutcome = { added: 0, unchanged: 0, orphans: 0, conflicts: [] }
    if (records.length === 0) return total
    const existing = await findExisting(records)
    const added = await add(records.filter((_, index) => existing[index]!.length === 0))
    for (const [index, record] of records.entries()) {
      const stored = existing[index]!
      const isUnchanged = stored.length === 1 && isDeepStrictEqual(stored[0], record)
      const outcome = stored.length === 0 ? added.shift()! : isUnchanged ? 'unchanged' : 'conflict'
      if (outcome === 'conflict') total.conflicts.push([kind, ...label(record)].join(' '))
      else total[outcome === 'orphan' ? 'orphans' : outcome] += 1
    }
    return total
  }

  return {
    page: (kind, { after, limit }) =>
      database.run(async () => {
        const position = after === null ? null : (JSON.parse(after) as Position)
        const { records, at } = await getHandler(kind).page(position, limit)
        return { records, next: at === null ? null : JSON.stringify(at) }
      }),
    put: (kind, records) =>
      database.run(async () => {
        try {
          return await processRecords(kind, records, async (added) =>
            added.length === 0 ? [] : await getHandler(kind).insert(added)
          )
        } finally {
          forgetNumbers(database)
        }
      }),
    compare: (kind, records) =>
      database.run(() => processRecords(kind, records, async (added) => added.map(() => 'added')))
  }
}

function createHandlers(database: Database): TransferHandlers {
  const accounts = createAccountHandlers(database)
  const blogs = createBlogHandlers(database)
  const relatedEntries = createRelatedHandlers(database)
  const products = createProductHandlers(database)
  const events = createEventHandlers(database)
  const webhooks = createWebhookHandlers(database)

  return {
    account: accounts.account,
    project: accounts.project,
    apiKey: accounts.apiKey,
    blog: blogs.blog,
    tombstone: blogs.tombstone,
    pendingRelated: relatedEntries.pendingRelated,
    related: relatedEntries.related,
    image: blogs.image,
    blogRevision: createRevisionHandler(database),
    product: products.product,
    import: products.import,
    importError: products.importError,
    visualCheck: createVisualCheckHandler(database),
    event: events.event,
    eventCounter: events.eventCounter,
    webhook: webhooks.webhook,
    delivery: webhooks.delivery,
    deliveryCounter: webhooks.deliveryCounter,
    recovery: webhooks.recovery,
    idempotency: accounts.idempotency,
    usage: accounts.usage
  }
}
