import type {
  AccountRecord,
  ApiKeyRecord,
  BlogMetadata,
  BlogRecord,
  BlogTombstone,
  ImageRecord,
  ProjectRecord,
  RelatedEntry,
  StoredResponse
} from './records.ts'
import type { UsageHour } from '../../schemas/account.ts'
import type { BlogStatus, CategoryCount, RemovedBlog } from '../../schemas/blog.ts'
import type { VisualCheckStore } from './check-port.ts'
import type { ImportStore, ProductStore } from './product-port.ts'
import type { TransferStore } from './transfer-port.ts'
import type { DeliveryStore, EventStore, RecoveryStore, WebhookStore } from './webhook-port.ts'
import type { NewEvent } from './webhook-records.ts'
export type * from './records.ts'
export type * from './check-port.ts'
export type * from './check-records.ts'
export type * from './product-port.ts'
export type * from './product-records.ts'
export type * from './transfer-port.ts'
export type * from './webhook-port.ts'
export type * from './webhook-records.ts'

/**
 * Keeps things. Every method that changes something has done so durably when it resolves: whole or
 * not at all, also through a crash.
 * What is given and what is returned is the caller's own copy. An unknown account, project, blog, …
 * reads as null, false or an empty list.
 * Lists are complete at the moment of the call. Text compares by code point.
 */
export interface Store {
  readonly accounts: AccountStore
  readonly projects: ProjectStore
  readonly apiKeys: ApiKeyStore
  readonly blogs: BlogStore
  readonly images: ImageStore
  readonly products: ProductStore
  readonly imports: ImportStore
  readonly events: EventStore
  readonly webhooks: WebhookStore
  readonly deliveries: DeliveryStore
  readonly recoveries: RecoveryStore
  readonly visualChecks: VisualCheckStore
  readonly idempotency: IdempotencyStore
  readonly leases: LeaseStore
  readonly usage: UsageStore
  readonly transfer: TransferStore
  /** Resolves when the store answers; throws `unavailable` otherwise. */
  ping: () => Promise<void>
  close: () => Promise<void>
}

/**
 * Who may do what only one may do at a time, in all processes. What nobody renews is free again at
 * its end, as its holder may be gone.
 */
export interface LeaseStore {
  /**
   * Takes the lease until `until`, or makes one that this holder has longer; false while another
   * has it, which is while its `until` is later than `now`.
   */
  acquire: (lease: { name: string; holder: string; now: string; until: string }) => Promise<boolean>
  /** Gives it free, unless another has it by now. */
  release: (lease: { name: string; holder: string }) => Promise<void>
}

export interface AccountStore {
  /** Adds the account unless there is one of this id; returns the one that is there now. */
  insertIfAbsent: (account: AccountRecord) => Promise<AccountRecord>
  find: (id: string) => Promise<AccountRecord | null>
  update: (id: string, change: Partial<Omit<AccountRecord, 'id'>>) => Promise<AccountRecord | null>
  /** In order of id, those after `afterId`. */
  list: (page: { afterId: string | null; limit: number }) => Promise<AccountRecord[]>
}

export interface ProjectStore {
  /** Adds the project unless there is one of this id in the account; `added` tells which. */
  insertIfAbsent: (project: ProjectRecord) => Promise<{ project: ProjectRecord; added: boolean }>
  find: (accountId: string, id: string) => Promise<ProjectRecord | null>
  /** In order of id. */
  list: (accountId: string) => Promise<ProjectRecord[]>
  update: (
    accountId: string,
    id: string,
    change: Partial<Omit<ProjectRecord, 'accountId' | 'id'>>
  ) => Promise<ProjectRecord | null>
  delete: (accountId: string, id: string) => Promise<boolean>
}

