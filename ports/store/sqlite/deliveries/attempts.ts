import { createYielder } from '../../../../lib/async.ts'
import type { DeliveryStore, DeliveryUpdate } from '../../port.ts'
import type { Database } from '../database.ts'

const MAX_ATTEMPT_RECORDS = 50
/** Attempts that are recorded in one step, and the characters of their records. Takes about 4 ms. */
const MAX_STEP = 512
const MAX_STEP_LENGTH = 1_000_000

const RELEASE_ROWS = 'DELETE FROM delivery_leases WHERE n IN (SELECT value FROM json_each(?))'
const WEBHOOK = 'SELECT n FROM webhooks WHERE id = ?'
const FIND = `
  SELECT key, d.n, w.id
  FROM json_each(?) CROSS JOIN deliveries d ON d.id = value JOIN webhooks w ON w.n = d.webhook_n`
const EXISTS = 'SELECT 1 FROM deliveries WHERE n = ? AND id = ?'
const ADD_ATTEMPT = 'INSERT OR IGNORE INTO delivery_attempts (n, record) VALUES ((? << 20) + ?, ?)'
const DELETE_OLD_ATTEMPTS = `
  DELETE FROM delivery_attempts WHERE n > ? << 20 AND n <= (
    SELECT n FROM delivery_attempts
    WHERE n < (? + 1) << 20 ORDER BY n DESC LIMIT 1 OFFSET ${MAX_ATTEMPT_RECORDS}
  )`
const UPDATE = `
  UPDATE deliveries
  SET status = ?, attempts = ?, round = ?, next_attempt_at = ?, last_status = ?, last_error = ?, delivered_at = ?
  WHERE n = ? AND id = ?`

/** An attempt of a delivery, and the number of its row. */
interface RowUpdate {
  n: number
  update: DeliveryUpdate
}

/** The records of the updates from `start`, as many as one step takes, and at least one. */
function takeRecords(updates: RowUpdate[], start: number): string[] {
  const records: string[] = []
  const end = Math.min(updates.length, start + MAX_STEP)
  for (let index = start, length = 0; index < end && length < MAX_STEP_LENGTH; index++) {
    const record = JSON.stringify(updates[index]!.update.attempt)
    length += record.length
    records.push(record)
  }
  return records
}

export function createAttemptRecording(db: Database): Pick<DeliveryStore, 'recordAttempts'> {
  /** Leaves out deliveries that were deleted, or are of another webhook. */
  function findRows(updates: DeliveryUpdate[]): RowUpdate[] {
    const found: RowUpdate[] = []
    const unknown: DeliveryUpdate[] = []
    for (const update of updates) {
      if (update.row === undefined) unknown.push(update)
      else found.push({ n: update.row, update })
    }
    if (unknown.length > 0) {
      db.takeColumns(FIND, [JSON.stringify(unknown.map(({ id }) => id))], (columns) => {
        const [index, n, webhookId] = columns as [number, number, string]
        const update = unknown[index]!
        if (update.webhookId === webhookId) found.push({ n, update })
        return true
      })
    }
    // In the order of their tables, in which attempts of one webhook are neighbors: so a step writes fewer pages. The
    // attempts of a delivery stay in their order.
    return found.sort((one, other) => one.n - other.n)
  }

  function update({ n, update }: RowUpdate): boolean {
    const { id, status, attempts, round, nextAttemptAt, lastStatus, lastError, deliveredAt } = update
    return db.run(UPDATE, status, attempts, round, nextAttemptAt, lastStatus, lastError, deliveredAt, n, id) === 1
  }

  /** Returns whether the attempt was added: not if the delivery has it. */
  function addAttempt({ n, update: { attempt } }: RowUpdate, record: string): boolean {
    const isNew = db.run(ADD_ATTEMPT, n, attempt.number, record) === 1
    if (attempt.number > MAX_ATTEMPT_RECORDS) db.run(DELETE_OLD_ATTEMPTS, n, n)
    return isNew
  }

  /**
   * Returns whether the delivery changed. A process whose claim had ended may have made the same attempt: the result
   * that was recorded first stays, unless the second attempt delivered the event.
   */
  function recordAttempt(row: RowUpdate, record: string): boolean {
    const {
      n,
      update: { id, status }
    } = row
    if (status === 'delivered') {
      if (!update(row)) return false
      addAttempt(row, record)
      return true
    }
    return db.one(EXISTS, n, id) !== undefined && addAttempt(row, record) && update(row)
  }

  function recordStep(updates: RowUpdate[], records: string[]): void {
    const changed: number[] = []
    let webhookId = ''
    let isDeleted = false
    for (let index = 0; index < updates.length; index++) {
      const row = updates[index]!
      if (row.update.webhookId !== webhookId) {
        webhookId = row.update.webhookId
        isDeleted = db.one(WEBHOOK, webhookId) === undefined
      }
      if (!isDeleted && recordAttempt(row, records[index]!)) changed.push(row.n)
    }
    db.run(RELEASE_ROWS, JSON.stringify(changed))
  }

  return {
    // In steps, because attempts may have 110 KB each. Waiting for the disk would block the event loop for each one.
    recordAttempts: async (updates) => {
      const pause = createYielder()
      const rows = findRows(updates)
      for (let start = 0; start < rows.length; await pause()) {
        const records = takeRecords(rows, start)
        const step = rows.slice(start, start + records.length)
        db.relaxedTransaction(() => recordStep(step, records))
        start += records.length
      }
    }
  }
}
