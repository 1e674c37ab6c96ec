import type {
  AccountRecord,
  ApiKeyRecord,
  BlogBody,
  BlogFilter,
  ReadScope,
  BlogRecord,
  BlogTombstone,
  ImageRecord,
  ProjectRecord,
  Store
} from '../../../ports/store/port.ts'

/** A time so many minutes into a certain day. */
export function minute(count: number): string {
  return new Date(Date.UTC(2030, 0, 1) + count * 60_000).toISOString()
}

/** An id in the form of a UUIDv7; a greater number, a greater id. */
export function idOf(number: number): string {
  return `01946f00-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
}

let made = 0

export function anAccount(id: string, change: Partial<AccountRecord> = {}): AccountRecord {
  return {
    id,
    plan: 'starter',
    requestsPerHour: null,
    features: ['blogs', 'images'],
    knownProjectsOnly: false,
    createdAt: minute(0),
    ...change
  }
}

export function aProject(accountId: string, id: string, change: Partial<ProjectRecord> = {}): ProjectRecord {
  return {
    accountId,
    id,
    name: id,
    siteUrl: null,
    blogPath: '/blog',
    brandName: null,
    optimize: 'auto',
    createdAt: minute(0),
    updatedAt: minute(0),
    ...change
  }
}

export function aKey(change: Partial<ApiKeyRecord> = {}): ApiKeyRecord {
  made += 1
  return {
    id: idOf(made),
    accountId: 'acme',
    name: 'Site',
    hash: made.toString(16).padStart(64, '0'),
    prefix: 'svc_pk_ab',
    last4: 'wxyz',
    scopes: ['blogs:read', 'images:read'],
    projectIds: null,
    disabled: false,
    generation: 1,
    createdAt: minute(0),
    updatedAt: minute(0),
    expiresAt: null,
    lastUsedAt: null,
    ...change
  }
}

export function anImage(blogId: string, filename: string, change: Partial<ImageRecord> = {}): ImageRecord {
  return {
    accountId: 'acme',
    blogId,
    filename,
    originalName: `My ${filename}`,
    alt: 'A view',
    width: 1600,
    height: 900,
    bytes: 123_456,
    type: 'image/jpeg',
    hash: 'ab'.repeat(32),
    createdAt: minute(0),
    ...change
  }
}

export type BlogChange = Partial<Omit<BlogRecord, 'body'>> & { body?: Partial<BlogBody> }

/**
 * A published blog of the account `acme` and the project `site`, with a slug, an id and a minute of
 * its own.
 */
export function aBlog(change: BlogChange = {}): BlogRecord {
  made += 1
  const { body, ...head } = change
  return {
    id: idOf(made),
    accountId: 'acme',
    projectId: 'site',
    slug: `post-${made}`,
    slugWasPublic: true,
    formerSlugs: [],
    status: 'published',
    version: 1,
    title: `Post ${made}`,
    metaDescription: 'What it is about',
    ogImageUrl: 'https://shop.example/og.png',
    canonicalUrl: 'https://shop.example/blog/post',
    locale: 'en',
    category: null,
    tags: [],
    author: { name: 'Ann', url: null },
    excerpt: 'It begins like this',
    wordCount: 321,
    readingTimeMinutes: 2,
    headings: [{ level: 2, text: 'Why “quotes” & such', id: 'svc-why' }],
    images: [{ url: '/a.jpg', alt: '', width: null, height: null }],
    createdAt: minute(0),
    updatedAt: minute(0),
    publishedAt: minute(made),
    publishAt: null,
    withdrawnAt: null,
    rulesVersion: '1',
    ...head,
    body: {
      source: {
        format: 'markdown',
        text: '# Hi\n\u0000 😀',
        css: null,
        metaDescription: null,
        ogImageUrl: null,
        canonicalUrl: null
      },
      html: '<p>Hi</p>',
      css: '',
      warnings: ['A form was left out'],
      titleTerms: ['post'],
      textTerms: ['hi'],
      vector: [
        ['hi', 0.123456789012345],
        ['post', 1]
      ],
      ...body
    }
  }
}

/** Blogs of these changes, added in this order. */
export async function addBlogs(store: Store, changes: BlogChange[]): Promise<BlogRecord[]> {
  const blogs = changes.map((change) => aBlog(change))
  for (const blog of blogs) await store.blogs.add(blog)
  return blogs
}

export function tombstoneOf(blog: BlogRecord, change: Partial<BlogTombstone> = {}): BlogTombstone {
  const { id, accountId, projectId, slug, formerSlugs } = blog
  return { id, accountId, projectId, slug, formerSlugs, deletedAt: minute(500), wasPublic: true, ...change }
}

/** The blog as it is after a change, one version on. */
export function next(blog: BlogRecord, change: BlogChange): BlogRecord {
  const { body, ...head } = change
  return { ...blog, version: blog.version + 1, ...head, body: { ...blog.body, ...body } }
}

export function headOf(blog: BlogRecord): Omit<BlogRecord, 'body'> {
  const { body, ...head } = blog
  return head
}

/** Sees all of the account. */
export const ACME: ReadScope = { accountId: 'acme', projectIds: null }

/** What a list of the account's published blogs gives: slugs and the total. */
export async function listed(
  store: Store,
  filter: Partial<BlogFilter> = {},
  page = { page: 1, pageSize: 100 }
): Promise<{ slugs: string[]; total: number }> {
  const { blogs, totalCount } = await store.blogs.list(
    { ...ACME, status: 'published', ...filter },
    { ...page, withBody: false }
  )
  return { slugs: blogs.map(({ slug }) => slug), total: totalCount }
}
