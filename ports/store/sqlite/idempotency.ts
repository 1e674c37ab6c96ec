import type { IdempotencyStore, StoredResponse } from '../port.ts'
import type { Database } from './database.ts'
import { removeRows, type SizedRow } from './removal.ts'
import { RESPONSE_TRIGGERS } from './storage-schema.ts'

/**
 * A table with row numbers. Without them, the table was the index of its scopes: SQLite reads whole entries to compare
 * their keys, so that to find one claim among a hundred responses of 1.9 MB took 100 ms.
 */
export const IDEMPOTENCY_SCHEMA = `
ALTER TABLE idempotency RENAME TO former_idempotency;
CREATE TABLE idempotency (
  n INTEGER PRIMARY KEY,
  scope TEXT NOT NULL UNIQUE,
  body_hash TEXT NOT NULL,
  claimed_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  operation_id TEXT,
  response TEXT
);
INSERT INTO idempotency (scope, body_hash, claimed_at, expires_at, operation_id, response)
  SELECT scope, body_hash, claimed_at, expires_at, operation_id, response FROM former_idempotency;
DROP TABLE former_idempotency;
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at);
${RESPONSE_TRIGGERS}`

interface ClaimRow {
  bodyHash: string
  claimedAt: string
  expiresAt: string
  operationId: string | null
  isRunning: 0 | 1
  /** Of a request with the same body. Null: it is running, or its body is another one. */
  response: string | null
}

/** A response may have megabytes, so it is only read to be sent. */
const FIND = `
  SELECT body_hash AS bodyHash, claimed_at AS claimedAt, expires_at AS expiresAt, operation_id AS operationId,
    response IS NULL AS isRunning, CASE body_hash WHEN ? THEN response END AS response
  FROM idempotency WHERE scope = ?`
const CLAIM = `
  INSERT OR REPLACE INTO idempotency (scope, body_hash, claimed_at, expires_at, operation_id, response)
  VALUES (?, ?, ?, ?, ?, NULL)`
/** A released claim is older than any other, and therefore stale. */
const RELEASE = "UPDATE idempotency SET claimed_at = '' WHERE scope = ? AND response IS NULL"

const EXPIRED = `
  SELECT n, ifnull(octet_length(response), 0) AS bytes FROM idempotency
  WHERE expires_at < ? ORDER BY expires_at LIMIT ?`
const DELETE = 'DELETE FROM idempotency WHERE n IN (SELECT value FROM json_each(?))'

/**
 * A response as it is stored: a line of JSON with all but its body, and the body. Parsing a body of 2 MB, which is JSON
 * itself in most cases, would take 25 ms.
 */
export function toStoredText({ body, ...head }: StoredResponse): string {
  return `${JSON.stringify(head)}\n${body}`
}

/** Reads what `toStoredText` returned, or the JSON of a whole response, as former versions stored it. */
export function fromStoredText(text: string): StoredResponse {
  const end = text.indexOf('\n')
  if (end === -1) return JSON.parse(text) as StoredResponse
  return { ...(JSON.parse(text.slice(0, end)) as Omit<StoredResponse, 'body'>), body: text.slice(end + 1) }
}

export function createIdempotency(db: Database): IdempotencyStore {
  return {
    claim: async ({ scope, bodyHash, operationId, at, expiresAt, staleBefore }) =>
      db.transaction(() => {
        const row = db.one<ClaimRow>(FIND, bodyHash, scope)
        const isExpired = row === undefined || row.expiresAt <= at
        if (isExpired || (row.isRunning === 1 && row.claimedAt < staleBefore)) {
          const earlier = isExpired || row.bodyHash !== bodyHash ? null : row.operationId
          db.run(CLAIM, scope, bodyHash, at, expiresAt, earlier ?? operationId)
          return { state: 'claimed', operationId: earlier ?? operationId, isRetry: earlier !== null }
        }
        if (row.bodyHash !== bodyHash) return { state: 'reused' }
        return row.response === null
          ? { state: 'running' }
          : { state: 'answered', response: fromStoredText(row.response) }
      }),
    complete: async (scope, response) => {
      db.run('UPDATE idempotency SET response = ? WHERE scope = ?', toStoredText(response), scope)
    },
    // A stored response belongs to another request, which replaced a stale claim. Keep it.
    release: async (scope) => {
      db.run(RELEASE, scope)
    },
    deleteExpired: async (now) =>
      await removeRows(
        db,
        (limit) => db.all<SizedRow>(EXPIRED, now, limit),
        (ns) => db.run(DELETE, JSON.stringify(ns))
      )
  }
}
