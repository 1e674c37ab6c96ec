import type { CheckStatus } from '../../../schemas/visual-check.ts'
import type { VisualCheckRun, VisualCheckStore } from '../port.ts'
import type { Database } from './database.ts'
import { pendingUpdate, settleEvents } from './events-pending.ts'
import { freeSeat, takeSeat } from './seats.ts'
import {
  checkOf,
  documentOf,
  headOf,
  textOf,
  visualChecks,
  type VisualCheckDocument
} from './visual-check-documents.ts'

const UNFINISHED: CheckStatus[] = ['queued', 'running']
type Place = Pick<VisualCheckDocument, '_id' | 'accountId'>
const places = (found: Place[]) => found.map(({ _id, accountId }) => ({ accountId, id: _id }))
const projection = { _id: 1, accountId: 1 } as const
/** Whose seats are counted: of an account, and apart from those of its keys. */
const holderOf = (accountId: string) => `checks ${accountId}`

/**
 * Keeps visual checks. How many of an account go on is counted by seats, of which every one that
 * has not ended has one.
 */
export function createVisualChecks(database: Database): VisualCheckStore {
  const checks = visualChecks(database)
  const going = ({ accountId, id, attempt }: VisualCheckRun) => ({
    _id: id,
    accountId,
    status: 'running' as const,
    attempts: attempt
  })
  const whole = (found: VisualCheckDocument | null) => (found === null ? null : checkOf(found))
  const unfinishedOf = async (ids: string[]) =>
    await database.act(
      async () =>
        new Set(
          (await checks.find({ _id: { $in: ids }, status: { $in: UNFINISHED } }, { projection }).toArray()).map(
            ({ _id }) => _id
          )
        )
    )

  return {
    add: async (check, most) => {
      const seat = { holder: holderOf(check.accountId), id: check.id, until: null, most, at: check.createdAt }
      if (check.finishedAt === null && !(await takeSeat(database, seat, unfinishedOf))) return false
      await database.act(() => checks.insertOne(documentOf(check)))
      return true
    },
    find: (accountId, id) => database.act(async () => whole(await checks.findOne({ _id: id, accountId }))),
    list: ({ accountId, blogId }, { page, pageSize }) =>
      database.act(async () => {
        const [totalCount, found] = await Promise.all([
          checks.countDocuments({ accountId, blogId }),
          checks
            .find(
              { accountId, blogId },
              {
                projection: { result: 0, pendingEvents: 0 },
                sort: { createdAt: -1, _id: -1 },
                skip: (page - 1) * pageSize,
                limit: pageSize
              }
            )
            .toArray()
        ])
        return { checks: found.map(headOf), totalCount }
      }),
    findPrevious: ({ accountId, blogId, url, id }) =>
      database.act(async () =>
        whole(
          await checks.findOne({ accountId, blogId, url, status: 'completed', _id: { $lt: id } }, { sort: { _id: -1 } })
        )
      ),
    start: ({ accountId, id, at, staleBefore }) =>
      database.act(async () =>
        whole(
          await checks.findOneAndUpdate(
            { _id: id, accountId, $or: [{ status: 'queued' }, { status: 'running', startedAt: { $lt: staleBefore } }] },
            { $set: { status: 'running', startedAt: at }, $inc: { attempts: 1 } },
            { returnDocument: 'after' }
          )
        )
      ),
    release: (run) =>
      database.act(
        async () =>
          (await checks.updateOne(going(run), { $set: { status: 'queued', startedAt: null } })).matchedCount === 1
      ),
    finish: async (run, { result, ...end }, events) => {
      const finished = await database.act(async () => {
        const { $set, ...more } = pendingUpdate(events)
        const after = await checks.findOneAndUpdate(
          going(run),
          { $set: { ...end, result: textOf(result), ...$set }, ...more },
          { returnDocument: 'after' }
        )
        if (after !== null && events.length > 0) await settleEvents(database, 'visual_checks', run.id)
        return whole(after)
      })
      if (finished !== null) await freeSeat(database, holderOf(run.accountId), run.id)
      return finished
    },
    unfinished: (staleBefore, limit) =>
      database.act(async () =>
        places(
          await checks
            .find<Place>(
              { status: { $in: UNFINISHED }, $or: [{ startedAt: null }, { startedAt: { $lt: staleBefore } }] },
              { projection, sort: { createdAt: 1, _id: 1 }, limit }
            )
            .toArray()
        )
      ),
    finishedBefore: (time, limit) =>
      database.act(async () =>
        places(
          await checks
            .find<Place>({ finishedAt: { $lt: time } }, { projection, sort: { finishedAt: 1, _id: 1 }, limit })
            .toArray()
        )
      ),
    delete: async (accountId, id) => {
      await database.act(async () => {
        await settleEvents(database, 'visual_checks', id)
        await checks.deleteOne({ _id: id, accountId })
      })
      await freeSeat(database, holderOf(accountId), id)
    }
  }
}
