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
  id: Type.String({ description: 'The id of the heading in `htmlContent`' })
})
export type Heading = Static<typeof Heading>

export const BlogImage = Type.Object({
  url: Type.String(),
  alt: Type.String(),
  width: Nullable(Type.Integer({ minimum: 1 })),
  height: Nullable(Type.Integer({ minimum: 1 }))
})
export type BlogImage = Static<typeof BlogImage>

/** A parameter of paths. */
export const SlugOrId = () =>
  Type.String({ minLength: 1, maxLength: 300, description: 'The slug of the blog, or its id' })

const slug = Type.String({ description: 'Lowercase words joined by hyphens, unique within the project' })

/** The fields of both a list item and a blog. */
const head = {
  id: Id(),
  projectId: ProjectId(),
  title: Type.String(),
  slug,
  metaDescription: Type.String(),
  ogImageUrl: Type.String({ description: 'The URL of the social image. Generated images are 1200 × 630' }),
  publishedAt: Timestamp(),
  updatedAt: Timestamp(),
  locale: Type.String(),
  lang: Type.String({ description: 'The value of the attribute `lang` for the title and other texts: the locale' }),
  dir: OneOf(['ltr', 'rtl'], {
    description: 'The value of the attribute `dir`: the writing direction of the language'
  }),
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

/** The content to embed in a page. */
const content = {
  htmlContent: Type.String({ description: 'The HTML of the body' }),
  cssContent: Type.String({ description: 'The CSS of the body, scoped to it' }),
  schemaOrgJson: Type.String({ description: 'JSON-LD for a script element of type application/ld+json' })
}

export const Blog = Type.Object({ ...head, ...content }, { $id: 'Blog' })
export type Blog = Static<typeof Blog>

/** A blog has no date before its first publication, unless one was given. */
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
    publishAt: Nullable(Timestamp(), { description: 'The publication time of a scheduled blog' }),
    createdAt: Timestamp(),
    source: Type.Object(
      {
        format: OneOf(['markdown', 'html']),
        text: Type.String({ description: 'The Markdown or HTML as sent' }),
        css: Nullable(Type.String()),
        metaDescription: Nullable(Type.String()),
        ogImageUrl: Nullable(Type.String()),
        canonicalUrl: Nullable(Type.String())
      },
      { description: 'The source of the blog' }
    ),
    warnings: Type.Array(Type.String(), {
      description: 'Removed content and possible problems'
    })
  },
  { $id: 'BlogDraft', description: 'A blog in any state, with its source' }
)
export type BlogDraft = Static<typeof BlogDraft>

const input = {
  projectId: ProjectId(),
  title: Type.String({ minLength: 1, maxLength: 300, pattern: '\\S' }),
  slug: Type.String({
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    maxLength: 120,
    description: 'Default: generated from the title'
  }),
  markdown: Type.String({
    maxLength: 1_000_000,
    description:
      'CommonMark with GFM tables, strikethrough, autolinks, task lists and footnotes. Mutually exclusive with `html`'
  }),
  html: Type.String({ maxLength: 1_000_000, description: 'Mutually exclusive with `markdown`' }),
  css: Nullable(Type.String({ maxLength: 100_000 })),
  metaDescription: Nullable(Type.String({ maxLength: 500 }), { description: 'Default: generated from the text' }),
  ogImageUrl: Nullable(Url()),
  category: Nullable(Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })),
  tags: Type.Array(Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' }), { maxItems: 30, uniqueItems: true }),
  author: Nullable(Author),
  locale: Locale({ description: 'A BCP 47 language tag. Default: en' }),
  canonicalUrl: Nullable(Url()),
  publishedAt: Timestamp({ description: 'The publication date, not in the future. Default: the time of publication' }),
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
    description: 'Omitted fields keep their values; null clears a field. Change the state with publish and unpublish'
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
    score: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'The similarity, or 0 for blogs that only complete the list'
    })
  },
  { $id: 'BlogSummary' }
)
export type BlogSummary = Static<typeof BlogSummary>

export const CategoryCount = Type.Object(
  { category: Type.String(), count: Type.Integer({ minimum: 1 }) },
  { $id: 'CategoryCount' }
)
export type CategoryCount = Static<typeof CategoryCount>

export const BlogRedirect = Type.Object(
  { projectId: ProjectId(), from: Type.String(), to: Type.String() },
  { $id: 'BlogRedirect' }
)
export type BlogRedirect = Static<typeof BlogRedirect>

export const RemovedBlog = Type.Object(
  { id: Id(), slug: Type.String(), at: Timestamp() },
  { $id: 'RemovedBlog', description: 'A deleted or unpublished blog' }
)
export type RemovedBlog = Static<typeof RemovedBlog>

export const BlogListQuery = Type.Object(
  {
    ...PageQuery,
    projectId: Type.Optional(ProjectId()),
    category: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    tag: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
    locale: Type.Optional(Locale()),
    author: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'The name of the author' })),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Search words. All must match; the last one may be a prefix. Matches in the title come first'
      })
    ),
    publishedAfter: Type.Optional(Timestamp()),
    publishedBefore: Type.Optional(Timestamp()),
    updatedSince: Type.Optional(
      Timestamp({ description: 'Only blogs that have changed since. The response also lists deleted blogs' })
    ),
    status: Type.Optional(
      OneOf([...BLOG_STATUSES, 'any'], { description: 'Values other than `published` require the scope blogs:write' })
    ),
    include: Type.Optional(
      OneOf(['content'], { description: '`content` adds `htmlContent`, `cssContent` and `schemaOrgJson` to each blog' })
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
      Type.Array(Ref(RemovedBlog), { description: 'With `updatedSince`: blogs that are no longer public' })
    )
  },
  { $id: 'BlogList' }
)
export type BlogList = Static<typeof BlogList>
