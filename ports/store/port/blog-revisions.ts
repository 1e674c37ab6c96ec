import type { BlogStatus } from '../../../schemas/blog.ts'
import type { RevisionAuthor, RevisionField } from '../../../schemas/blog-revision.ts'
import type { Timestamp } from './common.ts'

/** The change of a blog's source that created a revision. */
export interface RevisionChange {
  /** Counts the revisions of the blog, from 1. */
  number: number
  /** The version of the blog that the change created. */
  version: number
  savedAt: Timestamp
  /** Null if the service made the change, or if the author was not recorded. */
  savedBy: RevisionAuthor | null
  /** The fields that differ from the revision before. Empty for the first one. */
  changedFields: RevisionField[]
  /** The revision that the change restored. */
  restoredFrom: number | null
}

/** An earlier revision of a blog without its content, as lists need it. Unique by (blogId, number). */
export interface BlogRevisionHead extends RevisionChange {
  accountId: string
  blogId: string
  title: string
  /** The state of the blog when the revision was replaced. */
  status: BlogStatus
  /** The version of the blog in which the revision was replaced. */
  replacedVersion: number
}

export interface BlogRevisionRecord extends BlogRevisionHead {
  /** The source, compressed. The store does not read it. */
  content: Buffer
}

/**
 * Earlier revisions of blogs. `BlogStore.delete` deletes those of its blog. What they occupy counts as
 * storage of the account.
 */
export interface BlogRevisionStore {
  /**
   * Stores the current revision of a blog, before a change replaces it. If the change fails afterwards,
   * the record is that of the current revision: `list` leaves it out by its range, and the next change
   * replaces it. A record with a greater `replacedVersion` stays.
   *
   * Deletes the content of the revisions before the last `keep`. With `keep` 0, nothing is stored.
   * Durable with the next durable change.
   */
  put: (revision: BlogRevisionRecord, keep: number) => Promise<void>
  /** The revisions with `from` <= number < `before`, newest first. */
  list: (accountId: string, blogId: string, range: { from: number; before: number }) => Promise<BlogRevisionHead[]>
  find: (accountId: string, blogId: string, number: number) => Promise<BlogRevisionRecord | null>
}
