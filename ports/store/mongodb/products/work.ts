import { PENDING_BYTES, type ProductStore, type ProjectRef } from '../../port.ts'
import type { Database } from '../database.ts'
import { distinctValues } from '../documents.ts'
import { resolveProductMarks } from '../events/product-events.ts'
import { readInSlices } from '../slices.ts'
import { findOpenBatches, readConsistent, resolveBatches } from './batches.ts'
import { EXISTS, NOT_HIDDEN, productCollection, toProductRecord, type PendingField } from './documents.ts'

const FIELD_OF_WORK = {
  optimize: 'optimizePendingSince',
  imageCheck: 'imageCheckPendingSince',
  suggest: 'suggestionDueAt'
} as const
const INDEX_OF_FIELD: Record<PendingField, string> = {
  optimizePendingSince: 'optimize_pending',
  imageCheckPendingSince: 'image_check_pending',
  suggestionDueAt: 'suggestion_due',
  eventPendingSince: 'event_pending'
}

/**
 * Finds and marks products with pending work. Each pending field has a partial index of its own.
 */
export function createProductWork(
  database: Database
): Pick<
  ProductStore,
  'markOptimizePending' | 'pending' | 'pendingProjects' | 'pendingEvents' | 'pendingEventProjects'
> {
  const products = productCollection(database)
  const isPending = (field: PendingField, { accountId, projectId }: ProjectRef) => ({
    accountId,
    projectId,
    [field]: EXISTS
  })
  async function findFirst(field: PendingField, place: ProjectRef, limit: number) {
    const cursor = products
      .find(isPending(field, place))
      .sort({ [field]: 1, _id: 1 })
      .limit(limit)
    const found = await readInSlices(cursor, { maxBytes: PENDING_BYTES })
    return found.map(toProductRecord)
  }

  return {
    markOptimizePending: ({ accountId, projectId }, { externalIds, groupIds, at, force }) =>
      database.run(async () => {
        if (externalIds?.length === 0) return 0
        await resolveBatches(database, await findOpenBatches(database, accountId))
        const selected = {
          accountId,
          projectId,
          ...(externalIds === null ? {} : { externalId: { $in: externalIds } }),
          ...(groupIds === undefined ? {} : { groupId: { $in: groupIds } })
        }
        // Also marks products in an open batch: see `committedFields` in batches.ts. A product that
        // is pending already is marked again only with `force`, so that a worker that is processing
        // it cannot save outputs of the old inputs.
        await products.updateMany(
          { ...selected, ...NOT_HIDDEN, ...(force ? {} : { optimizePendingSince: { $exists: false } }) },
          {
            $min: { optimizePendingSince: at },
            $set: { status: 'pending', ...(force ? { optimizedFromDigest: null } : {}) },
            $inc: { version: 1 }
          }
        )
        return await readConsistent(database, accountId, (condition) =>
          products.countDocuments({ ...selected, ...condition })
        )
      }),
    pending: (place, work, limit) =>
      database.run(() => readConsistent(database, place.accountId, () => findFirst(FIELD_OF_WORK[work], place, limit))),
    pendingProjects: (work, limit) =>
      database.run(() => readConsistent(database, null, () => findProjects(database, FIELD_OF_WORK[work], limit))),
    pendingEvents: (place, limit) =>
      database.run(async () => {
        await resolveProductMarks(database, place)
        return await readConsistent(database, place.accountId, async () => {
          const filter = isPending('eventPendingSince', place)
          const [found, count, latest] = await Promise.all([
            findFirst('eventPendingSince', place, limit),
            products.countDocuments(filter),
            products.findOne(filter, { projection: { eventPendingSince: 1 }, sort: { eventPendingSince: -1, _id: -1 } })
          ])
          return { products: found, count, latestAt: latest?.eventPendingSince ?? null }
        })
      }),
    pendingEventProjects: (limit) =>
      database.run(async () => {
        await resolveProductMarks(database, null)
        return await readConsistent(database, null, () => findProjects(database, 'eventPendingSince', limit))
      })
  }
}

/** Projects with products that have this field. Reads few products per project. */
async function findProjects(database: Database, field: PendingField, limit: number): Promise<ProjectRef[]> {
  const places: ProjectRef[] = []
  const query = { collection: 'products', index: INDEX_OF_FIELD[field] }
  const isPending = { [field]: EXISTS }
  const accountIds = await distinctValues(database, {
    ...query,
    field: 'accountId',
    filter: { ...isPending, accountId: EXISTS },
    limit
  })
  for (const accountId of accountIds) {
    if (places.length >= limit) break
    const projectIds = await distinctValues(database, {
      ...query,
      field: 'projectId',
      filter: { ...isPending, accountId },
      limit: limit - places.length
    })
    places.push(...projectIds.map((projectId) => ({ accountId, projectId })))
  }
  return places
}
