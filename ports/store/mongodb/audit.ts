import type { Filter } from 'mongodb'
import { duplicatePositions } from '../../../lib/mongodb.ts'
import { firstUuid7 } from '../../../lib/uuid7.ts'
import type { AuditFilter, AuditRecord, AuditStore } from '../port.ts'
import type { Database } from './database.ts'

type AuditDocument = Omit<AuditRecord, 'id'> & { _id: string }

const INDEX = 'of_account'

/** The audit log. Ids begin with their time, so the index of ids serves the retention. */
export function createAudit(database: Database): AuditStore {
  const entries = database.collection<AuditDocument>('audit_entries')

  return {
    add: (added) =>
      database.run(async () => {
        if (added.length === 0) return
        try {
          await entries.insertMany(
            added.map(({ id, ...entry }) => ({ _id: id, ...entry })),
            { ordered: false }
          )
        } catch (error) {
          duplicatePositions(error) // Throws unless only existing ids were rejected.
        }
      }),
    list: (accountId, filter, { beforeId, limit }) =>
      database.run(async () => {
        const found = await entries
          .find(filterOf(accountId, filter, beforeId), { sort: { _id: -1 }, limit, batchSize: limit, hint: INDEX })
          .toArray()
        return found.map(({ _id, ...entry }) => ({ id: _id, ...entry }))
      }),
    deleteBefore: (before, limit) =>
      database.run(async () => {
        const expired = await entries
          .find(
            { _id: { $lt: firstUuid7(before) } },
            { projection: { _id: 1 }, sort: { _id: 1 }, limit, batchSize: limit }
          )
          .toArray()
        if (expired.length === 0) return 0
        return (await entries.deleteMany({ _id: { $in: expired.map(({ _id }) => _id) } })).deletedCount
      }),
    trim: (accountId, actions, keep) =>
      database.run(async () => {
        const ofActions = { accountId, action: { $in: [...actions] } }
        const [excess] = await entries
          .find(ofActions, { projection: { _id: 1 }, sort: { _id: -1 }, skip: keep, limit: 1, hint: INDEX })
          .toArray()
        if (excess === undefined) return 0
        return (await entries.deleteMany({ ...ofActions, _id: { $lte: excess._id } })).deletedCount
      })
  }
}

function filterOf(
  accountId: string,
  { actor, action, target, since, until }: AuditFilter,
  beforeId: string | null
): Filter<AuditDocument> {
  const before = [beforeId, until === undefined ? null : firstUuid7(until)].filter((id) => id !== null).toSorted()[0]
  const range = {
    ...(since === undefined ? {} : { $gte: firstUuid7(since) }),
    ...(before === undefined ? {} : { $lt: before })
  }
  return {
    accountId,
    ...(Object.keys(range).length === 0 ? {} : { _id: range }),
    ...(action === undefined ? {} : { action }),
    ...(actor === undefined ? {} : { 'actor.id': actor }),
    ...(target === undefined ? {} : { 'target.id': target })
  } as Filter<AuditDocument>
}
