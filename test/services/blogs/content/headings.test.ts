import t from 'tap'
import { fromHtml, fromMarkdown, inside } from './inputs.ts'

t.test('heading levels are 2 to 4, because the page has its own h1', async (t) => {
  const { headings } = fromMarkdown('# One\n\n## Two\n\n### Three\n\n#### Four\n\n##### Five\n\n###### Six')
  t.same(
    headings.map(({ level, text }) => `${level} ${text}`),
    ['2 One', '2 Two', '3 Three', '4 Four', '4 Five', '4 Six']
  )
})

t.test('a first heading that repeats the title is removed; a later one stays', async (t) => {
  t.same(
    fromMarkdown('# A Title\n\ntext\n\n# A title').headings.map(({ text }) => text),
    ['A title']
  )
  t.same(fromMarkdown('## A title').headings.length, 1)
})

t.test('every heading has a unique id', async (t) => {
  t.same(
    fromMarkdown('## a\n\n## a\n\n## a-2\n\n## !!!').headings.map(({ id }) => id),
    ['svc-a', 'svc-a-2', 'svc-a-2-2', 'svc-section']
  )
})

t.test('ids of the author get a prefix and are unique', async (t) => {
  t.equal(
    inside(fromHtml('<p id="x">a</p><p id="x">b</p><p id="svc-y">c</p><p id="&quot;>">d</p>')),
    '<p id="svc-x">a</p><p id="svc-x-2">b</p><p id="svc-y">c</p><p id="svc--">d</p>'
  )
})

t.test('a blog lists as many headings and images as fit into 100,000 characters', async (t) => {
  const { headings } = fromMarkdown('## A heading\n\n'.repeat(3000))
  t.ok(headings.length > 1000 && headings.length < 3000)
  t.ok(JSON.stringify(headings).length < 102_000)
  t.same(headings.at(-1), { level: 2, text: 'A heading', id: `svc-a-heading-${headings.length}` })

  const { images, cover, html, warnings } = fromHtml(
    `<img src="https://a.example/1.jpg" alt="${'long '.repeat(30_000)}"><img src="https://a.example/2.jpg" alt="b">`
  )
  t.same([images, cover], [[], null])
  t.match(html, 'https://a.example/2.jpg', 'the text contains all of them')
  t.same(warnings, ['`images` lists 0 of 2, because the others are too many or too long'])

  const few = fromMarkdown('## One\n\n![b](https://a.example/2.jpg)')
  t.same([few.headings.length, few.images.length, few.warnings], [1, 1, []])
})
