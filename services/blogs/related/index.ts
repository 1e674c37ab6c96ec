import type { BlogVector, RelatedEntry } from '../../../ports/store/port.ts'
import { languageOf } from '../../../lib/transliterate.ts'
import { rankCandidates, createNeighborIndex, diversify, type BlogGroup } from './ranking.ts'
import { createTermIndex } from './term-index.ts'
export { createVector, type VectorSource } from './vector.ts'

const MAX_RELATED = 12
const DAY_MS = 86_400_000

/** The related blogs of one blog, as stored. */
export interface RelatedList {
  id: string
  related: RelatedEntry[]
}

/** The blogs of an account by project and language. */
export interface RelatedIndex {
  locations: ReadonlyMap<string, { shelf: BlogGroup; at: number }>
}

/** Builds the index of one account. Ids must be unique. The input order does not matter. */
export function relatedIndex(vectors: BlogVector[]): RelatedIndex {
  const steps = relatedIndexSteps(vectors)
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}

function* relatedIndexSteps(vectors: BlogVector[]): Generator<void, RelatedIndex> {
  const locations = new Map<string, { shelf: BlogGroup; at: number }>()
  for (const members of Map.groupBy(vectors, (vector) => `${vector.projectId} ${languageOf(vector.locale)}`).values()) {
    const blogs = members.sort(newestFirst)
    const index = yield* createTermIndex(blogs)
    const publishedDays = Float64Array.from(blogs, ({ publishedAt }) => Date.parse(publishedAt ?? '') / DAY_MS)
    const shelf = {
      ids: blogs.map(({ id }) => id),
      locales: blogs.map(({ locale }) => locale.toLowerCase()),
      publishedDays,
      index,
      nearest: createNeighborIndex(index)
    }
    blogs.forEach((blog, at) => locations.set(blog.id, { shelf, at }))
  }
  return { locations }
}

/**
 * Related blogs within the same project and language: at most 12, best first, scores above 0 to 1
 * with four digits. Ties go to the newer blog, then to the lower id. Empty for an unknown id.
 */
export function relatedTo(index: RelatedIndex, id: string): RelatedEntry[] {
  const place = index.locations.get(id)
  if (!place) return []
  const { shelf, at } = place
  return diversify(rankCandidates(shelf, at), MAX_RELATED, shelf.nearest)
    .map(({ blog, similarity }) => ({ id: shelf.ids[blog]!, score: toScore(similarity) }))
    .filter(({ score }) => score > 0)
}

/** The lists of all blogs of one account, ordered by id. */
export function allRelated(vectors: BlogVector[]): RelatedList[] {
  return [...relatedBatches(vectors, vectors.length)].flat()
}

/**
 * The same lists in batches of at most `size` (≥ 1): 10,000 blogs take seconds of CPU time, and other
 * work must run in between. Empty batches are steps of the work.
 */
export function* relatedBatches(vectors: BlogVector[], size: number): Generator<RelatedList[], void> {
  const building = relatedIndexSteps(vectors)
  let step = building.next()
  for (; step.done !== true; step = building.next()) yield []
  const index = step.value
  let batch: RelatedList[] = []
  for (const id of [...index.locations.keys()].sort()) {
    batch.push({ id, related: relatedTo(index, id) })
    if (batch.length < size) {
      yield []
      continue
    }
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/**
 * The lists to refresh after a change, ordered by id: those of the changed blogs, of the 60 nearest
 * to each, and of blogs whose `previous` list contains a changed or missing blog. `vectors` is the
 * current state; `changedIds` were published, edited, withdrawn or deleted since the `previous`
 * lists.
 *
 * The returned lists are exactly those of `allRelated`. Other lists may differ from it, because a
 * change affects the rarity of words everywhere (less as the account grows) and reaches beyond the
 * nearest blogs. Run `allRelated` from time to time.
 */
export function relatedAfterChange(
  vectors: BlogVector[],
  changedIds: readonly string[],
  previous: ReadonlyMap<string, readonly RelatedEntry[]> = new Map()
): RelatedList[] {
  const index = relatedIndex(vectors)
  const changed = new Set(changedIds)
  const stale = new Set<string>()
  for (const id of changed) {
    const place = index.locations.get(id)
    if (!place) continue
    stale.add(id)
    for (const near of place.shelf.nearest(place.at).blogs) stale.add(place.shelf.ids[near]!)
  }
  for (const id of index.locations.keys()) {
    if (previous.get(id)?.some((entry) => changed.has(entry.id) || !index.locations.has(entry.id))) stale.add(id)
  }
  return [...stale].sort().map((id) => ({ id, related: relatedTo(index, id) }))
}

function newestFirst(a: BlogVector, b: BlogVector): number {
  const [first, second] = [a.publishedAt ?? '', b.publishedAt ?? '']
  if (first !== second) return first < second ? 1 : -1
  return a.id < b.id ? -1 : 1
}

/** Maps unbounded similarity to 0–1 in the same order: 0.1 → 0.0952, 1 → 0.6321. */
function toScore(similarity: number): number {
  return Math.round((1 - Math.exp(-similarity)) * 10_000) / 10_000
}
