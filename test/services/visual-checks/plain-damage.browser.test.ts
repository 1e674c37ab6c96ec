import t from 'tap'
import { openBrowser } from '../../browser.ts'
import { checkFixturePage } from '../../fixtures/visual-check/check-page.ts'
import { addToPage, type FixturePage } from '../../fixtures/visual-check/codes.ts'
import { goodPage } from '../../fixtures/visual-check/page.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

/* Damage that nobody can overlook, in a post with a list in a list and a short heading, and what it is called. */

const [browser, site] = [await openBrowser(t), await startSite(t)]

const POST =
  '<h3>Jars</h3><p>Jars of glass keep the smell of the herbs longer than tins do, if they stand in the dark.</p>' +
  '<ul><li>Jars with a wide mouth, which are easy to fill<ul><li>at most half a liter</li></ul></li></ul>' +
  '<p>People who dry mint at home fill the first jar in the second week of July, and the last one in the fall.</p>' +
  '<h3>Labels</h3><p>Write the name and the month on each jar, because dry leaves of most herbs look much alike.</p>'

const check = async (change: (page: FixturePage) => void) => {
  const page = goodPage(site.origin, 'excerpt')
  change(page)
  const { findings } = await checkFixturePage(browser, { url: site.show(page), page })
  return findings.filter(({ severity }) => severity !== 'info')
}
const addPost = (css = '', shown = POST) => addToPage(POST, shown, css)

const hideWords = (words: readonly string[]): string =>
  words.reduce((html, word) => html.replace(word, `<span class="mark">${word}</span>`), POST)
const CONTENTS = '<div class="toc"><b>On this page</b><ul><li>Jars</li><li>Labels</li></ul></div>'

const DAMAGE: [name: string, change: (page: FixturePage) => void, code: string, finding?: object][] = [
  [
    'all blocks in reverse order',
    addPost('.content, .svc-blog { display: flex; flex-direction: column-reverse }'),
    'CONTENT_REORDERED'
  ],
  [
    'words below a bar in their color',
    addPost('.svc-blog .mark, .mark { background: #222; color: #222 }', hideWords(['smell', 'longer', 'dark'])),
    'LOOKS_DIFFERENT'
  ],
  [
    'tilted paragraphs',
    addPost('.content p { transform: rotate(3deg) }'),
    'TEXT_ROTATED',
    { severity: 'medium', message: /tilted/ }
  ],
  ['one paragraph in capitals', addPost('.content > p:last-child { text-transform: uppercase }'), 'TEXT_ALL_CAPS'],
  ['all paragraphs in small capitals', addPost('.content p { font-variant: all-small-caps }'), 'TEXT_ALL_CAPS'],
  [
    'a maximum height that cuts the text',
    addPost('.content { max-height: 90px; overflow: hidden }'),
    'TEXT_CLIPPED',
    { evidence: { cause: 'max-height: 90px', rule: '.content' } }
  ],
  [
    'paragraphs far from where they are shown',
    addPost('.content { position: relative; overflow: hidden } .content p { position: absolute; left: -9999px }'),
    'TEXT_CLIPPED',
    { evidence: { cause: 'left: -9999px', rule: '.content p' } }
  ],
  [
    'pictures below a strong blur',
    addPost('.content img { filter: blur(6px) }'),
    'IMAGE_LOW_RESOLUTION',
    { message: /blurred/ }
  ],
  [
    'an error message of a server',
    addPost('', POST.replace('<h3>L', '<p>Warning: Undefined variable $post in /srv/single.php on line 42</p><h3>L')),
    'UNEXPECTED_TEXT'
  ]
]

for (const [name, change, code, finding] of DAMAGE) {
  t.test(`${name}: ${code}`, async (t) => {
    const findings = await check(change)
    const found = findings.find((one) => one.code === code)
    t.ok(found, findings.map((one) => one.code).join())
    if (finding !== undefined) t.match(found, finding)
  })
}

const QUOTE =
  '<blockquote><p>Who dries mint in the sun dries hay, as my grandmother said each year in July.</p></blockquote>'

const HARMLESS: [name: string, change: (page: FixturePage) => void][] = [
  ['the post as it is', addPost()],
  ['a contents list without links', addPost('', CONTENTS + POST)],
  ['a lead in capitals', addPost('.content .lead { text-transform: uppercase }')],
  ['a tilted quote', addToPage(QUOTE, QUOTE, 'blockquote { transform: rotate(-2deg) }')]
]

for (const [name, change] of HARMLESS) {
  t.test(`${name}: no finding`, async (t) => {
    t.same(
      (await check(change)).map(({ code }) => code),
      []
    )
  })
}
