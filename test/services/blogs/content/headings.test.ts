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
