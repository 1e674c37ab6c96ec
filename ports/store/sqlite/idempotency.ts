import type { IdempotencyStore, StoredResponse } from '../port.ts'
import type { Database } from './database.ts'

interface ClaimRow {
  body_hash: string
  claimed_at: string
  expires_at: string
  answer: string | null
}

/** Keeps what became of requests that carried an Idempotency-Key. */
export function createIdempotency(db: Database): IdempotencyStore {
  return {
    claim: async ({ scope, bodyHash, at, expiresAt, staleBefore }) =>
      db.atomically(() => {
        const row = db.one<ClaimRow>(
          'SELECT body_hash, claimed_at, expires_at, answer FROM idempotency WHERE scope = ?',
          scope
        )
        const free = row === undefined || row.expires_at <= at || (row.answer === null && row.claimed_at < staleBefore)
        if (free) {
          db.run(
            'INSERT OR REPLACE INTO idempotency (scope, body_hash, claimed_at, expires_at, answer) VALUES (?, ?, ?, ?, NULL)',
            scope,
            bodyHash,
            at,
            expiresAt
          )
          return { state: 'claimed' }
        }
        if (row.body_hash !== bodyHash) return { state: 'reused' }
        return row.answer === null
          ? { state: 'running' }
          : { state: 'answered', response: JSON.parse(row.answer) as StoredResponse }
      }),
    complete: async (scope, answer) => {
      db.run('UPDATE idempotency SET answer = ? WHERE scope = ?', JSON.stringify(answer), scope)
    },
    // An answer stays: it is another's, who took over a claim that was given up for dead.
    release: async (scope) => {
      db.run('DELETE FROM idempotency WHERE scope = ? AND answer IS NULL', scope)
    },
    deleteExpired: async (now) => db.run('DELETE FROM idempotency WHERE expires_at < ?', now)
  }
}
