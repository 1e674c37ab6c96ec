import type { IdempotencyStore, StoredResponse } from '../port.ts'
import type { Database } from './database.ts'

interface ClaimRow {
  bodyHash: string
  claimedAt: string
  expiresAt: string
  response: string | null
}

const FIND = `
  SELECT body_hash AS bodyHash, claimed_at AS claimedAt, expires_at AS expiresAt, response
  FROM idempotency WHERE scope = ?`
const CLAIM = `
  INSERT OR REPLACE INTO idempotency (scope, body_hash, claimed_at, expires_at, response)
  VALUES (?, ?, ?, ?, NULL)`

export function createIdempotency(db: Database): IdempotencyStore {
  return {
    claim: async ({ scope, bodyHash, at, expiresAt, staleBefore }) =>
      db.transaction(() => {
        const row = db.one<ClaimRow>(FIND, scope)
        const free = row === undefined || row.expiresAt <= at || (row.response === null && row.claimedAt < staleBefore)
        if (free) {
          db.run(CLAIM, scope, bodyHash, at, expiresAt)
          return { state: 'claimed' }
        }
        if (row.bodyHash !== bodyHash) return { state: 'reused' }
        return row.response === null
          ? { state: 'running' }
          : { state: 'answered', response: JSON.parse(row.response) as StoredResponse }
      }),
    complete: async (scope, response) => {
      db.run('UPDATE idempotency SET response = ? WHERE scope = ?', JSON.stringify(response), scope)
    },
    // A stored response belongs to another request, which replaced a stale claim. Keep it.
    release: async (scope) => {
      db.run('DELETE FROM idempotency WHERE scope = ? AND response IS NULL', scope)
    },
    deleteExpired: async (now) => db.run('DELETE FROM idempotency WHERE expires_at < ?', now)
  }
}
