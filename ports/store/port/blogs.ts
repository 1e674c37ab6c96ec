import type {
  Author,
  BlogCover,
  BlogImage,
  BlogRedirect,
  BlogSort,
  BlogStatus,
  CoverInput,
  Heading,
  RemovedBlog
} from '../../../schemas/blog.ts'
import type { RevisionChange } from './blog-revisions.ts'
import type {
  IdPage,
  Page,
  ProjectRef,
  ProjectScope,
  ReadScope,
  RecordRef,
  SweepCursor,
  SweepPage,
  Timestamp
} from './common.ts'
import type { NewEvent } from './events.ts'

/** The content as the author sent it. */
export interface BlogSource {
  format: 'markdown' | 'html'
  text: string
  css: string | null
  metaTitle?: string | null
  metaDescription: string | null
  excerpt?: string | null
  cover?: CoverInput | null
  ogImageUrl: string | null
  canonicalUrl: string | null
}

/** Questions with their answers, and the steps of a guide, as found in the content. Plain text. */
export interface ContentStructure {
  faq: { question: string; answer: string }[]
  howTo: { name: string; steps: { name: string | null; text: string }[] } | null
}

/** A slug that the blog had while it was public, and when the blog gave it up. */
export interface FormerSlug {
  slug: string
  leftAt: Timestamp
}

/** A project that a public blog left: when its readers stopped seeing it, and the slug that they knew. */
export interface Departure {
  projectId: string
  slug: string
  at: Timestamp
}

/** A related blog and its similarity, 0 to 1. */
export interface RelatedEntry {
  id: string
  score: number
}

/** Blogs with one translation key that name each other. */
export const MAX_TRANSLATIONS = 100

/** A blog as its translations name it. */
export interface BlogTranslationRef
  extends Pick<BlogMetadata, 'id' | 'projectId' | 'slug' | 'locale' | 'title' | 'canonicalUrl'> {
  translationKey: string
}

/**
 * A blog without its body, as lists need it. Unique by id, and by (accountId, projectId, slug) among
 * the blogs that are not deleted.
 */
export interface BlogMetadata {
  id: string
  accountId: string
  projectId: string
  slug: string
  /** Whether the blog was ever public under its current slug. */
  slugWasPublic: boolean
  formerSlugs: FormerSlug[]
  /**
   * The projects that the blog left, each once, the last one last; its own if it has returned. Missing for a blog that
   * never left one.
   */
  departures?: Departure[]
  status: BlogStatus
  /** Grows by one with each save. */
  version: number
  title: string
  metaTitle: string
  metaDescription: string
  ogImageUrl: string
  cover: BlogCover | null
  canonicalUrl: string | null
  locale: string
  category: string | null
  tags: string[]
  authors: Author[]
  /** Blogs of a project with the same key are translations of each other. */
  translationKey: string | null
  excerpt: string
  wordCount: number
  readingTimeMinutes: number
  headings: Heading[]
  images: BlogImage[]
  createdAt: Timestamp
  /** When the public response for this blog last changed. */
  updatedAt: Timestamp
  publishedAt: Timestamp | null
  /** When a scheduled blog is to be published. */
  publishAt: Timestamp | null
  /** When a public blog was withdrawn. Null while the blog is public, or if it never was. */
  withdrawnAt: Timestamp | null
  /** Version of the rendering rules that produced the content from the source. */
  rulesVersion: string
  /** The last change of the source. Missing until the source of a blog of an earlier version of the service changes. */
  revision?: RevisionChange
}

export interface BlogBody {
  source: BlogSource
  html: string
  structure: ContentStructure
  /** The author's CSS, scoped to the blog. The theme is added on delivery. */
  css: string
  /** Case-folded search words of the title, without duplicates. */
  titleTerms: string[]
  /** Case-folded search words of the text, without duplicates. */
  textTerms: string[]
  /** Weighted terms that related blogs are computed from: [term, weight]. */
  vector: [string, number][]
  /** What was removed from the content or needs the author's attention, one sentence each. */
  warnings: string[]
}

export interface BlogRecord extends BlogMetadata {
  body: BlogBody
}

/** A change of a blog. Without a body, the stored one stays as it is, and is not written. */
export type BlogUpdate = BlogMetadata & { body?: BlogBody }

/** What remains of a deleted blog. */
export interface BlogTombstone {
  id: string
  accountId: string
  projectId: string
  slug: string
  formerSlugs: FormerSlug[]
  departures?: Departure[]
  deletedAt: Timestamp
  wasPublic: boolean
}

