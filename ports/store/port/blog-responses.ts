import type { BlogFilter, BlogPosition } from './blogs.ts'
import type { Page, ProjectScope, RecordRef, Timestamp } from './common.ts'

/**
 * The state of a blog that a response shows: `version` grows with each change of the blog,
 * `updatedAt` also with changes of its translations.
 */
export interface BlogState {
  id: string
  version: number
  updatedAt: Timestamp
}

/** The response of a blog, ready to be sent. */
export interface PreparedContent {
  /** The strong, quoted entity tag of `body`. */
  etag: string
  /** JSON in UTF-8. */
  body: Buffer
  /** The compressed bodies, once a client has asked for them. */
  br: Buffer | null
  gzip: Buffer | null
}

/** What is prepared of a blog. */
export interface PreparedBlog extends RecordRef, BlogState {
  /** A digest of what it depends on besides the blog. With another one it is outdated. */
  basis: string
  /** The element of a list, JSON in UTF-8. */
  item: Buffer
  /** Null when only the item is prepared. */
  content: PreparedContent | null
}

/** A published blog. */
export interface PublishedBlog extends BlogState {
  projectId: string
  translationKey: string | null
}

/**
 * Prepared responses of published blogs. They are derived data: they may be lost in a crash, and
 * exports do not contain them. A response is returned only for the state of the blog that it was
 * made from. It is deleted with its blog.
 */
export interface BlogResponseStore {
  /**
   * The published blog with this id, or the one that `BlogStore.resolveSlug` resolves the slug to as
   * `blog`, with what is prepared if its content is; null if there is no such blog. `language` is the
   * primary language subtag of the locale, in lower case. One operation reads both.
   */
  find: (
    scope: ProjectScope,
    address: { slug: string } | { id: string }
  ) => Promise<
    | (PublishedBlog & {
        language: string
        otherProjects: string[]
        prepared: (Pick<PreparedBlog, 'basis' | 'item'> & { content: PreparedContent }) | null
      })
    | null
  >
  /**
   * The blogs of `BlogStore.list` or `listAfter` for a filter without `terms` whose status is
   * `published`. `json` is the prepared item, or `withBody` the prepared body; null if there is none.
   * `sortValue` is the value that the list is ordered by, see `BlogPosition`. A given `totalCount` is
   * not counted again; after a position it is null.
   */
  list: (
    filter: Omit<BlogFilter, 'terms' | 'status'>,
    page: ((Page & { totalCount?: number }) | { after: BlogPosition; limit: number }) & { withBody: boolean }
  ) => Promise<{
    blogs: (PublishedBlog & { sortValue: string | null; prepared: { basis: string; json: Buffer } | null })[]
    totalCount: number | null
  }>
  /**
   * Replaces what is prepared of blogs that are published and still in these states. Without
   * `content`, an earlier one of the same state and basis stays.
   */
  save: (prepared: PreparedBlog[]) => Promise<void>
}
