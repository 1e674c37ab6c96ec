import { BSON } from 'mongodb'
import { createYielder } from '../../../../../lib/async.ts'
import { isDuplicateKey } from '../../../../../lib/mongodb.ts'
import { BLOG_STATUSES } from '../../../../../schemas/blog.ts'
import { commandSizesOf } from '../../command-sizes.ts'
import type { Database } from '../../database.ts'
import { readInSlices } from '../../slices.ts'
import { blogCollection } from '../documents.ts'
import {
  addBlog,
  COUNT_KINDS,
  countedState,
  countPlaces,
  removeZeros,
  STATE_FIELDS,
  stateOf,
  TIME_FIELDS,
  withoutTimes,
  type CountKind,
  type Counts
} from './counts.ts'
import { totalsCollection, totalsId, totalsKey, totalsMark, type FoldedBlog, type TotalsDocument } from './documents.ts'
import { areTimesStored } from './enabled.ts'
import { addToTimes, timesOf } from './times.ts'

export interface FoldLimits {
  /** Changes that one generation of counts adds. */
  changes: number
  /**
   * Above this, the kind of labels with the most is no longer counted: the document is encoded and decoded in one
   * step, which takes some 30 ms for each MiB, and other requests wait meanwhile.
   */
  bytes: number
  /** Pairs of a project and a locale. With more, no blogs are counted by time: the minutes of a day are a document. */
  places: number
}

const LIMITS: FoldLimits = { changes: 100, bytes: 2 ** 20, places: 32 }

/**
 * Adds changes of an account to its counts, and then removes their marks. Returns how many: 0 if there are
 * none, or if another process was faster. A crash leaves either the counts before, or the counts after it with the
 * marks that the next call removes first. Until then, nothing is read from the counts.
 */
export async function foldChanges(database: Database, accountId: string, limits = LIMITS): Promise<number> {
  const totals = totalsCollection(database)
  const [header, before] = await Promise.all([
    totals.findOne({ _id: totalsId(accountId, 'begin') }),
    totals.findOne({ _id: totalsId(accountId, 'counts') })
  ])
  const generation = before?.generation ?? 0
  if (before !== null && (header?.cleared ?? 0) < generation) await complete(database, accountId, before)
  const timesSince = before?.timesSince ?? ((await areTimesStored(database)) ? generation + 1 : null)
  if (before !== null && timesSince === generation + 1) {
    const restart = toDocument(accountId, { generation: timesSince, timesSince, isRestart: true })
    if (!(await replace(database, restart))) return 0
    await complete(database, accountId, restart)
    return await foldChanges(database, accountId, limits)
  }
  // Only now: a mark of this generation must not be added again.
  const found = await readInSlices(
    blogCollection(database).find(
      // The first condition is the one of the index.
      { totalsKey: { $gt: '' }, $and: [{ totalsKey: totalsKey(accountId, 'changed') }] },
      { projection: { ...STATE_FIELDS, totalsMark: 1, counted: 1 }, limit: limits.changes }
    )
  )
  if (found.length === 0) return 0
  const counts = before?.counts ?? {}
  const folded: FoldedBlog[] = []
  const pause = createYielder()
  for (const blog of found) {
    const state = timesSince === null ? withoutTimes(stateOf(blog)) : stateOf(blog)
    const previous = countedState(blog, timesSince)
    if (previous !== null) addBlog(counts, previous, -1)
    if (state !== null) addBlog(counts, state, 1)
    const from = timesSince !== null && previous !== null ? { from: timesOf(previous) } : {}
    folded.push({ id: blog._id, mark: blog.totalsMark!, state, ...from })
    await pause()
  }
  await removeZeros(counts, pause)
  const uncounted = dropLargest(counts, before?.uncounted ?? [], limits)
  const after = toDocument(accountId, { generation: generation + 1, timesSince, counts, uncounted, folded })
  if (!(await replace(database, after))) return 0
  await complete(database, accountId, after)
  return folded.length
}

interface Generation extends Pick<TotalsDocument, 'counts' | 'uncounted' | 'folded' | 'isRestart'> {
  generation: number
  timesSince: number | null
}

