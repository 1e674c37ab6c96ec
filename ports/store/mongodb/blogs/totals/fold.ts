import { BSON } from 'mongodb'
import { createYielder } from '../../../../../lib/async.ts'
import { BLOG_STATUSES } from '../../../../../schemas/blog.ts'
import { commandSizesOf } from '../../command-sizes.ts'
import type { Database } from '../../database.ts'
import { readInSlices } from '../../slices.ts'
import { storedBytes } from '../../totals/sizes.ts'
import { blogCollection, type BlogDocument } from '../documents.ts'
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
import { markedOf, totalsMark } from '../../totals/documents.ts'
import { clearMarks, readGeneration, recordCleared, replaceCounts } from '../../totals/generations.ts'
import { COUNTED_BLOGS, SERVICE_FIELDS, type BlogTotalsDocument, type FoldedBlog } from './documents.ts'
import { areSizesStored, areTimesStored } from './enabled.ts'
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
  const { last: before, isCleared } = await readGeneration<BlogTotalsDocument>(database, COUNTED_BLOGS, accountId)
  const generation = before?.generation ?? 0
  if (before !== null && !isCleared) await complete(database, accountId, before)
  const timesSince = before?.timesSince ?? ((await areTimesStored(database)) ? generation + 1 : null)
  if (before !== null && timesSince === generation + 1) {
    const restart = { generation: timesSince, timesSince, isRestart: true } as const
    if (!(await replaceCounts(database, COUNTED_BLOGS, { accountId, ...restart }))) return 0
    await complete(database, accountId, restart)
    return await foldChanges(database, accountId, limits)
  }
  const bytesSince = before?.bytesSince ?? ((await areSizesStored(database)) ? generation + 1 : null)
  if (before !== null && bytesSince === generation + 1) {
    const { _id, totalsKey, isRestart, ...same } = before
    const recount: Generation & { generation: number } = {
      ...same,
      generation: bytesSince,
      bytesSince,
      folded: [],
      isRecount: true
    }
    if (!(await replaceCounts(database, COUNTED_BLOGS, { accountId, ...recount }))) return 0
    await complete(database, accountId, recount)
    return await foldChanges(database, accountId, limits)
  }
  // Only now: a mark of this generation must not be added again.
  const found = await readInSlices(
    blogCollection(database).aggregate<BlogDocument & { bytes?: number }>([
      { $match: markedOf(accountId) },
      { $limit: limits.changes },
      {
        $project: {
          ...STATE_FIELDS,
          totalsMark: 1,
          counted: 1,
          ...(bytesSince === null ? {} : { bytes: storedBytes(accountId, SERVICE_FIELDS) })
        }
      }
    ])
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
  const after = {
    generation: generation + 1,
    ...(timesSince === null ? {} : { timesSince }),
    ...(bytesSince === null ? {} : { bytesSince }),
    counts,
    uncounted,
    folded
  }
  if (!(await replaceCounts(database, COUNTED_BLOGS, { accountId, ...after }))) return 0
  await complete(database, accountId, after)
  return folded.length
}

type Generation = Omit<BlogTotalsDocument, '_id' | 'totalsKey'>

/** What follows the replacement of the counts. May be repeated, also by a process that slept in between. */
async function complete(database: Database, accountId: string, counts: Generation): Promise<void> {
  const generation = counts.generation!
  if (counts.isRestart === true || counts.isRecount === true) {
    await markUncounted(database, accountId, generation)
  } else {
    if (counts.timesSince !== undefined) await addToTimes(database, accountId, counts)
    await clearMarks(database, COUNTED_BLOGS, { accountId, generation, folded: counts.folded! })
  }
  await recordCleared(database, COUNTED_BLOGS, { accountId, generation })
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
