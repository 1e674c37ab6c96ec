import type { Filter } from 'mongodb'
import {
  PENDING_BYTES,
  type ProductStore,
  type ProductWork,
  type ProjectRef,
  type SweepCursor,
  type SweepPage
} from '../../port.ts'
import { commandSizesOf } from '../command-sizes.ts'
import type { Database } from '../database.ts'
import { BY_ID, distinctValues, toSweepPage } from '../documents.ts'
import { resolveProductMarks } from '../events/product-events.ts'
import { readUpTo } from '../slices.ts'
import { totalsMark } from '../totals/documents.ts'
import { batchIds, findOpenBatches, readConsistent, resolveBatches } from './batches.ts'
import {
  EXISTS,
  NOT_HIDDEN,
  productCollection,
  toProductRecord,
  type PendingField,
  type ProductDocument
} from './documents.ts'

const FIELD_OF_WORK: Record<ProductWork, PendingField> = {
  optimize: 'optimizePendingSince',
  imageCheck: 'imageCheckPendingSince',
  suggest: 'suggestionDueAt',
  publish: 'eventPendingSince'
}
const INDEX_OF_WORK: Record<ProductWork, string> = {
  optimize: 'optimize_pending',
  imageCheck: 'image_check_pending',
  suggest: 'suggestion_due',
  publish: 'event_pending'
}

/** A part of the selected products: at most `count`. */
interface Slice {
  filter: Filter<ProductDocument>
  count: number
  /** The index of the slice, if not that of the selection. */
  hint?: string
}
/** Ids that are read at once. */
const ID_BATCH = 1_000

/**
 * Finds and marks products with pending work. Each pending field has a partial index of its own.
 */
