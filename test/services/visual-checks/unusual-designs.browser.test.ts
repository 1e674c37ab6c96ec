import t from 'tap'
import { openBrowser } from '../../browser.ts'
import { addToPage, createCodesOf, type FixturePage } from '../../fixtures/visual-check/codes.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

/* Designs that are unusual but faultless, and damage that resembles them. */

const [browser, site] = [await openBrowser(t), await startSite(t)]
const codesOf = createCodesOf(browser, site)

const NOTE = '<p>Most trees that are sold as dwarf varieties grow to two meters in a pot of forty liters.</p>'
const task = (text: string, state = ''): string =>
  `<li class="svc-task-item"><input type="checkbox" class="svc-task" aria-label="${text}" disabled${state}> ` +
  `${text}</li>`
const TASKS = `<ul>${task('Fill the pot with earth.', ' checked')}${task('Set the tree into it.')}</ul>`
const CODE =
  '<pre><code>const pots = 12\nconst liters = 5\nwater(pots)\nwait(3)\nharvest(pots)\nlog(liters)\n</code></pre>'
const POINTS = (count: number): string =>
  `<ul>${Array.from({ length: count }, (_, index) => `<li>Pot number ${index + 1}</li>`).join('')}</ul>`
const BACK = '<p id="last-note">Pots of clay dry out sooner than others. <a href="#last-note">↩︎</a></p>'
/** Each of its blocks has a link or emphasis near its start. */
const SHORT =
  '<p>We are <strong>closed</strong> from the third to the seventeenth of August, as in every year.</p>' +
  '<p>Write to <a href="/contact">our office</a>, and we will answer as soon as we are back.</p>'

/** Replaces the blog by another text. */
const showOnly =
  (html: string, css = '') =>
  (page: FixturePage): void => {
    page.siteCss += css
    const open = /^[\s\S]*?<div[^>]*>/.exec(page.blog.html)![0]
    page.blog.html = `${open}${html}</div>`
    page.content = page.blog.html
  }

const layer = (background: string): string =>
  `body::after { content: ""; position: fixed; inset: 0; pointer-events: none; background: ${background} }`

const HARMLESS: [name: string, change: (page: FixturePage) => void][] = [
  ['a short post with a link or emphasis in each block', showOnly(SHORT)],
  ['tasks that are done are struck out', addToPage(TASKS, TASKS, 'li:has(:checked) { text-decoration: line-through }')],
  [
    'each line of code in an element, with a line break',
    addToPage(CODE, CODE.replaceAll(/^(?!<\/code>)(<pre><code>)?(.*)\n/gm, '$1<span>$2<br></span>'))
  ],
  [
    'folded contents above the text',
    addToPage(
      NOTE,
      `<details><summary>☰</summary><nav><p>${'Contents of this page. '.repeat(40)}</p></nav></details>${NOTE}`
    )
  ],
  [
    'lists in columns',
    showOnly(
      `<h2>For the pot</h2>${POINTS(5)}<h3>For the tree</h3>${POINTS(3)}`,
      '@media (width > 600px) { .svc-blog ul { columns: 2 } .svc-blog li { margin-block: .8em } }'
    )
  ],
  [
    'a link that is an arrow, in the color of the text',
    showOnly(NOTE + BACK, '.svc-blog a { color: inherit !important; text-decoration: none !important }')
  ],
  [
    'faint lines of a screen over the page',
    addToPage('', '', layer('repeating-linear-gradient(#0000 0 2px, #0002 2px 4px)'))
  ],
  [
    'pictures in uneven frames, turned by a degree',
    addToPage(
      '',
      '',
      '.svc-blog img { padding: 8px 8px 60px; background: #fff; width: 80%; transform: rotate(-1.5deg) }'
    )
  ],
  [
    'large pale signs behind the headings',
    addToPage(
      '',
      '',
      '.svc-blog h2 { position: relative; z-index: 0 } .svc-blog h2::before { content: "8"; position: absolute; ' +
        'inset: -.3em auto auto 0; font-size: 3em; line-height: 1; color: #c2410c26; z-index: -1 }'
    )
  ],
  [
    'gray pictures in a tint that has hardly any green',
    addToPage(
      '',
      '',
      '.svc-blog figure { background: #e01a7a } .svc-blog img { filter: grayscale(1); mix-blend-mode: multiply } ' +
        '.svc-blog figcaption { background: #fff; color: #000 }'
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
    'tasks that are not done are struck out',
    'TEXT_STRUCK_THROUGH',
    addToPage(TASKS, TASKS, 'li:has(input:not(:checked)) { text-decoration: line-through }')
  ],
  [
    'bars over the page',
    'TEXT_COVERED',
    addToPage('', '', layer('repeating-linear-gradient(#0000 0 2px, #333 2px 6px)'))
  ],
  [
    'large signs on the headings',
    'LOOKS_DIFFERENT',
    addToPage(
      '',
      '',
      '.svc-blog h2 { position: relative } .svc-blog h2::before { content: "888888"; position: absolute; ' +
        'inset: -.3em auto auto 0; font-size: 3em; line-height: 1; color: #c2410c }'
    )
  ],
  [
    'turned pictures that are also flattened',
    'IMAGE_DISTORTED',
    addToPage('', '', '.svc-blog img { transform: rotate(-1.5deg) scale(1, .5) }')
  ]
]

for (const [name, code, change] of DAMAGE) {
  t.test(`${name}: ${code}`, async (t) => {
    const codes = await codesOf(change)
    t.ok(codes.includes(code), codes.join())
  })
}