export interface BlogFilter extends ReadScope {
  status: BlogStatus | 'any'
  projectId?: string
  /** Category, tag and author are compared by `foldLabel`, locales without regard to case. */
  category?: string
  tag?: string
  locale?: string
  /** The primary language subtag of the locale, in lower case. */
  language?: string
  /** The name of one of the authors. */
  author?: string
  /** Case-folded words that title or text must all contain. The last one matches as a prefix. */
  terms?: string[]
  /** publishedAt > this. */
  publishedAfter?: Timestamp
  /** publishedAt < this. */
  publishedBefore?: Timestamp
  /** updatedAt >= this. */
  updatedSince?: Timestamp
  /** Default: by relevance with `terms`, otherwise `-publishedAt`. */
  sort?: BlogSort
}

/** A position in a list: directly after a blog, which need not exist any more. */
export interface BlogPosition {
  /** The value that the list is ordered by. Titles are folded, see `toTitleKey`. */
  value: string | null
  id: string
  /** In a search without `sort`: whether the title of the blog contains all the words. */
  inTitle?: boolean
}

/** The values of blogs that can be counted. */
export type BlogLabel = 'category' | 'tag' | 'author'

/**
 * What a slug leads to. `blog`: a blog that is public under the slug; `otherProjects` are the other
 * projects of the scope with such a blog, in order of id. `moved`: a blog that was public under the
 * slug and is public under another one now. `gone`: a deleted blog.
 */
export type SlugResolution =
  | { kind: 'blog'; blog: BlogRecord; otherProjects: string[] }
  | { kind: 'moved'; blog: BlogMetadata }
  | { kind: 'gone'; blog: BlogTombstone }

/**
 * A write of a blog after which related blogs must be recomputed. `version` is the version that the
 * write created; for a deletion, the blog's last version plus one.
 */
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
  publishedAt: Timestamp | null
  vector: [string, number][]
}

/** A place among removed blogs: the time and the id of the blog before it. */
export type RemovalPosition = Pick<RemovedBlog, 'at' | 'id'>

/**
 * `add`, `save` and `delete` write the given events in the same atomic operation. When there are
 * events, they also mark the blog for `pendingRelated`, because events accompany every change that
 * readers can see.
 */
