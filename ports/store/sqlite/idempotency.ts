import { createYielder } from '../../../lib/async.ts'
import type { IdempotencyStore, StoredResponse } from '../port.ts'
import type { Database } from './database.ts'

interface ClaimRow {
  bodyHash: string
  claimedAt: string
  expiresAt: string
  operationId: string | null
  response: string | null
}

const FIND = `
  SELECT body_hash AS bodyHash, claimed_at AS claimedAt, expires_at AS expiresAt, operation_id AS operationId, response
  FROM idempotency WHERE scope = ?`
const CLAIM = `
  INSERT OR REPLACE INTO idempotency (scope, body_hash, claimed_at, expires_at, operation_id, response)
  VALUES (?, ?, ?, ?, ?, NULL)`
/** A released claim is older than any other, and therefore stale. */
const RELEASE = "UPDATE idempotency SET claimed_at = '' WHERE scope = ? AND response IS NULL"

/** A stored response may have megabytes. */
const DELETED_PER_STEP = 50
const DELETE_EXPIRED = `
  DELETE FROM idempotency WHERE scope IN (
    SELECT scope FROM idempotency WHERE expires_at < ? ORDER BY expires_at LIMIT ${DELETED_PER_STEP}
  )`

export function createIdempotency(db: Database): IdempotencyStore {
  return {
    claim: async ({ scope, bodyHash, operationId, at, expiresAt, staleBefore }) =>
      db.transaction(() => {
        const row = db.one<ClaimRow>(FIND, scope)
        const isExpired = row === undefined || row.expiresAt <= at
        if (isExpired || (row.response === null && row.claimedAt < staleBefore)) {
          const earlier = isExpired || row.bodyHash !== bodyHash ? null : row.operationId
          db.run(CLAIM, scope, bodyHash, at, expiresAt, earlier ?? operationId)
          return { state: 'claimed', operationId: earlier ?? operationId, isRetry: earlier !== null }
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
      db.run(RELEASE, scope)
    },
    deleteExpired: async (now) => {
      const pause = createYielder()
      for (let deleted = 0; ; ) {
        const changes = db.run(DELETE_EXPIRED, now)
        deleted += changes
        if (changes < DELETED_PER_STEP) return deleted
        await pause()
      }
    }
  }
}
