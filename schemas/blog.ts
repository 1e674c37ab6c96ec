import { Type, type Static } from '@sinclair/typebox'
import { Id, Locale, Nullable, OneOf, ProjectId, Ref, Timestamp, Url } from './fields.ts'
import { PageQuery, PageTotals } from './page.ts'

export const BLOG_STATUSES = ['draft', 'scheduled', 'published', 'unpublished'] as const
export type BlogStatus = (typeof BLOG_STATUSES)[number]

export const Author = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    url: Type.Optional(Nullable(Url()))
  },
  { additionalProperties: false }
)
export type Author = Static<typeof Author>

export const Heading = Type.Object({
  level: Type.Integer({ minimum: 2, maximum: 4 }),
  text: Type.String(),
  id: Type.String({ description: 'The id of the heading in htmlContent, for a table of contents' })
})
export type Heading = Static<typeof Heading>

export const BlogImage = Type.Object({
  url: Type.String(),
  alt: Type.String(),
  width: Nullable(Type.Integer({ minimum: 1 })),
  height: Nullable(Type.Integer({ minimum: 1 }))
})
export type BlogImage = Static<typeof BlogImage>

const slug = Type.String({ description: 'Lower-case words joined by hyphens; unique within the account' })

/** What a list item and a whole blog share. */
const head = {
  id: Id(),
  projectId: ProjectId(),
  title: Type.String(),
  slug,
  metaDescription: Type.String(),
  ogImageUrl: Type.String({ description: 'URL of the social image, 1200 × 630 where we made it' }),
  publishedAt: Timestamp(),
  updatedAt: Timestamp(),
  locale: Type.String(),
  category: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  author: Nullable(Type.Object({ name: Type.String(), url: Nullable(Type.String()) })),
  excerpt: Type.String(),
  canonicalUrl: Nullable(Type.String()),
  wordCount: Type.Integer({ minimum: 0 }),
  readingTimeMinutes: Type.Integer({ minimum: 0 }),
  headings: Type.Array(Heading),
  images: Type.Array(BlogImage),
  version: Type.Integer({ minimum: 1 })
}

/** What is delivered into the page. */
const content = {
  htmlContent: Type.String({ description: 'HTML body for direct embedding' }),
  cssContent: Type.String({ description: 'CSS for the body, scoped to it' }),
  schemaOrgJson: Type.String({ description: 'JSON-LD text for a script tag of type application/ld+json' })
}

export const Blog = Type.Object({ ...head, ...content }, { $id: 'Blog' })
export type Blog = Static<typeof Blog>

/** Before its first publication a blog has no date, unless its author gave one. */
const publishedAt = Nullable(Timestamp())

export const BlogListItem = Type.Object(
  {
    ...head,
    publishedAt,
    ...Type.Partial(Type.Object(content)).properties,
    status: Type.Optional(OneOf(BLOG_STATUSES))
  },
  { $id: 'BlogListItem' }
)
export type BlogListItem = Static<typeof BlogListItem>

export const BlogDraft = Type.Object(
  {
    ...head,
    publishedAt,
    ...content,
    status: OneOf(BLOG_STATUSES),
    publishAt: Nullable(Timestamp(), { description: 'When a scheduled blog goes public' }),
    createdAt: Timestamp(),
    source: Type.Object(
      {
        format: OneOf(['markdown', 'html']),
        text: Type.String({ description: 'The markdown or html as it was sent' }),
        css: Nullable(Type.String()),
        metaDescription: Nullable(Type.String()),
        ogImageUrl: Nullable(Type.String()),
        canonicalUrl: Nullable(Type.String())
      },
      { description: 'What was sent, as it was sent' }
    ),
    warnings: Type.Array(Type.String(), {
      description: 'What was left out of the content or needs a look, one sentence each'
    })
  },
  { $id: 'BlogDraft', description: 'A blog in any state, with the source that was sent' }
)
export type BlogDraft = Static<typeof BlogDraft>