export interface ApiKeyStore {
  /**
   * Adds the key when the account then has at most `maxActive` keys that are neither disabled nor
   * expired at `key.createdAt`; false otherwise.
   */
  add: (key: ApiKeyRecord, maxActive: number) => Promise<boolean>
  /** Read from the primary: never older than the last change that was answered. */
  findByHash: (hash: string) => Promise<ApiKeyRecord | null>
  find: (accountId: string, id: string) => Promise<ApiKeyRecord | null>
  /** Oldest first, then by id. */
  list: (accountId: string) => Promise<ApiKeyRecord[]>
  /**
   * Replaces the value when the key is still of this generation, which grows by one; null when it
   * is not.
   */
  rotate: (
    id: { accountId: string; id: string; generation: number },
    value: { hash: string; prefix: string; last4: string; at: string }
  ) => Promise<ApiKeyRecord | null>
  /**
   * Changes the fields. Making a key active again is bound by `maxActive` as in `add`: 'too_many'.
   */
  update: (
    id: { accountId: string; id: string },
    change: Partial<Pick<ApiKeyRecord, 'name' | 'scopes' | 'expiresAt' | 'disabled' | 'updatedAt'>>,
    maxActive: number
  ) => Promise<ApiKeyRecord | null | 'too_many'>
  delete: (accountId: string, id: string) => Promise<boolean>
  /** Moves lastUsedAt forward, never back. */
  recordUses: (uses: { id: string; at: string }[]) => Promise<void>
}

/** Who may see what: an account, and the projects that a key is confined to (null: all). */
export interface ReadScope {
  accountId: string
  projectIds: string[] | null
}

export interface BlogFilter extends ReadScope {
  status: BlogStatus | 'any'
  projectId?: string
  category?: string
  tag?: string
  locale?: string
  /** The author's name. */
  author?: string
  /** Folded words that must all occur in title or text; of the last, its beginning is enough. */
  terms?: string[]
  /** publishedAt > this. */
  publishedAfter?: string
  /** publishedAt < this. */
  publishedBefore?: string
  /** updatedAt >= this. */
  updatedSince?: string
}

/**
 * What stands behind a slug. `blog` is public under it; `moved` was, and is public under the slug
 * of the head now; `gone` was deleted.
 */
export type SlugResolution =
  | { kind: 'blog'; blog: BlogRecord }
  | { kind: 'moved'; blog: BlogMetadata }
  | { kind: 'gone'; blog: BlogTombstone }

export interface BlogStore {
  /**
   * Adds a blog. Throws `slug_taken` when a blog of the account that is not deleted has the slug.
   * The events come into being with it.
   */
  add: (blog: BlogRecord, events?: NewEvent[]) => Promise<void>
  /**
   * Replaces the blog when the stored one is of this version; false when it is not, or is deleted.
   * Throws `slug_taken`. Its related entries are kept. The events come into being with it.
   */
  save: (blog: BlogRecord, ifVersion: number, events?: NewEvent[]) => Promise<boolean>
  /**
   * Deletes the blog, its images' records and its related entries, and leaves the tombstone; false
   * when the stored one is not of this version. The events come into being with it.
   */
  delete: (tombstone: BlogTombstone, ifVersion: number, events?: NewEvent[]) => Promise<boolean>
  find: (accountId: string, id: string) => Promise<BlogRecord | null>
  findMetadata: (accountId: string, id: string) => Promise<BlogMetadata | null>
  /**
   * The head of any account's blog that is not deleted: for what is served without a credential,
   * which must look at its status.
   */
  findMetadataById: (id: string) => Promise<BlogMetadata | null>
  findTombstone: (accountId: string, id: string) => Promise<BlogTombstone | null>
  /**
   * A published blog of this slug wins. Otherwise whoever gave the slug up last while it was public
   * decides: a published blog that has it among its
   * formerSlugs is `moved`, a tombstone (slug or formerSlugs; gave up at deletedAt, or at leftAt)
   * with wasPublic is `gone`. Null otherwise. All within what the reader may see.
   */
  resolveSlug: (reader: ReadScope, slug: string) => Promise<SlugResolution | null>
  /** The id of the account's blog that is not deleted and has the slug now, in any state. */
  findIdBySlug: (accountId: string, slug: string) => Promise<string | null>
  /**
   * A page and the number of all. Order: publishedAt descending (null last), id descending; with
   * `terms` first those that have all the words in the title, then the others.
   * `body` is there only when asked for.
   */
  list: (
    filter: BlogFilter,
    page: { page: number; pageSize: number; withBody: boolean }
  ) => Promise<{ blogs: (BlogMetadata & { body?: BlogRecord['body'] })[]; totalCount: number }>
  /** Published blogs by category, count descending, then name; blogs without one are left out. */
  countByCategory: (reader: ReadScope & { projectId?: string; locale?: string }) => Promise<CategoryCount[]>
  /**
   * Deleted or withdrawn at or after `since`, having been public and not being public now, newest
   * first.
   */
  removedSince: (reader: ReadScope & { projectId?: string }, since: string) => Promise<RemovedBlog[]>
  /** Every former slug that `resolveSlug` answers with `moved`, in order of `from`. */
  redirects: (reader: ReadScope & { projectId?: string }) => Promise<{ from: string; to: string }[]>
  /** Scheduled blogs with publishAt <= now, of all accounts, the earliest first. */
  dueToPublish: (now: string, limit: number) => Promise<{ accountId: string; id: string; publishAt: string }[]>
  /** The next blogs of all accounts that were rendered by other rules, in order of id. */
  renderedByOtherRules: (
    rulesVersion: string,
    page: { afterId: string | null; limit: number }
  ) => Promise<{ accountId: string; id: string }[]>
  /** Whether the account's project has a blog that is not deleted. */
  existsInProject: (accountId: string, projectId: string) => Promise<boolean>
  /** Published blogs' vectors in order of id, those after `afterId`. */
  vectors: (accountId: string, page: { afterId: string | null; limit: number }) => Promise<BlogVector[]>
  /**
   * Replaces the related entries of these blogs; those that are deleted by now are passed over.
   * Changes neither version nor updatedAt.
   */
  setRelated: (accountId: string, lists: { id: string; related: RelatedEntry[] }[]) => Promise<void>
  /**
   * Accounts whose related entries are due: a blog was written, or deleted, together with events,
   * which is when readers see a change. At most `limit`.
   */
  pendingRelatedAccounts: (limit: number) => Promise<string[]>
  /**
   * Which writes of the account's blogs made them due, at most `limit`: to be read before the
   * vectors are.
   */
  pendingRelated: (accountId: string, limit: number) => Promise<PendingRelated[]>
  /**
   * The related entries were worked out from what these writes left; a blog that was written again
   * since then stays due.
   */
  clearPendingRelated: (accountId: string, marks: PendingRelated[]) => Promise<void>
  /** The stored neighbors of a blog, nearest first. */
  related: (accountId: string, id: string) => Promise<RelatedEntry[]>
  /** Published ones among these ids that the reader may see, in any order. */
  findPublished: (reader: ReadScope, ids: string[]) => Promise<BlogMetadata[]>
}

