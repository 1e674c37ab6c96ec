import type { Collection } from 'mongodb'
import type { CheckStatus } from '../../../schemas/visual-check.ts'
import type {
  VisualCheckMetadata,
  VisualCheckRecord,
  VisualCheckResult,
  VisualCheckRun,
  VisualCheckStore
} from '../port.ts'
import type { Database } from './database.ts'
import { BY_ID, readOldestFirst } from './documents.ts'
import { movePendingEvents, pendingUpdate, type PendingEvents } from './events/pending.ts'
import { acquireSlot, releaseSlot } from './slots.ts'

const UNFINISHED: CheckStatus[] = ['queued', 'running']

export interface VisualCheckDocument extends Omit<VisualCheckMetadata, 'id'>, PendingEvents {
  _id: string
  /** JSON, because keys in the result may be invalid as MongoDB field names. */
  result: string | null
}

export const visualCheckCollection = (database: Database): Collection<VisualCheckDocument> =>
  database.collection<VisualCheckDocument>('visual_checks')

export function toCheckDocument({ id, result, ...metadata }: VisualCheckRecord): VisualCheckDocument {
  return { _id: id, ...metadata, result: serializeResult(result) }
}

const serializeResult = (result: VisualCheckResult | null): string | null =>
  result === null ? null : JSON.stringify(result)

function toCheckMetadata({
  _id,
  result,
  pendingEvents,
  eventsPendingSince,
  ...metadata
}: VisualCheckDocument): VisualCheckMetadata {
  return { id: _id, ...metadata }
}

export function toCheckRecord(document: VisualCheckDocument): VisualCheckRecord {
  return {
    ...toCheckMetadata(document),
    result: document.result === null ? null : (JSON.parse(document.result) as VisualCheckResult)
  }
}

const toRecordOrNull = (found: VisualCheckDocument | null) => (found === null ? null : toCheckRecord(found))

type CheckId = Pick<VisualCheckDocument, '_id' | 'accountId'>
const ID_FIELDS = { _id: 1, accountId: 1 } as const
const toIds = (found: CheckId[]) => found.map(({ _id, accountId }) => ({ accountId, id: _id }))

/** The condition of the index `history`. */
const WITH_SCORE = { overallScore: { $gte: 0 } }
const WITHOUT_RESULT = { result: 0, pendingEvents: 0 } as const

const slotHolder = (accountId: string) => `visual-checks ${accountId}`

/** Visual checks. Slots count the unfinished checks of an account: each of them holds one. */
export function createVisualChecks(database: Database): VisualCheckStore {
  const checks = visualCheckCollection(database)
  const runningAttempt = ({ accountId, id, attempt }: VisualCheckRun) => ({
    _id: id,
    accountId,
    status: 'running' as const,
    attempts: attempt
  })
  const findUnfinished = async (ids: string[]) =>
    await database.run(async () => {
      const found = await checks
        .find({ _id: { $in: ids }, status: { $in: UNFINISHED } }, { projection: ID_FIELDS, ...BY_ID })
        .toArray()
      return new Set(found.map(({ _id }) => _id))
    })

  return {
    add: async (check, max) => {
      const { id, accountId, createdAt: at } = check
      const slot = { holder: slotHolder(accountId), id, expiresAt: null, max, at }
      if (check.finishedAt === null && !(await acquireSlot(database, slot, findUnfinished))) return false
      await database.run(() => checks.insertOne(toCheckDocument(check)))
      return true
    },
    find: (accountId, id) => database.run(async () => toRecordOrNull(await checks.findOne({ _id: id, accountId }))),
    list: ({ accountId, blogId, url }, { page, pageSize }) =>
      database.run(async () => {
        const filter = url === undefined ? { accountId, blogId } : { accountId, blogId, url }
        const [totalCount, found] = await Promise.all([
          // Without an order, several indexes are candidates: see `countIn` of blogs.
          checks.countDocuments(filter, { hint: url === undefined ? 'list' : 'of_url' }),
          checks
            .find(filter, {
              projection: WITHOUT_RESULT,
              sort: { createdAt: -1, _id: -1 },
              skip: (page - 1) * pageSize,
              limit: pageSize
            })
            .toArray()
        ])
        return { checks: found.map(toCheckMetadata), totalCount }
      }),
    findPrevious: ({ accountId, blogId, url, id }) =>
      database.run(async () =>
        toRecordOrNull(
          await checks.findOne({ accountId, blogId, url, ...WITH_SCORE, _id: { $lt: id } }, { sort: { _id: -1 } })
        )
      ),
    history: ({ accountId, blogId, url, id }, limit) =>
      database.run(async () => {
        const filter = { accountId, blogId, url, ...WITH_SCORE, _id: { $lte: id } }
        const found = await checks.find(filter, { projection: WITHOUT_RESULT, sort: { _id: -1 }, limit }).toArray()
        return found.map(toCheckMetadata)
      }),
    start: ({ accountId, id, at, staleBefore }) =>
      database.run(async () =>
        toRecordOrNull(
          await checks.findOneAndUpdate(
            { _id: id, accountId, $or: [{ status: 'queued' }, { status: 'running', startedAt: { $lt: staleBefore } }] },
            { $set: { status: 'running', startedAt: at }, $inc: { attempts: 1 } },
            { returnDocument: 'after' }
          )
        )
      ),
    release: (run) =>
      database.run(async () => {
        const queued = { $set: { status: 'queued' as const, startedAt: null } }
        return (await checks.updateOne(runningAttempt(run), queued)).matchedCount === 1
      }),
    finish: async (run, { result, ...end }, events) => {
      const finished = await database.run(async () => {
        const { $set, ...otherOperators } = pendingUpdate(events)
        const after = await checks.findOneAndUpdate(
          runningAttempt(run),
          { $set: { ...end, result: serializeResult(result), ...$set }, ...otherOperators },
          { returnDocument: 'after' }
        )
        if (after !== null && events.length > 0) {
          await movePendingEvents(database, 'visual_checks', run.id)
        }
        return toRecordOrNull(after)
      })
      if (finished !== null) await releaseSlot(database, slotHolder(run.accountId), run.id)
      return finished
    },
    unfinished: (staleBefore, page) =>
      database.run(() =>
        readOldestFirst(
          checks,
          {
            filter: { status: { $in: UNFINISHED }, $or: [{ startedAt: null }, { startedAt: { $lt: staleBefore } }] },
            field: 'createdAt'
          },
          page
        )
      ),
    finishedBefore: (time, limit) =>
      database.run(async () =>
        toIds(
          await checks
            .find<CheckId>(
              { finishedAt: { $lt: time } },
              { projection: ID_FIELDS, sort: { finishedAt: 1, _id: 1 }, limit }
            )
            .toArray()
        )
      ),
    delete: async (accountId, id) => {
      await database.run(async () => {
        await movePendingEvents(database, 'visual_checks', id)
        await checks.deleteOne({ _id: id, accountId })
      })
      await releaseSlot(database, slotHolder(accountId), id)
    }
  }
}
