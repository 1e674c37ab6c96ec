import * as furniture from '../furniture.ts'
import type { Page, SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

const around = (page: Page, main: string): string =>
  `<header class="top">${furniture.navigation(page)}</header>${main}${furniture.footer(page)}`
const plain = (page: Page): string => around(page, `<main><article>${furniture.post(page)}</article></main>`)

/** More sites of the sixth set that change only how the article looks. All are faultless. */
export const SIXTH_TYPE: SiteStyle[] = [
  {
    name: 'run-in-headings',
    half: 'tune',
    css: `${BASE}
body { font: 18px/1.6 "DejaVu Serif", Garamond, serif; color: #1b1b1b; background: #fff }
.top, .site-footer, main { max-width: 44rem; margin: 0 auto; padding: 1rem 1.5rem }
h1 { font-weight: 400; font-size: 2.2rem; font-style: italic } .svc-blog h2 { font-size: 1em; font-variant-caps:
all-small-caps;
letter-spacing: .08em; font-weight: 700; margin-block: 2.4em .8em; text-align: center }
.svc-blog h3 { float: inline-start; font-size: 1em; line-height: inherit; margin: 0 .6em 0 0; font-style: italic;
font-weight: 700 } .svc-blog h3::after { content: " —" } .svc-blog h3 + :is(.svc-table, pre, ul, ol) { clear: both;
padding-block-start: .5em }
.svc-blog p { margin: 0 } .svc-blog p + p:not(:has(img)) { text-indent: 1.5em } .svc-blog p:has(> img) { margin-block:
1.5em }
.svc-blog :is(ul, ol, blockquote, pre, .svc-table) { margin-block: 1em }
.svc-blog blockquote { border: 0; padding-inline: 2em; font-size: .95em }
a { color: #7b1113; text-decoration: none; border-bottom: 1px dotted }`,
    locales: ['en', 'de', 'fr', 'es', 'ru'],
    render: plain
  },
  {
    name: 'console-frame',
    half: 'tune',
    css: `${BASE}
:root { color-scheme: dark }
body { font: 16px/1.5 "DejaVu Sans Mono", monospace; color: #ffb454; background: #0a0e14; text-shadow: 0 0 3px
#ffb45455 }
body::after { content: ""; position: fixed; inset: 0; pointer-events: none; background:
repeating-linear-gradient(#0000 0 2px,
#00000026 2px 4px) }
.top, .site-footer, main { max-width: 84ch; margin: 1rem auto; padding: 1rem 2ch; border: 1px dashed #ffb45480 }
h1, h2, h3 { font-size: 1em; font-weight: 700; text-transform: uppercase; color: #ffe6b3 } h1::after { content: "_" }
.svc-blog h2::before { content: "== " } .svc-blog h2::after { content: " ==" }
.svc-blog ul { list-style: "* " } .svc-blog ol { list-style: lower-roman } .svc-blog blockquote { border: 0; padding:
0 0 0 2ch }
.svc-blog blockquote p::before { content: "> "; margin-inline-start: -2ch } .svc-blog :is(pre, th, code) { background:
#131721;
color: #ffb454 } .svc-blog pre * { color: inherit } .svc-blog table { width: 100% } .svc-blog :is(td, th) { border:
1px dashed
#ffb45480 } .svc-blog img { filter: sepia(1) saturate(3) hue-rotate(-10deg) brightness(.9); image-rendering: auto }
.svc-blog strong { color: #ffe6b3 } .svc-blog em { font-style: normal; text-decoration: underline }
.svc-blog hr { border: 0; height: 1.5em; overflow: hidden } .svc-blog hr::before { content:
"--------------------------------" }
a { color: #39bae6 } a::before { content: "[" } a::after { content: "]" }`,
    render: plain
  },
  {
    name: 'inverted-links',
    half: 'tune',
    css: `${BASE}
body { font: 18px/1.65 "DejaVu Sans", sans-serif; color: #0b2239; background: #fff }
.top, .site-footer { background: #0b2239; padding: 1rem 1.5rem; color: #fff } .top a, .site-footer a { color: #fff }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem }
.svc-blog a { background: #0b2239; color: #fff; text-decoration: none; padding: 0 .25em; border-radius: 2px;
box-decoration-break: clone } .svc-blog a:hover { background: #fff; color: #0b2239 }
.svc-blog a[href^="http"]::after { content: ""; display: inline-block; width: .6em; height: .6em; margin-inline-start:
.3em;
border: 2px solid; border-block-end: 0; border-inline-start: 0 }
.svc-blog strong { background: #fff3b0; padding: 0 .15em } .svc-blog em { background: #d7f5e9; font-style: normal }
.svc-blog h2 { border-inline-start: 12px solid #ff5a36; padding-inline-start: .5em }
.svc-blog h3 { display: inline-block; border-bottom: 4px solid #ff5a36 }
.svc-blog table { border-collapse: separate; border-spacing: 4px } .svc-blog td { background: #eef3f8; border: 0 }
.svc-blog th { background: #0b2239; color: #fff; border: 0 }
.svc-blog blockquote { border: 2px solid #0b2239; border-radius: 20px 20px 20px 0; padding: 1rem 1.25rem; background:
#eef3f8 }`,
    render: plain
  },
  {
    name: 'drop-numbers',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.6 "DejaVu Sans", sans-serif; color: #222; background: #fffdf7 }
.top, .site-footer, main { max-width: 48rem; margin: 0 auto; padding: 1rem 1.5rem }
.svc-blog { counter-reset: chapter } .svc-blog h2 { counter-increment: chapter; display: grid; grid-template-columns:
auto 1fr;
gap: .6em; align-items: center } .svc-blog h2::before { content: counter(chapter, decimal-leading-zero); font-size:
2.2em;
line-height: 1; color: #d97706; font-weight: 300 }
.svc-blog ol { list-style: none; counter-reset: step; padding: 0 } .svc-blog ol > li { counter-increment: step;
position:
relative; padding: .6rem 1rem .6rem 3.5rem; border: 1px solid #e7dcc3; border-radius: 12px; margin-block: .75rem;
min-height: 3rem }
[dir=rtl] .svc-blog ol > li { padding: .6rem 3.5rem .6rem 1rem }
.svc-blog ol > li::before { content: counter(step); position: absolute; inset-block-start: .5rem; inset-inline-start:
.75rem;
width: 2rem; height: 2rem; display: grid; place-items: center; border-radius: 50%; background: #d97706; color: #000;
font-weight: 700 }
.svc-blog ul { columns: 2; column-gap: 3rem } .svc-blog ul ul { columns: auto } .svc-blog ul > li { break-inside:
avoid }
@media (max-width: 600px) { .svc-blog ul { columns: 1 } }
.svc-blog blockquote { border: 0; padding: 1rem 1.5rem; background: #fef3c7; border-radius: 12px } a { color: #92400e
}`,
    render: plain
  },
  {
    name: 'zoomed-shop',
    half: 'tune',
    css: `${BASE}
html { font-size: 87.5%; zoom: 1.15 }
body { font: 1rem/1.6 "DejaVu Sans", "Segoe UI", sans-serif; color: #1f2328; background: #fff; min-width: 300px }
.top { display: flex; justify-content: space-between; gap: 1rem; padding: 1rem; border-bottom: 1px solid #ddd }
.page { display: grid; grid-template-columns: minmax(0, 1fr) 18rem; gap: 2rem; max-width: 72rem; margin: 0 auto;
padding: 1rem }
@media (max-width: 1000px) { .page { display: block } } .offer { position: sticky; top: 1rem; border: 1px solid #ddd;
padding: 1rem;
border-radius: 8px } .svc-blog { font-size: 1.1rem }
.svc-blog .svc-table { overflow: auto; max-height: 20rem; border: 1px solid #ddd; border-radius: 8px } .svc-blog table
{ width: 100% }
.svc-blog thead th { position: sticky; inset-block-start: 0; background: #f6f8fa } .svc-blog :is(td, th):first-child {
position:
sticky; inset-inline-start: 0; background: #f6f8fa; font-weight: 600 } .svc-blog :is(th, td) { border-width: 0 0 1px }
.svc-blog tbody tr:nth-child(odd) td { background: #f6f8fa }
.cookies { position: fixed; inset: auto 0 0; background: #1f2328; color: #fff; padding: .75rem 1rem; display: flex;
gap: 1rem;
justify-content: center; z-index: 20 } .site-footer { padding: 1rem 1rem 5rem } a { color: #0550ae }`,
    render: (page) => `<header class="top"><strong>${furniture.siteName(page)}</strong>${furniture.navigation(page)}
</header><div class="page"><main><article>${furniture.post(page)}</article>${furniture.relatedCards(page)}</main><aside
class="offer">${furniture.newsletter(page)}</aside></div>${furniture.footer(page)}<div class="cookies" role="region"
aria-label="Cookies"><span>Cookies</span> <button type="button">OK</button></div>`
  }
]
