import type { UsageHour } from '../../../schemas/account.ts'
import { duplicatePositions } from '../../../lib/mongodb.ts'
import type { AccountRecord, AccountStore, ProjectRecord, ProjectStore, UsageStore } from '../port.ts'
import type { Database } from './database.ts'
import { changedFields, compoundId, insertIfAbsent, WITHOUT_ID } from './documents.ts'

interface UsageDocument extends UsageHour {
  _id: string
  accountId: string
}

export function createAccounts(database: Database): AccountStore {
  const accounts = database.collection<AccountRecord & { _id: string }>('accounts')
  const find = (id: string) =>
    database.run(() => accounts.findOne<AccountRecord>({ _id: id }, { projection: WITHOUT_ID }))

  return {
    insertIfAbsent: (account) => database.run(async () => (await insertIfAbsent(accounts, account.id, account)).record),
    find,
    update: async (id, change) => {
      const fields = changedFields<AccountRecord>(change)
      if (Object.keys(fields).length === 0) return await find(id)
      return await database.run(() =>
        accounts.findOneAndUpdate(
          { _id: id },
          { $set: { ...fields, id } },
          { projection: WITHOUT_ID, returnDocument: 'after' }
        )
      )
    },
    list: ({ afterId, limit }) =>
      database.run(() =>
        accounts
          .find<AccountRecord>({ _id: { $gt: afterId ?? '' } }, { projection: WITHOUT_ID, sort: { _id: 1 }, limit })
          .toArray()
      )
  }
}

export function createProjects(database: Database): ProjectStore {
  const projects = database.collection<ProjectRecord & { _id: string }>('projects')
  const find = (accountId: string, id: string) =>
    database.run(() => projects.findOne<ProjectRecord>({ _id: compoundId(accountId, id) }, { projection: WITHOUT_ID }))

  return {
    insertIfAbsent: (project) =>
      database.run(async () => {
        const _id = compoundId(project.accountId, project.id)
        const { record, added } = await insertIfAbsent(projects, _id, project)
        return { project: record, added }
      }),
    find,
    list: (accountId, ids, limit) =>
      database.run(() =>
        projects
          .find<ProjectRecord>(
            ids === undefined ? { accountId } : { _id: { $in: ids.map((id) => compoundId(accountId, id)) } },
            {
              projection: WITHOUT_ID,
              sort: { id: 1 },
              ...(limit === undefined ? {} : { limit })
            }
          )
          .toArray()
      ),
    dueForCheck: (now, limit) =>
      database.run(() =>
        projects
          .find<ProjectRecord>(
            { nextCheckAt: { $gt: '', $lte: now } },
            { projection: WITHOUT_ID, sort: { nextCheckAt: 1, accountId: 1, id: 1 }, limit }
          )
          .toArray()
      ),
    count: (accountId) => database.run(() => projects.countDocuments({ accountId }, { hint: 'by_account' })),
    update: async (accountId, id, change) => {
      const fields = changedFields<ProjectRecord>(change)
      if (Object.keys(fields).length === 0) return await find(accountId, id)
      return await database.run(() =>
        projects.findOneAndUpdate(
          { _id: compoundId(accountId, id) },
          { $set: { ...fields, accountId, id } },
          { projection: WITHOUT_ID, returnDocument: 'after' }
        )
      )
    },
    delete: (accountId, id) =>
      database.run(async () => (await projects.deleteOne({ _id: compoundId(accountId, id) })).deletedCount === 1)
  }
}

/** Each count is a write of its own: a crash within `add` may lose some of the counts. */
export function createUsage(database: Database): UsageStore {
  const usage = database.collection<UsageDocument>('usage')

  return {
    add: (counts) =>
      database.run(async () => {
        let remaining = counts.map(({ accountId, hour, requests, refused }) => ({
          updateOne: {
            filter: { _id: compoundId(accountId, hour) },
            update: { $inc: { requests, refused }, $setOnInsert: { accountId, hour } },
            upsert: true
          }
        }))
        while (remaining.length > 0) {
          try {
            await usage.bulkWrite(remaining, { ordered: false })
            return
          } catch (error) {
            // Two processes inserted the same hour at once. The retry adds to the stored count.
            remaining = duplicatePositions(error).map((position) => remaining[position]!)
          }
        }
      }),
    hours: (accountId, since) =>
      database.run(() =>
        usage
          .find<UsageHour>(
            { accountId, hour: { $gte: since }, $or: [{ requests: { $gt: 0 } }, { refused: { $gt: 0 } }] },
            { projection: { _id: 0, accountId: 0 }, sort: { hour: 1 } }
          )
          .toArray()
      )
  }
}