/** A write of a blog: the version that it made; of a deletion the one after the blog's last. */
export interface PendingRelated {
  id: string
  version: number
}

export interface BlogVector {
  id: string
  projectId: string
  locale: string
  category: string | null
  tags: string[]
  publishedAt: string | null
  vector: [string, number][]
}

export interface ImageStore {
  /**
   * Adds the image unless the blog has one of this filename; returns the one that is there now, and
   * which it was.
   */
  insertIfAbsent: (image: ImageRecord) => Promise<{ image: ImageRecord; added: boolean }>
  find: (blogId: string, filename: string) => Promise<ImageRecord | null>
  /** Oldest first, then by filename. */
  list: (accountId: string, blogId: string) => Promise<ImageRecord[]>
  delete: (accountId: string, blogId: string, filename: string) => Promise<boolean>
}

/**
 * What a key was used for: who, how and with which body. `scope` names account, method, route and
 * key.
 */
export interface IdempotencyClaim {
  scope: string
  bodyHash: string
  at: string
  expiresAt: string /** Another's claim without an answer that is older than this is taken over. */
  staleBefore: string
}
export type IdempotencyClaimResult =
  | { state: 'claimed' }
  | { state: 'running' }
  | { state: 'reused' }
  | { state: 'answered'; response: StoredResponse }

export interface IdempotencyStore {
  /**
   * Claims the key, or tells what stands: `running` (same body, no answer yet), `reused` (another
   * body), `answered`. An expired one counts as none.
   */
  claim: (claim: IdempotencyClaim) => Promise<IdempotencyClaimResult>
  complete: (scope: string, complete: StoredResponse) => Promise<void>
  /** Gives the key free, because nothing came of the request. */
  release: (scope: string) => Promise<void>
  /** Removes what expired before `now`; returns how many. */
  deleteExpired: (now: string) => Promise<number>
}

export interface UsageStore {
  add: (counts: { accountId: string; hour: string; requests: number; refused: number }[]) => Promise<void>
  /** From `since` on, oldest first; hours without a request are left out. */
  hours: (accountId: string, since: string) => Promise<UsageHour[]>
}
