import type { Feature, Plan } from '../../schemas/account.ts'
import type { Scope } from '../../schemas/api-key.ts'
import type { Author, BlogImage, BlogStatus, Heading } from '../../schemas/blog.ts'

/** Times in records are RFC 3339 strings with milliseconds and `Z`, so that they sort as text. */
type Time = string

export interface AccountRecord {
  id: string
  plan: Plan
  /** The account's own limit an hour; null: the plan's. */
  requestsPerHour: number | null
  features: Feature[]
  knownProjectsOnly: boolean
  createdAt: Time
}

/** Unique by (accountId, id). */
export interface ProjectRecord {
  accountId: string
  id: string
  name: string
  siteUrl: string | null
  blogPath: string
  brandName: string | null
  optimize: 'auto' | 'manual'
  createdAt: Time
  updatedAt: Time
}

/** Unique by id, and by hash. */
export interface ApiKeyRecord {
  id: string
  accountId: string
  name: string
  /** SHA-256 of the value, hex. The value itself is kept nowhere. */
  hash: string
  prefix: string
  last4: string
  scopes: Scope[]
  projectIds: string[] | null
  disabled: boolean
  generation: number
  createdAt: Time
  updatedAt: Time
  expiresAt: Time | null
  lastUsedAt: Time | null
}

/** What was sent, as it was sent. */
export interface BlogSource {
  format: 'markdown' | 'html'
  text: string
  css: string | null
  metaDescription: string | null
  ogImageUrl: string | null
  canonicalUrl: string | null
}

/** A slug that the blog had while it was public, and when it gave it up. */
export interface FormerSlug {
  slug: string
  leftAt: Time
}

/** A neighbor and how near it is, 0–1. */
export interface RelatedEntry {
  id: string
  score: number
}

/** What lists need of a blog. Unique by id; while not deleted, unique by (accountId, slug). */
export interface BlogMetadata {
  id: string
  accountId: string
  projectId: string
  slug: string
  /** Whether the present slug was ever public. */
  slugWasPublic: boolean
  formerSlugs: FormerSlug[]
  status: BlogStatus
  version: number
  title: string
  metaDescription: string
  ogImageUrl: string
  canonicalUrl: string | null
  locale: string
  category: string | null
  tags: string[]
  author: Author | null
  excerpt: string
  wordCount: number
  readingTimeMinutes: number
  headings: Heading[]
  images: BlogImage[]
  createdAt: Time
  /** When a reader's answer last changed. */
  updatedAt: Time
  publishedAt: Time | null
  publishAt: Time | null
  /** When a blog that was public stopped being so; null while it is public or never was. */
  withdrawnAt: Time | null
  /** The version of the rules that made the content from the source. */
  rulesVersion: string
}

/** The bulky part of a blog. */
export interface BlogBody {
  source: BlogSource
  html: string
  /** The author's own CSS, scoped; the theme is added at delivery. */
  css: string
  /** Folded words of the title and of the text, each once; for the search. */
  titleTerms: string[]
  textTerms: string[]
  /** Weighted words for the related blogs: [term, weight]. */
  vector: [string, number][]
  /** What was left out of the content or needs a look, one sentence each. */
  warnings: string[]
}

export interface BlogRecord extends BlogMetadata {
  body: BlogBody
}

/** What stays of a deleted blog. */
export interface BlogTombstone {
  id: string
  accountId: string
  projectId: string
  slug: string
  formerSlugs: FormerSlug[]
  deletedAt: Time
  wasPublic: boolean
}

/** Unique by (blogId, filename). */
export interface ImageRecord {
  accountId: string
  blogId: string
  filename: string
  /** The name it was uploaded with; the source may refer to it by this name. */
  originalName: string
  alt: string
  width: number
  height: number
  bytes: number
  /** `image/jpeg`, … of what is delivered when no format is asked for. */
  type: string
  /** SHA-256 of the uploaded bytes, hex. */
  hash: string
  createdAt: Time
}

/** The first answer to an Idempotency-Key. */
export interface StoredResponse {
  status: number
  headers: Record<string, string>
  body: string
}
