import type { Limits } from '../../../ports/limits/port.ts'
import type { Queue, RunResult } from '../../../ports/queue/port.ts'
import type { RelatedGroupState, Store } from '../../../ports/store/port.ts'
import { createPacer } from '../../pacing.ts'
import { BULK_DELAY_MS, createBulkChanges, type BulkChanges } from './bulk-changes.ts'
import { computeLarge, type Run } from './large-groups.ts'
import { relatedInGroup } from './index.ts'
import { NeighborUpdates, NOT_COMPUTED } from './neighbor-updates.ts'
import { INDEX_VERSION, toIndexedBlog } from './terms.ts'

/** Changes and blogs that are read and written at once. */
const PAGE = 50
const GROUPS = 20
/** Groups of at most so many blogs are computed as a whole: each of their blogs changes the rarity of all words. */
const SMALL_GROUP = 64

/**
 * Keeps the related blogs of published blogs up to date. The index (ports/store/port/related-index.ts)
 * holds the progress: a run that ends early or crashes is continued by the next one. See
 * docs/decisions/0033. While blogs are imported, their changes wait, so that they are processed together
 * and do not slow down the import.
 */
export function createRelatedBlogs({
  store,
  limits,
  queue,
  bulkChanges = createBulkChanges()
}: {
  store: Store
  limits: Limits
  queue: Queue
  /** Bulk changes to wait for. */
  bulkChanges?: BulkChanges
}) {
  const { blogs, relatedIndex } = store

  /** Writes the current state of these blogs to the index. */
  async function index(accountId: string, ids: string[]): Promise<void> {
    const published = (await blogs.vectorsOf(accountId, ids)).map((vector) => toIndexedBlog(accountId, vector))
    const publishedIds = new Set(published.map(({ id }) => id))
    const known = await relatedIndex.find(accountId, ids)
    const entries = new Map(known.map((entry) => [entry.id, entry]))
    const removed = known.filter(({ id }) => !publishedIds.has(id))
    if (removed.length > 0) await forget(accountId, removed)
    await relatedIndex.put(accountId, {
      // A change that readers see need not change what is related.
      put: published.filter((blog) => !isSame(blog, entries.get(blog.id))),
      remove: removed.map(({ id }) => id)
    })
  }

  /** Removes blogs from the neighbors and the lists of others. */
  async function forget(accountId: string, removed: { id: string; neighbors: string[] }[]): Promise<void> {
    const updates = new NeighborUpdates(store, { group: { accountId }, changes: NOT_COMPUTED })
    const affected = [...new Set(removed.flatMap(({ neighbors }) => neighbors))]
    await updates.load(affected)
    for (const { id, neighbors } of removed) for (const neighbor of neighbors) updates.remove(neighbor, id)
    await updates.save()
  }

  /**
   * Builds the index of an account that has none of this version: of a store from before there was an
   * index, or after an import. The lists stay as they are until they are computed again.
   */
  async function build({ accountId, isOver }: Run): Promise<boolean> {
    let state = await relatedIndex.state(accountId)
    if (state.version !== INDEX_VERSION) {
      await relatedIndex.clear(accountId)
      state = { version: INDEX_VERSION, isComplete: false, afterId: null }
      await relatedIndex.setState(accountId, state)
    }
    while (!state.isComplete) {
      const page = await blogs.vectors(accountId, { afterId: state.afterId, limit: PAGE })
      await relatedIndex.put(accountId, { put: page.map((blog) => toIndexedBlog(accountId, blog)), remove: [] })
      // A page may be short because blogs were deleted meanwhile.
      state = { version: INDEX_VERSION, isComplete: page.length === 0, afterId: page.at(-1)?.id ?? null }
      await relatedIndex.setState(accountId, state)
      if (await isOver()) return false
    }
    return true
  }

  /** Applies the changes of blogs to the index. */
  async function applyChanges({ accountId, isOver }: Run): Promise<boolean> {
    for (;;) {
      const marks = await blogs.pendingRelated(accountId, PAGE)
      if (marks.length === 0) return true
      await index(
        accountId,
        marks.map(({ id }) => id)
      )
      await blogs.clearPendingRelated(accountId, marks)
      if (await isOver()) return false
    }
  }

  async function computeSmall({ group, changes }: RelatedGroupState): Promise<number> {
    const entries = await relatedIndex.outdated(group, { before: Number.MAX_SAFE_INTEGER, limit: SMALL_GROUP + 1 })
    const changed = await blogs.setRelated(group.accountId, relatedInGroup(entries))
    await relatedIndex.finish(group, changes)
    return changed
  }

  /** Computes the lists of groups with changes. Returns false if the run is over before all are done. */
  async function compute(run: Run): Promise<boolean> {
    for (;;) {
      const groups = await relatedIndex.pendingGroups(run.accountId, GROUPS)
      if (groups.length === 0) return true
      for (const group of groups) {
        const isSmall = group.blogs <= SMALL_GROUP
        const { changed, isDone } = isSmall
          ? { changed: await computeSmall(group), isDone: true }
          : await computeLarge(store, group, run)
        if (changed > 0) await limits.bumpEpoch(run.accountId, 'content')
        if (!isDone || (await run.isOver())) return false
      }
    }
  }

  /** The changes stay marked in the store, where the sweeper finds them if the job is lost. */
  async function postpone(accountId: string): Promise<void> {
    await queue.add('refresh-related', { accountId }, { key: accountId, delayMs: BULK_DELAY_MS })
  }

  return {
    /**
     * Brings the index and the lists of an account up to date. Resolves with `continue` if the slice ended
     * before the work.
     */
    async refresh(accountId: string, isSliceOver = () => false): Promise<RunResult> {
      if (bulkChanges.isRunning(accountId)) return await postpone(accountId)
      const pacer = createPacer({ accountId, min: PAGE, max: PAGE })
      const run: Run = {
        accountId,
        async isOver() {
          await pacer.rest()
          return isSliceOver() || bulkChanges.isRunning(accountId)
        }
      }
      const isDone = (await build(run)) && (await applyChanges(run)) && (await compute(run))
      if (isDone) return
      return bulkChanges.isRunning(accountId) ? await postpone(accountId) : 'continue'
    }
  }
}

/** Whether an entry of the index is that of the blog as it is now. */
function isSame(blog: ReturnType<typeof toIndexedBlog>, entry: ReturnType<typeof toIndexedBlog> | undefined): boolean {
  return (
    entry !== undefined &&
    blog.group.projectId === entry.group.projectId &&
    blog.group.language === entry.group.language &&
    blog.locale === entry.locale &&
    blog.publishedAt === entry.publishedAt &&
    Buffer.compare(toBytes(blog.terms), toBytes(entry.terms)) === 0 &&
    Buffer.compare(toBytes(blog.weights), toBytes(entry.weights)) === 0
  )
}

const toBytes = ({ buffer, byteOffset, byteLength }: Int32Array | Uint16Array) =>
  new Uint8Array(buffer, byteOffset, byteLength)
