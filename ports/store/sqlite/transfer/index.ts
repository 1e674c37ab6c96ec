import { isDeepStrictEqual } from 'node:util'
import type { TransferKind, TransferOutcome, TransferRecord, TransferStore } from '../../port.ts'
import { createYielder } from '../../../../lib/async.ts'
import type { Database } from '../database.ts'
import { insertCheck, SELECT_CHECKS, toCheck, type CheckRow } from '../visual-checks.ts'
import { createBlogTransfers } from './blogs.ts'
import { findAfter, transferTable, type KindTransfer, type KindTransfers, type Position } from './kind.ts'
import { createProductTransfers } from './products.ts'
import { createRequestTransfers } from './requests.ts'
import { createRevisionTransfer } from './revisions.ts'
import { createWebhookTransfers } from './webhooks.ts'

function createKindTransfers(db: Database): KindTransfers {
  const blogs = createBlogTransfers(db)
  const products = createProductTransfers(db)
  const webhooks = createWebhookTransfers(db)
  const requests = createRequestTransfers(db)

  return {
    account: transferTable(db, { table: 'accounts', key: { id: 'id' } }),
    project: transferTable(db, { table: 'projects', key: { account_id: 'accountId', id: 'id' } }),
    apiKey: transferTable(db, {
      table: 'api_keys',
      key: { id: 'id' },
      columns: ({ accountId, hash, createdAt }) => ({ account_id: accountId, hash, created_at: createdAt }),
      unique: { column: 'hash', field: 'hash' }
    }),
    blog: blogs.blog,
    tombstone: blogs.tombstone,
    pendingRelated: blogs.pendingRelated,
    related: blogs.related,
    image: blogs.image,
    blogRevision: createRevisionTransfer(db),
    product: products.product,
    import: products.import,
    importError: products.importError,
    visualCheck: {
      position: ({ id }) => [id],
      page: (after, limit) =>
        findAfter<CheckRow>(db, { select: `${SELECT_CHECKS} 1`, columns: ['c.id'] }, { after, limit }).map(toCheck),
      findExisting: ({ id }) => db.all<CheckRow>(`${SELECT_CHECKS} c.id = ?`, id).map(toCheck),
      insert: (check) => insertCheck(db, check)
    },
    event: webhooks.event,
    eventCounter: webhooks.eventCounter,
    webhook: webhooks.webhook,
    delivery: webhooks.delivery,
    deliveryCounter: webhooks.deliveryCounter,
    recovery: webhooks.recovery,
    idempotency: requests.idempotency,
    usage: requests.usage
  }
}

/** Records that may have hundreds of kilobytes, and are read one by one. */
const LARGE_KINDS: ReadonlySet<TransferKind> = new Set([
  'blog',
  'image',
  'blogRevision',
  'product',
  'import',
  'importError',
  'visualCheck',
  'event',
  'delivery',
  'idempotency'
])

export function createTransfer(db: Database): TransferStore {
  const transfers = createKindTransfers(db)
  const transferOf = <Kind extends TransferKind>(kind: Kind) =>
    transfers[kind] as unknown as KindTransfer<TransferRecord<Kind>>

  /** Compares each record with the stored ones, and passes those that are missing to `add`. */
  function compareEach<Kind extends TransferKind>(
    kind: Kind,
    records: TransferRecord<Kind>[],
    add: (record: TransferRecord<Kind>) => boolean
  ): TransferOutcome {
    const { findExisting, position } = transferOf(kind)
    const outcome: TransferOutcome = { added: 0, unchanged: 0, orphans: 0, conflicts: [] }
    for (const record of records) {
      const existing = findExisting(record)
      if (existing.length === 0) outcome[add(record) ? 'added' : 'orphans'] += 1
      else if (existing.length === 1 && isDeepStrictEqual(existing[0], record)) outcome.unchanged += 1
      else outcome.conflicts.push([kind, ...position(record)].join(' '))
    }
    return outcome
  }

  return {
    page: async (kind, { after, limit }) => {
      const { page, position } = transferOf(kind)
      const pause = createYielder()
      const records: TransferRecord<typeof kind>[] = []
      let last = after === null ? null : (JSON.parse(after) as Position)
      for (let isComplete = false; records.length < limit && !isComplete; ) {
        const length = Math.min(limit - records.length, LARGE_KINDS.has(kind) ? 1 : limit)
        const found = page(last, length)
        for (const record of found) records.push(record)
        isComplete = found.length < length
        if (found.length > 0) last = position(found.at(-1)!)
        await pause()
      }
      return { records, next: records.length < limit ? null : JSON.stringify(position(records.at(-1)!)) }
    },
    put: async (kind, records) => db.transaction(() => compareEach(kind, records, transferOf(kind).insert)),
    compare: async (kind, records) => compareEach(kind, records, () => true)
  }
}
