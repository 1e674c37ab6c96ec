import t from 'tap'
import { openBrowser } from '../../browser.ts'
import { addToPage, createCodesOf, type FixturePage } from '../../fixtures/visual-check/codes.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

/* The type of words, the depth of lists, the spaces of code and the places of blocks, compared with the blog. */

const [browser, site] = [await openBrowser(t), await startSite(t)]
const codesOf = createCodesOf(browser, site)

const NOTE = '<p>Most trees that are sold as dwarf varieties grow to two meters in a pot of forty liters.</p>'
const MORE =
  '<p>Water them in the evening, when the earth is cool, and never into the leaves.</p>' +
  '<p>In the second year, a tree needs a pot that is a third wider than the first one.</p>' +
  '<p>Cut the branches in February, before the buds open, and not in a hard frost.</p>' +
  '<p>Those who follow all of this will harvest apples from the third autumn on.</p>'
const JAPANESE =
  '<p lang="ja">鉢は深さ三十・五センチ。土は二つ、肥料は一つ。水は朝に一・五リットル、夕方に二・五リットル。</p>' +
  '<p lang="ja">「春」に植え、「秋」に収穫。枝は一・二本を残し、ほかは切ります。葉が、枯れたら、すぐに取ること。</p>'
const POINTS = '<ul><li>Fill the pot with earth.</li><li>Set the tree into it.</li><li>Water it.</li></ul>'
const STEPS = POINTS.replaceAll('ul>', 'ol>')
const CODE = "<pre><code>if (isDry) {\n    water('apple')\n    wait(3)\n}</code></pre>"
const TABLE =
  '<table><tr><th>Month</th><th>Water</th></tr><tr><td>April</td><td>5 liters</td></tr>' +
  '<tr><td>August</td><td>12 liters</td></tr></table>'

const DAMAGE: [name: string, code: string, change: (page: FixturePage) => void][] = [
  [
    'the rest of a paragraph as code',
    'LOOKS_DIFFERENT',
    addToPage(NOTE, NOTE.replace(/sold(.*)<\/p>/, '<code>sold$1</code></p>'))
  ],
  ['most words marked', 'LOOKS_DIFFERENT', addToPage(NOTE, NOTE.replaceAll(/\b[a-z]{4,}\b/g, '<mark>$&</mark>'))],
  ['lines that break within words', 'LOOKS_DIFFERENT', addToPage(NOTE, NOTE, '.svc-blog p { word-break: break-all }')],
  ['periods apart from their words', 'CONTENT_CHANGED', addToPage(MORE, MORE.replaceAll(/([.,])/g, ' $1'))],
  ['quotes of prose in code', 'CONTENT_CHANGED', addToPage(CODE, CODE.replaceAll("'", '’'))],
  ['code without indents', 'CODE_FORMAT_LOST', addToPage(CODE, CODE.replaceAll(/\n +/g, '\n'))],
  [
    'items within items',
    'LIST_STYLE_LOST',
    addToPage(
      POINTS,
      '<ul><li>Fill the pot with earth.<ul><li>Set the tree into it.<ul><li>Water it.</li></ul></li></ul></li></ul>'
    )
  ],
  [
    'numbers of the list and of the site',
    'LIST_STYLE_LOST',
    addToPage(
      STEPS,
      STEPS,
      'main .post ol li { counter-increment: n } main .post ol li::before { content: counter(n) ". " }'
    )
  ],
  [
    'columns that touch',
    'TABLE_LAYOUT_LOST',
    addToPage(
      TABLE,
      TABLE,
      'main .post table { width: auto !important; border-spacing: 0 } main .post :is(td, th) { ' +
        'padding: 0 !important; border: 0 !important; background: none !important; ' +
        'white-space: nowrap; text-align: start }'
    )
  ],
  [
    'lists beyond the middle of the column',
    'BLOCKS_MISALIGNED',
    addToPage(POINTS, POINTS, 'main .post ul { margin-inline-start: 60% !important }')
  ],
  [
    'paragraphs in two sizes',
    'LOOKS_DIFFERENT',
    addToPage(MORE, MORE.replaceAll(/<p>(?=In|Those)/g, '<p style="font-size: 2em">'))
  ],
  [
    'centered text below headings that are not',
    'BLOCKS_MISALIGNED',
    addToPage(NOTE, NOTE, '.svc-blog p { text-align: center }')
  ]
]

for (const [name, code, change] of DAMAGE) {
  t.test(`${name}: ${code}`, async (t) => {
    const codes = await codesOf(change)
    t.ok(codes.includes(code), codes.join())
  })
}

const HARMLESS: [name: string, change: (page: FixturePage) => void][] = [
  ['the same blocks as in the blog', addToPage(NOTE + MORE + POINTS + STEPS + CODE + TABLE)],
  [
    'justified Japanese text, whose marks are trimmed',
    addToPage(JAPANESE, JAPANESE, '[lang="ja"] { text-align: justify; text-justify: inter-character }')
  ],
  ['a start of a paragraph in bold', addToPage(NOTE, NOTE.replace('Most trees', '<b>Most trees</b>'))],
  [
    'centered headings and text, with lists as usual',
    addToPage(
      POINTS,
      POINTS,
      '.svc-blog :is(p, h2, h3) { text-align: center } .svc-blog :is(li, pre) { text-align: start }'
    )
  ],
  [
    'numbers of the site in place of those of the list',
    addToPage(
      STEPS,
      STEPS,
      'main .post ol { list-style: none } main .post ol li { counter-increment: n } ' +
        'main .post ol li::before { content: counter(n) ". " }'
    )
  ]
]

for (const [name, change] of HARMLESS) {
  t.test(`${name}: no finding`, async (t) => {
    t.same(await codesOf(change), [])
  })
}
