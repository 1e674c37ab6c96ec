import type { ArticleStyle } from '../../../schemas/article-style.ts'
import type { ProjectSchedule } from '../../../schemas/project.ts'
import type { Timestamp } from './common.ts'

/** Unique by (accountId, id). */
export interface ProjectRecord extends ArticleStyle {
  accountId: string
  id: string
  name: string
  siteUrl: string | null
  blogPath: string
  /** Absent until it is set for the first time. */
  categoryPath?: string | null
  brandName: string | null
  optimize: 'auto' | 'manual'
  /** The language of product texts that does not follow from the product. Null: detected. */
  locale: string | null
  /** The schedule of visual checks. Absent until it is set for the first time; null: none. */
  visualCheck?: ProjectSchedule | null
  /** When the schedule is due. Null or absent without a schedule. */
  nextCheckAt?: Timestamp | null
  /** The position of the next blog, in order of `publishedAt`. Absent: the first one. */
  nextCheckPosition?: number
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface ProjectStore {
  /**
   * Inserts the project unless the account has one with this id. Returns the stored project;
   * `added` is true when this call inserted it.
   */
  insertIfAbsent: (project: ProjectRecord) => Promise<{ project: ProjectRecord; added: boolean }>
  find: (accountId: string, id: string) => Promise<ProjectRecord | null>
  /** In order of id: all of them, or those with the given ids that exist. At most `limit`, if it is given. */
  list: (accountId: string, ids?: readonly string[], limit?: number) => Promise<ProjectRecord[]>
  /** Projects of all accounts with `nextCheckAt` <= now, the earliest first, then by account and id. */
  dueForCheck: (now: Timestamp, limit: number) => Promise<ProjectRecord[]>
  count: (accountId: string) => Promise<number>
  /**
   * Changes the given fields and keeps the others, in one atomic operation. Returns the changed
   * project, or null when it does not exist.
   */
  update: (
    accountId: string,
    id: string,
    change: Partial<Omit<ProjectRecord, 'accountId' | 'id'>>
  ) => Promise<ProjectRecord | null>
  /** Returns false when the project does not exist. Does not touch the project's content. */
  delete: (accountId: string, id: string) => Promise<boolean>
}
