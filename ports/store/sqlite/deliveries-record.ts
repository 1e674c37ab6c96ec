import type { DeliveryUpdate, DeliveryStore } from '../port.ts'
import type { Database } from './database.ts'

/** How many attempts of a delivery are kept. */
const KEPT_ATTEMPTS = 50
const FIND = 'SELECT n FROM deliveries WHERE id = ? AND webhook_n = ?'
const ADD_ATTEMPT = 'INSERT OR IGNORE INTO delivery_attempts (n, record) VALUES ((? << 20) + ?, ?)'
const DROP_OLD = `DELETE FROM delivery_attempts WHERE n > ? << 20
  AND n <= (SELECT n FROM delivery_attempts WHERE n < (? + 1) << 20 ORDER BY n DESC LIMIT 1 OFFSET ${KEPT_ATTEMPTS})`
const CHANGE =
  'UPDATE deliveries SET status = ?, attempts = ?, round = ?, next_attempt_at = ?, last_status = ?, last_error = ?, delivered_at = ? WHERE n = ?'
const END_LEASES = 'DELETE FROM delivery_leases WHERE n IN (SELECT value FROM json_each(?))'

/** Writes down what became of attempts. */
export function createDeliveryRecording(db: Database): Pick<DeliveryStore, 'recordAttempts'> {
  const numberOf = (webhookId: string) =>
    db.one<{ n: number }>('SELECT n FROM webhooks WHERE id = ?', webhookId)?.n ?? null

  /**
   * The delivery's number; null when nothing is changed by it: it is gone, or of another webhook,
   * or the attempt is known.
   */
  function record(
    { id, attempt, status, attempts, round, nextAttemptAt, lastStatus, lastError, deliveredAt }: DeliveryUpdate,
    webhookN: number | null
  ): number | null {
    const n = db.one<{ n: number }>(FIND, id, webhookN)?.n
    if (n === undefined) return null
    const isNew = db.run(ADD_ATTEMPT, n, attempt.number, JSON.stringify(attempt)) === 1
    if (attempt.number > KEPT_ATTEMPTS) db.run(DROP_OLD, n, n)
    // Somebody whose lease had run out made the same attempt; what is known of the first one
    // stands, unless the receiver has it by the second.
    if (!isNew && status !== 'delivered') return null
    db.run(CHANGE, status, attempts, round, nextAttemptAt, lastStatus, lastError, deliveredAt, n)
    return n
  }

  return {
    recordAttempts: async (changes) =>
      db.atomically(() => {
        const webhooks = new Map(changes.map(({ webhookId }) => [webhookId, null as number | null]))
        for (const webhookId of webhooks.keys()) webhooks.set(webhookId, numberOf(webhookId))
        const changed = changes.map((change) => record(change, webhooks.get(change.webhookId) ?? null))
        db.run(END_LEASES, JSON.stringify(changed.filter((n) => n !== null)))
      })
  }
}
