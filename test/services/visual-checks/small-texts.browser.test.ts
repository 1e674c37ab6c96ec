import t from 'tap'
import { openBrowser } from '../../browser.ts'
import { checkFixturePage } from '../../fixtures/visual-check/check-page.ts'
import { createCodesOf, type FixturePage } from '../../fixtures/visual-check/codes.ts'
import { goodPage } from '../../fixtures/visual-check/page.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

/* Texts too short to be recognized by their words (cells, code, markers), and designs that look like damage to them. */

const [browser, site] = [await openBrowser(t), await startSite(t)]
const codesOf = createCodesOf(browser, site)

const rowsOf = (rows: string[][], name: string): string =>
  rows.map((cells) => `<tr>${cells.map((cell) => `<${name}>${cell}</${name}>`).join('')}</tr>`).join('')
const tableOf = (rows: string[][]): string =>
  `<div class="svc-table"><table><thead>${rowsOf(rows.slice(0, 1), 'th')}</thead><tbody>` +
  `${rowsOf(rows.slice(1), 'td')}</tbody></table></div>`
const ROWS = [
  ['Herb', 'Pot', 'Since'],
  ['Basil', '3 l', '2021'],
  ['Thyme', '2 l', '–'],
  ['Sage', '5 l', '2019']
]
const TABLE = tableOf(ROWS)

const LINKED =
  '<p>The jar that we use for the balcony is described in <a href="/jars">the list of all jars</a>, with prices.</p>'
const CODED =
  '<p>Start with <code>water --slow</code> on the first day, and wait until the earth is wet to the ground.</p>'
const CODE = '<pre><code>const pots = 12\nconst liters = 5\nwater(pots)\nwait(3)\nharvest(pots)\n</code></pre>'
const SHORT_CODE = '<pre><code>water --pots 12 --liters 5 --slow</code></pre>'
const QUOTE = '<blockquote><p>Who waters in the evening waters the snails too.</p></blockquote>'
const TREE = '<ul><li>Herbs<ul><li>Basil</li><li>Thyme</li></ul></li><li>Trees</li></ul>'
const ITEMS = '<ul><li>A pot of clay for each of the herbs</li><li>Earth without peat, two bags of it</li></ul>'
const SHORT_HEADING = '<h5>Pots</h5><p>Pots of clay dry out sooner than those of plastic, and last longer.</p>'

const SECTIONS = (headings: string[]): string =>
  headings.map((heading, at) => `<h2>${heading}</h2><p>What is new in part ${at + 1} of the balcony.</p>`).join('')

/** Adds to the blog, at the end of its element, and the same or something else to the page. */
const addInside =
  (own: string, shown = own, css = '') =>
  (page: FixturePage): void => {
    const insert = (html: string, part: string): string => html.replace(/<\/div>\s*$/, `${part}</div>`)
    page.blog.html = insert(page.blog.html, own)
    page.content = insert(page.content, shown)
    page.siteCss += css
  }

/** Replaces the blog by another text. */
const showOnly =
  (html: string, css: string) =>
  (page: FixturePage): void => {
    page.siteCss += css
    const open = /^[\s\S]*?<div[^>]*>/.exec(page.blog.html)![0]
    page.blog.html = `${open}${html}</div>`
    page.content = page.blog.html
  }

const PARAGRAPHS = ['in spring', 'in summer', 'in fall', 'in winter']
  .map((when) => `<p>What to do with the pots on the balcony ${when}, and what to leave until the next month.</p>`)
  .join('')