export function createProductWork(
  database: Database
): Pick<ProductStore, 'markOptimizePending' | 'pending' | 'hasPending' | 'pendingProjects' | 'pendingEvents'> {
  const products = productCollection(database)
  /** Of the products of a project that one command marks: changes of others wait for it. */
  const markSizes = commandSizesOf(database, 'products, marks')
  const isPending = (work: ProductWork, { accountId, projectId }: ProjectRef) => ({
    accountId,
    projectId,
    [FIELD_OF_WORK[work]]: EXISTS
  })

  /**
   * The first pending products. An open batch is looked for only if there are fewer than `limit`:
   * when a process crashed while it committed a batch, others come first until these are done.
   */
  async function findFirst(work: ProductWork, place: ProjectRef, limit: number) {
    const read = async () => {
      const cursor = products
        .find(isPending(work, place))
        .sort({ [FIELD_OF_WORK[work]]: 1, _id: 1 })
        .limit(limit)
      return await readUpTo(cursor, PENDING_BYTES)
    }
    let found = await read()
    let open = batchIds(found.documents)
    if (open.length === 0 && found.documents.length < limit) open = await findOpenBatches(database, place.accountId)
    if (open.length > 0) {
      await resolveBatches(database, open)
      found = await read()
    }
    return found
  }

  /** Ranges of external ids that together contain all products of a project, with the number of products in each. */
  async function* ranges(project: ProjectRef): AsyncGenerator<Slice> {
    for (let after = ''; ; ) {
      const count = markSizes.size()
      const last: Pick<ProductDocument, 'externalId'> | null = await products
        .find({ ...project, externalId: { $gt: after } }, { projection: { externalId: 1 } })
        .sort({ externalId: 1 })
        .skip(count - 1)
        .limit(1)
        .next()
      if (last === null) return yield { filter: { externalId: { $gt: after } }, count: count - 1 }
      yield { filter: { externalId: { $gt: after, $lte: last.externalId } }, count }
      after = last.externalId
    }
  }

  /** The products of groups, by their ids: a group may be as large as the project. */
  async function* ofGroups(project: ProjectRef, groupIds: string[]): AsyncGenerator<Slice> {
    const found = products.find(
      { ...project, groupId: { $in: groupIds } },
      { projection: { _id: 1 }, hint: 'by_group', batchSize: ID_BATCH }
    )
    let ids: string[] = []
    const slice = (): Slice => ({ filter: { _id: { $in: ids } }, count: ids.length, ...BY_ID })
    for await (const { _id } of found) {
      ids.push(_id)
      if (ids.length < markSizes.size()) continue
      yield slice()
      ids = []
    }
    if (ids.length > 0) yield slice()
  }

  /** Products by their external ids. Their ids are read first, because an index of them needs no hint. */
  async function* ofExternalIds(project: ProjectRef, externalIds: string[]): AsyncGenerator<Slice> {
    for (let at = 0; at < externalIds.length; ) {
      const part = externalIds.slice(at, at + markSizes.size())
      at += part.length
      const found = await products.find({ ...project, externalId: { $in: part } }, { projection: { _id: 1 } }).toArray()
      const ids = found.map(({ _id }) => _id)
      if (ids.length > 0) yield { filter: { _id: { $in: ids } }, count: ids.length, ...BY_ID }
    }
  }

  /**
   * Filters that together match the selected products, few each. Other commands are executed between two of
   * them. Repeating an interrupted call marks the remaining products.
   */
  async function* slices(
    project: ProjectRef,
    { externalIds, groupIds }: Pick<Parameters<ProductStore['markOptimizePending']>[1], 'externalIds' | 'groupIds'>
  ): AsyncGenerator<Slice> {
    if (externalIds !== null) yield* ofExternalIds(project, externalIds)
    else yield* groupIds === undefined ? ranges(project) : ofGroups(project, groupIds)
  }

  return {
    markOptimizePending: ({ accountId, projectId }, { externalIds, groupIds, at, force }) =>
      database.run(async () => {
        if (externalIds?.length === 0) return 0
        await resolveBatches(database, await findOpenBatches(database, accountId))
        const inGroups = {
          accountId,
          projectId,
          ...(groupIds === undefined ? {} : { groupId: { $in: groupIds } })
        }
        const selected = { ...inGroups, ...(externalIds === null ? {} : { externalId: { $in: externalIds } }) }
        // Also marks products in an open batch: see `committedFields` in batches.ts. A product that
        // is pending already is marked again only with `force`, so that a worker that is processing
        // it cannot save outputs of the old inputs.
        // Named, because an update and a count have no order: nearly all indexes of products are candidates.
        const hint = externalIds === null && groupIds !== undefined ? 'by_group' : 'unique_external_id'
        const unmarked = { ...NOT_HIDDEN, ...(force ? {} : { optimizePendingSince: { $exists: false } }) }
        // Without the external ids: slices of them were found by these, and have the ids of their products.
        for await (const { filter, count, hint: ownHint } of slices(
          { accountId, projectId },
          { externalIds, groupIds }
        )) {
          await markSizes.measure(count, () =>
            products.updateMany(
              { ...inGroups, ...filter, ...unmarked },
              {
                $min: { optimizePendingSince: at },
                $set: { status: 'pending', ...(force ? { optimizedFromDigest: null } : {}), ...totalsMark(accountId) },
                $inc: { version: 1 }
              },
              { hint: ownHint ?? hint }
            )
          )
        }
        return await readConsistent(database, accountId, (condition) =>
          products.countDocuments({ ...selected, ...condition }, { hint })
        )
      }),
    pending: (place, work, limit) =>
      database.run(async () => (await findFirst(work, place, limit)).documents.map(toProductRecord)),
    hasPending: ({ accountId, projectId }, work) =>
      database.run(async () => {
        const found = await products.findOne(isPending(work, { accountId, projectId }), { projection: { _id: 1 } })
        return found !== null
      }),
    pendingProjects: (work, page) =>
      database.run(() => readConsistent(database, null, () => findProjects(database, work, page))),
    pendingEvents: (place, limit) =>
      database.run(async () => {
        await resolveProductMarks(database, place)
        const { documents, isCut } = await findFirst('publish', place, limit + 1)
        return {
          products: documents.slice(0, limit).map(toProductRecord),
          hasMore: isCut || documents.length > limit
        }
      })
  }
}

/** Projects with pending products. Reads few products per project. */
async function findProjects(
  database: Database,
  work: ProductWork,
  { after, limit }: SweepCursor
): Promise<SweepPage<ProjectRef>> {
  const places: ProjectRef[] = []
  const query = { collection: 'products', index: INDEX_OF_WORK[work] }
  const isPending = { [FIELD_OF_WORK[work]]: EXISTS }

  async function addProjects(accountId: string, afterId: string | null): Promise<void> {
    const { items } = await distinctValues(database, {
      ...query,
      field: 'projectId',
      filter: { ...isPending, accountId },
      after: afterId,
      limit: limit - places.length
    })
    places.push(...items.map((projectId) => ({ accountId, projectId })))
  }

  const [lastAccount = '', lastProject = ''] = after === null ? [] : (JSON.parse(after) as string[])
  if (after !== null) await addProjects(lastAccount, lastProject)
  const accountIds = await distinctValues(database, {
    ...query,
    field: 'accountId',
    filter: isPending,
    after: lastAccount,
    limit: limit - places.length
  })
  for (const accountId of accountIds.items) if (places.length < limit) await addProjects(accountId, null)
  return toSweepPage(places, limit, {
    keyOf: ({ accountId, projectId }) => JSON.stringify([accountId, projectId]),
    toItem: (place) => place
  })
}
