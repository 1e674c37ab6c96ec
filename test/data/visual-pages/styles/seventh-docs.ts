import { editElements } from '../edit.ts'
import * as furniture from '../furniture.ts'
import type { Page, SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

const around = (page: Page, main: string): string =>
  `<header class="top"><strong>${furniture.siteName(page)}</strong>${furniture.navigation(page)}</header>${main}
${furniture.footer(page)}`
const plain = (page: Page): string => around(page, `<main><article>${furniture.post(page)}</article></main>`)

/** Replaces each code block by what a highlighter of the site makes of it. */
const editCode = (page: Page, edit: (html: string, language: string, lines: number) => string): void => {
  if (!page.article.includes('<pre')) return
  editElements(page, 'pre', 'all', (html) => {
    const lines = html
      .replaceAll(/<[^>]*>/g, '')
      .trimEnd()
      .split('\n').length
    return edit(html, /language-(\w+)/.exec(html)?.[1] ?? 'text', lines)
  })
}

const editHeadings = (page: Page, edit: (id: string, inner: string, tag: string) => string): void => {
  for (const tag of ['h2', 'h3']) {
    if (!page.article.includes(`<${tag} id`)) continue
    editElements(page, tag, 'all', (html) =>
      html.replace(/^<h\d id="([^"]*)">([\s\S]*)<\/h\d>$/, (_, id: string, inner: string) => edit(id, inner, tag))
    )
  }
}

const numbers = (count: number): string => Array.from({ length: count }, (_, at) => at + 1).join('<br>')

