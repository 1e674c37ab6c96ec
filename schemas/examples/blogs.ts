const id = '0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11'
const publishedAt = '2026-01-31T09:00:00.000Z'
const images = `https://content.harbour-coffee.example/api/v1/blogs/images/${id}`
const canonicalUrl = 'https://harbour-coffee.example/journal/brewing-better-coffee'
const metaDescription =
  'Three dials decide about a cup of filter coffee: water, coffee and time. ' +
  'How to set each of them, and keep the other two still meanwhile.'
const markdown = '## Three dials\n\nWater, coffee and time decide about the cup. Move *one* of them a day.\n'
const author = { name: 'Maren Ost', url: 'https://harbour-coffee.example/people/maren-ost' }

const cover = {
  url: `${images}/roaster-5f2d8a1b9c04.webp`,
  srcset: ['?w=640&format=auto 640w', '?format=auto 1600w']
    .map((size) => `${images}/roaster-5f2d8a1b9c04.webp${size}`)
    .join(', '),
  width: 1600,
  height: 1067,
  alt: 'A drum roaster in the morning light'
}

const summary = {
  id,
  title: 'Brewing better coffee',
  slug: 'brewing-better-coffee',
  metaTitle: 'How to brew better coffee',
  metaDescription,
  excerpt: 'Water, coffee and time decide about the cup. Move one of them a day.',
  cover,
  ogImageUrl: `${images}/og-5d1f0c3a9b7e.png`,
  publishedAt,
  locale: 'en',
  authors: [author],
  category: 'Brewing',
  tags: ['filter', 'how-to']
}

const translation = {
  id: '0198e6b0-4d1a-7c3f-8e5b-2a6c4d8f0b22',
  locale: 'de',
  hreflang: 'de',
  title: 'Kaffee',
  slug: 'kaffee',
  url: 'https://harbour-coffee.example/journal/kaffee'
}

const listItem = {
  ...summary,
  projectId: 'harbour-coffee',
  updatedAt: '2026-01-31T09:00:00.000Z',
  lang: 'en',
  dir: 'ltr',
  author,
  translationKey: 'brewing',
  translations: [
    translation,
    { ...translation, id, locale: 'en', hreflang: 'en', title: summary.title, slug: summary.slug, url: canonicalUrl }
  ],
  canonicalUrl,
  wordCount: 16,
  readingTimeMinutes: 1,
  headings: [{ level: 2, text: 'Three dials', id: 'svc-three-dials' }],
  images: [
    {
      url: `${images}/roaster-5f2d8a1b9c04.webp`,
      alt: 'A drum roaster in the morning light',
      width: 1600,
      height: 1067
    }
  ],
  version: 3
}

const content = {
  htmlContent:
    `<div class="svc-blog" data-svc-blog="${id}" lang="en" dir="ltr"><h2 id="svc-three-dials">Three dials</h2>` +
    '<p>Water, coffee and time decide about the cup. Move <em>one</em> of them a day.</p></div>',
  cssContent: '.svc-blog{line-height:1.65}.svc-blog :where(h2){font-size:1.6em;font-weight:700}',
  schemaOrgJson: JSON.stringify({
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'BlogPosting', headline: summary.title, datePublished: publishedAt, mainEntityOfPage: canonicalUrl }
    ]
  })
}

const input = {
  projectId: 'harbour-coffee',
  title: summary.title,
  markdown,
  category: 'Brewing',
  tags: summary.tags,
  authors: [author],
  translationKey: 'brewing',
  status: 'published'
}
const image = {
  filename: 'roaster-5f2d8a1b9c04.webp',
  url: `${images}/roaster-5f2d8a1b9c04.webp`,
  width: 1600,
  height: 1067,
  alt: 'A drum roaster in the morning light',
  bytes: 182_340,
  sizes: [320, 640, 960, 1280].map((width) => ({ width, url: `${images}/roaster-5f2d8a1b9c04.webp?w=${width}` }))
}
const removed = {
  id: '0198d1c4-52f0-7b1e-a3c8-90d2e4f6a811',
  slug: 'closed-for-the-spring-tide',
  at: '2026-02-01T12:00:00.000Z'
}
const imported = { title: summary.title, slug: summary.slug, markdown, category: 'Brewing' }

const source = {
  format: 'markdown',
  text: markdown,
  css: null,
  metaTitle: 'How to brew better coffee',
  metaDescription: null,
  excerpt: null,
  cover: null,
  ogImageUrl: null,
  canonicalUrl: null
}
const revision = {
  revision: 2,
  isCurrent: true,
  version: 3,
  title: summary.title,
  status: 'published',
  savedAt: publishedAt,
  savedBy: { type: 'key', id: '0198e6a2-0b1d-7a64-8c2e-6f4a8b0c2d33', name: 'Back office' },
  changedFields: ['title', 'text'],
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
    createdAt: '2026-01-30T16:20:00.000Z',
    source,
    warnings: []
  },
  BlogInput: input,
  BlogPatch: { title: 'Brewing much better coffee', category: null },
  BlogRevision: revision,
  BlogRevisionDetail: {
    ...revision,
    locale: 'en',
    category: 'Brewing',
    tags: summary.tags,
    authors: [author],
    translationKey: 'brewing',
    source
  },
  BlogRevisionList: { revisions: [revision], totalCount: 1, page: 1, totalPages: 1 },
  BlogSummary: { ...summary, score: 0.42 },
  BlogRedirect: { projectId: 'harbour-coffee', from: 'better-coffee', to: 'brewing-better-coffee' },
  BlogTranslation: translation,
  AuthorCount: { author: author.name, count: 7 },
  TagCount: { tag: 'filter', count: 5 },
  CategoryCount: { category: 'Brewing', count: 12 },
  RemovedBlog: removed,
  ImportedBlog: imported,
  BlogImport: { projectId: 'harbour-coffee', blogs: [imported] },
  BlogImportResult: { index: 0, slug: summary.slug, result: 'created', errors: [], warnings: [] },
  Image: image,
  ImageList: { images: [image] }
}
