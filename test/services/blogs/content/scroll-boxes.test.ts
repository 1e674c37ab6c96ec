import t from 'tap'
import { fromHtml, fromMarkdown, inside } from './inputs.ts'

const WIDE = '| Manufacturer | Availability | Recommendation |\n|-|-|-|\n| a | b | c |'
const NARROW = '| a | b |\n|-|-|\n| two words | and some more |'
const boxOf = (html: string) => /<div class="svc-table"[^>]*>/.exec(html)?.[0]

t.test('a table that is wider than a phone can be scrolled by keyboard, and has a name', async (t) => {
  t.equal(boxOf(inside(fromMarkdown(`${NARROW}`))), '<div class="svc-table">')
  t.equal(
    boxOf(inside(fromMarkdown(`## Our *offer*\n\n${WIDE}`))),
    '<div class="svc-table" tabindex="0" role="group" aria-label="Our offer">'
  )
  t.match(boxOf(inside(fromMarkdown(WIDE))), 'aria-label="A title"', 'the title, without a heading')
  const table = '<table><caption>All <b>offers</b></caption><tr><td>Manufacturer<td>Availability<td>Quantity</table>'
  t.match(boxOf(inside(fromHtml(`<h2>H</h2>${table}`))), 'aria-label="All offers"')
})

t.test('code with long lines can be scrolled by keyboard', async (t) => {
  t.match(inside(fromMarkdown(`    ${'x'.repeat(60)}`)), '<pre tabindex="0">')
  t.match(inside(fromMarkdown(`    ${'x'.repeat(20)}\n    ${'y'.repeat(20)}`)), '<pre><code>')
})

t.test('an author cannot set the attributes', async (t) => {
  const html = inside(
    fromHtml(
      '<p tabindex="1" role="alert">a</p><div class="svc-table" tabindex="5" role="dialog"><table><td>x</table></div>'
    )
  )
  t.notMatch(html, /tabindex|role/)
  t.equal(html.match(/svc-table/g)?.length, 1, 'the box of a rendered table is not nested in another')
})
