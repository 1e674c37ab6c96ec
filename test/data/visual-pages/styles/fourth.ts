import { editBlocks, editElements } from '../edit.ts'
import * as furniture from '../furniture.ts'
import { toSections } from '../defects/third.ts'
import type { SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

const plainBody = (page: Parameters<SiteStyle['render']>[0], main: string): string =>
  `<header class="top">${furniture.navigation(page)}</header>${main}${furniture.footer(page)}`

/** Sites of the fourth set: designs that the other sets lack. All are faultless. */
export const FOURTH_TUNE: SiteStyle[] = [
  {
    name: 'two-column-magazine',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.5 "DejaVu Serif", Georgia, serif; color: #1a1a1a; background: #fff }
.top, .site-footer { padding: 1rem 1.5rem }
main { max-width: 62rem; margin: 0 auto; padding: 1rem 1.5rem }
h1 { font-size: clamp(2rem, 5vw, 3rem); line-height: 1.1 }
@media (min-width: 900px) { .svc-blog { columns: 2; column-gap: 3rem; column-rule: 1px solid #ccc; max-width: none }
  .svc-blog :is(h2, h3) { break-after: avoid } .svc-blog :is(img, pre, table, blockquote, iframe) { break-inside:
avoid } }
a { color: #7a1f1f }`,
    render: (page) => plainBody(page, `<main><article>${furniture.post(page)}</article></main>`)
  },
  {
    name: 'dark-cards',
    half: 'tune',
    css: `${BASE}
:root { color-scheme: dark }
body { font: 16px/1.65 "DejaVu Sans", sans-serif; color: #d7dce5; background: #0e1218 }
.top, .site-footer { padding: 1rem }
main { max-width: 48rem; margin: 0 auto; padding: 1rem }
.section { background: #182030; border: 1px solid #2b364b; border-radius: 14px; padding: 1rem 1.5rem; margin-block:
1rem }
.svc-blog :is(pre, code, th, blockquote) { background: #0b0f16; color: #d7dce5 }
a { color: #8ab4ff }`,
    prepare: (page) => {
      editBlocks(page, (blocks) =>
        toSections(blocks).map((section) => `<section class="section">${section.join('')}</section>`)
      )
    },
    render: (page) =>
      plainBody(page, `<main><article>${furniture.post(page)}</article>${furniture.relatedCards(page)}</main>`)
  },
  {
    name: 'page-builder',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.6 "DejaVu Sans", sans-serif; color: #333; background: #fff }
.row { display: flex; flex-wrap: wrap; max-width: 1140px; margin: 0 auto }
.column { flex: 1 1 100%; padding: 10px; min-width: 0 }
.wrap { display: flex; flex-flow: column; width: 100% }
.widget-text { width: 100%; max-width: 760px; margin: 0 auto }
a { color: #a0184d }
figure { margin: 0 }`,
    prepare: (page) => {
      // Page builders put each block into boxes of its own.
      editBlocks(page, (blocks) =>
        blocks.map((block) => `<div class="block"><div class="block-inner">${block}</div></div>`)
      )
    },
    render: (page) => `<div class="row"><div class="column"><div class="wrap"><div><header>${furniture.navigation(page)}
</header></div></div></div></div><main><div class="row"><div class="column"><div class="wrap"><div><div
class="widget-text">
<div>${furniture.heading(page)}</div></div></div></div></div></div><div class="row"><div class="column"><div
class="wrap">
<div><div
class="widget-text"><div>${page.beforeArticle}${page.article}${page.afterArticle}</div></div></div></div></div></div>
</main><div class="row"><div class="column">${furniture.footer(page)}</div></div>`
  },
  {
    name: 'grid-breakout',
    half: 'tune',
    css: `${BASE}
body { font: 18px/1.65 "DejaVu Serif", Georgia, serif; color: #15171a; background: #fff }
.top, .site-footer { padding: 1rem 4vw }
.canvas, .svc-blog { display: grid; max-width: none !important; padding: 0 !important; margin: 0 !important;
  grid-template-columns: [full-start] minmax(4vw, 1fr) [wide-start] minmax(0, 120px)
  [main-start] min(680px, 92vw) [main-end] minmax(0, 120px) [wide-end] minmax(4vw, 1fr) [full-end] }
.canvas > * { grid-column: main } .canvas > .svc-blog { grid-column: full }
.svc-blog > * { grid-column: main; min-width: 0 }
.svc-blog > p:has(> img:only-child) { grid-column: wide }
.svc-blog > p > img:only-child { width: 100%; height: auto }
.svc-blog > .svc-table, .svc-blog > div { grid-column: main }
a { color: #c2185b }`,
    render: (page) => plainBody(page, `<main><article class="canvas">${furniture.post(page)}</article></main>`)
  },
  {
    name: 'inner-scroller',
    half: 'tune',
    css: `${BASE}
html, body { height: 100% }
body { font: 16px/1.6 "DejaVu Sans", sans-serif; color: #222; background: #f7f7f9; display: grid;
  grid-template-rows: auto minmax(0, 1fr) }
.top { padding: .75rem 1rem; background: #fff; border-bottom: 1px solid #ddd }
.scroller { overflow: auto }
.paper { max-width: 46rem; margin: 1rem auto; padding: 1.5rem; background: #fff }
a { color: #0b5cad }`,
    render: (
      page
    ) => `<header class="top">${furniture.navigation(page)}</header><div class="scroller"><main class="paper">
<article>${furniture.post(page)}</article>${furniture.footer(page)}</main></div>`
  },
  {
    name: 'novel',
    half: 'tune',
    css: `${BASE}
body { font: 19px/1.5 "DejaVu Serif", Georgia, serif; color: #1c1a17; background: #f8f4ea }
.top, .site-footer { text-align: center; padding: 1rem } .top ul { justify-content: center }
main { max-width: 34rem; margin: 0 auto; padding: 1rem 1.25rem }
h1, .svc-blog h2 { text-align: center; font-weight: 400; font-variant-caps: small-caps }
.svc-blog p { margin-block: 0; text-align: justify; hyphens: auto }
.svc-blog p + p { text-indent: 1.4em }
.svc-blog p:has(> img) { margin-block: 1.5em; text-indent: 0 }
.svc-blog > p:first-child::first-letter { initial-letter: 2; margin-inline-end: .2em }
a { color: inherit }`,
    render: (page) => plainBody(page, `<main><article>${furniture.post(page)}</article></main>`)
  },
  {
    name: 'swiss-hanging-headings',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.55 "DejaVu Sans", sans-serif; color: #000; background: #fff }
.top, .site-footer { padding: 1rem 1.5rem }
main { max-width: 70rem; margin: 0 auto; padding: 1.5rem }
@media (min-width: 900px) { .svc-blog { max-width: none }
  .svc-blog > * { margin-inline-start: 18rem !important; max-width: 40rem }
  .svc-blog > h2 { float: inline-start; width: 15rem; margin: 0 !important; clear: both; font-size: 1.1rem } }
a { color: #d00000 }`,
    render: (page) => plainBody(page, `<main><article>${furniture.post(page)}</article></main>`)
  },
  {
    name: 'mail-tables',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.5 "DejaVu Sans", Arial, sans-serif; color: #222; background: #eceff3 }
.mail, .inner { table-layout: fixed } .mail { width: 100%; border-collapse: collapse } .mail td { padding: 0 }
.inner { width: 100%; max-width: 640px; margin: 0 auto; background: #fff } .inner > tbody > tr > td { padding: 20px }
a { color: #1155cc }`,
    render: (page) => `<table role="presentation" class="mail"><tr><td align="center"><table role="presentation"
class="inner"><tr><td align="start"><header>${furniture.navigation(page)}</header></td></tr><tr><td
style="text-align: start"><main>
${furniture.post(page)}</main></td></tr><tr><td style="text-align:
start">${furniture.footer(page)}</td></tr></table></td></tr></table>`
  },
  {
    name: 'card-over-cover',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.7 "DejaVu Sans", sans-serif; color: #2d2d2d; background: #f1f1ee }
.cover { height: 52vh; background: linear-gradient(#0006, #0006), url(/assets/banner.jpg) center / cover }
.cover nav { padding: 1rem 1.5rem } .cover a { color: #fff; text-shadow: 0 0 4px #000 }
.sheet { position: relative; max-width: 48rem; margin: -8rem auto 2rem; padding: 2.5rem clamp(1.25rem, 5vw, 4rem);
  background: #fff; border-radius: 18px; box-shadow: 0 10px 40px #0002 }
.site-footer { padding: 1rem 1.5rem }
a { color: #b4450b }`,
    render: (page) => `<header class="cover">${furniture.navigation(page)}</header><main class="sheet"><article>
${furniture.post(page)}</article>${furniture.tagList(page)}</main>${furniture.footer(page)}`
  },
  {
    name: 'lined-paper',
    half: 'tune',
    css: `${BASE}
body { font: 17px/28px "DejaVu Sans", sans-serif; color: #26303a;
  background: repeating-linear-gradient(#fffef8 0 27px, #dfe8f0 27px 28px) }
main { max-width: 42rem; margin: 0 auto; padding: 28px 24px; border-inline-start: 2px solid #e7a1a1 }
.top, .site-footer { padding: 28px 24px }
h1, h2, h3 { line-height: 1.3 }
a { color: #174ea6 }`,
    render: (page) => plainBody(page, `<main><article>${furniture.post(page)}</article></main>`)
  },
  {
    name: 'loud-blocks',
    half: 'tune',
    css: `${BASE}
body { font: 18px/1.5 "DejaVu Sans Mono", monospace; color: #000; background: #ffe94a }
.top, .site-footer { padding: 1rem; border-block: 4px solid #000; background: #fff }
main { margin: 0 0 0 clamp(0px, 6vw, 6rem); max-width: 52rem; padding: 1.25rem; background: #fff; border: 4px solid
#000 }
h1 { font-size: clamp(2rem, 7vw, 4rem); line-height: 1; letter-spacing: -.03em }
.svc-blog h2 { background: #000; color: #ffe94a; padding: .3em .5em; display: inline-block }
.svc-blog img { border: 4px solid #000; box-shadow: 8px 8px 0 #000; max-width: calc(100% - 12px) }
.svc-blog a { color: #000; background: #9cf; text-decoration: underline 3px }`,
    render: (page) => plainBody(page, `<main><article>${furniture.post(page)}</article></main>`)
  },
  {
    name: 'app-shell',
    half: 'tune',
    css: `${BASE}
body { font: 15px/1.65 "DejaVu Sans", sans-serif; color: #24292f; background: #fff }
.rail { position: fixed; inset-block: 0; inset-inline-start: 0; width: 230px; padding: 1rem; background: #f4f5f7;
  overflow: auto } .rail ul { display: block }
.content { margin-inline-start: 230px; padding: 1.5rem 2rem } .content article { max-width: 46rem }
.tabs { display: none }
@media (max-width: 800px) { .rail { display: none } .content { margin: 0; padding: 1rem 1rem 5rem }
  .tabs { display: flex; position: fixed; inset: auto 0 0; height: 56px; background: #fff; border-top: 1px solid #ccc;
    justify-content: space-around; align-items: center; z-index: 30 } .tabs a { padding: .6rem } }
a { color: #0969da }`,
    render: (page) => `<aside class="rail">${furniture.navigation(page)}</aside><div class="content"><main><article>
${furniture.breadcrumbs(page)}${furniture.post(page)}</article></main>${furniture.footer(page)}</div>
<nav class="tabs" aria-label="Tabs"><a href="/">A</a><a href="/b">B</a><a href="/c">C</a></nav>`
  },
  {
    name: 'soft-gradient',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.7 "DejaVu Sans", sans-serif; color: #262238;
  background: linear-gradient(160deg, #fdf2f8, #eef2ff 40%, #ecfeff) fixed }
.top, .site-footer { padding: 1rem 1.5rem }
main { max-width: 44rem; margin: 0 auto; padding: 1rem 1.5rem }
.svc-blog h2 { background: linear-gradient(90deg, #6d28d9, #be185d); background-clip: text; color: transparent;
  -webkit-background-clip: text }
.svc-blog img { border-radius: 24px }
.svc-blog blockquote { border: 0; border-radius: 16px; background: #fff9; padding: 1rem 1.5rem }
a { color: #6d28d9 }`,
    render: (page) => plainBody(page, `<main><article>${furniture.post(page)}</article></main>`)
  },
  {
    name: 'timeline',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.6 "DejaVu Sans", sans-serif; color: #20262e; background: #fff }
.top, .site-footer { padding: 1rem 1.5rem }
main { max-width: 46rem; margin: 0 auto; padding: 1rem 1.5rem }
.svc-blog { border-inline-start: 3px solid #b8c4d2; padding-inline-start: 1.5rem }
.svc-blog h2 { position: relative }
.svc-blog h2::after { content: ""; position: absolute; inset-inline-start: calc(-1.5rem - 9px); inset-block-start:
.35em; width: 15px;
  height: 15px; border-radius: 50%; background: #2563eb }
a { color: #1d4ed8 }`,
    render: (page) =>
      plainBody(page, `<main><article>${furniture.post(page)}</article>${furniture.authorBox(page)}</main>`)
  },
  {
    name: 'sticky-contents',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.6 "DejaVu Sans", sans-serif; color: #1b1b1f; background: #fff }
.top { position: sticky; inset-block-start: 0; background: #fffd; backdrop-filter: blur(6px); padding: .75rem 1.5rem;
z-index: 5 }
.layout { display: grid; grid-template-columns: minmax(0, 44rem) 14rem; gap: 3rem; justify-content: center; padding:
1.5rem }
.aside { position: sticky; top: 5rem; align-self: start; font-size: .9rem }
@media (max-width: 900px) { .layout { display: block } .aside { position: static } }
.meter { position: fixed; inset: 0 auto auto 0; height: 4px; width: 30%; background: #16a34a; z-index: 9 }
.svc-blog { font-size: 1.05rem } .svc-blog img { display: block; margin-inline: auto; width: 80% }
.site-footer { padding: 1rem 1.5rem }
a { color: #15803d }`,
    prepare: (page) => {
      editElements(page, 'h2', 'all', (html) =>
        html.replace(
          /<h2 id="([^"]*)">/,
          '<h2 id="$1"><a class="self" href="#$1" aria-hidden="true" tabindex="-1">#</a> '
        )
      )
    },
    render: (
      page
    ) => `<div class="meter" aria-hidden="true"></div><header class="top">${furniture.navigation(page)}</header>
<div class="layout"><main><article>${furniture.post(page)}</article></main><div
class="aside">${furniture.contents(page)}
</div></div>${furniture.footer(page)}`
  }
]
