import type { IndexedNeighbors, RelatedGroup, Store } from '../../../ports/store/port.ts'
import { candidatesOf, MAX_NEIGHBORS, rankCandidates, votersOf } from './ranking.ts'

/** A list is computed again when one of so many first neighbors of its blog changes: others hardly enter it. */
const LISTED_NEIGHBORS = 12
/** With fewer neighbors left of `MAX_NEIGHBORS`, they are searched for again at the next change of the group. */
const MIN_NEIGHBORS = 20
/** `computedAt` of entries before their neighbors and lists are computed: see the port and `computeLarge`. */
export const NOT_COMPUTED = 0
export const MEASURED = 1
export const SEARCHED = 2

/**
 * Changes of the neighbors of an account's blogs, and of the lists that they affect. Entries are read once
 * and changed in memory until `save`.
 */
export class NeighborUpdates {
  readonly #store: Pick<Store, 'blogs' | 'relatedIndex'>
  readonly #accountId: string
  readonly #changes: number
  readonly #members = new Map<string, IndexedNeighbors>()
  readonly #changed = new Set<string>()
  readonly #listed = new Set<string>()

  /** `changes`: the number of changes of the group. */
  constructor(
    store: Pick<Store, 'blogs' | 'relatedIndex'>,
    { group, changes }: { group: Pick<RelatedGroup, 'accountId'>; changes: number }
  ) {
    this.#store = store
    this.#accountId = group.accountId
    this.#changes = changes
  }

  /** Reads entries that are not known yet. Those that are not in the index stay unknown. */
  async load(ids: Iterable<string>): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.#members.has(id))
    if (missing.length === 0) return
    for (const entry of await this.#store.relatedIndex.findNeighbors(this.#accountId, missing)) {
      this.#members.set(entry.id, entry)
    }
  }

  /** Replaces the neighbors of a blog by the result of a search. */
  replace(entry: IndexedNeighbors): void {
    this.#members.set(entry.id, { ...entry, threshold: thresholdOf(entry.cosines), computedAt: this.#changes })
    this.#changed.add(entry.id)
    this.#listed.add(entry.id)
  }

  /** Adds `other` to the neighbors of a loaded blog if it is similar enough. A neighbor gets its new place. */
  add(id: string, other: string, cosine: number): void {
    const entry = this.#members.get(id)
    if (entry === undefined) return
    const before = entry.neighbors.indexOf(other)
    if (before < 0 ? cosine <= entry.threshold : cosine === entry.cosines[before]) return
    const neighbors = entry.neighbors.filter((id) => id !== other)
    const cosines = entry.cosines.filter((_, at) => at !== before)
    const found = cosines.findIndex((each) => each < cosine)
    const at = found < 0 ? cosines.length : found
    neighbors.splice(at, 0, other)
    cosines.splice(at, 0, cosine)
    this.#change(entry, neighbors.slice(0, MAX_NEIGHBORS), cosines.slice(0, MAX_NEIGHBORS))
    // Another cosine at the same place hardly changes a list.
    if (at !== before && Math.min(at, before < 0 ? at : before) < LISTED_NEIGHBORS) this.#listed.add(id)
  }

  /** Removes `other` from the neighbors of a loaded blog. */
  remove(id: string, other: string): void {
    const entry = this.#members.get(id)
    const at = entry?.neighbors.indexOf(other) ?? -1
    if (entry === undefined || at < 0) return
    const wasComplete = entry.neighbors.length >= MIN_NEIGHBORS
    this.#change(entry, entry.neighbors.toSpliced(at, 1), entry.cosines.toSpliced(at, 1))
    if (wasComplete && entry.neighbors.length - 1 < MIN_NEIGHBORS) {
      this.#members.set(id, { ...this.#members.get(id)!, computedAt: NOT_COMPUTED })
    }
    if (at < LISTED_NEIGHBORS) this.#listed.add(id)
  }

  #change(entry: IndexedNeighbors, neighbors: string[], cosines: number[]): void {
    this.#members.set(entry.id, { ...entry, neighbors, cosines, threshold: thresholdOf(cosines) })
    this.#changed.add(entry.id)
  }

  /** Writes the neighbors and marks the affected lists, which are computed later. */
  async saveUnlisted(): Promise<0> {
    for (const id of this.#listed) {
      const entry = this.#members.get(id)!
      if (entry.computedAt > SEARCHED) this.#members.set(id, { ...entry, computedAt: SEARCHED })
      this.#changed.add(id)
    }
    await this.#write()
    return 0
  }

  /**
   * Computes the affected lists, and writes them before the neighbors, so that a crash in between repeats
   * both. Returns the number of changed lists.
   */
  async save(): Promise<number> {
    const listed = [...this.#listed].flatMap((id) => this.#members.get(id) ?? [])
    await this.load(listed.flatMap(votersOf))
    const candidates = listed.map((entry) => candidatesOf(entry, this.#members))
    await this.load(candidates.flat().map(({ id }) => id))
    const changed = await this.#store.blogs.setRelated(
      this.#accountId,
      listed.map((entry, at) => ({ id: entry.id, related: rankCandidates(entry, candidates[at]!, this.#members) }))
    )
    await this.#write()
    return changed
  }

  async #write(): Promise<void> {
    await this.#store.relatedIndex.saveNeighbors(
      this.#accountId,
      [...this.#changed].map((id) => this.#members.get(id)!)
    )
    this.#listed.clear()
    this.#changed.clear()
  }
}

/** The similarity that a new neighbor must exceed: 0 while there is room. */
const thresholdOf = (cosines: number[]): number => (cosines.length < MAX_NEIGHBORS ? 0 : cosines.at(-1)!)
