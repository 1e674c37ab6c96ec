import type { ProjectRef, Timestamp } from './common.ts'

/** The published blogs of a project in one language (primary subtag, lower case). Only they can be related. */
export interface RelatedGroup extends ProjectRef {
  language: string
}

/** What related blogs are computed from. */
export interface IndexedBlog {
  id: string
  group: RelatedGroup
  /** In lower case. */
  locale: string
  publishedAt: Timestamp | null
  /** Hashes of the terms, in ascending order and unique, and their weights in hundredths. */
  terms: Int32Array
  weights: Uint16Array
}

/** The neighbors of a blog in the index, as they were computed last. */
export interface IndexedNeighbors extends Pick<IndexedBlog, 'id' | 'locale' | 'publishedAt'> {
  /** The length of the vector of weighted terms. 0: not computed yet. */
  length: number
  /** Ids of the most similar blogs and their similarities, greatest first. */
  neighbors: string[]
  cosines: number[]
  /** A blog whose similarity is greater becomes a neighbor. */
  threshold: number
  /** The number of the change of the group after which the neighbors were computed; `NOT_COMPUTED` before that. */
  computedAt: number
}

export interface IndexEntry extends IndexedBlog, IndexedNeighbors {}

/** `computedAt` of an entry without neighbors. Changes of a group are numbered from 1. */
export const NOT_COMPUTED = 0

/** A blog that shares terms with another one. */
export type IndexCandidate = Pick<IndexEntry, 'id' | 'terms' | 'weights' | 'length' | 'threshold'>

export interface RelatedGroupState {
  group: RelatedGroup
  /** Blogs in the group. */
  blogs: number
  /** Changes so far, and the last one after which all lists were up to date. */
  changes: number
  computed: number
}

/** The content of an account's index: complete, or built up to a blog (`afterId`). */
export interface RelatedIndexState {
  /** Version of the rules by which entries are made. 0: there is no index. */
  version: number
  isComplete: boolean
  /** The last blog in order of id that was added, while the index is not complete. */
  afterId: string | null
}

/**
 * An inverted index of the terms of published blogs. It is derived from the blogs and not exported.
 * One run at a time changes the index of an account. Counts of terms and blogs may be off by the
 * changes that a crash interrupted: only the weights of terms depend on them.
 */
export interface RelatedIndexStore {
  state: (accountId: string) => Promise<RelatedIndexState>
  setState: (accountId: string, state: RelatedIndexState) => Promise<void>
  /** Deletes the index of the account, in steps. A repeated call continues. */
  clear: (accountId: string) => Promise<void>
  /** The entries of these blogs, in any order. */
  find: (accountId: string, ids: string[]) => Promise<IndexEntry[]>
  /** The same without their terms. */
  findNeighbors: (accountId: string, ids: string[]) => Promise<IndexedNeighbors[]>
  /**
   * Adds, replaces and removes entries: each is a change of its group. A replaced entry keeps its
   * neighbors until they are saved again, and its `computedAt` is `NOT_COMPUTED`; in another group
   * it has no neighbors. Blogs that are not in the index are not removed. Ids must be unique.
   */
  put: (accountId: string, changes: { put: IndexedBlog[]; remove: string[] }) => Promise<void>
  /** Groups with changes since their lists were up to date. */
  pendingGroups: (accountId: string, limit: number) => Promise<RelatedGroupState[]>
  /** Records that the lists are up to date with the first `changes` changes of the group. */
  finish: (group: RelatedGroup, changes: number) => Promise<void>
  /** In how many blogs of the group each term occurs. */
  countTerms: (group: RelatedGroup, terms: Int32Array) => Promise<Int32Array>
  /** Blogs of the group with at least one of the terms. If there are more than `limit`, some of the newest. */
  candidates: (group: RelatedGroup, query: { terms: Int32Array; limit: number }) => Promise<IndexCandidate[]>
  /** Entries of the group with `computedAt` < `before`, in its order, then in order of id. */
  outdated: (group: RelatedGroup, query: { before: number; limit: number }) => Promise<IndexEntry[]>
  /**
   * Replaces the neighbors of entries of the index. Others are skipped. Durable at the latest with the next
   * durable write.
   */
  saveNeighbors: (accountId: string, entries: Omit<IndexedNeighbors, 'locale' | 'publishedAt'>[]) => Promise<void>
}
