import type { ImportStore } from '../port.ts'
import type { Database } from './database.ts'
import { pendingUpdate, settleEvents } from './events-pending.ts'
import { dropErrors, putErrors, showErrors, shownErrors } from './imports-errors.ts'
import {
  changeOf,
  documentOf,
  importOf,
  imports,
  IN_PROGRESS,
  THERE,
  type ImportDocument
} from './imports-documents.ts'
import { seenBy } from './seen-by.ts'

type Place = Pick<ImportDocument, '_id'> & { accountId: string }

/** Keeps imports and the rows that failed. */
export function createImports(database: Database): ImportStore {
  const find = async (accountId: string, id: string) =>
    await imports(database).findOne({ _id: id, accountId, ...THERE })
  const places = (found: Place[]) => found.map(({ _id, accountId }) => ({ accountId, id: _id }))
  const projection = { _id: 1, accountId: 1 } as const

  return {
    add: (record) =>
      database.act(async () => {
        await imports(database).insertOne(documentOf(record))
      }),
    find: (accountId, id) =>
      database.act(async () => {
        const found = await find(accountId, id)
        return found === null ? null : importOf(found)
      }),
    list: (filter, { page, pageSize }) =>
      database.act(async () => {
        const seen = { ...seenBy(filter), ...THERE }
        const [totalCount, found] = await Promise.all([
          imports(database).countDocuments(seen),
          imports(database)
            .find(seen, { projection: { pendingEvents: 0 } })
            .sort({ createdAt: -1, _id: -1 })
            .skip((page - 1) * pageSize)
            .limit(pageSize)
            .toArray()
        ])
        return { imports: found.map(importOf), totalCount }
      }),
    /**
     * The errors are put down first, unseen. Then one change of the import's document makes the
     * step: it names the errors that are to be shown, and carries the events.
     * Then both are brought to where they are read, by us or, after a crash, by who reads them or
     * makes the next step.
     */
    advance: ({ accountId, id, fromByte, change, errors, events }) =>
      database.act(async () => {
        for (;;) {
          const standing = await find(accountId, id)
          if (standing === null || standing.nextByte !== fromByte || !IN_PROGRESS.includes(standing.status)) return null
          await showErrors(database, standing)
          const step = await putErrors(database, { id, fromByte }, errors)
          const { $set, ...more } = pendingUpdate(events)
          const after = await imports(database).findOneAndUpdate(
            {
              _id: id,
              accountId,
              nextByte: fromByte,
              status: { $in: IN_PROGRESS },
              showing: { $exists: false },
              ...THERE
            },
            { $set: { ...changeOf(change), ...(step === null ? {} : { showing: step }), ...$set }, ...more },
            { returnDocument: 'after' }
          )
          if (after !== null) {
            await showErrors(database, after)
            if (events.length > 0) await settleEvents(database, 'imports', id)
            return importOf(after)
          }
          if (step !== null) await dropErrors(database, id, step)
        }
      }),
    requestCancel: (accountId, id) =>
      database.act(async () => {
        const asked = await imports(database).findOneAndUpdate(
          { _id: id, accountId, status: { $in: IN_PROGRESS }, ...THERE },
          { $set: { cancelRequested: true } },
          { returnDocument: 'after' }
        )
        const found = asked ?? (await find(accountId, id))
        return found === null ? null : importOf(found)
      }),
    errors: (id, page) =>
      database.act(async () => {
        const found = await imports(database).findOne({ _id: id, ...THERE }, { projection: { showing: 1 } })
        if (found === null) return []
        await showErrors(database, found)
        return await shownErrors(database, id, page)
      }),
    unfinished: (limit) =>
      database.act(async () =>
        places(
          await imports(database)
            .find<Place>(
              { status: { $in: IN_PROGRESS }, ...THERE },
              { projection, sort: { createdAt: 1, _id: 1 }, limit }
            )
            .toArray()
        )
      ),
    // One whose removal a crash broke off is among them, so that it is removed once more.
    finishedBefore: (time, limit) =>
      database.act(async () =>
        places(
          await imports(database)
            .find<Place>({ finishedAt: { $lt: time } }, { projection, sort: { finishedAt: 1, _id: 1 }, limit })
            .toArray()
        )
      ),
    delete: (accountId, id) =>
      database.act(async () => {
        const { matchedCount } = await imports(database).updateOne({ _id: id, accountId }, { $set: { removed: true } })
        if (matchedCount === 0) return
        await settleEvents(database, 'imports', id)
        await dropErrors(database, id)
        await imports(database).deleteOne({ _id: id, accountId })
      })
  }
}
