import { randomUUID } from 'node:crypto'
import type { RecoveryRecord, RecoveryStore } from '../port.ts'
import type { Database } from './database.ts'
import { changedFields } from './records-changed.ts'
import { settleReopening, settleReopenings } from './recoveries-settle.ts'
import { fieldsOf, recoveries } from './recovery-documents.ts'
import { existing, isRemoved, webhooks } from './webhook-documents.ts'

type Running = Pick<RecoveryRecord, 'accountId' | 'id'>

/** Keeps recoveries. Of a webhook that is removed there are none, whatever is left of them. */
export function createRecoveries(database: Database): RecoveryStore {
  /** With the deliveries reopened that a crash left to be. */
  async function find(accountId: string, id: string): Promise<RecoveryRecord | null> {
    const found = await recoveries(database).findOne({ _id: id, accountId })
    if (found === null || !(await existing(database, accountId, [found.webhookId])).has(found.webhookId)) return null
    await settleReopening(database, found)
    return found.record
  }

  return {
    add: (recovery) =>
      database.act(async () => {
        const { id, accountId, webhookId } = recovery
        if ((await existing(database, accountId, [webhookId])).has(webhookId)) {
          await recoveries(database).insertOne({ _id: id, ...fieldsOf(recovery) })
        }
      }),
    find: (accountId, id) => database.act(() => find(accountId, id)),
    // The step is written down with what it still has to reopen, in one document, so that both are
    // done or neither.
    advance: ({ accountId, id, afterSequence }, { change, requeue, at }) =>
      database.act(async () => {
        const before = await find(accountId, id)
        if (before === null) return false
        const after = { ...before, ...changedFields(change), id, accountId, webhookId: before.webhookId }
        const reopening = requeue.length === 0 ? undefined : { ids: requeue, at, by: randomUUID() }
        const { matchedCount } = await recoveries(database).updateOne(
          { _id: id, accountId, status: 'running', afterSequence, reopening: { $exists: false } },
          { $set: { ...fieldsOf(after), ...(reopening === undefined ? {} : { reopening }) } }
        )
        if (matchedCount === 0) return false
        await settleReopening(database, { _id: id, accountId, ...(reopening === undefined ? {} : { reopening }) })
        return true
      }),
    unfinished: (limit) =>
      database.act(async () => {
        await settleReopenings(database)
        return await unfinished(database, limit)
      })
  }
}

/** What came while its webhook was being removed goes too. */
async function unfinished(database: Database, limit: number): Promise<Running[]> {
  for (;;) {
    const found = await recoveries(database)
      .find(
        { status: 'running' },
        { projection: { accountId: 1, webhookId: 1 }, sort: { createdAt: 1, _id: 1 }, limit, hint: 'running' }
      )
      .toArray()
    const known = await webhooks(database)
      .find({ _id: { $in: found.map(({ webhookId }) => webhookId) } }, { projection: { accountId: 1 } })
      .toArray()
    const there = new Set(known.filter((webhook) => !isRemoved(webhook)).map(({ _id }) => _id))
    const lone = found.filter(({ webhookId }) => !there.has(webhookId))
    if (lone.length === 0) return found.map(({ accountId, _id }) => ({ accountId, id: _id }))
    await recoveries(database).deleteMany({ _id: { $in: lone.map(({ _id }) => _id) } })
  }
}
