import t from 'tap'
import { openBrowser } from '../../browser.ts'
import { addToPage, createCodesOf, type FixturePage } from '../../fixtures/visual-check/codes.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

/* What readers see of a page before they read it, and where their clicks go. */

const [browser, site] = [await openBrowser(t), await startSite(t)]
const codesOf = createCodesOf(browser, site)

const STEPS = '<ol><li>Fill the pot with earth.</li><li>Set the tree into it.</li><li>Water it.</li></ol>'
const TASKS =
  '<ul><li><input type="checkbox" disabled checked> Bought the pot</li>' +
  '<li><input type="checkbox" disabled> Bought the tree</li></ul>'
const TABLE =
  '<table><tr><th>Month</th><th>Water in a week</th></tr><tr><td>April</td><td>5 liters</td></tr>' +
  '<tr><td>July</td><td>12 liters</td></tr></table>'
const NOTE = '<p>Most trees that are sold as dwarf varieties grow to two meters in a pot of forty liters.</p>'

const DAMAGE: [name: string, code: string, change: (page: FixturePage) => void][] = [
  ['bullets in place of numbers', 'LIST_STYLE_LOST', addToPage(STEPS, STEPS.replaceAll('ol>', 'ul>'))],
  [
    'numbers that a box cuts off',
    'LIST_STYLE_LOST',
    addToPage(STEPS, STEPS, 'main .post ol { overflow: hidden; padding: 0 }')
  ],
  [
    'a task that is shown as done',
    'LIST_STYLE_LOST',
    addToPage(TASKS, TASKS.replace('disabled> ', 'disabled checked> '))
  ],
  ['columns from right to left', 'TABLE_LAYOUT_LOST', addToPage(TABLE, TABLE, 'main .post table { direction: rtl }')],
  ['underlined paragraphs', 'LOOKS_DIFFERENT', addToPage(NOTE, NOTE, '.svc-blog p { text-decoration: underline }')],
  ['no-break spaces', 'CONTENT_CHANGED', addToPage(NOTE, NOTE.replaceAll(' ', '&nbsp;'))],
  [
    'a transparent link over the article',
    'LOOKS_DIFFERENT',
    (page) => {
      page.content =
        `<div style="position: relative">${page.content}` +
        '<a href="/" aria-label="More" style="position: absolute; inset: 0; z-index: 2"></a></div>'
    }
  ]
]

for (const [name, code, change] of DAMAGE) {
  t.test(`${name}: ${code}`, async (t) => {
    const codes = await codesOf(change)
    t.ok(codes.includes(code), codes.join())
  })
}

t.test('the same blocks as in the blog, and a link that takes no clicks, have no finding', async (t) => {
  const codes = await codesOf((page) => {
    addToPage(STEPS + TASKS + TABLE + NOTE)(page)
    page.content =
      `<div style="position: relative">${page.content}<a href="/" aria-label="More" ` +
      'style="position: absolute; inset: 0; z-index: 2; pointer-events: none"></a></div>'
  })
  // The boxes of the tasks have no labels here.
  t.same(
    codes.filter((code) => !code.startsWith('AXE_')),
    []
  )
})
