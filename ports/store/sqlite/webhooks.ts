import { createYielder } from '../../../lib/async.ts'
import type { WebhookRecord, WebhookStore } from '../port.ts'
import type { Database } from './database.ts'
import { removeDeliveries } from './deliveries/removal.ts'
import { parseRecord, type RecordRow } from './sql.ts'

/** Recoveries, and deliveries, that are deleted with their webhook. Others are deleted later. */
const DELETED_AT_ONCE = 50
/** Recoveries that one statement deletes. */
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

const DELETE_RECOVERIES = 'DELETE FROM recoveries WHERE id IN (SELECT id FROM recoveries WHERE webhook_n = ? LIMIT ?)'
const DELETE_EMPTY = `
  DELETE FROM webhooks WHERE n = ?1
    AND NOT EXISTS (SELECT 1 FROM deliveries WHERE webhook_n = ?1)
    AND NOT EXISTS (SELECT 1 FROM recoveries WHERE webhook_n = ?1)`

/** Inserts the webhook. Call inside a transaction. */
export function insertWebhook(db: Database, webhook: WebhookRecord): boolean {
  const { id, accountId, version, disabledBy, createdAt, health } = webhook
  const disabled = Number(disabledBy !== null)
  return db.run(INSERT, id, accountId, version, disabled, health.pausedUntil, createdAt, JSON.stringify(webhook)) === 1
}

/**
 * Deletes recoveries and deliveries of a hidden webhook, about `limit` of each, and the webhook itself if it has no
 * more. Returns their number.
 */
async function deleteContents(db: Database, webhookN: number, limit: number): Promise<number> {
  const pause = createYielder()
  let deleted = 0
  for (let last = RECOVERIES; last === RECOVERIES && deleted < limit; await pause()) {
    last = db.relaxedTransaction(() => db.run(DELETE_RECOVERIES, webhookN, RECOVERIES))
    deleted += last
  }
  if (deleted >= limit) return deleted
  deleted += await removeDeliveries(db, { sql: 'webhook_n = ?', values: [webhookN] }, limit)
  db.relaxedTransaction(() => db.run(DELETE_EMPTY, webhookN))
  return deleted
}

/** Deletes about `limit` remaining deliveries and recoveries of deleted webhooks, in steps. */
export async function deleteRemainsOfWebhooks(db: Database, limit: number): Promise<void> {
  for (let deleted = 0; deleted < limit; ) {
    const row = db.one<{ n: number }>('SELECT n FROM webhooks WHERE account_id IS NULL LIMIT 1')
    if (row === undefined) return
    deleted += await deleteContents(db, row.n, limit - deleted)
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
    delete: async (accountId, id) => {
      const row = db.transaction(() => db.one<{ n: number }>(HIDE, id, accountId))
      if (row === undefined) return false
      await deleteContents(db, row.n, DELETED_AT_ONCE)
      return true
    }
  }
}
