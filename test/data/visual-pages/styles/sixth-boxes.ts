import { editBlocks, editElements } from '../edit.ts'
import * as furniture from '../furniture.ts'
import type { Page, SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

const around = (page: Page, main: string): string =>
  `<header class="top">${furniture.navigation(page)}</header>${main}${furniture.footer(page)}`
const plain = (page: Page): string => around(page, `<main><article>${furniture.post(page)}</article></main>`)

const PICTURE = /^<p>(<img[^>]*>)<\/p>$/

/** More sites of the sixth set that rebuild parts of the article. All are faultless. */
export const SIXTH_BOXES: SiteStyle[] = [
  {
    name: 'cells-with-labels',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.6 "DejaVu Sans", sans-serif; color: #222; background: #fff }
.top, .site-footer, main { max-width: 52rem; margin: 0 auto; padding: 1rem 1.5rem }
.svc-blog table { width: 100% } .svc-blog tbody tr:nth-child(even) { background: #f2f5f9 }
@media (max-width: 640px) { .svc-blog thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px;
overflow: hidden }
.svc-blog :is(table, tbody, tr, td) { display: block; width: 100% } .svc-blog tr { border: 1px solid #cdd5df;
border-radius: 8px;
margin-block-end: 1rem } .svc-blog td { display: flex; justify-content: space-between; gap: 1rem; border: 0;
border-bottom: 1px solid #e3e8ee;
text-align: end } .svc-blog td::before { content: attr(data-label); font-weight: 700; text-align: start } }
a { color: #a3341f }`,
    prepare: (page) => {
      if (!page.article.includes('<table')) return
      editElements(page, 'table', 'all', (html) => {
        const labels = [...html.matchAll(/<th[^>]*>([\s\S]*?)<\/th>/g)].map(([, text]) =>
          text!.replaceAll(/<[^>]*>/g, '')
        )
        let cell = 0
        return html.replaceAll('<td', () => `<td data-label="${labels[cell++ % labels.length]!}"`)
      })
    },
    render: plain
  },
  {
    name: 'visual-builder',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.6 "DejaVu Sans", Poppins, sans-serif; color: #3b3b3b; background: #fff }
.site { max-width: 1100px; margin: 0 auto; padding: 0 4vw } .site-footer, .top { padding: 1rem 4vw }
.row { display: grid; grid-template-columns: repeat(24, minmax(0, 1fr)); gap: 11px } .row > .cell { grid-column: 3 /
span 20 }
@media (max-width: 767px) { .row > .cell { grid-column: 1 / -1 } }
.cell > * { margin: 0 } .cell { padding-block: 8px } .cell p { white-space: pre-wrap } .cell h2 { text-align: center }
.cell .image { position: relative; overflow: hidden } .cell .image img { display: block; width: 100% }
.cell hr { border: 0; height: 1px; background: currentColor; opacity: .2 }
.cell.quote { padding-block: 32px } .cell blockquote { border: 0; padding: 0; text-indent: -.45em; font-size: 1.4em;
line-height: 1.4 }
.cell blockquote p::before { content: "“" } .cell blockquote p::after { content: "”" } a { color: #8b2f97 }`,
    prepare: (page) => {
      editBlocks(page, (blocks) =>
        blocks.map((block) => {
          const inner = PICTURE.test(block) ? `<div class="image">${block.slice(3, -4)}</div>` : block
          const kind = block.startsWith('<blockquote') ? ' quote' : ''
          return `<div class="row"><div class="cell${kind}">${inner}</div></div>`
        })
      )
    },
    render: (page) => around(page, `<main class="site"><article>${furniture.post(page)}</article></main>`)
  },
  {
    name: 'left-rail-dark',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.7 "DejaVu Sans", "PT Sans", sans-serif; color: #515151; background: #fff }
.rail { background: #202020; color: #ddd; padding: 2rem 1rem; text-align: center } .rail a { color: #fff }
.content { padding: 3rem 1rem; max-width: 38rem; margin: 0 auto } h1, h2, h3 { color: #313131; letter-spacing:
-.025rem }
@media (min-width: 48em) { .rail { position: fixed; inset: 0 auto 0 0; width: 18rem; text-align: left; overflow: auto }
.content { margin: 0 2rem 0 20rem; padding: 4rem 0 } .rail nav ul { display: block } }
.svc-blog blockquote { padding: .5rem 1rem; margin: .8rem 0; color: #6b6b6b; border-inline-start: .25rem solid #e5e5e5 }
.svc-blog table { margin-bottom: 1rem; width: 100%; border: 1px solid #e5e5e5 } .svc-blog tbody tr:nth-child(odd)
:is(td, th) {
background: #f9f9f9 } .svc-blog hr { border: 0; border-top: 1px solid #eee; border-bottom: 1px solid #fff; margin:
1.5rem 0 }
.svc-blog img { border-radius: 5px; display: block } .svc-blog :not(pre) > code { color: #a82820; background: #f9f9f9 }
.contents { border: 1px solid #e5e5e5; padding: .5rem 1rem } a { color: #2a6496; text-decoration: none }`,
    locales: ['en', 'de', 'fr', 'es', 'ru', 'zh'],
    render: (
      page
    ) => `<div class="rail"><strong>${furniture.siteName(page)}</strong>${furniture.navigation(page)}</div><div
class="content"><main><article>${furniture.heading(page)}${furniture.contents(page)}${page.beforeArticle}${page.article}
${page.afterArticle}${furniture.shareBar(page)}</article>${furniture.relatedList(page)}</main>
${furniture.footer(page)}</div>`
  },
  {
    name: 'container-queries',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.6 "DejaVu Sans", sans-serif; color: #10241b; background: #fff; display: grid;
grid-template-columns: 1fr
min(100%, 62rem) 1fr } body > * { grid-column: 2 } .site-footer, .top { padding: 1rem }
main { container: post / inline-size; padding: 1rem } article > header { display: grid; gap: 1rem; background:
#e6f4ec; padding: 1.5rem;
border-radius: 1rem } @container post (min-width: 50rem) { article > header { grid-template-columns: 2fr 1fr;
align-items: end }
.svc-blog { font-size: clamp(1rem, 2.2cqi, 1.3rem); padding-inline: 8cqi } .svc-blog > p:has(> img:only-child) {
margin-inline: -6cqi } }
.svc-blog > p:has(> img:only-child) img { width: 100%; max-height: 70vh; object-fit: cover }
.svc-blog :is(h2, h3) { text-wrap: balance; padding-inline-start: .6em; border-inline-start: .25em solid currentColor;
color: #0a7a4b }
.svc-blog blockquote { display: grid; grid-template-columns: auto 1fr; gap: 1rem; border: 0; font-size: 1.1em }
.svc-blog blockquote::before { content: "❝"; font-size: 2.5em; line-height: 1; color: #0a7a4b; grid-row: span 9 }
.svc-blog blockquote > * {
grid-column: 2; margin: 0 } a { color: #0a7a4b }`,
    render: (page) =>
      around(
        page,
        `<main><article><header>${furniture.heading(page)}</header>${page.beforeArticle}${page.article}
${page.afterArticle}</article></main>`
      )
  },
  {
    name: 'text-over-pattern',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.65 "DejaVu Sans", Verdana, sans-serif; color: #1a1a1a; background: #fdf6e3
radial-gradient(#0000001f 1px, #0000
1.5px) 0 0 / 18px 18px } .top, .site-footer, main { max-width: 46rem; margin: 0 auto; padding: 1rem 1.5rem }
.svc-blog h2 { position: relative; z-index: 0; display: inline-block } .svc-blog h2::before { content: ""; position:
absolute; inset: 55%
-.3em .05em; background: #ffd54a; z-index: -1; transform: skewX(-12deg) }
.svc-blog h3::before { content: "✦ "; color: #b4540a } .svc-blog blockquote { position: relative; background: #fff;
border: 0;
padding: 1.25rem; box-shadow: 4px 4px 0 #1a1a1a; outline: 2px solid #1a1a1a } .svc-blog blockquote::after { content:
"”"; position:
absolute; inset: -.35em .2em auto auto; font: 6rem/1 serif; color: #0000001a; pointer-events: none }
.svc-blog img { clip-path: polygon(0 0, 100% 0, 100% calc(100% - 24px), calc(100% - 24px) 100%, 0 100%) }
.svc-blog :is(pre, .svc-table) { background: #fff; outline: 2px solid #1a1a1a; border-radius: 0 } .svc-blog table {
width: 100% }
.corner { position: fixed; inset: 0 0 auto auto; background: #b4540a; color: #fff; padding: 4px 40px; transform:
translate(30%, 60%) rotate(45deg);
font-size: 12px; z-index: 8 } a { color: #9a3412; text-decoration-style: wavy; text-decoration-thickness: 1px }`,
    render: (page) => `${plain(page)}<a class="corner" href="/source">Source</a>`
  }
]
