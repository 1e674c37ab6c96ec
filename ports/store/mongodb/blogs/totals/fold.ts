import { BSON } from 'mongodb'
import { createYielder } from '../../../../../lib/async.ts'
import { isDuplicateKey } from '../../../../../lib/mongodb.ts'
import { commandSizesOf } from '../../command-sizes.ts'
import type { Database } from '../../database.ts'
import { readInSlices } from '../../slices.ts'
import { blogCollection } from '../documents.ts'
import { addBlog, COUNT_KINDS, removeZeros, STATE_FIELDS, stateOf, type CountKind, type Counts } from './counts.ts'
import { totalsCollection, totalsId, totalsKey, type FoldedBlog, type TotalsDocument } from './documents.ts'

export interface FoldLimits {
  /** Changes that one generation of counts adds. */
  changes: number
  /**
   * Above this, the kind of labels with the most is no longer counted: the document is encoded and decoded in one
   * step, which takes some 30 ms for each MiB, and other requests wait meanwhile.
   */
  bytes: number
}

const LIMITS: FoldLimits = { changes: 100, bytes: 2 ** 20 }

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
  if (before !== null && (header?.cleared ?? 0) < generation) await clearMarks(database, accountId, before)
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
    const state = stateOf(blog)
    if (blog.counted?.state != null) addBlog(counts, blog.counted.state, -1)
    if (state !== null) addBlog(counts, state, 1)
    folded.push({ id: blog._id, mark: blog.totalsMark!, state })
    await pause()
  }
  await removeZeros(counts, pause)
  const uncounted = dropLargest(counts, before?.uncounted ?? [], limits.bytes)
  const after: TotalsDocument = {
    _id: totalsId(accountId, 'counts'),
    slugKey: totalsId(accountId, 'counts'),
    totalsKey: totalsKey(accountId, 'counts'),
    generation: generation + 1,
    counts,
    uncounted,
    folded
  }
  if (!(await replace(database, after))) return 0
  await clearMarks(database, accountId, after)
  return folded.length
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
  const _id = totalsId(accountId, 'begin')
  await totalsCollection(database).updateOne(
    { _id },
    { $max: { cleared: generation! }, $setOnInsert: { slugKey: _id, totalsKey: totalsKey(accountId, 'begin') } },
    { upsert: true }
  )
}

/** Removes kinds of labels until the counts are small enough. Returns the kinds that are not counted. */
function dropLargest(counts: Counts, uncounted: CountKind[], maxBytes: number): CountKind[] {
  const dropped = new Set(uncounted)
  const bytesOf = (kind: CountKind) => BSON.calculateObjectSize(counts[kind] ?? {})
  for (const kind of dropped) delete counts[kind]
  while (BSON.calculateObjectSize(counts) > maxBytes) {
    const [largest] = COUNT_KINDS.toSorted((a, b) => bytesOf(b) - bytesOf(a))
    dropped.add(largest!)
    delete counts[largest!]
  }
  return [...dropped]
}
