import { editBlocks } from '../edit.ts'
import * as furniture from '../furniture.ts'
import type { Page, SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

const around = (page: Page, main: string): string =>
  `<header class="top"><strong>${furniture.siteName(page)}</strong>${furniture.navigation(page)}</header>${main}
${furniture.footer(page)}`
const plain = (page: Page): string => around(page, `<main><article>${furniture.post(page)}</article></main>`)

const PICTURE = /^<p>(<img[^>]*>)<\/p>$/
const altOf = (html: string): string => / alt="([^"]*)"/.exec(html)?.[1] ?? ''

/** Written when the rules had been tuned on the rest of the seventh set. Only their plain pages are checked. */
export const SEVENTH_LAST: SiteStyle[] = [
  {
    name: 'museum-catalog',
    half: 'tune',
    css: `${BASE}
body { font: 19px/1.6 "DejaVu Serif", Garamond, serif; color: #2d2a26; background: #fcfbf8 } .top, .site-footer, main {
max-width: 66rem; margin: 0 auto; padding: 1.5rem } .top { border-bottom: 1px solid; display: flex; gap: 2rem;
flex-wrap:
wrap } h1 { font-weight: 400; font-size: clamp(2rem, 5vw, 3.6rem); line-height: 1.1 } .svc-blog { max-width: none }
.svc-blog > * { max-width: 38rem; margin-inline-start: auto } .svc-blog > .plate { max-width: none; margin-inline: 0 }
@media (min-width: 900px) { .plate { display: grid; grid-template-columns: 14rem 1fr; gap: 2rem; align-items: end }
.plate
figcaption { grid-area: 1 / 1 } } .plate figcaption { font-size: .85rem; border-top: 1px solid; padding-top: .5rem }
.plate img { width: 100%; display: block } .svc-blog h2 { font-variant-caps: small-caps; font-weight: 400;
letter-spacing:
.04em; border-top: 1px solid; padding-top: 1rem; margin-top: 3rem } .svc-blog h3 { font-style: italic; font-weight: 400
}
.svc-blog blockquote { border: 0; font-size: 1.25em; line-height: 1.4 } .svc-blog :is(td, th) { border-width: 1px 0;
background: none } a { color: #7a4b1a }`,
    prepare: (page) => {
      editBlocks(page, (blocks) => [
        ...blocks.map((block) =>
          block.replace(
            PICTURE,
            (_, img: string) => `<figure class="plate">${img}<figcaption>${altOf(img)}</figcaption></figure>`
          )
        ),
        '<p class="end" aria-hidden="true">⁂</p>'
      ])
    },
    render: plain
  },
  {
    name: 'radio-station',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.65 "DejaVu Sans", sans-serif; color: #f3eaff; background: #241038 } .top, .site-footer, main {
max-width: 48rem; margin: 0 auto; padding: 1.25rem } .top a, .site-footer a { color: #ffd447 } h1, .svc-blog h2 {
font-weight: 900; text-transform: uppercase; line-height: 1.1 } h1 { font-size: clamp(1.8rem, 6vw, 3.2rem) } .svc-blog
h2 {
display: table; background: #ff4d8d; color: #1a0829; padding: .2em .5em; margin-block: 2em .8em } .svc-blog a { color:
#ffd447; border: 1px solid #ffd447; border-radius: 99px; padding: 0 .5em; text-decoration: none } .svc-blog sup a {
border:
0; padding: 0 } .svc-blog ol { list-style: none; counter-reset: track; padding: 0 } .svc-blog > ol > li {
counter-increment:
track; display: grid; grid-template-columns: 3.5rem 1fr; border-top: 1px solid #ffffff33; padding-block: .6rem }
.svc-blog >
ol > li::before { content: counter(track, decimal-leading-zero); font-size: 1.6rem; font-weight: 900; color: #ff8ab5;
grid-row: span 9 } .svc-blog > ol > li > * { grid-column: 2 } .svc-blog blockquote { background: #3a1c59; border: 0;
border-radius: 16px; padding: 1rem 1.5rem } .svc-blog pre { background: #12061f } .svc-blog img { border-radius: 16px }
.svc-blog :is(td, th) { border-color: #ffffff33; background: none } .on-air { position: fixed; inset: auto 0 0; height:
64px; background: #ffd447; color: #241038; display: flex; align-items: center; gap: 1rem; padding-inline: 1rem;
z-index: 9 }
.site-footer { padding-bottom: 6rem }`,
    prepare: (page) => {
      // A grid makes each piece of text an item.
      editBlocks(page, (blocks) => [
        ...blocks.map((block) =>
          block.startsWith('<ol')
            ? block.replaceAll(/<li>([^<\n][\s\S]*?)(?=<\/li>|\n<[uo]l>)/g, '<li><span>$1</span>')
            : block
        ),
        '<p class="end" aria-hidden="true">■</p>'
      ])
    },
    render: (page) => `${plain(page)}<div class="on-air" role="region" aria-label="Player"><button type="button"
aria-label="Play">▶</button><span>${furniture.siteName(page)}</span></div>`
  },
  {
    name: 'law-office',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.7 "DejaVu Sans", Calibri, sans-serif; color: #26303a; background: #fff } .top { background: #14284b;
color: #fff; padding: 1rem 2rem; display: flex; justify-content: space-between; flex-wrap: wrap } .top a { color: #fff }
.sub { background: #e9edf4; padding: .5rem 2rem } main { display: grid; grid-template-columns: 15rem minmax(0, 42rem);
gap: 3rem; max-width: 64rem; margin: 2rem auto; padding: 0 1.5rem } @media (max-width: 900px) { main { display: block }
}
.svc-blog { counter-reset: s } .svc-blog h2 { counter-increment: s; counter-reset: t; font: 700 1.4rem/1.3
"DejaVu Serif",
serif; color: #14284b } .svc-blog h2::before { content: counter(s) ". " } .svc-blog h3 { counter-increment: t;
font-size:
1.1rem; color: #14284b } .svc-blog h3::before { content: counter(s) "." counter(t) " " } .svc-blog > p { text-align:
justify; hyphens: auto } .svc-blog table { width: 100%; border: 0; border-top: 3px solid #14284b } .svc-blog :is(td,
th) {
border: 0; border-bottom: 1px solid #ccd4e0; background: none } .svc-blog blockquote { margin-inline: 2.5rem; border: 0;
padding: 0; font: italic 1.05em/1.6 "DejaVu Serif", serif } .svc-blog ol { list-style: lower-alpha } a { color: #1f4e9c
}
.site-footer { background: #14284b; color: #fff; padding: 2rem } .site-footer a { color: #fff }`,
    locales: ['en', 'de', 'pt', 'el', 'vi', 'ko'],
    render: (page) =>
      around(
        page,
        `<div class="sub">${furniture.breadcrumbs(page)}</div><main><aside>${furniture.authorBox(page)}</aside>
<article>${furniture.post(page)}</article></main>`
      )
  },
  {
    name: 'cookery-cards',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.7 "DejaVu Sans", Nunito, sans-serif; color: #4a3b32; background: #fff7ef } .top, .site-footer, main
{
max-width: 46rem; margin: 0 auto; padding: 1rem } h1 { text-align: center; color: #8f3a1d } .byline { text-align:
center }
.jump { text-align: center } .jump a { display: inline-block; background: #8f3a1d; color: #fff; padding: .6rem 1.4rem;
border-radius: 6px; text-decoration: none } .svc-blog { background: #fff; border: 2px dashed #e3bfa3; border-radius:
12px;
padding: 1.5rem } .svc-blog h2 { text-align: center; color: #8f3a1d; border-bottom: 2px solid #e3bfa3; padding-bottom:
.3em } .svc-blog ul { list-style: none; padding-inline-start: 0 } .svc-blog ul > li { padding-inline-start: 2em;
position:
relative; margin-block: .4em } .svc-blog ul > li:not(.svc-task-item)::before { content: ""; position: absolute;
inset-inline-start: 0; top: .45em; width: 1em; height: 1em; border: 2px solid #8f3a1d; border-radius: 3px } .svc-blog p
>
img:only-child { width: 100%; aspect-ratio: 4 / 3; object-fit: cover; border-radius: 10px } .svc-blog blockquote {
border:
0; background: #fdebd7; border-radius: 10px; padding: 1rem 1.25rem } .svc-blog blockquote::before { content: "🍳";
float: inline-start; margin-inline-end: .6em } .svc-blog table { width: 100% } .svc-blog tbody tr:nth-child(even) {
background: #fdf3e8 } .svc-blog :is(td, th) { border: 0 } a { color: #8f3a1d }`,
    prepare: (page) => {
      page.beforeArticle += '<p class="jump"><a href="#end">↓</a></p>'
      page.afterArticle += '<div id="end"></div>'
    },
    render: plain
  },
  {
    name: 'exported-notes',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.5 ui-sans-serif, "DejaVu Sans", sans-serif; color: #37352f; background: #fff } main { max-width:
900px;
margin: 2em auto; padding: 0 max(1rem, 6vw) } h1 { font-size: 2.5rem; line-height: 1.2; font-weight: 700 } .icon {
font-size:
3rem } .svc-blog { font-size: 1em; max-width: none } .svc-blog h2 { font-size: 1.5rem; margin: 1.4em 0 .2em } .svc-blog
h3 { font-size: 1.25rem; margin: 1em 0 .2em } .notion-text p { margin: 0; padding: 3px 2px } .notion-text +
.notion-text {
margin-top: .6em } .svc-blog blockquote { display: flex; gap: .75rem; background: #f1f1ef; border: 0; border-radius:
4px;
padding: 1rem } .svc-blog blockquote::before { content: "💡" } .svc-blog blockquote > .inner > p { margin: 0 0 .5em }
.svc-blog pre { background: #f7f6f3; padding: 2em; border-radius: 4px; tab-size: 2 } .svc-blog :not(pre) > code {
background:
#8786801f; color: #b8362a; font-size: 85%; padding: .2em .4em; border-radius: 3px } .svc-blog :is(td, th) { border: 1px
solid
#e9e9e7; padding: 7px 9px; font-size: .9em } .svc-blog th { background: #f7f6f3 } .svc-blog a { color: inherit;
opacity: .9;
text-decoration-color: #37352f66 } a { color: #37352f }`,
    prepare: (page) => {
      editBlocks(page, (blocks) =>
        blocks.map((block) => {
          const inner = block.replace(
            /^<blockquote>([\s\S]*)<\/blockquote>$/,
            '<blockquote><div class="inner">$1</div></blockquote>'
          )
          return `<div class="notion-block${/^<p>(?!<img)/.test(block) ? ' notion-text' : ''}">${inner}</div>`
        })
      )
    },
    render: (page) =>
      `<main><article><div class="icon" aria-hidden="true">📄</div>${furniture.post(page)}</article></main>`
  },
  {
    name: 'rounded-header-of-2005',
    half: 'tune',
    css: `${BASE}
body { font: 15px/1.6 "DejaVu Sans", "Lucida Grande", sans-serif; color: #333; background: #d5d6d7 } .page { max-width:
760px; margin: 20px auto; background: #fff; border: 1px solid #959596 } .top { height: auto; background:
linear-gradient(
#69aee7, #4180b6); color: #fff; padding: 40px 20px; text-align: center; border-radius: 12px; margin: 8px } .top a {
color:
#fff; text-shadow: 0 1px 2px #0008 } .top ul { justify-content: center } .cols { display: grid; grid-template-columns:
minmax(0, 1fr) 190px; gap: 30px; padding: 10px 30px } @media (max-width: 700px) { .cols { display: block; padding: 10px
16px } } .side { font-size: 13px } h1 { font-size: 1.6em } .svc-blog { font-size: 1em } .svc-blog > p { text-align:
justify }
@media (min-width: 700px) { .svc-blog > p:first-of-type:has(> img), .svc-blog > p:nth-of-type(2):has(> img) { float:
left;
width: 45%; margin: 0 1em .5em 0 } .svc-blog > :is(h2, ul, ol, pre, blockquote, .svc-table) { clear: both } } .svc-blog
blockquote { border: 0; border-inline-start: 5px solid #ddd; color: #595959; margin: 15px 30px 0 10px;
padding-inline-start:
20px } .svc-blog ul { list-style: none; padding: 0 0 0 10px } .svc-blog ul > li:not(.svc-task-item)::before { content:
"» ";
color: #4180b6 } [dir=rtl] .svc-blog ul { padding: 0 10px 0 0 } a { color: #1b5f93; text-decoration: none } .svc-blog a
{
text-decoration: underline }`,
    locales: ['en', 'de', 'pt', 'el', 'vi'],
    render: (page) => `<div class="page"><header class="top"><strong>${furniture.siteName(page)}</strong>
${furniture.navigation(page)}</header><div class="cols"><main><article>${furniture.post(page)}</article>
${furniture.comments(page)}</main><aside
class="side">${furniture.relatedList(page)}</aside></div>${furniture.footer(page)}
</div>`
  },
  {
    name: 'boxes-with-lines',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.55 "DejaVu Sans Mono", monospace; color: #000; background: #f4f4f0 } .top, .site-footer { padding:
1rem
1.5rem; border-bottom: 2px solid } main { max-width: 60rem; margin: 2rem auto; border: 2px solid #000; background: #fff
}
h1 { margin: 0; padding: 1.5rem; border-bottom: 2px solid; font-size: clamp(1.4rem, 4vw, 2.4rem) } .byline { margin: 0;
padding: .75rem 1.5rem; border-bottom: 2px solid } .svc-blog { max-width: none } .svc-blog > * { margin: 0; padding:
1rem
1.5rem; border-bottom: 2px solid #000 } .svc-blog > :last-child { border-bottom: 0 } .svc-blog > :is(ul, ol) {
padding-inline-start: 3.5rem } .svc-blog > h2 { background: #000; color: #fff; font-size: 1.2rem } .svc-blog > h3 {
background: #ffe14d; font-size: 1.05rem } .svc-blog > pre { background: #111; color: #eee } .svc-blog > pre * { color:
inherit } .svc-blog > blockquote { border-inline: 0; background: #e6f0ff } .svc-blog > p:has(> img:only-child) {
padding: 0 }
.svc-blog p > img:only-child { width: 100%; display: block } .svc-blog > .svc-table { padding: 0 } .svc-blog table {
width:
100%; border: 0 } .svc-blog :is(td, th) { border: 0; border-inline-end: 2px solid; border-bottom: 2px solid; padding:
.6rem
1rem } .svc-blog > hr { padding: 0; border: 0; border-bottom: 2px solid; height: 1.5rem; background:
repeating-linear-gradient(45deg, #000 0 2px, #fff 2px 10px) } a { color: #000 }`,
    locales: ['en', 'de', 'pt', 'el', 'vi', 'fa', 'zh'],
    render: plain
  },
  {
    name: 'card-over-a-picture',
    half: 'tune',
    css: `${BASE}
body { font: clamp(1rem, .9rem + .4vw, 1.2rem)/1.7 "DejaVu Serif", serif; color: #1f2430; background: #eceff4 } .hero {
height: 60vh; background: linear-gradient(#0000, #000a), url(/assets/banner.jpg) center / cover; position: relative }
.hero
nav { padding: 1rem 1.5rem } .hero a { color: #fff; text-shadow: 0 0 4px #000 } .card { max-width: 46rem; margin: -6rem
auto
3rem; background: #fff; border-radius: 20px; padding: clamp(1.25rem, 5vw, 3.5rem); position: relative; box-shadow: 0
30px 60px
-20px #0005 } @media (max-width: 780px) { .card { margin-inline: 12px } } h1 { font-size: clamp(1.7rem, 5vw, 2.8rem);
line-height: 1.15 } .svc-blog { font-size: 1em } .svc-blog > p:first-of-type:not(:has(img)) { font-weight: 700;
font-size:
1.1em } :not([dir=rtl]) > body .svc-blog > h2 + p:not(:has(img))::first-letter { float: left; font-size: 3em;
line-height:
.85; padding-inline-end: .08em; color: #b3261e } .svc-blog blockquote { border: 0; color: #b3261e; font-size: 1.4em;
line-height: 1.35; text-align: center } .svc-blog p > img:only-child { border-radius: 12px } .svc-blog h2 { color:
#b3261e }
a { color: #b3261e } .site-footer { padding: 1.5rem; text-align: center }`,
    locales: ['en', 'de', 'pt', 'el', 'vi', 'fa'],
    render: (page) => `<div class="hero">${furniture.navigation(page)}</div><main class="card"><article>
${furniture.post(page)}</article>${furniture.tagList(page)}${furniture.authorBox(page)}</main>${furniture.footer(page)}`
  }
]