const HARMLESS: [name: string, change: (page: FixturePage) => void][] = [
  [
    'links are underlined by a background of a pixel in their color',
    addInside(
      LINKED,
      LINKED,
      '.svc-blog a { color: #1d4b8f; text-decoration: none; background: linear-gradient(#1d4b8f, #1d4b8f) 0 100% / ' +
        '100% 1px no-repeat }'
    )
  ],
  [
    'a fixed cover beside the text takes a third of the screen',
    (page) => {
      page.end += '<div class="cover">Balcony</div>'
      page.siteCss +=
        '.cover { display: none } @media (min-width: 1000px) { .cover { display: block; position: fixed; inset: 0 ' +
        'auto 0 0; width: 36%; background: #1d4b36; color: #fff } main { margin-left: 40% } }'
    }
  ],
  [
    'code in a first line of a larger size',
    addInside(CODED, CODED, '.svc-blog p::first-line { font-size: 1.2em; letter-spacing: .06em }')
  ],
  [
    'most headings and the paragraphs are centered, but not lists and code',
    showOnly(
      `<h2>In the house</h2>${PARAGRAPHS}<h2>On the balcony</h2>${CODE}<h5>Pots</h5>${ITEMS}`,
      '.svc-blog :is(p, h2) { text-align: center } .svc-blog :is(ul, ol, pre) { text-align: start }'
    )
  ],
  [
    'space between digits and letters of other scripts',
    addInside('<p>2日 3日 4日 5日 6日 7日 8日 9日</p>', undefined, '.svc-blog { text-autospace: normal }')
  ],
  [
    'headers beside the cells of a table that hides its row of headers',
    addInside(
      TABLE,
      tableOf([ROWS[0]!, ...ROWS.slice(1).map((row) => row.map((cell, at) => `<b>${ROWS[0]![at]!}</b>${cell}`))]),
      'thead { display: none }'
    )
  ],
  [
    'gray pictures in a tint, below a shade',
    addInside(
      '',
      '',
      '.svc-blog figure { position: relative; background: #e0559a } .svc-blog img { filter: grayscale(1); ' +
        'mix-blend-mode: multiply } .svc-blog figure::after { content: ""; position: absolute; inset: 0; background: ' +
        'linear-gradient(#2b1f6e66, #2b1f6e1a); pointer-events: none } .svc-blog figcaption { position: relative; ' +
        'z-index: 1; background: #fff; color: #000 }'
    )
  ]
]

for (const [name, change] of HARMLESS) {
  t.test(`${name}: no finding`, async (t) => {
    t.same(await codesOf(change), [])
  })
}

