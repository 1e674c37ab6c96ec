import { Type, type Static } from '@sinclair/typebox'
import { Id, Label, Locale, Nullable, OneOf, ProjectId, Ref, Timestamp, Url } from './fields.ts'
import { PageQuery, PageTotals } from './page.ts'

export const BLOG_STATUSES = ['draft', 'scheduled', 'published', 'unpublished'] as const
export type BlogStatus = (typeof BLOG_STATUSES)[number]

export const Author = Type.Object(
  {
    name: Type.String({ format: 'label', minLength: 1, maxLength: 200 }),
    url: Type.Optional(Nullable(Url()))
  },
  { additionalProperties: false }
)
export type Author = Static<typeof Author>

/** The values of `sort`. A minus sign means descending. */
export const BLOG_SORTS = [
  '-publishedAt',
  'publishedAt',
  '-updatedAt',
  'updatedAt',
  'title',
  '-title',
  'publishAt'
] as const
export type BlogSort = (typeof BLOG_SORTS)[number]

const AuthorResponse = Type.Object({ name: Type.String(), url: Nullable(Type.String()) })

export const BlogCover = Type.Object({
  url: Type.String(),
  srcset: Nullable(Type.String(), { description: 'For `srcset` of an `img`; null for images of other servers' }),
  width: Nullable(Type.Integer({ minimum: 1 })),
  height: Nullable(Type.Integer({ minimum: 1 })),
  alt: Type.String()
})
export type BlogCover = Static<typeof BlogCover>

const cover = Nullable(BlogCover, {
  description: 'The image for cards and lists. Default: the first image of the text'
})

export const CoverInput = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: '\\S',
      description: 'The file name of an uploaded image, or an https URL'
    }),
    alt: Type.Optional(
      Type.String({ maxLength: 500, description: 'Default: the text alternative of the uploaded image' })
    ),
    width: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 100_000 }))),
    height: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 100_000 })))
  },
  { additionalProperties: false, description: '`width` and `height` are only needed for images of other servers' }
)
export type CoverInput = Static<typeof CoverInput>

export const BlogTranslation = Type.Object(
  {
    id: Id(),
    locale: Type.String(),
    hreflang: Type.String({ description: 'The value of `hreflang` in a link element' }),
    title: Type.String(),
    slug: Type.String(),
    url: Nullable(Type.String(), { description: 'The URL of the page; null without `siteUrl`' })
  },
  { $id: 'BlogTranslation' }
)
export type BlogTranslation = Static<typeof BlogTranslation>

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
  metaTitle: Type.String({ description: 'The title for the title element and search results. Default: the title' }),
  metaDescription: Type.String(),
  cover,
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
  author: Nullable(AuthorResponse, { description: 'The first of the `authors`' }),
  authors: Type.Array(AuthorResponse),
  translationKey: Nullable(Type.String()),
  translations: Type.Array(Ref(BlogTranslation), {
    description:
      'The published blogs of the project with the same `translationKey`, including this one, ordered by `hreflang`. ' +
      'Empty if there is no other one. Of more than 100, only 100 are named'
  }),
  excerpt: Type.String(),
  canonicalUrl: Nullable(Type.String()),
  wordCount: Type.Integer({ minimum: 0 }),
  readingTimeMinutes: Type.Integer({ minimum: 0 }),
  headings: Type.Array(Heading, { description: 'The headings, up to 100,000 characters of JSON' }),
  images: Type.Array(BlogImage, { description: 'The images of the text, up to 100,000 characters of JSON' }),
  version: Type.Integer({ minimum: 1 })
}

/** The content to embed in a page. */
const content = {
  htmlContent: Type.String({ description: 'The HTML of the body' }),
  cssContent: Type.String({ description: 'The CSS of the body, scoped to it' }),
  schemaOrgJson: Type.String({ description: 'JSON-LD for a script element of type application/ld+json' })
}

/** A blog has no date before its first publication, unless one was given. */
const publishedAt = Nullable(Timestamp())

