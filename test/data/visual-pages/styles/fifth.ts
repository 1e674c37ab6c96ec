import { editBlocks, editElements } from '../edit.ts'
import * as furniture from '../furniture.ts'
import { toSections } from '../defects/third.ts'
import type { SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

const plainBody = (page: Parameters<SiteStyle['render']>[0], main: string): string =>
  `<header class="top">${furniture.navigation(page)}</header>${main}${furniture.footer(page)}`

/** Sites of the fifth set. All are faultless. */
export const FIFTH_TUNE: SiteStyle[] = [
  {
    name: 'centered-letters',
    half: 'tune',
    css: `${BASE}
body { font: 18px/1.75 "DejaVu Serif", Georgia, serif; color: #222; background: #fdfcf9; text-align: center }
.top, .site-footer { padding: 1.5rem } .top ul { justify-content: center }
main { max-width: 38rem; margin: 0 auto; padding: 1.25rem }
.svc-blog p, .svc-blog h2, .svc-blog h3 { text-align: center }
.svc-blog :is(ul, ol, pre, table, .svc-table) { text-align: start }
a { color: #8a3b12 }`,
    render: (page) => plainBody(page, `<main><article>${furniture.post(page)}</article></main>`)
  },
  {
    name: 'newspaper',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.5 "DejaVu Serif", Georgia, serif; color: #111; background: #fff }
.top { border-block: 3px double #111; padding: .5rem 1.5rem } .site-footer { padding: 1rem 1.5rem }
main { max-width: 64rem; margin: 0 auto; padding: 1rem 1.5rem }
h1 { font-size: clamp(2rem, 6vw, 3.4rem); line-height: 1.05; text-align: center; font-weight: 900 }
.byline { text-align: center; font-style: italic }
.svc-blog { max-width: none }
.svc-blog p { margin-block: 0; text-align: justify; hyphens: auto; text-indent: 1.2em }
.svc-blog :is(h2, h3) + p, .svc-blog > p:first-child, .svc-blog p:has(> img) { text-indent: 0 }
.svc-blog h2 { font-size: 1.2rem; text-transform: uppercase; letter-spacing: .06em; margin-block: 1.4em .4em }
.svc-blog > p:first-child::first-letter { float: inline-start; font-size: 3.4em; line-height: .85; padding-inline-end:
.08em; font-weight: 700 }
@media (min-width: 900px) { .svc-blog { columns: 2; column-gap: 2.5rem; column-rule: 1px solid #bbb } }
.svc-blog img { filter: grayscale(1) contrast(1.1) }
a { color: inherit }`,
    render: (page) => plainBody(page, `<main><article>${furniture.post(page)}</article></main>`)
  },
  {
    name: 'academic-serif',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.45 "DejaVu Serif", "Times New Roman", serif; color: #000; background: #fff; counter-reset: section }
.top, .site-footer { padding: 1rem 1.5rem; font-size: .9rem }
main { max-width: 40rem; margin: 0 auto; padding: 2rem 1.5rem }
h1, .byline { text-align: center } h1 { font-weight: 400; font-size: 1.8rem }
.svc-blog p { margin-block: .4em; text-align: justify; hyphens: auto }
.svc-blog h2 { counter-increment: section; counter-reset: part; font-size: 1.2rem; margin-block: 1.6em .6em }
.svc-blog h2::before { content: counter(section) "\\2003" }
.svc-blog h3 { counter-increment: part; font-size: 1.05rem; font-style: italic; font-weight: 400;
  margin-block: 1.2em .4em }
.svc-blog h3::before { content: counter(section) "." counter(part) "\\2003" }
.svc-blog > p:first-child { margin-inline: 2.5rem; font-size: .95em }
.svc-blog table { border-block: 2px solid #000; border-collapse: collapse; margin-inline: auto }
.svc-blog th { border-bottom: 1px solid #000; background: none } .svc-blog :is(td, th) { border-inline: 0 }
a { color: #00008b }`,
    render: (page) => plainBody(page, `<main><article>${furniture.post(page)}</article></main>`)
  },
  {
    name: 'brutalist',
    half: 'tune',
    css: `${BASE}
body { font: 20px/1.35 "DejaVu Sans Mono", monospace; color: #00f; background: #fff }
.top, .site-footer { border: 5px solid #00f; padding: .5rem; margin: .5rem }
main { padding: .5rem } main > article { max-width: 46rem }
h1 { font-size: clamp(2.2rem, 10vw, 6rem); line-height: .9; letter-spacing: -.06em; text-transform: uppercase;
  margin: 0 }
.svc-blog h2 { text-transform: uppercase; font-size: 2.2rem; line-height: 1; border-top: 5px solid; padding-top: .3em }
.svc-blog h3 { background: #00f; color: #fff; padding: .2em }
.svc-blog ul { list-style: square } .svc-blog blockquote { border: 5px solid #00f; padding: 1rem; margin: 0 }
.svc-blog :is(pre, th, code) { background: #ff0; color: #000 }
.svc-blog img { width: 100%; border: 5px solid }
a { color: #c00; text-decoration: underline 4px }`,
    render: (page) => plainBody(page, `<main><article>${furniture.post(page)}</article></main>`)
  },
  {
    name: 'docs-three-columns',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.7 "DejaVu Sans", sans-serif; color: #1c1e21; background: #fff }
.top { position: sticky; top: 0; height: 60px; padding: .75rem 1rem; background: #fff; box-shadow: 0 1px 2px #0003;
z-index: 10; overflow: hidden }
.docs { display: grid; grid-template-columns: 220px minmax(0, 1fr) 200px; max-width: 1300px; margin: 0 auto }
.menu { border-inline-end: 1px solid #ddd; padding: 1rem; position: sticky; top: 60px; height: calc(100vh - 60px);
overflow: auto } .menu ul { display: block }
.toc { padding: 1rem; font-size: .85rem; border-inline-start: 1px solid #ddd }
main { padding: 1.5rem 2rem; min-width: 0 }
@media (max-width: 996px) { .docs { display: block } .menu, .toc { display: none } main { padding: 1rem } }
.svc-blog pre { background: #f6f8fa; border-radius: 6px; padding: 1rem }
.svc-blog .self { text-decoration: none; opacity: .6; margin-inline-start: .4em }
.pager { display: flex; justify-content: space-between; gap: 1rem; border-top: 1px solid #ddd; padding-top: 1rem }
a { color: #1a5fb4 }`,
    prepare: (page) => {
      editElements(page, 'h2', 'all', (html) =>
        html.replace(
          /<h2 id="([^"]*)">([\s\S]*)<\/h2>/,
          '<h2 id="$1">$2<a class="self" href="#$1" aria-hidden="true" tabindex="-1">#</a></h2>'
        )
      )
    },
    render: (page) => `<header class="top">${furniture.navigation(page)}</header><div class="docs"><div
class="menu">${furniture.relatedList(page)}</div><main>${furniture.breadcrumbs(page)}<article>${furniture.post(page)}
</article><nav class="pager" aria-label="Pages"><a href="/a">← A</a><a href="/b">B →</a></nav></main><div
class="toc">${furniture.contents(page)}</div></div>${furniture.footer(page)}`
  },
  {
    name: 'dark-magazine',
    half: 'tune',
    css: `${BASE}
body { font: 19px/1.7 "DejaVu Serif", Georgia, serif; color: #e6e1d8; background: #14110f }
.top, .site-footer { padding: 1.25rem 2rem; letter-spacing: .08em }
.opening { min-height: 60vh; display: grid; align-content: end; padding: 2rem; background:
linear-gradient(#0000, #14110f), url(/assets/banner.jpg) center / cover }
.opening h1 { font-size: clamp(2.2rem, 7vw, 4.5rem); line-height: 1.05; max-width: 16ch; text-shadow: 0 2px 12px #000 }
main article { max-width: 42rem; margin: 0 auto; padding: 1.5rem }
.svc-blog > p:first-child { font-size: 1.25em; line-height: 1.5; color: #fff }
.svc-blog > p:first-child::first-letter { color: #e0a458; font-size: 1.6em }
.svc-blog h2 { font-weight: 400; font-size: 2rem; color: #e0a458; margin-block-start: 2.5em }
.svc-blog :is(pre, code, th) { background: #241f1b; color: #e6e1d8 }
.svc-blog blockquote { border: 0; font-size: 1.3em; font-style: italic; background: none; color: #e0a458 }
.svc-blog p:has(> img:only-child) { margin-inline: calc(-1 * min(8rem, max(0px, (100vw - 42rem) / 2 - 2rem))) }
.svc-blog p > img:only-child { width: 100% }
a { color: #e0a458 }`,
    render: (page) => `<header class="top">${furniture.navigation(page)}</header><div class="opening"><div>
${furniture.heading(page)}</div></div><main><article>${page.beforeArticle}${page.article}${page.afterArticle}</article>
</main>${furniture.footer(page)}`
  },
  {
    name: 'wiki',
    half: 'tune',
    css: `${BASE}
body { font: 15px/1.6 "DejaVu Sans", sans-serif; color: #202122; background: #f6f6f6 }
.top, .site-footer { padding: .75rem 1.5rem }
main { max-width: 68rem; margin: 0 auto; padding: 1.25rem; background: #fff; border: 1px solid #a7d7f9 }
h1, .svc-blog h2 { font-family: "DejaVu Serif", serif; font-weight: 400; border-bottom: 1px solid #a2a9b1 }
.svc-blog { max-width: 52rem }
.contents { display: table; border: 1px solid #a2a9b1; background: #f8f9fa; padding: .5rem 1rem; margin-block: 1rem }
.svc-blog p { margin-block: .5em }
@media (min-width: 800px) { .svc-blog p:has(> img:only-child) { float: inline-end; clear: inline-end; width: 300px;
margin: 0 0 1rem 1.5rem; padding: 4px; border: 1px solid #c8ccd1; background: #f8f9fa } }
.svc-blog :is(h2, pre, .svc-table, table) { clear: none }
a { color: #0645ad; text-decoration: none }`,
    render: (page) =>
      plainBody(
        page,
        `<main><article>${furniture.heading(page)}${furniture.contents(page)}${page.beforeArticle}${page.article}
${page.afterArticle}</article></main>`
      )
  },
  {
    name: 'terminal',
    half: 'tune',
    css: `${BASE}
body { font: 15px/1.6 "DejaVu Sans Mono", monospace; color: #9ef09e; background: #050805 }
.top, .site-footer, main { max-width: 50rem; margin: 0 auto; padding: 1rem }
h1, h2, h3 { font-size: 1rem; font-weight: 700; color: #fff }
.svc-blog h2::before { content: "## " } .svc-blog h3::before { content: "### " } h1::before { content: "# " }
.svc-blog ul { list-style: "- " } .svc-blog :is(pre, code, th, blockquote) { background: #0e160e; color: #9ef09e }
.svc-blog img { filter: grayscale(1) sepia(1) hue-rotate(60deg) }
a { color: #7fd7ff }`,
    render: (page) => plainBody(page, `<main><article>${furniture.post(page)}</article></main>`)
  },
  {
    name: 'numbered-cards',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.6 "DejaVu Sans", sans-serif; color: #243; background: #eef4ef }
.top, .site-footer { padding: 1rem 1.5rem }
main { max-width: 54rem; margin: 0 auto; padding: 1rem }
.part { background: #fff; border-radius: 16px; padding: 1.25rem 1.5rem; margin-block: 1.25rem }
@media (min-width: 900px) { .part { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 0 2rem }
  .part > * { grid-column: 2; min-width: 0 } .part > h2 { grid-column: 1; grid-row: 1 / span 30; margin-block-start: 0 }
  .part > p { margin-block-start: 0 } }
.svc-blog { max-width: none }
a { color: #166534 }`,
    prepare: (page) => {
      editBlocks(page, (blocks) =>
        toSections(blocks).map((section) => `<section class="part">${section.join('')}</section>`)
      )
    },
    render: (page) => plainBody(page, `<main><article>${furniture.post(page)}</article></main>`)
  },
  {
    name: 'wide-margin-notes',
    half: 'tune',
    css: `${BASE}
body { font: 19px/1.55 "DejaVu Serif", Palatino, serif; color: #111; background: #fffff8 }
.top, .site-footer, main { padding: 1rem 6vw }
h1, h2, h3 { font-weight: 400; font-style: italic }
.svc-blog { max-width: none }
@media (min-width: 900px) { .svc-blog > * { max-width: 34rem } .svc-blog > blockquote { float: inline-end; clear: both;
width: 30%; margin: 0; font-size: .85em; border: 0; font-style: italic; background: none } .svc-blog p:has(> img) {
max-width: 34rem } }
.svc-blog ul { list-style: none; padding-inline-start: 1.2em } .svc-blog ul > li:not(:has(input))::before {
content: "–"; margin-inline-start: -1.2em; display: inline-block; width: 1.2em }
a { color: inherit; text-underline-offset: .2em }`,
    render: (page) => plainBody(page, `<main><article>${furniture.post(page)}</article></main>`)
  }
]
