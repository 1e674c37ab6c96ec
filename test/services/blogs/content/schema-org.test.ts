import t from 'tap'
import { schemaOrgJson, type SchemaOrgInput } from '../../../../services/blogs/content/index.ts'

const FULL: SchemaOrgInput = {
  title: 'How we built it',
  description: 'A story.',
  imageUrls: ['https://a.example/1.jpg'],
  datePublished: '2024-05-01T08:00:00.000Z',
  dateModified: '2024-05-02T08:00:00.000Z',
  authors: [{ name: 'Ada', url: 'https://a.example/ada' }],
  publisherName: 'Acme',
  pageUrl: 'https://a.example/blog/built',
  siteUrl: 'https://a.example/',
  blogUrl: 'https://a.example/blog',
  locale: 'en-GB',
  wordCount: 812,
  category: 'Building',
  tags: ['a', 'b']
}

t.test('structured data describes the article, its author and publisher, and its URL', async (t) => {
  const {
    '@context': context,
    '@graph': [posting, crumbs]
  } = JSON.parse(schemaOrgJson(FULL))
  t.equal(context, 'https://schema.org')
  t.match(posting, {
    '@type': 'BlogPosting',
    headline: 'How we built it',
    description: 'A story.',
    image: ['https://a.example/1.jpg'],
    datePublished: '2024-05-01T08:00:00.000Z',
    dateModified: '2024-05-02T08:00:00.000Z',
    author: { '@type': 'Person', name: 'Ada', url: 'https://a.example/ada' },
    publisher: { '@type': 'Organization', name: 'Acme' },
    mainEntityOfPage: { '@type': 'WebPage', '@id': 'https://a.example/blog/built' },
    inLanguage: 'en-GB',
    wordCount: 812,
    articleSection: 'Building',
    keywords: ['a', 'b']
  })
  t.same(
    crumbs.itemListElement.map(({ position, name, item }: Record<string, unknown>) => [position, name, item]),
    [
      [1, 'Acme', 'https://a.example/'],
      [2, 'Blog', 'https://a.example/blog'],
      [3, 'How we built it', 'https://a.example/blog/built']
    ]
  )
})

t.test('structured data has no empty values', async (t) => {
  const json = schemaOrgJson({
    ...FULL,
    description: '',
    imageUrls: [],
    datePublished: null,
    dateModified: null,
    authors: [{ name: 'Ada', url: null }],
    publisherName: null,
    pageUrl: null,
    siteUrl: null,
    blogUrl: null,
    wordCount: 0,
    category: null,
    tags: []
  })
  t.same(JSON.parse(json)['@graph'], [
    {
      '@type': 'BlogPosting',
      headline: 'How we built it',
      author: { '@type': 'Person', name: 'Ada' },
      inLanguage: 'en-GB'
    }
  ])
})

t.test('structured data is safe in a script element, whatever the title', async (t) => {
  const title = '</script><!--<script>&\u2028\u2029'
  const json = schemaOrgJson({ ...FULL, title, tags: ['\ud800'] })
  t.notMatch(json, /[<>&\u2028\u2029]/)
  t.equal(JSON.parse(json)['@graph'][0].headline, '</script><!--<script>&')
  t.ok(json.isWellFormed() && !json.includes('\\ud800'))
})

t.test('a headline has at most 110 characters and ends after a word', async (t) => {
  const { headline } = JSON.parse(schemaOrgJson({ ...FULL, title: 'word '.repeat(40) }))['@graph'][0]
  t.ok(headline.length <= 110)
  t.match(headline, /word…$/)
})