export const BlogListItem = Type.Object(
  {
    ...head,
    publishedAt,
    ...Type.Partial(Type.Object(content)).properties,
    status: Type.Optional(OneOf(BLOG_STATUSES)),
    publishAt: Type.Optional(
      Nullable(Timestamp(), { description: 'With `status` in the query: the publication time of a scheduled blog' })
    )
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
        metaTitle: Nullable(Type.String()),
        metaDescription: Nullable(Type.String()),
        excerpt: Nullable(Type.String()),
        cover: Nullable(CoverInput),
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
  title: Label(300),
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
  metaTitle: Nullable(Type.String({ maxLength: 300 }), { description: 'Default: the title' }),
  metaDescription: Nullable(Type.String({ maxLength: 500 }), {
    description: 'Default: generated from `excerpt`, or else from the text'
  }),
  excerpt: Nullable(Type.String({ maxLength: 2000 }), { description: 'Default: generated from the text' }),
  cover: Nullable(CoverInput),
  ogImageUrl: Nullable(Url()),
  category: Nullable(Label(100)),
  tags: Type.Array(Label(60), { maxItems: 30, uniqueItems: true }),
  author: Nullable(Author, { description: 'The only author. Mutually exclusive with `authors`' }),
  authors: Type.Array(Author, { maxItems: 20 }),
  translationKey: Nullable(Label(100), {
    description:
      'Blogs of a project with the same key are translations of each other. ' +
      'At most one blog for each language, script and region'
  }),
  locale: Locale({ description: 'Default: en' }),
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
    metaTitle: Type.Optional(input.metaTitle),
    metaDescription: Type.Optional(input.metaDescription),
    excerpt: Type.Optional(input.excerpt),
    cover: Type.Optional(input.cover),
    ogImageUrl: Type.Optional(input.ogImageUrl),
    category: Type.Optional(input.category),
    tags: Type.Optional(input.tags),
    author: Type.Optional(input.author),
    authors: Type.Optional(input.authors),
    translationKey: Type.Optional(input.translationKey),
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
    metaTitle: head.metaTitle,
    metaDescription: head.metaDescription,
    excerpt: head.excerpt,
    cover,
    ogImageUrl: head.ogImageUrl,
    publishedAt: head.publishedAt,
    locale: head.locale,
    authors: head.authors,
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

export const Blog = Type.Object(
  {
    ...head,
    ...content,
    related: Type.Optional(Type.Array(Ref(BlogSummary), { description: 'With `include=related`: the related blogs' }))
  },
  { $id: 'Blog' }
)
export type Blog = Static<typeof Blog>

export const CategoryCount = Type.Object(
  { category: Type.String(), count: Type.Integer({ minimum: 1 }) },
  { $id: 'CategoryCount' }
)
export type CategoryCount = Static<typeof CategoryCount>

export const TagCount = Type.Object({ tag: Type.String(), count: Type.Integer({ minimum: 1 }) }, { $id: 'TagCount' })
export type TagCount = Static<typeof TagCount>

export const AuthorCount = Type.Object(
  { author: Type.String({ description: 'The name of the author' }), count: Type.Integer({ minimum: 1 }) },
  { $id: 'AuthorCount' }
)
export type AuthorCount = Static<typeof AuthorCount>

export const BlogRedirect = Type.Object(
  { projectId: ProjectId(), from: Type.String(), to: Type.String() },
  { $id: 'BlogRedirect' }
)
export type BlogRedirect = Static<typeof BlogRedirect>

export const RemovedBlog = Type.Object(
  { id: Id(), slug: Type.String(), at: Timestamp() },
  { $id: 'RemovedBlog', description: 'A blog that was deleted, unpublished, or moved to another project' }
)
export type RemovedBlog = Static<typeof RemovedBlog>

export const BlogListQuery = Type.Object(
  {
    ...PageQuery,
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          'The `nextCursor` of the page before, instead of `page`; all other parameters stay the same. ' +
          'The fastest way to read long lists. The response has no totals'
      })
    ),
    projectId: Type.Optional(ProjectId()),
    category: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Case-insensitive' })),
    tag: Type.Optional(Type.String({ minLength: 1, maxLength: 60, description: 'Case-insensitive' })),
    locale: Type.Optional(Locale({ description: 'The complete language tag. Case-insensitive' })),
    author: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'The name of one of the authors. Case-insensitive' })
    ),
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
      Timestamp({
        description:
          'Only blogs that have changed since. The response also lists removed blogs. A change becomes visible some ' +
          'time after its timestamp: to miss none, send the time one minute before you began the last read'
      })
    ),
    status: Type.Optional(
      OneOf([...BLOG_STATUSES, 'any'], { description: 'Values other than `published` require the scope blogs:write' })
    ),
    sort: Type.Optional(
      OneOf(BLOG_SORTS, {
        description:
          'The order; a minus sign means descending. Blogs with equal values are ordered by id. ' +
          '`publishAt` requires `status=scheduled`. ' +
          'Default: `-publishedAt`; with `q`, blogs that match in the title first'
      })
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
    totalCount: Type.Optional({ ...PageTotals.totalCount, description: 'Missing with `cursor`' }),
    page: Type.Optional({ ...PageTotals.page, description: 'Missing with `cursor`' }),
    totalPages: Type.Optional({ ...PageTotals.totalPages, description: 'Missing with `cursor`' }),
    nextCursor: Nullable(Type.String(), { description: 'The `cursor` of the next page; null on the last one' }),
    deleted: Type.Optional(
      Type.Array(Ref(RemovedBlog), {
        description:
          'With `updatedSince`: blogs that are no longer public, or moved to another project, the first removed ' +
          'first, at most 1,000 in a page'
      })
    ),
    moreDeleted: Type.Optional(
      Type.Boolean({
        description: 'With `updatedSince`: whether `deleted` goes on in the next page, by `nextCursor` or `page`'
      })
    )
  },
  { $id: 'BlogList' }
)
export type BlogList = Static<typeof BlogList>
