import type { DeliveryChange, DeliveryStore } from '../port.ts'
import type { Database } from './database.ts'

/** How many attempts of a delivery are kept. */
const KEPT_ATTEMPTS = 50
const FIND = 'SELECT n FROM deliveries WHERE id = ? AND webhook_n = (SELECT n FROM webhooks WHERE id = ?)'
const ADD_ATTEMPT = 'INSERT OR IGNORE INTO delivery_attempts (delivery_n, number, record) VALUES (?, ?, ?)'
const DROP_OLD = `DELETE FROM delivery_attempts WHERE delivery_n = ?
  AND number <= (SELECT number FROM delivery_attempts WHERE delivery_n = ? ORDER BY number DESC LIMIT 1 OFFSET ${KEPT_ATTEMPTS})`
const CHANGE = 'UPDATE deliveries SET status = ?, attempts = ?, round = ?, next_attempt_at = ?, leased_until = NULL, last_status = ?, last_error = ?, delivered_at = ? WHERE n = ?'

/** Writes down what became of attempts. */
export function createDeliveryRecording (db: Database): Pick<DeliveryStore, 'record'> {
  const record = ({ id, webhookId, attempt, ...change }: DeliveryChange) => {
    const row = db.one<{ n: number }>(FIND, id, webhookId)
    if (row === undefined) return
    const isNew = db.run(ADD_ATTEMPT, row.n, attempt.number, JSON.stringify(attempt)) === 1
    if (attempt.number > KEPT_ATTEMPTS) db.run(DROP_OLD, row.n, row.n)
    // Somebody whose lease had run out made the same attempt; what is known of the first one stands, unless the receiver has it by the second.
    if (!isNew && change.status !== 'delivered') return
    const { status, attempts, round, nextAttemptAt, lastStatus, lastError, deliveredAt } = change
    db.run(CHANGE, status, attempts, round, nextAttemptAt, lastStatus, lastError, deliveredAt, row.n)
  }

  return {
    record: async (changes) => db.atomically(() => {
      for (const change of changes) record(change)
    })
  }
}
