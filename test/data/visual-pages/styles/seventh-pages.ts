import { addHead, editBlocks, editElements, say } from '../edit.ts'
import * as furniture from '../furniture.ts'
import type { Page, SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

const around = (page: Page, main: string): string =>
  `<header class="top">${furniture.navigation(page)}</header>${main}${furniture.footer(page)}`
const plain = (page: Page): string => around(page, `<main><article>${furniture.post(page)}</article></main>`)

const PICTURE = /^<p>(<img[^>]*>)<\/p>$/
const COLUMN = '.top, .site-footer, main { max-width: 46rem; margin: 0 auto; padding: 1rem 1.5rem }'

/** The alternative text of an image as it is in HTML. */
const altOf = (html: string): string => / alt="([^"]*)"/.exec(html)?.[1] ?? ''

/** Sites of the seventh set that rebuild parts of the page. All are faultless. */
export const SEVENTH_PAGES: SiteStyle[] = [
  {
    name: 'shelf-of-side-notes',
    half: 'tune',
    css: `${BASE}
body { font: 18px/1.6 "DejaVu Serif", et-book, serif; color: #111; background: #fffff8 } .top, .site-footer, main {
width:
min(92%, 70rem); margin: 0 auto; padding-block: 1rem } h1 { font-weight: 400; font-style: italic; font-size: 2.4rem }
.svc-blog { max-width: none } @media (min-width: 900px) { .svc-blog { display: grid; grid-template-columns: minmax(0,
38rem)
minmax(0, 1fr); column-gap: 3rem } .svc-blog > * { grid-column: 1 } .svc-blog > .sidenote { grid-column: 2; align-self:
start; font-size: .85rem; line-height: 1.45; margin: 0; height: 0 } .svc-blog > :is(blockquote) { grid-column: 1 } }
.sidenote { font-size: .9rem; color: #444; font-family: "DejaVu Sans", sans-serif } .svc-blog h2 { font-style: italic;
font-weight: 400 } .svc-blog table { border-collapse: collapse } .svc-blog :is(td, th) { border: 0; background: none }
.svc-blog thead tr { border-bottom: 1px solid #111 } .svc-blog a { color: inherit; text-decoration: underline;
text-underline-offset: .15em }`,
    prepare: (page) => {
      const label = say(page, { en: 'Keep this in mind.', de: 'Zum Merken.', ar: 'للتذكير.', ja: 'ご参考まで。' })
      let texts = 0
      editBlocks(page, (blocks) =>
        blocks.flatMap((block) =>
          /^<p>(?!<img)/.test(block) && ++texts % 3 === 1
            ? [`<aside class="sidenote" aria-label="${label}">※ ${label}</aside>`, block]
            : [block]
        )
      )
    },
    render: plain
  },
  {
    name: 'hydrated-template',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.65 "DejaVu Sans", sans-serif; color: #22303c; background: #f7f9fa } ${COLUMN} main { background:
#fff;
border-radius: 16px; padding: 2rem clamp(1rem, 5vw, 3rem); box-shadow: 0 8px 24px #1c2a3a14 } .skeleton { height: 40rem;
background: linear-gradient(#e8eef2 60%, #0000 60%) 0 / 100% 2em } .svc-blog > :is(p, ul, ol, pre, .svc-table) {
content-visibility: auto; contain-intrinsic-size: auto 4rem } a { color: #0a6a5f }`,
    prepare: (page) => {
      page.article = page.article.trim()
    },
    render: (page) =>
      around(
        page,
        `<main><article>${furniture.heading(page)}<div id="app"><div class="skeleton" aria-hidden="true"></div></div>
<template id="post">${page.beforeArticle}${page.article}${page.afterArticle}</template></article></main><script>
addEventListener('DOMContentLoaded', () => requestAnimationFrame(() => document.getElementById('app').replaceChildren(
document.getElementById('post').content.cloneNode(true))))
</script>`
      )
  },
  {
    name: 'reader-in-sepia',
    half: 'tune',
    css: `${BASE}
:root { color-scheme: light dark; --paper: light-dark(oklch(94% .03 85), oklch(24% .01 60)); --ink:
light-dark(oklch(32% .04
50), oklch(88% .02 80)); --edge: color-mix(in oklab, var(--ink) 30%, var(--paper)) } body { font: 1.25rem/1.7 "DejaVu
Serif", Bookerly, serif; background: var(--paper); color: var(--ink) } .tools { position: sticky; top: 0; display: flex;
gap: .5rem; justify-content: flex-end; padding: .5rem 1rem; background: color-mix(in oklab, var(--paper) 92%, #000 8%);
z-index: 5 } .tools button { min-width: 44px; min-height: 36px; background: none; border: 1px solid var(--edge); color:
inherit; border-radius: 6px } main, .site-footer { max-width: 36rem; margin: 0 auto; padding: 2rem 1.25rem } h1 {
font-size:
2rem; line-height: 1.25 } .svc-blog { font-size: 1em; --svc-line-height: 1.7 } .svc-blog :is(h2, h3) { font-size: 1.2em
}
.svc-blog blockquote { border-inline-start: 2px solid var(--edge) } .svc-blog img { mix-blend-mode: multiply;
border-radius:
2px } @media (prefers-color-scheme: dark) { .svc-blog img { mix-blend-mode: normal; filter: brightness(.85) } }
.svc-blog a
{ color: light-dark(#7a2e0e, #f0b48a) }
a { color: inherit }`,
    render: (page) => `<div class="tools"><button type="button">A−</button><button type="button">A+</button><button
type="button" aria-label="Theme">◐</button></div><main><article>${furniture.post(page)}</article></main>
${furniture.footer(page)}`
  },
  {
    name: 'zoomable-figures',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.65 "DejaVu Sans", sans-serif; color: #1a202c; background: #fff } ${COLUMN}
.zoom { position: relative; margin: 2rem 0; border-radius: 14px; overflow: hidden; background: #e2e8f0; display: block;
aspect-ratio: var(--ratio) } .zoom img { width: 100%; height: 100%; object-fit: cover; display: block; cursor: zoom-in;
transition: transform .3s } .zoom:hover img { transform: scale(1.03) } .zoom button { position: absolute; inset: auto
12px
12px auto; width: 40px; height: 40px; border: 0; border-radius: 50%; background: #000a; color: #fff; font-size: 18px }
.figure { margin: 0 } .figure figcaption { font-size: .875rem; color: #4a5568; margin-top: -1.4rem; margin-bottom: 2rem;
text-align: center } .svc-blog blockquote { border: 0; border-radius: 14px; background: #edf2f7; padding: 1.25rem
1.5rem }
.svc-blog .svc-table { border-radius: 14px; border: 1px solid #cbd5e0; overflow: auto } .svc-blog table { width: 100%;
border-collapse: collapse; border: 0 } .svc-blog :is(td, th) { border: 0; padding: .75rem 1rem } .svc-blog tbody tr +
tr td
{ border-top: 1px solid #cbd5e0 } .svc-blog pre { border-radius: 14px; background: #1a202c; color: #e2e8f0; padding:
1.25rem } .svc-blog pre * { color: inherit } a { color: #2b6cb0 } dialog { border: 0; padding: 0 }`,
    prepare: (page) => {
      editBlocks(page, (blocks) => [
        ...blocks.map((block) =>
          block.replace(PICTURE, (_, img: string) => {
            const [width, height] = ['width', 'height'].map((name) => new RegExp(` ${name}="(\\d+)"`).exec(img)?.[1])
            return (
              `<figure class="figure"><div class="zoom" style="--ratio: ${width} / ${height}">${img}<button ` +
              `type="button" aria-label="Zoom">⤢</button></div><figcaption>${altOf(img)}</figcaption></figure>`
            )
          })
        ),
        '<dialog id="lightbox" aria-label="Zoom"></dialog>'
      ])
    },
    render: plain
  },
  {
    name: 'links-with-previews',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.7 "DejaVu Sans", sans-serif; color: #202122; background: #fff } ${COLUMN} .svc-blog
a[href^="http"]::after
{ content: "↗"; font-size: .75em; vertical-align: super; margin-inline-start: .1em; text-decoration: none; display:
inline-block } .svc-blog a[href^="/"]::before { content: ""; display: inline-block; width: .85em; height: .85em;
background:
url(/assets/icon.jpg) center / cover; border-radius: 2px; margin-inline-end: .25em; vertical-align: -.05em } .preview {
position: absolute; visibility: hidden; opacity: 0; width: 16rem; background: #fff; border: 1px solid #c8ccd1;
box-shadow: 0
20px 48px #0003; padding: .75rem; font-size: .8rem; z-index: 9 } .linked { position: relative } .linked:hover .preview {
visibility: visible; opacity: 1 } .svc-blog h2 { font-family: "DejaVu Serif", serif; font-weight: 400; border-bottom:
1px
solid #a2a9b1 } .svc-blog a { color: #3056a9; text-decoration: none; background: linear-gradient(#3056a9, #3056a9) 0
100% /
100% 1px no-repeat } .svc-blog sup a { background: none } .svc-blog sup a::before { content: "[" } .svc-blog sup
a::after {
content: "]" } a { color: #3056a9 }`,
    prepare: (page) => {
      if (!page.article.includes('<a href="/')) return
      editElements(page, 'a', 'all', (html) =>
        html.startsWith('<a href="/')
          ? `<span class="linked">${html}<span class="preview" aria-hidden="true"><b>★</b> 4 min</span></span>`
          : html
      )
    },
    render: plain
  },
  {
    name: 'gradient-titles',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.7 "DejaVu Sans", sans-serif; color: #1e1b4b; background: radial-gradient(at 0 0, #e0e7ff, #0000
50%),
radial-gradient(at 100% 20%, #fce7f3, #0000 50%), #f8fafc } ${COLUMN} h1, .svc-blog h2 { background:
linear-gradient(90deg,
#4338ca, #be185d); background-clip: text; -webkit-text-fill-color: transparent; color: #4338ca; padding-bottom: .1em }
h1 { font-size: clamp(2rem, 6vw, 3.2rem); line-height: 1.15 } .svc-blog > :is(pre, blockquote, .svc-table) { border: 0;
border-radius: 20px; background: #eef1f8; box-shadow: 8px 8px 16px #c9cfe0, -8px -8px 16px #fff; padding: 1.25rem
1.5rem;
margin-block: 2rem } .svc-blog table { width: 100%; border: 0 } .svc-blog :is(td, th) { border: 0; background: none }
.svc-blog p > img { border-radius: 20px; box-shadow: 0 20px 40px -12px #4338ca66 } .svc-blog strong { background:
linear-gradient(#fde68a, #fde68a) 0 90% / 100% 35% no-repeat; font-weight: 700 } .svc-blog ul > li::marker { color:
#be185d
} .chip { display: inline-block; border-radius: 99px; background: #e0e7ff; padding: .2rem .8rem } a { color: #4338ca }`,
    render: (page) =>
      around(
        page,
        `<main><article><p><span class="chip">${page.post.blog.category ?? ''}</span></p>${furniture.post(page)}
</article></main>`
      )
  },
  {
    name: 'scrapbook',
    half: 'tune',
    css: `${BASE}
body { font: 18px/1.7 "DejaVu Sans", "Patrick Hand", cursive; color: #2b2b2b; background: #efe6d8 } ${COLUMN} main {
background: #fffdf8; box-shadow: 0 2px 8px #0002; margin-block: 1rem } .svc-blog > p:has(> img:only-child) { background:
#fff; padding: 12px 12px 40px; box-shadow: 0 4px 14px #0003; transform: rotate(-1.2deg); width: fit-content; margin:
2.5rem
auto; position: relative } .svc-blog > p:nth-of-type(even):has(> img:only-child) { transform: rotate(1.4deg) }
.svc-blog >
p:has(> img:only-child)::before { content: ""; position: absolute; inset: -14px auto auto 40%; width: 90px; height:
28px;
background: #f3dd8eb3; transform: rotate(-3deg) } .svc-blog p > img { display: block } .svc-blog strong { background:
linear-gradient(100deg, #ff0 1%, #ffff00b3 3%, #ffff0080 97%, #ff03) } .svc-blog a { color: #1a4d8f; text-decoration:
wavy
underline; text-underline-offset: 4px; text-decoration-thickness: 1px } .svc-blog h2 { transform: rotate(-.6deg);
border-bottom: 3px solid #e07a5f; border-radius: 0 0 50% 0 / 0 0 8px 0; display: inline-block } .svc-blog blockquote {
background: #fef08a; border: 0; padding: 1.5rem; box-shadow: 4px 6px 12px #0002; max-width: 26rem; margin: 2rem auto }
.svc-blog ul { list-style: "✎ " } .svc-blog table { border: 2px dashed #b8a78a } .svc-blog :is(td, th) { border: 1px
dashed
#b8a78a; background: none } a { color: #1a4d8f }`,
    render: plain
  },
  {
    name: 'split-screen',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.65 "DejaVu Sans", sans-serif; color: #202020; background: #fff } .cover { background: #26323b
url(/assets/banner.jpg) center / cover; background-blend-mode: multiply; background-color: #555; color: #fff; padding:
2rem
clamp(1rem, 4vw, 3rem); display: flex; flex-direction: column; justify-content: flex-end; min-height: 60vh } .cover h1 {
font-size: clamp(1.8rem, 3.4vw, 3rem); line-height: 1.1; text-shadow: 0 1px 12px #000 } .cover a { color: #fff } @media
(min-width: 1000px) { .cover { position: fixed; inset: 0 auto 0 0; width: 45%; min-height: 0 } .text { margin-left: 45%
}
[dir=rtl] .cover { inset: 0 0 0 auto } [dir=rtl] .text { margin: 0 45% 0 0 } } .text { padding: 3rem clamp(1rem, 4vw,
4rem) } .svc-blog { max-width: 40rem } .svc-blog h2 { font-size: 1.1rem; text-transform: uppercase; letter-spacing:
.08em }
.svc-blog a { color: #0b6e4f }`,
    render: (page) => `<header class="cover"><strong>${furniture.siteName(page)}</strong>${furniture.heading(page)}
</header><main class="text"><article>${page.beforeArticle}${page.article}${page.afterArticle}</article>
${furniture.authorBox(page)}${furniture.footer(page)}</main>`
  },
  {
    name: 'one-sheet-of-rows',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.65 "DejaVu Sans", sans-serif; color: #1c1c1e; background: #f2f2f7 } ${COLUMN} .svc-blog > * {
background: #fff; margin: 0; padding: .8rem 1.2rem; border-inline: 1px solid #e0e0e6 } .svc-blog > :first-child {
border-radius: 14px 14px 0 0; border-top: 1px solid #e0e0e6 } .svc-blog > :last-child { border-radius: 0 0 14px 14px;
border-bottom: 1px solid #e0e0e6 } .svc-blog > :is(ul, ol) { padding-inline-start: 2.6rem } .svc-blog > h2 { border-top:
10px solid #f2f2f7; font-size: 1.3rem } .svc-blog > p:has(> img:only-child) { padding-inline: 0 } .svc-blog p >
img:only-child
{ width: 100%; display: block } .svc-blog > blockquote { box-shadow: inset 5px 0 #0a7aff; font-style: italic }
[dir=rtl] .svc-blog > blockquote { box-shadow: inset -5px 0 #0a7aff } .svc-blog > hr { border: 0; border-inline: 1px
solid
#e0e0e6; height: 24px; background: radial-gradient(circle, #999 2px, #0000 3px) center / 24px 24px repeat-x #fff;
padding: 0
} a { color: #0a5ac2 }`,
    prepare: (page) => {
      addHead(page, '<meta name="theme-color" content="#f2f2f7">')
    },
    render: plain
  }
]
