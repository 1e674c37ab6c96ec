import t from 'tap'
import { isReservedSlug, nextSlug, RESERVED_SLUGS, slugify, slugNumbers } from '../../../services/blogs/slug.ts'
import { generateNaughtyStrings } from '../../data/generate/hostile-strings.ts'
import { generatePosts } from '../../data/generate/posts.ts'
import { readPosts } from '../../data/posts.ts'
import { seedNote } from '../../data/seed.ts'
import { SLUG, slugProblems } from './text-checks.ts'

t.test('a title becomes lower-case words joined by hyphens', async (t) => {
  const cases: [string, string, string][] = [
    ['Hello, World!', 'en', 'hello-world'],
    ['  Ten % off — today only  ', 'en', 'ten-off-today-only'],
    ["Don't panic: the user’s guide", 'en', 'dont-panic-the-users-guide'],
    ['Crème brûlée à la façon de Noël', 'fr', 'creme-brulee-a-la-facon-de-noel'],
    ['Straße über Zürich', 'de', 'strasse-ueber-zuerich'],
    ['Straße über Zürich', 'en', 'strasse-uber-zurich'],
    ['u\u0308ber', 'de-AT', 'ueber'],
    ['ÄRGER MIT GRÖẞE', 'de', 'aerger-mit-groesse'],
    ['Smørrebrød på Ærø', 'da', 'smoerrebroed-paa-aeroe'],
    ['Smørrebrød på Ærø', 'en', 'smorrebrod-pa-aero'],
    ['Łódź, Đorđe, Þórður, İstanbul, Ağrı', 'en', 'lodz-dorde-thordur-istanbul-agri'],
    ['Съешь ещё этих мягких французских булок', 'ru', 'sesh-eshchyo-etikh-myagkikh-frantsuzskikh-bulok'],
    ['Київ і Львів', 'uk', 'kyyiv-i-lviv'],
    ['България', 'bg', 'balgariya'],
    ['Το ουράνιο τόξο είναι ωραίο', 'el', 'to-ouranio-toxo-einai-oraio'],
    ['Ｆｕｌｌ ｗｉｄｔｈ １２３', 'ja', 'full-width-123'],
    ['iPhone 17 発売', 'ja', 'iphone-17'],
    ['2 ﬁne ½ ideas', 'en', '2-fine-1-2-ideas']
  ]
  for (const [title, locale, slug] of cases) t.equal(slugify(title, locale), slug, `${title} (${locale})`)
})

t.test('a title without ASCII transliteration still gets a slug', async (t) => {
  for (const title of ['東京の夏', 'مرحبا بالعالم', '안녕하세요', '🎉🎉', '---', '', "'"]) {
    t.equal(slugify(title), 'blog', JSON.stringify(title))
  }
})

t.test('a slug is at most 80 characters and ends with a whole word', async (t) => {
  t.equal(slugify(`${'word '.repeat(15)}wordy more`), `${'word-'.repeat(15)}wordy`, 'eighty characters fit')
  t.equal(
    slugify(`${'word '.repeat(15)}wordyy more`),
    'word-'.repeat(15).slice(0, -1),
    'a word that does not fit is omitted'
  )
  t.equal(slugify('x'.repeat(300)), 'x'.repeat(80))
})

t.test('every title gives a valid slug', async (t) => {
  const titles = generateNaughtyStrings(1_000, { malformed: true })
  t.same(slugProblems(titles), [], seedNote)
  t.ok(titles.length > 500)
})

t.test('every Unicode letter gives a valid slug', async (t) => {
  const bad: string[] = []
  for (let code = 1; code < 0x30000; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const slug = slugify(`a${String.fromCodePoint(code)}b`)
    if (!SLUG.test(slug)) bad.push(code.toString(16))
  }
  t.same(bad, [])
})

t.test('titles in Latin letters never fall back to the default slug', async (t) => {
  const titles = [...readPosts(), ...generatePosts(500)].map(({ title }) => title).filter((title) => /\w/.test(title))
  t.ok(titles.length > 400)
  t.same(
    titles.filter((title) => slugify(title) === 'blog'),
    [],
    seedNote
  )
})

t.test('API paths and ids are reserved slugs', async (t) => {
  for (const slug of ['categories', 'images', 'redirects', 'feed', 'sitemap', 'by-id', 'tags', 'authors']) {
    t.ok(isReservedSlug(slug), slug)
  }
  t.equal(RESERVED_SLUGS.size, 8)
  t.ok(isReservedSlug('0199e7a2-7c1b-7c3e-8b1f-2d9f3a5b6c7d'))
  for (const slug of ['feeds', 'category', 'feed-2', '0199e7a2-7c1b-7c3e-8b1f-2d9f3a5b6c7d-2', 'blog']) {
    t.notOk(isReservedSlug(slug), slug)
  }
})

t.test('a taken slug gets a number and at most 120 characters', async (t) => {
  t.equal(nextSlug('feed', 2), 'feed-2')
  t.equal(nextSlug('feed', 10), 'feed-10')
  t.equal(nextSlug('x'.repeat(120), 2), `${'x'.repeat(118)}-2`)
  t.equal(nextSlug(`${'x'.repeat(117)}-yy`, 2), `${'x'.repeat(117)}-2`, 'no two hyphens in a row')
  t.notOk(isReservedSlug(nextSlug('feed', 2)))
})

t.test('slugs are tried in order first, then with random numbers from growing ranges', async (t) => {
  const numbers = [...slugNumbers()]
  t.same(
    numbers.slice(0, 20),
    Array.from({ length: 20 }, (_, at) => at + 1)
  )
  t.equal(numbers.length, 40)
  t.ok(numbers.slice(20).every((n) => Number.isSafeInteger(n) && n > 20))
  t.ok(
    numbers.slice(-5).every((n) => n > 2 ** 20),
    'no title uses up the last ones'
  )
  t.notSame(numbers, [...slugNumbers()])
})
