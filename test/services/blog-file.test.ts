import t from 'tap'
import { parseBlogFile } from '../../services/blog-file.ts'

const blogFile = (date: string) => parseBlogFile(`---\ntitle: Hello\ndate: ${date}\n---\nText`, 'hello.md')

t.test('the date of the front matter is converted to UTC', async (t) => {
  t.equal(blogFile('2014-12-17').input.publishedAt, '2014-12-17T00:00:00.000Z')
  t.equal(blogFile('2014-12-17 09:00:00 -0500').input.publishedAt, '2014-12-17T14:00:00.000Z')
})

t.test('a date outside the years 0001 to 9999 is left out with a warning', async (t) => {
  for (const date of ['0000-01-01T00:00:00+23:59', '9999-12-31 23:59:00 -0500', '+010000-01-01T00:00:00Z']) {
    const { input, warnings } = blogFile(date)
    t.notOk('publishedAt' in input, date)
    t.match(warnings, [/invalid date/], date)
  }
})

t.test('control characters in the front matter are removed, because the API refuses them', async (t) => {
  const { input } = parseBlogFile(
    '---\ntitle: "Two\\v lines"\ntags: ["a\\0b"]\nauthor: "Ann\\x1f Lee"\n---\nText',
    't.md'
  )
  t.match(input, { title: 'Two lines', tags: ['ab'], authors: [{ name: 'Ann Lee' }] })
})

const authorsOf = (yaml: string) => parseBlogFile(`---\ntitle: T\n${yaml}\n---\nText.\n`, 't.md').input.authors

t.test('a list of authors is imported as a list, and a text is split only if it certainly is an enumeration', (t) => {
  const names = (yaml: string) => authorsOf(yaml)?.map(({ name }) => name)
  t.same(names('authors:\n  - Ann Lee\n  - Bo Li and Sons\n  - ANN LEE'), ['Ann Lee', 'Bo Li and Sons'])
  t.same(authorsOf('authors:\n  - name: Ann Lee\n    url: https://ann.example/\n  - name: Bo\n    url: /bo'), [
    { name: 'Ann Lee', url: 'https://ann.example/' },
    { name: 'Bo' }
  ])
  t.same(names('author: Ann Lee, Bo Li and Cy de Vries'), ['Ann Lee, Bo Li and Cy de Vries'])
  t.same(names('author: Ann Lee, Bo Li, and Zoë O’Neil-Smith'), ['Ann Lee', 'Bo Li', 'Zoë O’Neil-Smith'])
  t.same(names('author: Ann Lee & Bo Li'), ['Ann Lee', 'Bo Li'])
  for (const one of [
    'Ann Lee',
    'Lee, Ann',
    'Ann Lee, PhD',
    'Smith and Sons',
    'Ann and Bo Li',
    'Health and Safety Team, Ann Lee',
    'Arts Council and Health Board',
    'The Ann Lee Foundation for Arts and Science'
  ]) {
    t.same(names(`author: ${JSON.stringify(one)}`), [one])
  }
  t.same(names('author:'), [])
  t.end()
})

t.test('a long description becomes the excerpt, from which the description is made', (t) => {
  const inputOf = (yaml: string) => parseBlogFile(`---\ntitle: T\n${yaml}\n---\nText.\n`, 't.md')
  const long = 'A sentence of an excerpt. '.repeat(19).trim()
  t.match(inputOf(`description: ${long}`).input, { excerpt: long, metaDescription: undefined })
  t.match(inputOf('description: Short.').input, { metaDescription: 'Short.', excerpt: undefined })
  t.match(inputOf(`description: Short.\nexcerpt: ${long}`).input, { metaDescription: 'Short.', excerpt: long })
  t.match(inputOf(`description: ${long}\nsummary: Other.`).input, { metaDescription: undefined, excerpt: 'Other.' })
  const tooLong = inputOf(`excerpt: ${'x'.repeat(2001)}`)
  t.notOk('excerpt' in tooLong.input)
  t.match(tooLong.warnings, [/2000 characters/])
  t.match(inputOf('meta_title: For search\ntranslation_key: tea').input, {
    metaTitle: 'For search',
    translationKey: 'tea'
  })
  t.end()
})

t.test('descriptions and excerpts are plain text, whatever markup they have', (t) => {
  const inputOf = (yaml: string) => parseBlogFile(`---\ntitle: T\n${yaml}\n---\nText.\n`, 't.md').input
  t.match(inputOf(`description: 'We <a href="/tea">wrote</a> on <em>tea</em> &amp; cups.'`), {
    metaDescription: 'We wrote on tea & cups.'
  })
  t.match(inputOf('excerpt: "About [our tea](https://tea.example/a) and more."'), {
    excerpt: 'About our tea and more.'
  })
  t.match(inputOf('summary: "<p>First.</p>\\n<p>Second, if 1 < 2 [sic].</p>"'), {
    excerpt: 'First. Second, if 1 < 2 [sic].'
  })
  t.match(inputOf('description: "Cups & pots: 1 < 2 [sic] (at last)"'), {
    metaDescription: 'Cups & pots: 1 < 2 [sic] (at last)'
  })
  t.end()
})
