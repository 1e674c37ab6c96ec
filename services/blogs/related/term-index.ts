import type { BlogVector } from '../../../ports/store/port.ts'

/**
 * Weight of tags and categories relative to words (before squaring). Their rarity counts like that
 * of words.
 */
const TAG_WEIGHT = 2.5
const CATEGORY_WEIGHT = 1.5
/** Terms in a larger share of the blogs distinguish nothing and would take most of the time. */
const COMMON_SHARE = 0.4
const MIN_COMMON = 12
/** Rows between two steps: a few milliseconds of work. */
const STEP_ROWS = 200
const STEP_BLOGS = 20
const STEP_COLUMNS = 500_000

/** A sparse matrix: row i is from starts[i] to starts[i + 1]. */
interface Rows {
  starts: Uint32Array
  columns: Uint32Array
  weights: Float64Array
}
export interface TermIndex {
  size: number
  terms: Rows
  blogs: Rows
}

/**
 * Inverted index with TF-IDF weights, normalized to length 1, so that the dot product is the
 * cosine. Terms of a single blog and of most blogs are omitted. idf = ln((n + 1) / df), never 0, so
 * that two blogs alone find each other. Computed in steps, so that the caller can do other work in
 * between.
 */
export function* createTermIndex(blogs: BlogVector[]): Generator<void, TermIndex> {
  const { rows, width } = yield* countTerms(blogs)
  const df = new Uint32Array(width)
  yield* countColumns(rows.columns, df)
  const most = Math.max(MIN_COMMON, blogs.length * COMMON_SHARE)
  const idf = new Float64Array(width)
  for (let term = 0; term < width; term++) {
    const count = df[term]!
    if (count >= 2 && count <= most) idf[term] = Math.log((blogs.length + 1) / count)
  }
  const terms = yield* transpose(yield* applyWeights(rows, idf), width)
  // Transposing twice sorts each row by column.
  return { size: blogs.length, terms, blogs: yield* transpose(terms, blogs.length) }
}

/**
 * Cosines of a blog with all others; its own is 0. Written to `sums` (one entry for each blog) and
 * returned.
 */
export function cosines({ blogs, terms }: TermIndex, blog: number, sums: Float64Array): Float64Array {
  sums.fill(0)
  for (let at = blogs.starts[blog]!; at < blogs.starts[blog + 1]!; at++) {
    const weight = blogs.weights[at]!
    const term = blogs.columns[at]!
    const end = terms.starts[term + 1]!
    for (let hit = terms.starts[term]!; hit < end; hit++) sums[terms.columns[hit]!]! += weight * terms.weights[hit]!
  }
  sums[blog] = 0
  return sums
}

/** The cosine of two blogs. */
export function cosineOf({ blogs }: TermIndex, a: number, b: number): number {
  let sum = 0
  let i = blogs.starts[a]!
  let j = blogs.starts[b]!
  while (i < blogs.starts[a + 1]! && j < blogs.starts[b + 1]!) {
    const difference = blogs.columns[i]! - blogs.columns[j]!
    if (difference === 0) sum += blogs.weights[i]! * blogs.weights[j]!
    if (difference <= 0) i++
    if (difference >= 0) j++
  }
  return sum
}

/** Words of the text, plus tags and the category with a prefix (`#`, `>`) that no word has. */
function blogTerms(blog: BlogVector): [string, number][] {
  const labels = new Set(blog.tags.map((tag) => `#${sameCase(tag)}`))
  const terms: [string, number][] = [
    ...blog.vector,
    ...Array.from(labels, (label): [string, number] => [label, TAG_WEIGHT])
  ]
  if (blog.category !== null) terms.push([`>${sameCase(blog.category)}`, CATEGORY_WEIGHT])
  return terms
}

function sameCase(label: string): string {
  return label.normalize('NFKC').trim().toLowerCase()
}

/** Stored weights; terms are numbered in order of appearance, `width` in total. */
function* countTerms(blogs: BlogVector[]): Generator<void, { rows: Rows; width: number }> {
  const numbers = new Map<string, number>()
  const room = blogs.reduce((sum, { vector, tags }) => sum + vector.length + tags.length + 1, 0)
  const rows = {
    starts: new Uint32Array(blogs.length + 1),
    columns: new Uint32Array(room),
    weights: new Float64Array(room)
  }
  let at = 0
  for (const [i, blog] of blogs.entries()) {
    if (i % STEP_BLOGS === 0) yield
    for (const [term, weight] of blogTerms(blog)) {
      let number = numbers.get(term)
      if (number === undefined) numbers.set(term, (number = numbers.size))
      rows.columns[at] = number
      rows.weights[at++] = weight
    }
    rows.starts[i + 1] = at
  }
  return {
    rows: { ...rows, columns: rows.columns.subarray(0, at), weights: rows.weights.subarray(0, at) },
    width: numbers.size
  }
}

/** Multiplies rows by column weights and normalizes them. Zero weights are omitted. */
function* applyWeights(rows: Rows, columnWeights: Float64Array): Generator<void, Rows> {
  const weighted = {
    starts: new Uint32Array(rows.starts.length),
    columns: new Uint32Array(rows.columns.length),
    weights: new Float64Array(rows.columns.length)
  }
  let end = 0
  for (let row = 0; row + 1 < rows.starts.length; row++) {
    if (row % STEP_ROWS === 0) yield
    const start = end
    let square = 0
    for (let at = rows.starts[row]!; at < rows.starts[row + 1]!; at++) {
      const weight = rows.weights[at]! * columnWeights[rows.columns[at]!]!
      if (!(weight > 0)) continue
      weighted.columns[end] = rows.columns[at]!
      weighted.weights[end++] = weight
      square += weight * weight
    }
    const length = Math.sqrt(square)
    for (let at = start; at < end; at++) weighted.weights[at]! /= length
    weighted.starts[row + 1] = end
  }
  return { ...weighted, columns: weighted.columns.subarray(0, end), weights: weighted.weights.subarray(0, end) }
}

function* countColumns(columns: Uint32Array, counts: Uint32Array): Generator<void, void> {
  for (let at = 0; at < columns.length; at++) {
    if (at % STEP_COLUMNS === 0) yield
    counts[columns[at]!]! += 1
  }
}

function* transpose(rows: Rows, width: number): Generator<void, Rows> {
  const starts = new Uint32Array(width + 1)
  yield* countColumns(rows.columns, starts.subarray(1))
  for (let i = 0; i < width; i++) starts[i + 1]! += starts[i]!
  const next = starts.slice()
  const columns = new Uint32Array(rows.columns.length)
  const weights = new Float64Array(rows.columns.length)
  for (let row = 0; row + 1 < rows.starts.length; row++) {
    if (row % STEP_ROWS === 0) yield
    for (let at = rows.starts[row]!; at < rows.starts[row + 1]!; at++) {
      const to = next[rows.columns[at]!]!++
      columns[to] = row
      weights[to] = rows.weights[at]!
    }
  }
  return { starts, columns, weights }
}