export interface BlogStore {
  /**
   * Inserts a blog. Throws `slug_taken` when another blog of the project has the slug, and
   * `translation_exists` when another one has the translation key and the same `hreflangOf` locale.
   */
  add: (blog: BlogRecord, events?: NewEvent[]) => Promise<void>
  /**
   * Adds blogs of one account like `add`, each independently of the others, in this order. Returns for each
   * null, or the API error because of which it was not added.
   */
  addMany: (additions: { blog: BlogRecord; events: NewEvent[] }[]) => Promise<(Error | null)[]>
  /**
   * Replaces the blog if the stored one has version `ifVersion`. Returns false when it has another
   * version or was deleted. Throws `slug_taken` and `translation_exists`. Keeps the related entries.
   */
  save: (blog: BlogUpdate, ifVersion: number, events?: NewEvent[]) => Promise<boolean>
  /**
   * Deletes the blog, its image records, its revisions and its related entries, and stores the tombstone.
   * Returns false when the stored blog does not have version `ifVersion`.
   */
  delete: (tombstone: BlogTombstone, ifVersion: number, events?: NewEvent[]) => Promise<boolean>
  find: (accountId: string, id: string) => Promise<BlogRecord | null>
  findMetadata: (accountId: string, id: string) => Promise<BlogMetadata | null>
  /**
   * Finds a blog of any account, in any status. For content that is served without credentials: the
   * caller must check the status.
   */
  findMetadataById: (id: string) => Promise<BlogMetadata | null>
  findTombstone: (accountId: string, id: string) => Promise<BlogTombstone | null>
  /**
   * Resolves a slug within the scope. A published blog with this slug wins; of several projects, the
   * one published last, then the greater id. Otherwise the blog of each project that gave up the
   * slug last decides for its project: a published blog with the slug in `formerSlugs` is `moved`; a
   * tombstone with `wasPublic` is `gone`. A tombstone gave up its slug at `deletedAt`, and its
   * former slugs at their `leftAt`. Of several projects, `moved` wins over `gone`, then the last to
   * give up the slug. Returns null in all other cases.
   */
  resolveSlug: (scope: ProjectScope, slug: string) => Promise<SlugResolution | null>
  /** The blogs with this slug, in any status: at most one of each project, in order of project id. */
  findBySlug: (scope: ProjectScope, slug: string) => Promise<{ id: string; projectId: string }[]>
  /** The blogs of the project with these slugs, in any status and any order. */
  findBySlugs: (project: ProjectRef, slugs: string[]) => Promise<{ id: string; slug: string }[]>
  /**
   * One page, and the number of all matches. Ordered by `sort`, then by id in the same direction.
   * Titles are ordered by `foldText`; null comes before all other values. Without `sort` and with
   * `terms`, blogs whose title contains all the words come first. `body` is present only with
   * `withBody`.
   */
  list: (
    filter: BlogFilter,
    page: Page & { withBody: boolean }
  ) => Promise<{ blogs: (BlogMetadata & { body?: BlogRecord['body'] })[]; totalCount: number }>
  /** The blogs of `list` that follow a position. Counts nothing, so that the effort does not grow with the list. */
  listAfter: (
    filter: BlogFilter,
    page: { after: BlogPosition; limit: number; withBody: boolean }
  ) => Promise<(BlogMetadata & { body?: BlogRecord['body'] })[]>
  /** Counts published blogs by a label, merged by `mergeSpellings`. */
  countByLabel: (
    by: BlogLabel,
    scope: ProjectScope & { locale?: string }
  ) => Promise<{ label: string; count: number }[]>
  /** The published blogs of the project with one of these translation keys: of each key, the first 100 by id. */
  findTranslations: (project: ProjectRef, translationKeys: string[]) => Promise<BlogTranslationRef[]>
  /**
   * Sets `updatedAt` of the published blogs of the project with one of these translation keys,
   * except one blog, unless it is later already. Changes no `version`. Returns the number of blogs
   * that have such a key.
   */
  touchTranslations: (
    project: ProjectRef,
    change: { translationKeys: string[]; exceptId: string; at: Timestamp }
  ) => Promise<number>
  /**
   * Blogs that were public, are not public now, and were deleted or withdrawn at or after `since`, and blogs that
   * left a project of the scope at or after `since` and are in none of its projects now. Oldest first, then by id: up
   * to `limit` of those after a position. A blog is listed again for each project of the scope that it left.
   */
  removedSince: (
    scope: ProjectScope,
    since: Timestamp,
    page: { after: RemovalPosition | null; limit: number }
  ) => Promise<RemovedBlog[]>
  /**
   * Every former slug that `resolveSlug` resolves to `moved` within its project, in order of `from`,
   * then of project id.
   */
  redirects: (scope: ProjectScope) => Promise<BlogRedirect[]>
  /** Scheduled blogs of all accounts with publishAt <= now, earliest first, then by id. */
  dueToPublish: (now: Timestamp, page: SweepCursor) => Promise<SweepPage<RecordRef & { publishAt: Timestamp }>>
  /** Blogs of all accounts whose `rulesVersion` differs from the given one, in order of that version, then of id. */
  renderedByOtherRules: (rulesVersion: string, page: SweepCursor) => Promise<SweepPage<RecordRef>>
  /** Whether the project has a blog that is not deleted. */
  existsInProject: (accountId: string, projectId: string) => Promise<boolean>
  /** The vectors of the account's published blogs, in order of id. */
  vectors: (accountId: string, page: IdPage) => Promise<BlogVector[]>
  /** The vectors of those of these blogs that are published, in any order. */
  vectorsOf: (accountId: string, ids: string[]) => Promise<BlogVector[]>
  /**
   * Replaces the related entries of these blogs and skips deleted blogs. Changes neither `version`
   * nor `updatedAt`. Returns how many lists differ from the stored ones.
   */
  setRelated: (accountId: string, lists: { id: string; related: RelatedEntry[] }[]) => Promise<number>
  /** Accounts with blogs in `pendingRelated`, or with pending groups in the index of related blogs. */
  pendingRelatedAccounts: (page: SweepCursor) => Promise<SweepPage<string>>
  /** Writes after which related blogs must be recomputed. Read these before the vectors. */
  pendingRelated: (accountId: string, limit: number) => Promise<PendingRelated[]>
  /**
   * Removes these writes from `pendingRelated`. A blog that has been written again since then stays
   * pending.
   */
  clearPendingRelated: (accountId: string, pending: PendingRelated[]) => Promise<void>
  /** The related blogs of a blog, most similar first. */
  related: (accountId: string, id: string) => Promise<RelatedEntry[]>
  /** The published blogs with these ids within the scope, in any order. */
  findPublished: (scope: ReadScope, ids: string[]) => Promise<BlogMetadata[]>
}
