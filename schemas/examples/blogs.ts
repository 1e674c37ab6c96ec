import { DEMO } from './demo.ts'

const { blogId: id, slug } = DEMO
const publishedAt = '2025-02-11T07:30:00.000Z'
const images = `https://content.harbor-coffee.example/api/v1/blogs/images/${id}`
const canonicalUrl = `https://harbor-coffee.example/journal/${slug}`
const title = 'A pour-over that tastes the same every morning'
const metaDescription =
  'Seven steps, one kitchen scale and three minutes: a pour-over method you can repeat half asleep, ' +
  'and what to change when the cup tastes off.'
const excerpt = 'What they lack is a routine. Water, coffee and time are three dials.'
const markdown = '## What you need\n\n- 18 g of coffee, ground like *coarse sand*\n- 300 g of water\n'
const author = { name: 'Maren Ost', url: 'https://harbor-coffee.example/people/maren-ost' }
const alt = 'A kettle pours a thin stream into a coral dripper that stands on a glass carafe and a scale'

const cover = {
  url: `${images}/${DEMO.imageFilename}`,
  srcset: ['?w=640&format=auto 640w', '?format=auto 1280w']
    .map((size) => `${images}/${DEMO.imageFilename}${size}`)
    .join(', '),
  width: 1280,
  height: 720,
  alt
}

const summary = {
  id,
  title,
  slug,
  metaTitle: title,
  metaDescription,
  excerpt,
  cover,
  ogImageUrl: `${images}/og-8ee8543d96e7a9c3.jpg`,
  publishedAt,
  locale: 'en',
  authors: [author],
  category: 'Brewing',
  tags: ['pour-over', 'how-to', 'filter']
}

const translation = {
  id: '0198e6b0-4d1a-7c3f-8e5b-2a6c4d8f0b22',
  locale: 'de',
  hreflang: 'de',
  title: 'Kaffee',
  slug: 'kaffee',
  url: 'https://harbor-coffee.example/journal/kaffee'
}

const listItem = {
  ...summary,
  projectId: DEMO.projectId,
  updatedAt: publishedAt,
  lang: 'en',
  dir: 'ltr',
  author,
  translationKey: 'pour-over',
  translations: [
    translation,
    { ...translation, id, locale: 'en', hreflang: 'en', title: summary.title, slug: summary.slug, url: canonicalUrl }
  ],
  canonicalUrl,
  wordCount: 584,
  readingTimeMinutes: 2,
  headings: [{ level: 2, text: 'What you need', id: 'svc-what-you-need' }],
  images: [{ url: cover.url, alt, width: 1280, height: 720 }],
  version: 3
}

const content = {
  htmlContent:
    `<div class="svc-blog" data-svc-blog="${id}" lang="en" dir="ltr"><h2 id="svc-what-you-need">What you need</h2>` +
    '<ul><li>18 g of coffee, ground like <em>coarse sand</em></li><li>300 g of water</li></ul></div>',
  cssContent: '.svc-blog{line-height:1.65}.svc-blog :where(h2){font-size:1.6em;font-weight:700}',
  schemaOrgJson: JSON.stringify({
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'BlogPosting', headline: summary.title, datePublished: publishedAt, mainEntityOfPage: canonicalUrl }
    ]
  })
}

/** A new blog: the blog above exists. */
const added = { title: 'Brewing better coffee', slug: 'brewing-better-coffee', markdown, category: 'Brewing' }
const input = {
  projectId: DEMO.projectId,
  title: added.title,
  markdown,
  category: 'Brewing',
  tags: summary.tags,
  authors: [author],
  translationKey: 'brewing-better-coffee',
  status: 'published'
}
const image = {
  filename: DEMO.imageFilename,
  url: cover.url,
  width: 1280,
  height: 720,
  alt,
  bytes: 17_298,
  sizes: [320, 640, 960].map((width) => ({ width, url: `${cover.url}?w=${width}` }))
}
const removed = {
  id: '0198d1c4-52f0-7b1e-a3c8-90d2e4f6a811',
  slug: 'closed-for-the-spring-tide',
  at: '2026-02-01T12:00:00.000Z'
}

const source = {
  format: 'markdown',
  text: markdown,
  css: null,
  metaTitle: null,
  metaDescription,
  excerpt: null,
  cover: null,
  ogImageUrl: null,
  canonicalUrl: null
}
const revision = {
  revision: 1,
  isCurrent: true,
  version: 3,
  title: summary.title,
  status: 'published',
  savedAt: publishedAt,
  savedBy: { type: 'key', id: DEMO.apiKeyId, name: 'Website build' },
  changedFields: [],
  restoredFrom: null
}

/** A blog of a fictional shop, in each of its schemas. */
export const blogExamples = {
  Blog: { ...listItem, ...content },
  BlogListItem: listItem,
  BlogList: { blogs: [listItem], totalCount: 1, page: 1, totalPages: 1, nextCursor: null },
  BlogDraft: {
    ...listItem,
    ...content,
    status: 'published',
    publishAt: null,
    createdAt: publishedAt,
    source,
    warnings: []
  },
  BlogInput: input,
  BlogPatch: { title: 'A pour-over that tastes the same every day', tags: ['pour-over', 'filter'] },
  BlogRevision: revision,
  BlogRevisionDetail: {
    ...revision,
    locale: 'en',
    category: 'Brewing',
    tags: summary.tags,
    authors: [author],
    translationKey: listItem.translationKey,
    source
  },
  BlogRevisionList: { revisions: [revision], totalCount: 1, page: 1, totalPages: 1 },
  BlogSummary: { ...summary, score: 0.42 },
  BlogRedirect: { projectId: DEMO.projectId, from: 'the-same-pour-over', to: slug },
  BlogTranslation: translation,
  AuthorCount: { author: author.name, count: 1 },
  TagCount: { tag: 'filter', count: 1 },
  CategoryCount: { category: 'Brewing', count: 2 },
  RemovedBlog: removed,
  ImportedBlog: added,
  BlogImport: { projectId: DEMO.projectId, blogs: [added] },
  BlogImportResult: { index: 0, slug: added.slug, result: 'created', errors: [], warnings: [] },
  BlogImage: image,
  BlogImageList: { images: [image] }
}
