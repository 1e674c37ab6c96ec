import type { IndexCandidate, IndexEntry, RelatedGroup, RelatedGroupState, Store } from '../../../ports/store/port.ts'
import { MEASURED, NeighborUpdates, NOT_COMPUTED, SEARCHED } from './neighbor-updates.ts'
import { MAX_NEIGHBORS } from './ranking.ts'
import { createNeighborQuery, MAX_FOUND, type NeighborQuery } from './search.ts'

/** The work of one run: its account, and whether others should have their turn. */
export interface Run {
  accountId: string
  /** To be called after each step. True: the run ends here and another one continues. */
  isOver: () => Promise<boolean>
}

/** Entries that are read in one step. */
const PAGE = 20
/** Blogs whose neighbors are searched for in one step: a search takes some milliseconds. */
const SEARCHED_AT_ONCE = 4
/** For each change of a group, so many entries that were computed long ago are computed again. */
const REFRESHED_PER_CHANGE = 1

type Stores = Pick<Store, 'blogs' | 'relatedIndex'>

/**
 * Searches for the neighbors of new and changed blogs, and computes the lists that they enter or leave.
 * `isDone` is false if the run is over before the work; the entries hold the progress.
 *
 * Many new blogs are processed in stages, because each stage reads what the one before it made of all
 * entries: first their lengths, then their neighbors, then their lists.
 *
 * The rarity of words changes as a group grows. So entries that were computed before the group had
 * half of its blogs are computed again, the oldest first, and a few after each change. This also
 * corrects what other changes left behind.
 */
export async function computeLarge(
  store: Stores,
  { group, blogs, changes, computed }: RelatedGroupState,
  run: Run
): Promise<{ changed: number; isDone: boolean }> {
  const size = { group, blogs, changes }
  const before = Math.max(SEARCHED + 1, changes - Math.floor(blogs / 2))
  let refreshes = REFRESHED_PER_CHANGE * (changes - computed)
  let changed = 0

  /** Returns false if nothing is left to do. */
  async function step(): Promise<boolean> {
    const entries = await store.relatedIndex.outdated(group, { before, limit: PAGE })
    const [first] = entries
    if (first === undefined) return false
    const ofStage = entries.filter(({ computedAt }) => computedAt === first.computedAt)
    const isMany = ofStage.length > SEARCHED_AT_ONCE || entries.some(isUnfinished)
    if (first.computedAt === NOT_COMPUTED && isMany) await measure(store, size, ofStage)
    else if (first.computedAt === NOT_COMPUTED) {
      changed += await searchFor(store, size, { entries: ofStage, isBulk: false })
    } else if (first.computedAt === MEASURED) {
      await searchFor(store, size, { entries: ofStage.slice(0, SEARCHED_AT_ONCE), isBulk: true })
    } else if (first.computedAt === SEARCHED) {
      const updates = new NeighborUpdates(store, size)
      for (const entry of ofStage) updates.replace(entry)
      changed += await updates.save()
    } else {
      const refreshed = entries.slice(0, Math.min(refreshes, SEARCHED_AT_ONCE))
      if (refreshed.length === 0) return false
      refreshes -= refreshed.length
      changed += await searchFor(store, size, { entries: refreshed, isBulk: false })
    }
    return true
  }

  while (await step()) if (await run.isOver()) return { changed, isDone: false }
  await store.relatedIndex.finish(group, changes)
  return { changed, isDone: true }
}

const isUnfinished = ({ computedAt }: IndexEntry): boolean => computedAt === MEASURED || computedAt === SEARCHED

interface GroupSize {
  group: RelatedGroup
  blogs: number
  changes: number
}

async function toQueries(
  { relatedIndex }: Stores,
  { group, blogs }: GroupSize,
  entries: IndexEntry[]
): Promise<NeighborQuery[]> {
  const terms = Int32Array.from(new Set(entries.flatMap((entry) => [...entry.terms])))
  const counts = await relatedIndex.countTerms(group, terms)
  const countOf = new Map(Array.from(terms, (term, at) => [term, counts[at]!]))
  return entries.map((entry) =>
    createNeighborQuery(
      entry,
      entry.terms.map((term) => countOf.get(term)!),
      blogs
    )
  )
}

/** Computes the lengths of entries. They are not searched yet: no other blog is added to their neighbors. */
async function measure(store: Stores, size: GroupSize, entries: IndexEntry[]): Promise<void> {
  const queries = await toQueries(store, size, entries)
  await store.relatedIndex.saveNeighbors(
    size.group.accountId,
    entries.map((entry, at) => ({
      ...entry,
      length: queries[at]!.length,
      threshold: Infinity,
      computedAt: MEASURED
    }))
  )
}

/**
 * Replaces the neighbors of these entries, and adds them to those of others. In bulk, lists are computed
 * later. Returns the number of changed lists.
 */
async function searchFor(
  store: Stores,
  size: GroupSize,
  { entries, isBulk }: { entries: IndexEntry[]; isBulk: boolean }
): Promise<number> {
  const queries = await toQueries(store, size, entries)
  const lengths = new Map(queries.map(({ id, length }) => [id, length]))
  const updates = new NeighborUpdates(store, size)

  async function search(query: NeighborQuery): Promise<(IndexCandidate & { cosine: number })[]> {
    const { id, terms } = query
    const found = await store.relatedIndex.candidates(size.group, { terms, limit: MAX_FOUND })
    return found
      .filter((other) => other.id !== id)
      .map((other) => ({ ...other, cosine: query.cosine(other, lengths.get(other.id)) }))
      .filter(({ cosine }) => cosine > 0)
      .sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? 1 : -1))
  }

  for (const [at, entry] of entries.entries()) {
    const found = await search(queries[at]!)
    const nearest = found.slice(0, MAX_NEIGHBORS)
    const left = new Set(entry.neighbors)
    const entered = found.filter(({ id, cosine, threshold }) => left.delete(id) || cosine > threshold)
    await updates.load([...left, ...entered.map(({ id }) => id)])
    updates.replace({
      ...entry,
      length: queries[at]!.length,
      neighbors: nearest.map(({ id }) => id),
      cosines: nearest.map(({ cosine }) => cosine)
    })
    for (const { id, cosine } of entered) updates.add(id, entry.id, cosine)
    for (const id of left) updates.remove(id, entry.id)
  }
  return isBulk ? await updates.saveUnlisted() : await updates.save()
}