const input = {
  projectId: ProjectId(),
  title: Type.String({ minLength: 1, maxLength: 300, pattern: '\\S' }),
  slug: Type.String({
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    maxLength: 120,
    description: 'Made from the title when left out'
  }),
  markdown: Type.String({
    maxLength: 1_000_000,
    description: 'CommonMark with GFM tables, strikethrough, autolinks and footnotes. Either this or html.'
  }),
  html: Type.String({ maxLength: 1_000_000, description: 'Either this or markdown.' }),
  css: Nullable(Type.String({ maxLength: 100_000 })),
  metaDescription: Nullable(Type.String({ maxLength: 500 }), { description: 'Written from the text when missing' }),
  ogImageUrl: Nullable(Url()),
  category: Nullable(Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })),
  tags: Type.Array(Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' }), { maxItems: 30, uniqueItems: true }),
  author: Nullable(Author),
  locale: Locale({ description: 'BCP 47 language tag, default en' }),
  canonicalUrl: Nullable(Url()),
  publishedAt: Timestamp({ description: 'The date of publication; not in the future. Default: when it is published' }),
  status: OneOf(['draft', 'published'])
}

export const BlogInput = Type.Object(
  {
    projectId: input.projectId,
    title: input.title,
    slug: Type.Optional(input.slug),
    markdown: Type.Optional(input.markdown),
    html: Type.Optional(input.html),
    css: Type.Optional(input.css),
    metaDescription: Type.Optional(input.metaDescription),
    ogImageUrl: Type.Optional(input.ogImageUrl),
    category: Type.Optional(input.category),
    tags: Type.Optional(input.tags),
    author: Type.Optional(input.author),
    locale: Type.Optional(input.locale),
    canonicalUrl: Type.Optional(input.canonicalUrl),
    publishedAt: Type.Optional(input.publishedAt),
    status: Type.Optional(input.status)
  },
  { $id: 'BlogInput', additionalProperties: false }
)
export type BlogInput = Static<typeof BlogInput>

export const BlogPatch = Type.Partial(
  Type.Object(
    Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'status')) as Omit<typeof input, 'status'>
  ),
  {
    $id: 'BlogPatch',
    additionalProperties: false,
    minProperties: 1,
    description: 'What is left out is kept; null clears; the state is changed by publish and unpublish'
  }
)
export type BlogPatch = Static<typeof BlogPatch>

export const BlogSummary = Type.Object(
  {
    id: head.id,
    title: head.title,
    slug,
    metaDescription: head.metaDescription,
    ogImageUrl: head.ogImageUrl,
    publishedAt: head.publishedAt,
    category: head.category,
    tags: head.tags,
    score: Type.Number({ minimum: 0, maximum: 1, description: 'How near it is; 0 for one that only fills the list' })
  },
  { $id: 'BlogSummary' }
)
export type BlogSummary = Static<typeof BlogSummary>

export const CategoryCount = Type.Object(
  { category: Type.String(), count: Type.Integer({ minimum: 1 }) },
  { $id: 'CategoryCount' }
)
export type CategoryCount = Static<typeof CategoryCount>

export const BlogRedirect = Type.Object({ from: Type.String(), to: Type.String() }, { $id: 'BlogRedirect' })
export type BlogRedirect = Static<typeof BlogRedirect>

export const RemovedBlog = Type.Object(
  { id: Id(), slug: Type.String(), at: Timestamp() },
  { $id: 'RemovedBlog', description: 'A blog that is no longer public: deleted or unpublished' }
)
export type RemovedBlog = Static<typeof RemovedBlog>

export const BlogListQuery = Type.Object(
  {
    ...PageQuery,
    projectId: Type.Optional(ProjectId()),
    category: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    tag: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
    locale: Type.Optional(Locale()),
    author: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "The author's name" })),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Words that must all occur; the last may be the beginning of one. Matches in the title come first.'
      })
    ),
    publishedAfter: Type.Optional(Timestamp()),
    publishedBefore: Type.Optional(Timestamp()),
    updatedSince: Type.Optional(
      Timestamp({ description: 'Only what changed since then; the answer also lists deleted' })
    ),
    status: Type.Optional(
      OneOf([...BLOG_STATUSES, 'any'], { description: 'Anything but published needs the scope blogs:write' })
    ),
    include: Type.Optional(
      OneOf(['content'], { description: 'content adds htmlContent, cssContent and schemaOrgJson to each blog' })
    )
  },
  { additionalProperties: false }
)
export type BlogListQuery = Static<typeof BlogListQuery>

export const BlogList = Type.Object(
  {
    blogs: Type.Array(Ref(BlogListItem)),
    ...PageTotals,
    deleted: Type.Optional(
      Type.Array(Ref(RemovedBlog), { description: 'With updatedSince: what is no longer public since then' })
    )
  },
  { $id: 'BlogList' }
)
export type BlogList = Static<typeof BlogList>
