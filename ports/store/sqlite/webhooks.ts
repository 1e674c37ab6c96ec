import { createYielder } from '../../../lib/async.ts'
import type { WebhookRecord, WebhookStore } from '../port.ts'
import type { Database } from './database.ts'
import { parseRecord, type RecordRow } from './sql.ts'

/** How many deliveries are deleted with their webhook, or in a step. Each may have attempts of a megabyte. */
const BATCH = 50
/** The same of recoveries. */
const RECOVERIES = 500

const INSERT = `
  INSERT INTO webhooks (id, account_id, version, disabled, paused_until, created_at, record)
  VALUES (?, ?, ?, ?, ?, ?, ?)`
const UPDATE = `
  UPDATE webhooks SET version = ?, disabled = ?, paused_until = ?, created_at = ?, record = ?
  WHERE id = ? AND account_id = ? AND version = ?`
/**
 * A webhook may have a million deliveries, and deleting them at once would block all other
 * requests. So the webhook loses its id and account, by which alone it, its deliveries and its recoveries
 * can be found, and these are deleted in batches.
 */
const HIDE = `
  UPDATE webhooks SET id = NULL, account_id = NULL, disabled = 1
  WHERE id = ? AND account_id = ? RETURNING n`

/** Inserts the webhook. Call inside a transaction. */
export function insertWebhook(db: Database, webhook: WebhookRecord): boolean {
  const { id, accountId, version, disabledBy, createdAt, health } = webhook
  const disabled = Number(disabledBy !== null)
  return db.run(INSERT, id, accountId, version, disabled, health.pausedUntil, createdAt, JSON.stringify(webhook)) === 1
}

/**
 * Deletes up to RECOVERIES recoveries or BATCH deliveries of a hidden webhook, and the webhook itself if it has no
 * more. Returns their number.
 */
function deleteContents(db: Database, webhookN: number): number {
  const recoveries = db.run(
    'DELETE FROM recoveries WHERE id IN (SELECT id FROM recoveries WHERE webhook_n = ? LIMIT ?)',
    webhookN,
    RECOVERIES
  )
  if (recoveries === RECOVERIES) return recoveries
  const deleted = db.run(
    'DELETE FROM deliveries WHERE n IN (SELECT n FROM deliveries WHERE webhook_n = ? LIMIT ?)',
    webhookN,
    BATCH
  )
  if (deleted < BATCH) db.run('DELETE FROM webhooks WHERE n = ?', webhookN)
  return deleted
}

/** Deletes about `limit` remaining deliveries and recoveries of deleted webhooks, in steps. */
export async function deleteRemainsOfWebhooks(db: Database, limit: number): Promise<void> {
  const pause = createYielder()
  for (let deleted = 0; deleted < limit; await pause()) {
    const row = db.one<{ n: number }>('SELECT n FROM webhooks WHERE account_id IS NULL LIMIT 1')
    if (row === undefined) return
    deleted += db.relaxedTransaction(() => deleteContents(db, row.n))
  }
}

export function createWebhooks(db: Database): WebhookStore {
  return {
    add: async (webhook, max) =>
      db.transaction(() => {
        const { count } = db.one<{ count: number }>(
          'SELECT count(*) AS count FROM webhooks WHERE account_id = ?',
          webhook.accountId
        ) as { count: number }
        return count < max && insertWebhook(db, webhook)
      }),
    find: async (accountId, id) =>
      parseRecord<WebhookRecord>(
        db.one<RecordRow>('SELECT record FROM webhooks WHERE id = ? AND account_id = ?', id, accountId)
      ),
    list: async (accountId) =>
      db
        .all<RecordRow>('SELECT record FROM webhooks WHERE account_id = ? ORDER BY created_at, id', accountId)
        .map((row) => JSON.parse(row.record) as WebhookRecord),
    save: async (webhook, ifVersion, { isHealth } = { isHealth: false }) => {
      const { id, accountId, version, disabledBy, createdAt, health } = webhook
      // Each run saves it at its end: waiting for the disk each time would block the event loop.
      return db[isHealth ? 'deferredTransaction' : 'transaction'](() => {
        const changes = db.run(
          UPDATE,
          version,
          Number(disabledBy !== null),
          health.pausedUntil,
          createdAt,
          JSON.stringify(webhook),
          id,
          accountId,
          ifVersion
        )
        return changes === 1
      })
    },
    delete: async (accountId, id) =>
      db.transaction(() => {
        const row = db.one<{ n: number }>(HIDE, id, accountId)
        if (row === undefined) return false
        deleteContents(db, row.n)
        return true
      })
  }
}