/** Sites of the seventh set like documentation. All are faultless. */
export const SEVENTH_DOCS: SiteStyle[] = [
  {
    name: 'docs-of-a-builder',
    half: 'tune',
    css: `${BASE}
body { font: 16px/24px "DejaVu Sans", Inter, sans-serif; color: #3c3c43; background: #fff }
.top { position: sticky; top: 0; height: 64px; background: #fff; border-bottom: 1px solid #e2e2e3; padding: 12px 24px;
display: flex; gap: 24px; z-index: 10; overflow: hidden } .doc { display: grid; grid-template-columns: minmax(0, 688px)
224px; gap: 64px; max-width: 1104px; margin: 0 auto; padding: 32px 24px } .doc > aside { font-size: 13px } .doc
.contents
{ position: sticky; top: 96px; border-inline-start: 1px solid #e2e2e3; padding-inline-start: 16px }
@media (max-width: 1000px) { .doc { display: block } .doc > aside { display: none } }
h1 { font-size: 32px; line-height: 40px; letter-spacing: -.02em } .svc-blog { font-size: 16px; --svc-line-height: 28px }
.svc-blog h2 { margin: 48px 0 16px; border-top: 1px solid #e2e2e3; padding-top: 24px; font-size: 24px; line-height:
32px;
letter-spacing: -.02em } .svc-blog :is(h2, h3) { position: relative; scroll-margin-top: 80px } .header-anchor {
position:
absolute; inset-inline-start: -.87em; opacity: 0; text-decoration: none } :hover > .header-anchor { opacity: 1 }
div[class^="language-"] { position: relative; margin: 16px 0; background: #f6f6f7; border-radius: 8px; overflow-x: auto;
direction: ltr } .svc-blog div[class^="language-"] pre { margin: 0; padding: 20px 0; background: none; overflow-x: auto;
font-size: .875em; line-height: 1.7 } div[class^="language-"] pre code { display: block; padding: 0 24px; width:
fit-content; min-width: 100% } .line-numbers-mode { padding-inline-start: 40px } .line-numbers-wrapper { position:
absolute; inset: 0 auto 0 0; width: 40px; padding-top: 20px; border-inline-end: 1px solid #e2e2e3; text-align: center;
font: .875em/1.7 "DejaVu Sans Mono", monospace; color: #67676c; user-select: none } .lang { position: absolute; top:
2px;
right: 8px; font-size: 12px; color: #67676c; z-index: 2; user-select: none } .copy { position: absolute; top: 12px;
right:
12px; width: 40px; height: 40px; opacity: 0 } :hover > .copy { opacity: 1 }
.svc-blog blockquote { border: 1px solid transparent; border-radius: 8px; background: #f0f1ff; padding: 16px 16px 8px;
color: #3c3c43; font-size: 14px; line-height: 24px } .svc-blog blockquote::before { content: "TIP"; font-weight: 600;
display: block } .svc-blog table { display: block; border-collapse: collapse; margin: 20px 0; overflow-x: auto }
.svc-blog :is(td, th) { border: 1px solid #e2e2e3; padding: 8px 16px } .svc-blog th { text-align: start; font-size:
14px;
color: #67676c; background: #f6f6f7 } .svc-blog tr:nth-child(2n) { background: #f6f6f7 } .svc-blog :not(pre) > code {
border-radius: 4px; padding: 3px 6px; background: #8e96aa24; color: #3451b2; font-size: .875em } .svc-blog a { color:
#3451b2; font-weight: 500; text-underline-offset: 2px }`,
    prepare: (page) => {
      editHeadings(
        page,
        (id, inner, tag) =>
          `<${tag} id="${id}" tabindex="-1">${inner} <a class="header-anchor" href="#${id}" aria-label="Permalink">` +
          `&#8203;#</a></${tag}>`
      )
      editCode(
        page,
        (html, language, lines) =>
          `<div class="language-${language} line-numbers-mode"><button title="Copy Code" class="copy" type="button">` +
          `</button><span class="lang">${language}</span>${html}<div class="line-numbers-wrapper" aria-hidden="true">` +
          `${numbers(lines)}</div></div>`
      )
    },
    render: (page) =>
      around(
        page,
        `<div class="doc"><main><article>${furniture.post(page)}</article></main><aside>${furniture.contents(page)}
</aside></div>`
      )
  },
  {
    name: 'book-of-a-compiler',
    half: 'tune',
    css: `${BASE}
html { font-size: 62.5%; --bg: hsl(226 23% 11%); --fg: #bcbdd0 }
body { font: 1.6rem/1.45 "DejaVu Sans", "Open Sans", sans-serif; background: #f6f1e7; color: #262625 }
.sidebar { position: fixed; inset: 0 auto 0 0; width: 300px; background: #3b2e2a; color: #c8c9db; padding: 1rem;
overflow-y: auto; font-size: .875em } .sidebar a { color: inherit } .sidebar ul { display: block } .page {
margin-inline:
300px 0 } @media (max-width: 1060px) { .sidebar { display: none } .page { margin-inline: 0 } } [dir=rtl] .sidebar {
inset:
0 0 0 auto } main { max-width: 750px; margin: 0 auto; padding: 0 15px 40px } .menu-bar { display: flex; padding: .8rem
15px; justify-content: space-between } .svc-blog { font-size: 1.6rem; max-width: none } .svc-blog :is(h2, h3) {
margin-block-start: 2.5em } .header, .header:visited { color: inherit; text-decoration: none } .svc-blog pre { position:
relative; margin: 1em 0; background: #e1dbc9; border-radius: 3px } .svc-blog :not(pre) > code { background: #e1dbc9;
padding: .1em .3em; border-radius: 3px; font-size: .875em } .buttons { position: absolute; z-index: 2; right: 0; top:
2px;
visibility: hidden } pre:hover .buttons { visibility: visible } .svc-blog table { margin: 0 auto; border-collapse:
collapse } .svc-blog td { padding: 3px 20px; border: 1px #d4c8ab solid } .svc-blog thead { background: #c6b48b }
.svc-blog
th { border: 0; padding: 3px 20px; background: none } .svc-blog tbody tr:nth-child(2n) { background: #e8e0cd } .svc-blog
blockquote { margin: 20px 0; padding: 0 20px; background: #e8e0cd; border: 0; border-block: .1em solid #d4c8ab }
.nav-chapters { font-size: 2.5em; text-align: center; text-decoration: none; position: fixed; inset: 0 0 0 auto; width:
90px; display: flex; justify-content: center; align-items: center; color: #6b5c40 } @media (max-width: 1250px) {
.nav-chapters { display: none } } a { color: #1b5a72 }`,
    prepare: (page) => {
      editHeadings(page, (id, inner, tag) => `<${tag} id="${id}"><a class="header" href="#${id}">${inner}</a></${tag}>`)
      editCode(page, (html) =>
        html.replace(/^<pre[^>]*>/, '$&<span class="buttons"><button title="Copy" type="button">⧉</button></span>')
      )
    },
    locales: ['en', 'de', 'pt', 'vi', 'el', 'zh', 'ko'],
    render: (page) => `<nav class="sidebar" aria-label="${furniture.siteName(page)}">${furniture.contents(page)}</nav>
<div class="page"><div class="menu-bar"><button type="button" aria-label="Menu">☰</button>
<strong>${furniture.siteName(page)}</strong></div><main><article>${furniture.post(page)}</article></main><a
class="nav-chapters" href="/articles/2" aria-label="Next">›</a></div>`
  },
  {
    name: 'framed-code',
    half: 'tune',
    css: `${BASE}
body { font: 1rem/1.75 "DejaVu Sans", sans-serif; color: #c2c5ce; background: #17181c }
.top { border-bottom: 1px solid #353841; padding: 1rem 1.5rem; display: flex; flex-wrap: wrap; gap: 1rem }
main { max-width: 45rem; margin: 0 auto; padding: 1.5rem } .site-footer { padding: 1.5rem } h1, h2, h3, h4 { color:
#fff;
line-height: 1.2 } h1 { font-size: 2.6rem; font-weight: 600 } .svc-blog h2 { font-size: 2.1rem } .svc-blog h3 {
font-size:
1.75rem } .svc-blog > * + * { margin-block: 1rem 0 } .svc-blog * + :is(h2, h3) { margin-top: 1.5em }
.frame { margin: 1rem 0; filter: drop-shadow(.1rem .1rem .2rem #0008) } .frame .header { display: flex; justify-content:
center; position: relative; background: #282a30; border: 1px solid #353841; border-bottom: 0; border-radius: .3rem
.3rem 0
0; min-height: 2rem; font-size: .8rem; align-items: center } .frame .header::before { content: ""; position: absolute;
left: 1rem; width: 2.1rem; height: .56rem; background: radial-gradient(circle closest-side, #888b96 95%, #0000) 0 /
.75rem
} .svc-blog .frame pre { margin: 0; background: #23262f; border: 1px solid #353841; border-radius: 0 0 .3rem .3rem;
padding: 1rem 0; line-height: 1.65; font-size: .85rem } .frame pre code { display: block; min-width: max-content;
padding:
0 1.35rem } .svc-blog blockquote { border-inline-start: .25rem solid #a8c7fa; padding-inline: 1rem; background: #1e2a41
}
.svc-blog ol { list-style: none; counter-reset: steps; padding: 0 } .svc-blog > ol > li { counter-increment: steps;
position: relative; padding: 0 0 1px 2.75rem; min-height: 2rem } [dir=rtl] .svc-blog > ol > li { padding: 0 2.75rem 1px
0
} .svc-blog > ol > li::before { content: counter(steps); position: absolute; inset-block-start: 0; inset-inline-start:
0;
width: 1.75rem; height: 1.75rem; line-height: 1.75rem; text-align: center; font-size: .8rem; border-radius: 50%;
box-shadow: inset 0 0 0 1px #545864; color: #fff; font-weight: 600 } .svc-blog > ol > li::after { content: ""; position:
absolute; inset: 2rem auto .25rem .875rem; width: 1px; background: #353841 } [dir=rtl] .svc-blog > ol > li::after {
inset:
2rem .875rem .25rem auto } .svc-blog table { display: block; overflow: auto; border-spacing: 0 } .svc-blog :is(td, th) {
border: 0; border-bottom: 1px solid #545864; padding: .5rem 1rem; background: none } .svc-blog th { color: #fff }
.svc-blog :not(pre) > code { background: #23262f; padding: .125rem .375rem; font-size: .8125em } .svc-blog a { color:
#a8c7fa }`,
    prepare: (page) => {
      editCode(
        page,
        (html, language) =>
          `<div class="expressive-code"><figure class="frame is-terminal" style="margin:0"><figcaption ` +
          `class="header"><span class="title">${language}</span></figcaption>${html}</figure></div>`
      )
    },
    render: plain
  }
]
