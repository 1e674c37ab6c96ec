import type { ProductStore, ProjectRef } from '../port.ts'
import type { Database } from './database.ts'
import { distinctValues } from './distinct.ts'
import { settleMarks } from './events-marks.ts'
import { openBatches, readWhole } from './products-batch-reads.ts'
import { settleBatches } from './products-batch-settle.ts'
import { productOf, products, SHOWN, THERE, type Mark } from './products-documents.ts'

const DUE = { optimize: 'optimizePendingSince', imageCheck: 'imageCheckPendingSince' } as const
const INDEX: Record<Mark, string> = {
  optimizePendingSince: 'to_optimize',
  imageCheckPendingSince: 'to_picture',
  eventPendingSince: 'to_tell'
}

/**
 * Finds products that something has to be done for, and marks them. Each mark has an index of its
 * own that holds the marked ones alone.
 */
export function createProductWork(
  database: Database
): Pick<
  ProductStore,
  'markOptimizePending' | 'pending' | 'pendingProjects' | 'pendingEvents' | 'pendingEventProjects'
> {
  const marked = (mark: Mark, { accountId, projectId }: ProjectRef) => ({ accountId, projectId, [mark]: THERE })
  const first = async (mark: Mark, place: ProjectRef, limit: number) =>
    (
      await products(database)
        .find(marked(mark, place))
        .sort({ [mark]: 1, _id: 1 })
        .limit(limit)
        .toArray()
    ).map(productOf)

  return {
    markOptimizePending: ({ accountId, projectId }, { externalIds, at, force }) =>
      database.act(async () => {
        if (externalIds?.length === 0) return 0
        await settleBatches(database, await openBatches(database, accountId))
        const which = { accountId, projectId, ...(externalIds === null ? {} : { externalId: { $in: externalIds } }) }
        // One that an open batch holds is marked too: see `decided` in products-batch-settle.ts.
        // One that waits already is marked anew only to forget: then whoever
        // works on it now must not save what was made from the old.
        await products(database).updateMany(
          { ...which, ...SHOWN, ...(force ? {} : { optimizePendingSince: { $exists: false } }) },
          {
            $min: { optimizePendingSince: at },
            $set: { status: 'pending', ...(force ? { optimizedFromDigest: null } : {}) },
            $inc: { version: 1 }
          }
        )
        return await readWhole(database, accountId, (shown) =>
          products(database).countDocuments({ ...which, ...shown })
        )
      }),
    pending: (place, work, limit) =>
      database.act(() => readWhole(database, place.accountId, () => first(DUE[work], place, limit))),
    pendingProjects: (work, limit) =>
      database.act(() => readWhole(database, null, () => projectsWith(database, DUE[work], limit))),
    pendingEvents: (place, limit) =>
      database.act(async () => {
        await settleMarks(database, place)
        return await readWhole(database, place.accountId, async () => {
          const found = marked('eventPendingSince', place)
          const [told, count, latest] = await Promise.all([
            first('eventPendingSince', place, limit),
            products(database).countDocuments(found),
            products(database).findOne(found, {
              projection: { eventPendingSince: 1 },
              sort: { eventPendingSince: -1, _id: -1 }
            })
          ])
          return { products: told, count, latestAt: latest?.eventPendingSince ?? null }
        })
      }),
    pendingEventProjects: (limit) =>
      database.act(async () => {
        await settleMarks(database, null)
        return await readWhole(database, null, () => projectsWith(database, 'eventPendingSince', limit))
      })
  }
}

/** Looks a few times into each project, however many of its products are marked. */
async function projectsWith(database: Database, mark: Mark, limit: number): Promise<ProjectRef[]> {
  const places: ProjectRef[] = []
  const marked = { collection: 'products', index: INDEX[mark] }
  const filter = { [mark]: THERE }
  for (const accountId of await distinctValues(database, {
    ...marked,
    field: 'accountId',
    filter: { ...filter, accountId: THERE },
    limit
  })) {
    if (places.length >= limit) break
    const projectIds = await distinctValues(database, {
      ...marked,
      field: 'projectId',
      filter: { ...filter, accountId },
      limit: limit - places.length
    })
    places.push(...projectIds.map((projectId) => ({ accountId, projectId })))
  }
  return places
}
