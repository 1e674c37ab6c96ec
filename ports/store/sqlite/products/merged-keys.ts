import { compareText } from '../../../../lib/text.ts'
import type { Database } from '../database.ts'

/** Keys of a project that are read at first, and at most. Twice as many as the time before. */
const MIN_READ = 4
const MAX_READ = 512

const FIRST = `
  SELECT j.value AS projectN, (
    SELECT p.external_id FROM products p INDEXED BY products_by_external_id
    WHERE p.project_n = j.value AND p.external_id > ? ORDER BY p.external_id LIMIT 1
  ) AS key
  FROM json_each(?) j`
const NEXT = `
  SELECT p.external_id AS key FROM products p INDEXED BY products_by_external_id
  WHERE p.project_n = ? AND p.external_id > ? ORDER BY p.external_id LIMIT ?`

/** The next keys of a project. The first of them is its place in the heap. */
interface Source {
  projectN: number
  keys: string[]
  at: number
  /** How many keys are read next. */
  read: number
}

const keyOf = ({ keys, at }: Source): string => keys[at]!

/**
 * The external ids of the products of several projects, in order: a merge of the index entries of each project with a
 * binary heap. Finding the end of a step takes as long for projects of very different sizes as for equal ones.
 */
export class MergedKeys {
  readonly #db: Database
  readonly #projectNs: string
  #heap: Source[] = []
  /** The key that was reached; undefined at first. */
  #reached: string | null | undefined

  constructor(db: Database, projectNs: number[]) {
    this.#db = db
    this.#projectNs = JSON.stringify(projectNs)
  }

  /**
   * The key of the `count`-th product after `after`, or of another one with the same key. Null if there are fewer.
   * Faster if `after` is the key that was returned last.
   */
  advance(after: string | null, count: number): string | null {
    if (after !== this.#reached) this.#start(after)
    for (let passed = 1; this.#heap.length > 0; passed++) {
      const key = keyOf(this.#heap[0]!)
      this.#passFirst()
      if (passed < count || (this.#heap.length > 0 && keyOf(this.#heap[0]!) === key)) continue
      this.#reached = key
      return key
    }
    return null
  }

  #start(after: string | null): void {
    const rows = this.#db.all<{ projectN: number; key: string | null }>(FIRST, after ?? '', this.#projectNs)
    this.#heap = rows
      .filter((row): row is { projectN: number; key: string } => row.key !== null)
      .sort((a, b) => compareText(a.key, b.key))
      .map(({ projectN, key }) => ({ projectN, keys: [key], at: 0, read: MIN_READ }))
  }

  /** Replaces the first key by the next one of its project. */
  #passFirst(): void {
    const first = this.#heap[0]!
    if (first.at + 1 === first.keys.length) {
      const { projectN, read } = first
      first.keys = this.#db.all<{ key: string }>(NEXT, projectN, keyOf(first), read).map(({ key }) => key)
      first.at = -1
      first.read = Math.min(2 * read, MAX_READ)
    }
    first.at++
    if (first.at === first.keys.length) {
      const last = this.#heap.pop()!
      if (this.#heap.length === 0) return
      if (last !== first) this.#heap[0] = last
    }
    this.#siftDown()
  }

  /** Restores the order of the heap after its first source has changed. */
  #siftDown(): void {
    const heap = this.#heap
    const source = heap[0]!
    const key = keyOf(source)
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && compareText(keyOf(heap[child + 1]!), keyOf(heap[child]!)) < 0) child++
      if (compareText(key, keyOf(heap[child]!)) <= 0) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = source
  }
}
