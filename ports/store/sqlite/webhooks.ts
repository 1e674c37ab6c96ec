import type { WebhookRecord, WebhookStore } from '../port.ts'
import type { Database } from './database.ts'
import { recordOf, type RecordRow } from './records.ts'
import { removeWebhook } from './webhooks-remove.ts'

/** Keeps webhooks. */
export function createWebhooks(db: Database): WebhookStore {
  return {
    add: async (webhook, most) =>
      db.atomically(() => {
        const { id, accountId, version, disabledBy, createdAt, health } = webhook
        const { count } = db.one<{ count: number }>(
          'SELECT count(*) AS count FROM webhooks WHERE account_id = ?',
          accountId
        ) as { count: number }
        if (count >= most) return false
        db.run(
          'INSERT INTO webhooks (id, account_id, version, disabled, paused_until, created_at, record) VALUES (?, ?, ?, ?, ?, ?, ?)',
          id,
          accountId,
          version,
          Number(disabledBy !== null),
          health.pausedUntil,
          createdAt,
          JSON.stringify(webhook)
        )
        return true
      }),
    find: async (accountId, id) =>
      recordOf<WebhookRecord>(
        db.one<RecordRow>('SELECT record FROM webhooks WHERE id = ? AND account_id = ?', id, accountId)
      ),
    list: async (accountId) =>
      db
        .all<RecordRow>('SELECT record FROM webhooks WHERE account_id = ? ORDER BY created_at, id', accountId)
        .map((row) => JSON.parse(row.record) as WebhookRecord),
    save: async (webhook, ifVersion) => {
      const { id, accountId, version, disabledBy, createdAt, health } = webhook
      return (
        db.run(
          'UPDATE webhooks SET version = ?, disabled = ?, paused_until = ?, created_at = ?, record = ? WHERE id = ? AND account_id = ? AND version = ?',
          version,
          Number(disabledBy !== null),
          health.pausedUntil,
          createdAt,
          JSON.stringify(webhook),
          id,
          accountId,
          ifVersion
        ) === 1
      )
    },
    delete: async (accountId, id) => removeWebhook(db, accountId, id)
  }
}
