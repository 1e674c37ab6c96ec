import type { IndexRow } from './index-row.ts'

/** What belongs to accounts but their content. */
export const ACCOUNT_INDEXES: readonly IndexRow[] = [
  { collection: 'projects', name: 'of_account', key: { accountId: 1, id: 1 } },
  { collection: 'keys', name: 'by_hash', key: { hash: 1 }, options: { unique: true } },
  { collection: 'keys', name: 'of_account', key: { accountId: 1, createdAt: 1, id: 1 } },
  { collection: 'keys', name: 'by_seat', key: { accountId: 1, seat: 1 } },
  { collection: 'idempotency', name: 'by_expiry', key: { expiresAt: 1 } },
  { collection: 'usage', name: 'of_account', key: { accountId: 1, hour: 1 } }
]