const DAMAGE: [name: string, code: string, change: (page: FixturePage) => void][] = [
  [
    'each row of a table twice',
    'CONTENT_DUPLICATED',
    addInside(TABLE, tableOf([ROWS[0]!, ...ROWS.slice(1).flatMap((row) => [row, row])]))
  ],
  ['a dash in a cell became another sign', 'CONTENT_CHANGED', addInside(TABLE, TABLE.replace('–', '+'))],
  [
    'headers in each cell, and above the columns',
    'CONTENT_CHANGED',
    addInside(
      TABLE,
      tableOf([ROWS[0]!, ...ROWS.slice(1).map((row) => row.map((cell, at) => `<b>${ROWS[0]![at]!}</b> ${cell}`))])
    )
  ],
  [
    'the headers of a table below its rows',
    'TABLE_LAYOUT_LOST',
    addInside(TABLE, TABLE, 'thead { display: table-footer-group }')
  ],
  [
    'short headings one section too early',
    'CONTENT_REORDERED',
    addInside(SECTIONS(['Added', 'Changed', 'Fixed', 'Removed']), SECTIONS(['Changed', 'Fixed', 'Removed', 'Added']))
  ],
  [
    'code that is aligned to the right',
    'CODE_FORMAT_LOST',
    addInside(CODE, CODE, '.svc-blog pre { text-align: right }')
  ],
  [
    'a quote within further ones',
    'LOOKS_DIFFERENT',
    addInside(QUOTE, `${'<blockquote>'.repeat(4)}${QUOTE}${'</blockquote>'.repeat(4)}`)
  ],
  [
    'a list within a list became a part of it',
    'LIST_STYLE_LOST',
    addInside(TREE, '<ul><li>Herbs</li><li>Basil</li><li>Thyme</li><li>Trees</li></ul>')
  ],
  ['an empty line after each line of code', 'CODE_FORMAT_LOST', addInside(CODE, CODE.replaceAll('\n', '\n\n'))],
  ['hyphens of code became a dash', 'CONTENT_CHANGED', addInside(CODED, CODED.replace('--', '—'))],
  [
    'the number of a line in its code',
    'CONTENT_CHANGED',
    addInside(SHORT_CODE, SHORT_CODE.replace('<code>', '<code>1'))
  ],
  [
    'code below a fade that is meant for its edge',
    'LOOKS_DIFFERENT',
    addInside(CODE, CODE, '.svc-blog pre { mask-image: linear-gradient(90deg, #000 4%, #0000 22%) }')
  ],
  [
    'code at the end of an item on a line of its own',
    'LOOKS_DIFFERENT',
    addInside(
      '<ul><li>a probe of the type <code>DS18B20</code></li></ul>',
      undefined,
      '.svc-blog li > code { display: block }'
    )
  ],
  ['the first letter twice', 'CONTENT_CHANGED', addInside(LINKED, LINKED.replace('<p>', '<p><big>T</big>'))],
  [
    'a note for screen readers is shown',
    'CONTENT_CHANGED',
    addInside(
      '<p>Read on: <a href="/on">the jars</a>.</p>',
      '<p>Read on: <a href="/on">the jars<span> (opens in a new window)</span></a>.</p>'
    )
  ],
  [
    'icons of a font that is not loaded',
    'TEXT_WRONG_GLYPHS',
    addInside(LINKED, LINKED.replace('</p>', ' <i>\uE8B6\uE145</i></p>'))
  ],
  [
    'markers of a font that is not loaded',
    'TEXT_WRONG_GLYPHS',
    addInside(ITEMS, ITEMS, '.svc-blog ul { list-style: "\\F00C  " }')
  ],
  [
    'a marker as large as a picture',
    'LIST_STYLE_LOST',
    addInside(
      ITEMS,
      ITEMS,
      ".svc-blog ul { list-style: inside url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' " +
        "width='300' height='200'/%3E\") }"
    )
  ],
  [
    'an entity before quotes',
    'TEXT_ADDED_BY_CSS',
    addInside(QUOTE, QUOTE, '.svc-blog blockquote::before { content: "&ldquo;"; display: block }')
  ],
  [
    'a word and a number before each paragraph',
    'TEXT_ADDED_BY_CSS',
    addInside('', '', '.svc-blog p { counter-increment: n } .svc-blog p::before { content: "Clause " counter(n) ". " }')
  ],
  [
    'quotes of a word in each line',
    'COLUMN_TOO_NARROW',
    addInside(QUOTE, QUOTE, '.svc-blog blockquote { width: 5rem }')
  ],
  [
    'short headings in the color of their band',
    'LOW_CONTRAST',
    addInside(SHORT_HEADING, SHORT_HEADING, '.svc-blog h5 { background: #1b1b1b; color: #333 }')
  ],
  [
    'pictures out of their boxes',
    'IMAGE_DISTORTED',
    addInside('', '', '.svc-blog img { object-fit: cover; object-position: 2000px 0 }')
  ],
  [
    'one of four paragraphs in the size of a heading',
    'LOOKS_DIFFERENT',
    showOnly(PARAGRAPHS, '.svc-blog > p:nth-of-type(2) { font-size: 2.1em }')
  ]
]

for (const [name, code, change] of DAMAGE) {
  t.test(`${name}: ${code}`, async (t) => {
    const codes = await codesOf(change)
    t.ok(codes.includes(code), codes.join())
  })
}

t.test('a contrast that is nearly sufficient takes few points', async (t) => {
  const page = goodPage(site.origin, 'excerpt')
  page.siteCss += '.svc-blog p { color: #7b7b7b } .content { background: #fff }'
  const { findings, overallScore } = await checkFixturePage(browser, { url: site.show(page), page })
  t.match(
    findings.filter(({ severity }) => severity !== 'info'),
    [{ code: 'LOW_CONTRAST', severity: 'low' }]
  )
  t.ok(overallScore >= 95, String(overallScore))
})
