import t from 'tap'
import { evaluate } from '../../../services/visual-checks/evaluate.ts'
import type { Change } from '../../fixtures/visual-check/snapshot-cases/case.ts'
import { expected, snapshotsWith, TITLE } from '../../fixtures/visual-check/snapshots.ts'

/*
 * Metadata that is checked by its value.
 */

const PUBLISHED = '2026-03-03T08:00:00.000Z'
const UPDATED = '2026-05-01T10:00:00.000Z'
const place = { selector: '.byline', box: { x: 20, y: 120, width: 300, height: 24 } }

function findingsWith(change: Change, language = 'en') {
  const ours = expected({ publishedAt: PUBLISHED, updatedAt: UPDATED, language })
  const snapshots = snapshotsWith((snapshot) => {
    snapshot.document.lang = language
    change(snapshot, ours)
  })
  return evaluate({ snapshots, expected: ours, missingFonts: [] }).findings
}
const codesWith = (change: Change, language?: string): string[] =>
  findingsWith(change, language).map(({ code }) => code)

const withByline =
  (...texts: string[]): Change =>
  (snapshot) => {
    snapshot.times = texts.map((text) => ({ ...place, datetime: '', text }))
  }
const withMeta =
  (key: string, content: string): Change =>
  (snapshot) => {
    snapshot.document.metas = [...snapshot.document.metas.filter((meta) => meta.key !== key), { key, content }]
  }
const withJsonLd =
  (article: object): Change =>
  (snapshot) => {
    snapshot.document.jsonLd = [JSON.stringify({ '@type': 'BlogPosting', headline: TITLE, ...article })]
  }

t.test('a wrong date that is written in the byline is found in the language of the blog', async (t) => {
  t.same(codesWith(withByline('By Ada Lind · 1 January 1970')), ['DATE_MISMATCH'])
  t.same(codesWith(withByline('Von Ada Lind am 12. Oktober 2024'), 'de'), ['DATE_MISMATCH'])
  t.same(codesWith(withByline('٣ مارس ٢٠١٩'), 'ar'), ['DATE_MISMATCH'])
  t.same(codesWith(withByline('2019年3月3日'), 'ja'), ['DATE_MISMATCH'])
})

t.test('the dates of the publication and of the update are right, and one right date is sufficient', async (t) => {
  t.same(codesWith(withByline('By Ada Lind · 3 March 2026')), [])
  t.same(codesWith(withByline('Updated May 1, 2026')), [])
  t.same(codesWith(withByline('3 March 2026', 'Workshop on 4 July 2027')), [])
  t.same(codesWith(withByline('4 min read, 1,970 words')), [])
})

t.test('what a time element shows must be right, too', async (t) => {
  const shown = (datetime: string, text: string) =>
    codesWith((snapshot) => {
      snapshot.times = [{ ...place, datetime, text }]
    })
  t.same(shown('2026-03-03', '1 January 1970'), ['DATE_MISMATCH'])
  t.same(shown('1970-01-01', '3 March 2026'), ['DATE_MISMATCH'])
  t.same(shown('2026-03-03', 'three weeks ago'), [])
})

t.test('the dates of the structured data and of article properties are compared', async (t) => {
  t.same(codesWith(withJsonLd({ datePublished: '2019-03-03' })), ['DATE_MISMATCH'])
  t.same(codesWith(withJsonLd({ datePublished: PUBLISHED, dateModified: '2025-01-01' })), ['DATE_MISMATCH'])
  t.same(codesWith(withMeta('article:published_time', '2027-01-01')), ['DATE_MISMATCH'])
  t.same(codesWith(withMeta('article:modified_time', '2025-01-01')), ['DATE_MISMATCH'])
  const [finding] = findingsWith(withJsonLd({ datePublished: '2019-03-03' }))
  t.match(finding, {
    expected: PUBLISHED,
    actual: '2019-03-03',
    evidence: { dates: [{ where: 'JSON-LD datePublished', value: '2019-03-03' }] }
  })
})

t.test('a site may change a page after the blog, and have structured data about other articles', async (t) => {
  t.same(codesWith(withJsonLd({ datePublished: '2026-03-03', dateModified: '2026-09-01' })), [])
  t.same(codesWith(withMeta('article:modified_time', '2026-09-01')), [])
  t.same(
    codesWith((snapshot, ours) => {
      withJsonLd({ datePublished: '2026-03-03' })(snapshot, ours)
      const other = { '@type': 'Article', headline: 'Herbs that live through the winter', datePublished: '2019-01-01' }
      snapshot.document.jsonLd.push(JSON.stringify(other))
    }),
    []
  )
})

t.test('relative addresses are named as such', async (t) => {
  const [canonical] = findingsWith((snapshot) => {
    snapshot.document.relativeCanonicals = ['/blog/figs-in-pots']
  })
  t.match(canonical, { code: 'CANONICAL_INVALID', severity: 'low', actual: '/blog/figs-in-pots' })
  t.match(canonical?.message, /relative/)
  const [image] = findingsWith(withMeta('og:image', '/figs.jpg'))
  t.match(image, { code: 'OG_IMAGE_BROKEN', actual: '/figs.jpg', expected: 'https://garden.example/figs.jpg' })
  t.match(image?.message, /is relative: link previews cannot load it/)
  const [url] = findingsWith(withMeta('og:url', '/blog/figs-in-pots'))
  t.match(url, { code: 'OG_URL_MISMATCH' })
  t.match(url?.message, /relative/)
  t.same(codesWith(withMeta('og:url', 'https://garden.example/blog/herbs')), ['OG_URL_MISMATCH'])
})

t.test('a wrong description is reported once', async (t) => {
  const other = 'Sourdough rises slowly in a cold kitchen, and faster beside a stove.'
  t.same(
    codesWith((snapshot, ours) => {
      withMeta('description', other)(snapshot, ours)
      withMeta('og:description', other)(snapshot, ours)
    }),
    ['META_DESCRIPTION_MISMATCH']
  )
})
