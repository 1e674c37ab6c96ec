import type { TransferRecord } from '../../port.ts'
import type { Database } from '../database.ts'
import { fromStoredText, toStoredText } from '../idempotency.ts'
import { findAfter, type KindTransfers } from './kind.ts'

interface ClaimRow {
  scope: string
  bodyHash: string
  claimedAt: string
  expiresAt: string
  operationId: string | null
  answer: string | null
}
type Claim = TransferRecord<'idempotency'>
type Usage = TransferRecord<'usage'>

const SELECT_CLAIM = `
  SELECT
    scope, body_hash AS bodyHash, claimed_at AS claimedAt, expires_at AS expiresAt, operation_id AS operationId,
    response AS answer
  FROM idempotency WHERE`
const INSERT_CLAIM = `
  INSERT INTO idempotency (scope, body_hash, claimed_at, expires_at, operation_id, response)
  VALUES (?, ?, ?, ?, ?, ?)`
const SELECT_USAGE = 'SELECT account_id AS accountId, hour, requests, refused FROM usage WHERE'
const INSERT_USAGE = 'INSERT INTO usage (account_id, hour, requests, refused) VALUES (?, ?, ?, ?)'

function toClaim(row: ClaimRow): Claim {
  return { ...row, answer: row.answer === null ? null : fromStoredText(row.answer) }
}

/** Idempotency keys and usage counts. */
export function createRequestTransfers(db: Database): Pick<KindTransfers, 'idempotency' | 'usage'> {
  return {
    idempotency: {
      position: ({ scope }) => [scope],
      page: (after, limit) =>
        findAfter<ClaimRow>(db, { select: `${SELECT_CLAIM} 1`, columns: ['scope'] }, { after, limit }).map(toClaim),
      findExisting: ({ scope }) => db.all<ClaimRow>(`${SELECT_CLAIM} scope = ?`, scope).map(toClaim),
      insert: ({ scope, bodyHash, claimedAt, expiresAt, operationId, answer }) => {
        const response = answer === null ? null : toStoredText(answer)
        return db.run(INSERT_CLAIM, scope, bodyHash, claimedAt, expiresAt, operationId ?? null, response) === 1
      }
    },
    usage: {
      position: ({ accountId, hour }) => [accountId, hour],
      page: (after, limit) => {
        const select = { select: `${SELECT_USAGE} 1`, columns: ['account_id', 'hour'] }
        return findAfter<Usage>(db, select, { after, limit }).map((row) => ({ ...row }))
      },
      findExisting: ({ accountId, hour }) =>
        db.all<Usage>(`${SELECT_USAGE} account_id = ? AND hour = ?`, accountId, hour).map((row) => ({ ...row })),
      insert: ({ accountId, hour, requests, refused }) => db.run(INSERT_USAGE, accountId, hour, requests, refused) === 1
    }
  }
}
