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
