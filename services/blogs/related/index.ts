import type { BlogVector, RelatedEntry } from '../../../ports/store/port.ts'
import { languageOf } from '../../../lib/transliterate.ts'
import { rankCandidates, createNeighborIndex, diversify, type BlogGroup } from './ranking.ts'
import { createTermIndex } from './term-index.ts'
export { createVector, type VectorSource } from './vector.ts'

const MAX_RELATED = 12
const DAY_MS = 86_400_000

/** A blog's list of neighbors, ready to be stored. */
export interface RelatedList {
  id: string
  related: RelatedEntry[]
}

/** The blogs of an account by project and language, ready to be asked. */
export interface RelatedIndex {
  locations: ReadonlyMap<string, { shelf: BlogGroup; at: number }>
}

/** Prepares the blogs of one account; each id once. The order they come in changes nothing. */
export function relatedIndex(vectors: BlogVector[]): RelatedIndex {
  const locations = new Map<string, { shelf: BlogGroup; at: number }>()
  for (const members of Map.groupBy(vectors, (vector) => `${vector.projectId} ${languageOf(vector.locale)}`).values()) {
    const blogs = members.sort(newestFirst)
    const index = createTermIndex(blogs)
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
 * The neighbors of a blog within its project and language: at most 12, the nearest first, none
 * twice, none of score 0; scores 0–1 with four digits.
 * Equal ones: the newer, then the lower id. Empty for an id that is not in the index.
 */
export function relatedTo(index: RelatedIndex, id: string): RelatedEntry[] {
  const place = index.locations.get(id)
  if (!place) return []
  const { shelf, at } = place
  return diversify(rankCandidates(shelf, at), MAX_RELATED, shelf.nearest)
    .map(({ blog, similarity }) => ({ id: shelf.ids[blog]!, score: toScore(similarity) }))
    .filter(({ score }) => score > 0)
}

/** The lists of all blogs of one account, in order of id. */
export function allRelated(vectors: BlogVector[]): RelatedList[] {
  return [...relatedBatches(vectors, vectors.length)].flat()
}

/**
 * The same lists, at most `size` (≥ 1) at a time and each portion worked out when it is asked for:
 * 10,000 blogs keep a processor busy for seconds, and others want a turn.
 */
export function* relatedBatches(vectors: BlogVector[], size: number): Generator<RelatedList[], void> {
  const index = relatedIndex(vectors)
  const ids = [...index.locations.keys()].sort()
  for (let start = 0; start < ids.length; start += size) {
    yield ids.slice(start, start + size).map((id) => ({ id, related: relatedTo(index, id) }))
  }
}

/**
 * The lists that a change calls for, in order of id: those of the changed blogs, of the 60 nearest
 * to each, and of the blogs whose `previous` list names
 * a changed or a missing one. `vectors` is how the account stands now; `changedIds` were published,
 * edited, withdrawn or deleted since the `previous` lists.
 *
 * The lists returned are exactly those of `allRelated`. The others may differ from it by what a
 * change does to the rarity of words everywhere, which fades as the account grows,
 * and where a changed blog reaches farther than its nearest. So `allRelated` should run now and
 * then.
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

/** Closeness has no upper bound; this keeps its order: 0.1 → 0.0952, 1 → 0.6321. */
function toScore(similarity: number): number {
  return Math.round((1 - Math.exp(-similarity)) * 10_000) / 10_000
}
