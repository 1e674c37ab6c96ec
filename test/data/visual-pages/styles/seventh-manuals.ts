import { editElements } from '../edit.ts'
import * as furniture from '../furniture.ts'
import type { Page, SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

const around = (page: Page, main: string): string =>
  `<header class="top"><strong>${furniture.siteName(page)}</strong>${furniture.navigation(page)}</header>${main}
${furniture.footer(page)}`
const plain = (page: Page): string => around(page, `<main><article>${furniture.post(page)}</article></main>`)

const editHeadings = (page: Page, edit: (id: string, inner: string, tag: string) => string): void => {
  for (const tag of ['h2', 'h3']) {
    if (!page.article.includes(`<${tag} id`)) continue
    editElements(page, tag, 'all', (html) =>
      html.replace(/^<h\d id="([^"]*)">([\s\S]*)<\/h\d>$/, (_, id: string, inner: string) => edit(id, inner, tag))
    )
  }
}

/** Sites of the seventh set like manuals, and like those of authorities. All are faultless. */
export const SEVENTH_MANUALS: SiteStyle[] = [
  {
    name: 'read-the-manual',
    half: 'tune',
    css: `${BASE}
body { font: 16px/24px "DejaVu Sans", Lato, sans-serif; color: #404040; background: #edf0f2 } .side { background:
#343131;
color: #fff; padding: 1rem } .side a { color: #fff } .content { background: #fcfcfc; padding: 1.618em clamp(1rem, 4vw,
3.236em); max-width: 800px } @media (min-width: 769px) { .side { position: fixed; inset: 0 auto 0 0; width: 300px }
.side
nav ul { display: block } .content { margin-inline-start: 300px; min-height: 100vh } [dir=rtl] .side { inset: 0 0 0
auto }
} h1, h2, h3 { font-family: "DejaVu Serif", "Roboto Slab", serif; font-weight: 700 } h1 { font-size: 175%; line-height:
1.3 } .svc-blog { font-size: 16px } .svc-blog h2 { font-size: 150% } .svc-blog h3 { font-size: 125% } .headerlink {
opacity:
0; font-size: 14px } :hover > .headerlink { opacity: 1 } .svc-blog > p { margin: 0 0 24px } .svc-blog :not(pre) > code {
white-space: nowrap; max-width: 100%; background: #fff; border: 1px solid #e1e4e5; font-size: 75%; padding: 0 5px;
color:
#c7254e; overflow-x: auto } .svc-blog pre { border: 1px solid #e1e4e5; background: #f8f8f8; padding: 12px; font-size:
12px;
line-height: 1.4; margin: 1px 0 24px } .svc-blog table { border-collapse: collapse; border: 1px solid #e1e4e5;
font-size:
90%; margin-bottom: 24px } .svc-blog :is(td, th) { padding: 8px 16px; border: 1px solid #e1e4e5 } .svc-blog thead th {
border-bottom: 2px solid #e1e4e5; background: none } .svc-blog tbody tr:nth-child(odd) td { background: #f3f6f6 }
.svc-blog blockquote { padding: 12px; line-height: 24px; margin: 0 0 24px; background: #e7f2fa; border: 0 } .svc-blog
blockquote::before { content: "ⓘ Note"; font-weight: 700; display: block; color: #fff; background: #2a6e9d; padding: 6px
12px; margin: -12px -12px 12px } .svc-blog li { list-style: disc; margin-inline-start: 24px } .svc-blog ol > li {
list-style: decimal } .svc-blog :is(ul, ol) { padding: 0; margin-bottom: 24px } .svc-blog .svc-task-item { list-style:
none } .svc-blog hr { border: 0; border-top: 1px solid #e1e4e5; margin: 24px 0 } a { color: #1f6f9f; text-decoration:
none
} .svc-blog a:hover { text-decoration: underline }`,
    prepare: (page) => {
      editHeadings(
        page,
        (id, inner, tag) =>
          `<${tag} id="${id}">${inner}<a class="headerlink" href="#${id}" title="Link to this heading">¶</a></${tag}>`
      )
    },
    render: (page) => `<div class="side"><strong>${furniture.siteName(page)}</strong>${furniture.navigation(page)}</div>
<div class="content">${furniture.breadcrumbs(page)}<main><article>${furniture.post(page)}</article></main>
${furniture.footer(page)}</div>`
  },
  {
    name: 'manual-page',
    half: 'tune',
    css: `${BASE}
body { font: 15px/1.4 "DejaVu Sans Mono", monospace; color: #181818; background: #fff } .top { display: flex;
justify-content: space-between; gap: 1rem } .top, main, .site-footer { max-width: 86ch; margin: 0 auto; padding: .75rem
1ch } h1, h2, h3 { font-size: 1em; font-weight: 700; margin: 1.4em 0 0 } h1 { text-transform: uppercase } .svc-blog {
font-size: 1em; max-width: none; --svc-line-height: 1.4 } .svc-blog h2 { text-transform: uppercase } .svc-blog > * {
margin-block: 1.4em; margin-inline-start: 7ch } .svc-blog > h2 { margin-inline-start: 0 } .svc-blog > h3 {
margin-inline-start: 3ch } .svc-blog > :is(h2, h3) + * { margin-block-start: 0 } .svc-blog blockquote { border: 0;
padding:
0; margin-inline-start: 14ch } .svc-blog :is(em, a) { font-style: normal; text-decoration: underline } .svc-blog code {
font-weight: 700; background: none; padding: 0 } .svc-blog pre { border: 0; background: none; padding: 0;
margin-inline-start: 11ch } .svc-blog pre code { font-weight: 400 } .svc-blog table { border: 0; font-size: 1em }
.svc-blog :is(td, th) { border: 0; background: none; padding: 0 2ch 0 0 } a { color: #181818 }
@media (max-width: 600px) { .svc-blog > *, .svc-blog pre, .svc-blog blockquote { margin-inline-start: 3ch } }`,
    locales: ['en', 'de', 'pt', 'vi', 'el'],
    render: plain
  },
  {
    name: 'service-manual',
    half: 'tune',
    css: `${BASE}
body { font: 1.1875rem/1.32 "DejaVu Sans", Arial, sans-serif; color: #0b0c0c; background: #fff; -webkit-font-smoothing:
antialiased } .top { background: #0b0c0c; border-bottom: 10px solid #1d70b8; padding: .75rem max(15px, 50vw - 480px) }
.top, .top a { color: #fff } .phase { font-size: 1rem; border-bottom: 1px solid #b1b4b6; padding: .6rem 0 } .phase
strong
{ background: #1d70b8; color: #fff; padding: .15rem .5rem; text-transform: uppercase; letter-spacing: 1px; font-size:
.875rem } main, .site-footer { max-width: 960px; margin: 0 auto; padding: 0 15px 40px } h1 { font-size: clamp(2rem, 5vw,
3rem); line-height: 1.05 } .svc-blog { font-size: 1em; max-width: 630px; --svc-line-height: 1.32 } .svc-blog h2 {
font-size: 1.5rem; line-height: 1.25; margin: 0 0 20px; padding-top: 20px } .svc-blog > p { margin: 0 0 20px } .svc-blog
blockquote { padding: 15px; margin: 30px 0; border-inline-start: 10px solid #b1b4b6 } .svc-blog blockquote >
:only-child { margin: 0 } .svc-blog table { width: 100%; border-spacing: 0; border-collapse: collapse } .svc-blog
:is(td,
th) { padding: 10px 20px 10px 0; text-align: start; vertical-align: top; border: 0; border-bottom: 1px solid #b1b4b6;
background: none } .svc-blog .svc-right { text-align: end } .svc-blog li { margin-bottom: 5px } .svc-blog a {
text-decoration: underline; text-decoration-thickness: max(1px, .0625rem); text-underline-offset: .1578em } a { color:
#1d70b8 } .site-footer { background: #f3f2f1; border-top: 1px solid #b1b4b6; max-width: none; padding: 25px max(15px,
50vw
- 480px) }`,
    render: (page) =>
      around(
        page,
        `<main><p class="phase"><strong>Beta</strong> <a href="/feedback">→</a></p>${furniture.breadcrumbs(page)}
<article>${furniture.post(page)}</article></main>`
      )
  }
]
