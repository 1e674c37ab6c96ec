import type { StoredResponse, TransferRecord } from '../port.ts'
import type { Database } from './database.ts'
import { rowsAfter, type Movers } from './transfer-mover.ts'

interface AnswerRow {
  scope: string
  bodyHash: string
  claimedAt: string
  expiresAt: string
  answer: string | null
}
type Usage = TransferRecord<'usage'>

const ANSWER =
  'SELECT scope, body_hash AS bodyHash, claimed_at AS claimedAt, expires_at AS expiresAt, answer FROM idempotency WHERE'
const USAGE = 'SELECT account_id AS accountId, hour, requests, refused FROM usage WHERE'

/** Moves what is known of requests: answers that are repeated, and how many there were. */
export function createRequestMovers(db: Database): Pick<Movers, 'idempotency' | 'usage'> {
  const answerOf = (row: AnswerRow): TransferRecord<'idempotency'> => ({
    ...row,
    answer: row.answer === null ? null : (JSON.parse(row.answer) as StoredResponse)
  })
  const usageOf = (row: Usage) => ({ ...row })

  return {
    idempotency: {
      position: ({ scope }) => [scope],
      page: (after, limit) =>
        rowsAfter<AnswerRow>(db, { select: `${ANSWER} 1`, columns: ['scope'] }, { after, limit }).map(answerOf),
      near: ({ scope }) => db.all<AnswerRow>(`${ANSWER} scope = ?`, scope).map(answerOf),
      insert: ({ scope, bodyHash, claimedAt, expiresAt, answer }) =>
        db.run(
          'INSERT INTO idempotency (scope, body_hash, claimed_at, expires_at, answer) VALUES (?, ?, ?, ?, ?)',
          scope,
          bodyHash,
          claimedAt,
          expiresAt,
          answer === null ? null : JSON.stringify(answer)
        ) === 1
    },
    usage: {
      position: ({ accountId, hour }) => [accountId, hour],
      page: (after, limit) =>
        rowsAfter<Usage>(db, { select: `${USAGE} 1`, columns: ['account_id', 'hour'] }, { after, limit }).map(usageOf),
      near: ({ accountId, hour }) =>
        db.all<Usage>(`${USAGE} account_id = ? AND hour = ?`, accountId, hour).map(usageOf),
      insert: ({ accountId, hour, requests, refused }) =>
        db.run(
          'INSERT INTO usage (account_id, hour, requests, refused) VALUES (?, ?, ?, ?)',
          accountId,
          hour,
          requests,
          refused
        ) === 1
    }
  }
}
