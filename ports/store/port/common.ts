/** RFC 3339 with milliseconds and `Z`, such as `2026-01-31T09:30:00.000Z`. Sorts as text. */
export type Timestamp = string

/** What a caller may read: one account, and all of its projects (null) or only those listed. */
export interface ReadScope {
  accountId: string
  projectIds: string[] | null
}

/** What a caller may read, or with `projectId` the part of it that is in this project. */
export interface ProjectScope extends ReadScope {
  projectId?: string | undefined
}

/** A project of an account. */
export interface ProjectRef {
  accountId: string
  projectId: string
}

/** A record of an account. */
export interface RecordRef {
  accountId: string
  id: string
}

/** A numbered page of a list. The first page is 1. */
export interface Page {
  page: number
  pageSize: number
}

/**
 * A part of the list of a sweep. `after` is the `next` of the page before; null starts at the
 * beginning. Its text depends on the store.
 */
export interface SweepCursor {
  after: string | null
  limit: number
}

/** At most `limit` items. `next` is null after the last page; only then there are no more items. */
export interface SweepPage<Item> {
  items: Item[]
  next: string | null
}

/** The part of a list that follows `afterId`, in order of id. Null starts at the beginning. */
export interface IdPage {
  afterId: string | null
  limit: number
}
