import t from 'tap'
import { fromHtml, fromMarkdown, inside } from './inputs.ts'

const box = (label: string, checked = false) =>
  `<input class="svc-task" type="checkbox" disabled=""${checked ? ' checked=""' : ''} aria-label="${label}">`

t.test('a task list in Markdown has check boxes that are named after their items', async (t) => {
  const html = inside(fromMarkdown('- [ ] Pack the **map**\n- [x] Compass\n- [X] Rope\n  1. [ ] long'))
  t.match(html, `<li class="svc-task-item">${box('Pack the map')} Pack the <strong>map</strong></li>`)
  t.match(html, `<li class="svc-task-item">${box('Compass', true)} Compass</li>`)
  t.match(html, `${box('Rope', true)} Rope`)
  t.match(html, `<li class="svc-task-item">${box('long')} long</li>`)
})

t.test('items of a list with paragraphs have check boxes, too', async (t) => {
  const html = inside(fromMarkdown('- [ ] one\n\n- [x] two\n\n  and more'))
  t.match(html, `<p>${box('one')} one</p>`)
  t.match(html, `<p>${box('two and more', true)} two</p>`)
})

t.test('brackets elsewhere stay text', async (t) => {
  for (const text of [
    '[ ] no list',
    '- a [ ] b',
    '- [ ]',
    '- []  x',
    '- [y] x',
    '- [x]x',
    '- `[x]` x',
    '- \\[x] x',
    '> [ ] x'
  ]) {
    const { html, warnings } = fromMarkdown(text)
    t.notMatch(html, '<input', text)
    t.match(html, /\[.?\]/, text)
    t.same(warnings, [], text)
  }
})

t.test('check boxes of HTML from other editors stay, without attributes and handlers', async (t) => {
  const html = inside(
    fromHtml(
      '<ul><li><label><input type="CHECKBOX" checked onclick="x()" name="a" autofocus form="f"> Done</label></li>' +
        '<li><p><input type=checkbox> Open</p></li></ul>'
    )
  )
  t.equal(
    html,
    `<ul><li class="svc-task-item">${box('Done', true)} Done</li>` +
      `<li class="svc-task-item"><p>${box('Open')} Open</p></li></ul>`
  )
})

t.test('other inputs are removed with a warning', async (t) => {
  for (const input of [
    '<input>',
    '<input type=text value=x>',
    '<input type=image src=https://a.example/x.png>',
    '<p><input type=checkbox> x</p>',
    '<ul><li>x <input type=checkbox></li></ul>',
    '<ul><li><b><input type=checkbox></b> x</li></ul>',
    '<ul><li><p>x</p><p><input type=checkbox></p></li></ul>'
  ]) {
    const { html, warnings } = fromHtml(input)
    t.notMatch(html, '<input', input)
    t.same(warnings, ['<input> was removed'], input)
  }
})

t.test('the marks are no part of the text', async (t) => {
  t.same(fromMarkdown('- [ ] one\n- [x] two').text.split('\n'), ['one', 'two'])
})
