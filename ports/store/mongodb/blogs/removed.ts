import type { Collection } from 'mongodb'
import { createYielder } from '../../../../lib/async.ts'
import { compareText } from '../../../../lib/text.ts'
import type { RemovedBlog } from '../../../../schemas/blog.ts'
import type { ProjectScope, RemovalPosition, Timestamp } from '../../port.ts'
import { compoundId, visibleTo } from '../documents.ts'
import { REPLY_SIZE } from '../slices.ts'
import type { BlogDocument, DepartureFields } from './documents.ts'

/** Which removed blogs to read: in these projects, since this time. */
interface RemovedOf {
  scope: ProjectScope
  since: Timestamp
}

interface RemovedPage {
  after: RemovalPosition | null
  limit: number
}

/** See `BlogStore.removedSince`. */
export async function readRemoved(
  blogs: Collection<BlogDocument>,
  of: RemovedOf,
  page: RemovedPage
): Promise<RemovedBlog[]> {
  const [removed, left] = await Promise.all([readWithdrawn(blogs, of, page), readLeft(blogs, of, page)])
  return left.length === 0 ? removed : [...removed, ...left].sort(compareRemoved).slice(0, page.limit)
}

const compareRemoved = (a: RemovedBlog, b: RemovedBlog): number => compareText(a.at, b.at) || compareText(a.id, b.id)

/** The earliest time that is of interest. */
const startOf = ({ since }: RemovedOf, { after }: RemovedPage): Timestamp =>
  after === null || after.at < since ? since : after.at

/** Blogs that were deleted or withdrawn. */
async function readWithdrawn(
  blogs: Collection<BlogDocument>,
  of: RemovedOf,
  page: RemovedPage
): Promise<RemovedBlog[]> {
  const { after, limit } = page
  const removed: RemovedBlog[] = []
  const pause = createYielder()
  for await (const { _id, metadata, tombstone, releasedSlugs, ...removal } of blogs.find(
    {
      ...visibleTo(of.scope),
      removedAt: { $gte: startOf(of, page) },
      ...(after === null ? {} : { $or: [{ removedAt: { $gt: after.at } }, { _id: { $gt: after.id } }] })
    },
    {
      projection: { removedAt: 1, 'metadata.slug': 1, 'tombstone.slug': 1, releasedSlugs: { $slice: -1 } },
      sort: { removedAt: 1, _id: 1 },
      limit,
      batchSize: REPLY_SIZE
    }
  )) {
    const removedAt = removal.removedAt ?? ''
    // A blog that was renamed after it was unpublished has the slug that it gave up then: readers know no other.
    const released = tombstone === undefined ? releasedSlugs.find(({ leftAt }) => leftAt > removedAt) : undefined
    const { slug } = released ?? tombstone ?? metadata ?? { slug: '' }
    removed.push({ id: _id, slug, at: removedAt })
    await pause()
  }
  return removed
}

/**
 * Blogs that left a project of the scope for one outside of it. The server reads all of them after the position,
 * because an index of arrays has no order, and sends those of the page.
 */
async function readLeft(blogs: Collection<BlogDocument>, of: RemovedOf, page: RemovedPage): Promise<RemovedBlog[]> {
  const { accountId, projectId } = visibleTo(of.scope)
  if (projectId === undefined) return []
  const projects = typeof projectId === 'string' ? [projectId] : projectId.$in
  const from = { $in: projects.map((project) => compoundId(accountId, project)) }
  const { after, limit } = page
  const at = { $gte: startOf(of, page) }
  const ofElement = { 'departures.from': from, 'departures.at': at }
  const left = blogs.aggregate<{ _id: string; departures: DepartureFields }>(
    [
      {
        // Both conditions: some servers use an index for one of them only.
        $match: { ...ofElement, departures: { $elemMatch: { from, at } }, projectId: { $nin: projects } }
      },
      { $project: { departures: 1 } },
      { $unwind: '$departures' },
      {
        $match: {
          ...ofElement,
          ...(after === null ? {} : { $or: [{ 'departures.at': { $gt: after.at } }, { _id: { $gt: after.id } }] })
        }
      },
      { $sort: { 'departures.at': 1, _id: 1 } },
      { $limit: limit }
    ],
    { batchSize: REPLY_SIZE }
  )
  const removed: RemovedBlog[] = []
  const pause = createYielder()
  for await (const { _id, departures } of left) {
    removed.push({ id: _id, slug: departures.slug, at: departures.at })
    await pause()
  }
  return removed
}