function toDocument(accountId: string, { timesSince, ...fields }: Generation): TotalsDocument {
  const _id = totalsId(accountId, 'counts')
  return {
    _id,
    slugKey: _id,
    totalsKey: totalsKey(accountId, 'counts'),
    ...fields,
    ...(timesSince === null ? {} : { timesSince })
  }
}

/** What follows the replacement of the counts. May be repeated, also by a process that slept in between. */
async function complete(database: Database, accountId: string, counts: TotalsDocument): Promise<void> {
  if (counts.isRestart === true) {
    await markUncounted(database, accountId, counts.generation!)
  } else {
    if (counts.timesSince !== undefined) await addToTimes(database, accountId, counts)
    await clearMarks(database, accountId, counts)
  }
  const _id = totalsId(accountId, 'begin')
  await totalsCollection(database).updateOne(
    { _id },
    {
      $max: { cleared: counts.generation! },
      $setOnInsert: { slugKey: _id, totalsKey: totalsKey(accountId, 'begin') }
    },
    { upsert: true }
  )
}

/**
 * Marks the blogs of an account whose counts begin again, but not those that are in the new counts already. A blog
 * whose status changes meanwhile is marked by that change.
 */
async function markUncounted(database: Database, accountId: string, generation: number): Promise<void> {
  const blogs = blogCollection(database)
  const sizes = commandSizesOf(database, 'blogs')
  for (const status of BLOG_STATUSES) {
    for (let last = ''; ; ) {
      const page = await blogs
        .find(
          { accountId, 'metadata.status': status, _id: { $gt: last } },
          { projection: { _id: 1 }, sort: { _id: 1 }, limit: sizes.size() }
        )
        .toArray()
      if (page.length === 0) break
      last = page.at(-1)!._id
      await sizes.measure(page.length, () =>
        blogs.updateMany(
          {
            _id: { $in: page.map(({ _id }) => _id) },
            deleted: false,
            $and: [{ 'counted.generation': { $not: { $gte: generation } } }]
          },
          { $set: totalsMark(accountId) }
        )
      )
    }
  }
}

/** Stores the next generation. False if another process was faster. */
async function replace(database: Database, after: TotalsDocument): Promise<boolean> {
  const totals = totalsCollection(database)
  const { _id, ...fields } = after
  try {
    if (after.generation === 1) return (await totals.insertOne(after)).acknowledged
    return (await totals.replaceOne({ _id, generation: after.generation! - 1 }, fields)).matchedCount === 1
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}

/** Removes the marks of changes that are in the counts. A blog that has changed since then keeps its mark. */
async function clearMarks(database: Database, accountId: string, { generation, folded }: TotalsDocument) {
  const blogs = blogCollection(database)
  await commandSizesOf(database, 'blogs').inParts(folded!, async (part) => {
    const { matchedCount } = await blogs.bulkWrite(
      part.map(({ id, mark, state }) => ({
        updateOne: {
          filter: { _id: id, totalsMark: mark },
          update: {
            $set: { counted: { generation: generation!, state } },
            $unset: { totalsKey: '' as const, totalsMark: '' as const }
          }
        }
      })),
      { ordered: false }
    )
    if (matchedCount === part.length) return
    await blogs.bulkWrite(
      part.map(({ id, state }) => ({
        updateOne: {
          // Marks are different in each change: the first update has not matched, or was made by another process.
          filter: {
            _id: id,
            totalsKey: totalsKey(accountId, 'changed'),
            'counted.generation': { $not: { $gte: generation! } }
          },
          update: { $set: { counted: { generation: generation!, state } } }
        }
      })),
      { ordered: false }
    )
  })
}

/**
 * Removes kinds of labels until the counts are small enough, and times with too many places. Returns the kinds that are
 * not counted.
 */
function dropLargest(counts: Counts, uncounted: CountKind[], { bytes, places }: FoldLimits): CountKind[] {
  const dropped = new Set(uncounted)
  const bytesOf = (kind: CountKind) => BSON.calculateObjectSize(counts[kind] ?? {})
  if (countPlaces(counts) > places) for (const field of TIME_FIELDS) dropped.add(field)
  for (const kind of dropped) delete counts[kind]
  while (BSON.calculateObjectSize(counts) > bytes) {
    const [largest] = COUNT_KINDS.toSorted((a, b) => bytesOf(b) - bytesOf(a))
    dropped.add(largest!)
    delete counts[largest!]
  }
  return [...dropped]
}
