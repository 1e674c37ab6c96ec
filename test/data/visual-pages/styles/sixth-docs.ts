import { editElements } from '../edit.ts'
import * as furniture from '../furniture.ts'
import type { Page, SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

const around = (page: Page, main: string): string =>
  `<header class="top">${furniture.navigation(page)}</header>${main}${furniture.footer(page)}`
const plain = (page: Page): string => around(page, `<main><article>${furniture.post(page)}</article></main>`)

/** Replaces each code block by what a highlighter of the site makes of it. */
const editCode = (page: Page, edit: (html: string) => string): void => {
  if (page.article.includes('<pre')) editElements(page, 'pre', 'all', edit)
}

const countLines = (html: string): number =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .trimEnd()
    .split('\n').length

/** Sites of the sixth set like documentation, notes and old windows. All are faultless. */
export const SIXTH_DOCS: SiteStyle[] = [
  {
    name: 'material-docs',
    half: 'tune',
    css: `${BASE}
html { font-size: 125% }
body { font: .8rem/1.6 "DejaVu Sans", Roboto, sans-serif; color: rgba(0, 0, 0, .87); background: #fff }
.md-header { position: sticky; top: 0; background: #4051b5; color: #fff; padding: .4rem 1rem; z-index: 4;
box-shadow: 0 0 .2rem #0002, 0 .2rem .4rem #0003 } .md-header a { color: #fff; font-size: .7rem }
.md-main { display: flex; max-width: 61rem; margin: 0 auto } .md-sidebar { width: 12rem; flex: none; padding: 1rem
.6rem;
font-size: .7rem } .md-sidebar ul { display: block } .md-content { flex: 1; min-width: 0; padding: 1rem 1.2rem }
@media (max-width: 76em) { .md-sidebar { display: none } }
h1 { font-weight: 300; font-size: 2em; color: rgba(0, 0, 0, .64); letter-spacing: -.01em }
.svc-blog h2 { font-weight: 300; font-size: 1.5625em; letter-spacing: -.01em } .svc-blog h3 { font-weight: 400;
font-size: 1.25em }
.headerlink { color: rgba(0, 0, 0, .54); margin-inline-start: .5rem; opacity: 0; transition: opacity .25s;
text-decoration: none } :hover > .headerlink { opacity: 1 }
.highlight { position: relative; margin-block: 1em; background: #f5f5f5 } .highlighttable { width: 100%; min-width: 0;
display: flow-root; overflow: hidden; border: 0 } .highlighttable > tbody, .highlighttable > tbody > tr { display:
flex }
.highlighttable tr > td { border: 0; padding: 0 } .highlighttable .linenos { flex: none; user-select: none }
.highlighttable .code
{ flex: 1; min-width: 0 } .highlight pre { margin: 0; font-size: .85em; line-height: 1.4; padding: .77em 1.18em }
.linenos pre { color: rgba(0, 0, 0, .6); text-align: end }
.md-clipboard { position: absolute; inset: .4em .4em auto auto; border: 0; background: none; font-size: .7rem;
min-width: 24px;
min-height: 24px }
.svc-blog blockquote { border-inline-start: .2rem solid rgba(0, 0, 0, .26); color: rgba(0, 0, 0, .6); padding-inline:
.6rem }
.svc-blog table { font-size: .8em; border: .05rem solid rgba(0, 0, 0, .12) } .svc-blog :is(td, th) { border: 0 }
.svc-blog th { min-width: 5rem; background: none } .svc-blog td { border-top: .05rem solid rgba(0, 0, 0, .12) }
a { color: #4051b5; text-decoration: none }`,
    prepare: (page) => {
      if (page.article.includes('<h2')) {
        editElements(page, 'h2', 'all', (html) =>
          html.replace(
            /<h2 id="([^"]*)">([\s\S]*)<\/h2>/,
            '<h2 id="$1">$2<a class="headerlink" href="#$1" title="Permanent link">¶</a></h2>'
          )
        )
      }
      editCode(page, (html) => {
        const numbers = Array.from({ length: countLines(html) }, (_, line) => String(line + 1)).join('\n')
        return (
          `<div class="highlight"><table class="highlighttable"><tbody><tr><td class="linenos"><div><pre>` +
          `<span>${numbers}</span></pre></div></td><td class="code"><div><button type="button" class="md-clipboard" ` +
          `aria-label="Copy">⧉</button>${html}</div></td></tr></tbody></table></div>`
        )
      })
    },
    render: (page) => `<header class="md-header">${furniture.navigation(page)}</header><div class="md-main"><div
class="md-sidebar">${furniture.relatedList(page)}</div><main class="md-content"><article>${furniture.post(page)}
</article></main><div class="md-sidebar">${furniture.contents(page)}</div></div>${furniture.footer(page)}`
  },
  {
    name: 'infima-docs',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.65 system-ui, "DejaVu Sans", sans-serif; color: #e3e3e3; background: #1b1b1d }
:root { color-scheme: dark }
.top { background: #242526; padding: .5rem 1rem; height: 60px; overflow: hidden } main { max-width: 800px; margin: 0
auto;
padding: 1rem }
.svc-blog table { display: block; overflow: auto; min-width: 0 } .svc-blog tr:nth-child(2n) { background: #ffffff12 }
.svc-blog :is(td, th) { border: 1px solid #606770; padding: .75rem } .svc-blog th { background: none }
.block { box-shadow: 0 1px 2px #0008; border-radius: .4rem; margin-block-end: 1.25rem; overflow: hidden }
.block-title { background: #292d3e; border-bottom: 1px solid #606770; font-size: 87.5%; font-weight: 500; padding:
.75rem 1rem }
.block pre { margin: 0; background: #292d3e; color: #bfc7d5; border-radius: 0; padding: 1rem } .block pre code {
display: grid;
float: left; min-width: 100% }
.block .line { counter-increment: line } .block pre { counter-reset: line } .block .line::before { content:
counter(line);
position: sticky; left: 0; display: inline-block; padding: 0 1rem 0 0; min-width: 2.5rem; text-align: right; opacity:
.6;
background: #292d3e }
.svc-blog :not(pre) > code { background: #333437; border: .1rem solid #0000001a; padding: .1rem }
.svc-blog blockquote { border-inline-start: 6px solid #606770; box-shadow: 0 1px 2px #0008; padding: .5rem 1rem }
a { color: #25c2a0; text-decoration: none }
.pager { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem } .pager a { border: 1px solid #606770; padding: 1rem;
border-radius: .4rem }`,
    prepare: (page) => {
      editCode(page, (html) => {
        const lines = html
          .replace(/^<pre[^>]*><code[^>]*>/, '')
          .replace(/<\/code><\/pre>$/, '')
          .replaceAll(/<\/?span[^>]*>/g, '')
          .trimEnd()
          .split('\n')
        const open = /^<pre[^>]*><code[^>]*>/.exec(html)![0]
        const spans = lines.map((line) => `<span class="line">${line}<br></span>`).join('')
        const title = '<div class="block-title">src/index</div>'
        return `<div class="block">${title}<div>${open}${spans}</code></pre></div></div>`
      })
    },
    render: (page) =>
      around(
        page,
        `<main>${furniture.breadcrumbs(page)}<article>${furniture.post(page)}</article><nav class="pager"
aria-label="Pages"><a href="/a">« A</a><a href="/b">B »</a></nav></main>`
      )
  },
  {
    name: 'prose-plugin',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.75 system-ui, "DejaVu Sans", sans-serif; color: #374151; background: #fff }
.top, .site-footer { padding: 1rem; background: #f9fafb } main { max-width: 65ch; margin: 2rem auto; padding: 0 1rem }
h1 { color: #111827; font-weight: 800; font-size: 2.25em; line-height: 1.11 }
.svc-blog p { margin-block: 1.25em } .svc-blog :is(h2, h3, strong, th) { color: #111827; font-weight: 600 }
.svc-blog h2 { font-size: 1.5em; line-height: 1.33; margin-block: 2em 1em; font-weight: 700 }
.svc-blog h3 { font-size: 1.25em; line-height: 1.6; margin-block: 1.6em .6em }
.svc-blog li::marker { color: #6b7280 } .svc-blog :is(ul, ol) { padding-inline-start: 1.625em; margin-block: 1.25em }
.svc-blog li { margin-block: .5em; padding-inline-start: .375em }
.svc-blog blockquote { font-weight: 500; font-style: italic; color: #111827; border-inline-start: .25rem solid #e5e7eb;
padding-inline-start: 1em; quotes: "“" "”" "‘" "’"; margin-block: 1.6em }
.svc-blog blockquote p:first-of-type::before { content: open-quote } .svc-blog blockquote p:last-of-type::after {
content:
close-quote }
.svc-blog :not(pre) > code { font-weight: 600; font-size: .875em; background: none; padding: 0; color: #111827 }
.svc-blog :not(pre) > code::before, .svc-blog :not(pre) > code::after { content: "\`" }
.svc-blog pre { background: #1f2937; color: #e5e7eb; font-size: .875em; line-height: 1.71; border-radius: .375rem }
.svc-blog pre * { color: inherit } .svc-blog img { margin-block: 2em; display: block }
.svc-blog p:has(> img:only-child) { margin: 0 }
.svc-blog table { width: 100%; font-size: .875em; line-height: 1.71; margin-block: 2em } .svc-blog :is(td, th) {
border: 0;
padding: .57em } .svc-blog :is(td, th):first-child { padding-inline-start: 0 } .svc-blog tr { border-bottom: 1px solid
#e5e7eb }
.svc-blog th { background: none; vertical-align: bottom } .svc-blog hr { margin-block: 3em; border-color: #e5e7eb }
a { color: #111827; font-weight: 500 }`,
    render: plain
  },
  {
    name: 'block-notes',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.5 ui-sans-serif, "DejaVu Sans", sans-serif; color: #37352f; background: #fff }
.cover { height: 30vh; background: url(/assets/banner.jpg) center / cover } .icon { font-size: 78px; line-height: 1.1;
margin-block-start: -45px }
main { max-width: 708px; margin: 0 auto; padding: 0 24px 15vh } h1 { font-size: 40px; line-height: 1.2; margin: 8px 0 }
.props { display: grid; grid-template-columns: 120px 1fr; gap: 6px; border-bottom: 1px solid #e9e9e7; padding-block:
12px;
font-size: 14px } .props dt { color: #6b6a66 } .props dd { margin: 0 }
.svc-blog > * { margin-block: 1px; padding-block: 3px } .svc-blog :is(p, li) { margin-block: 1px; padding-block: 3px }
.svc-blog h2 { font-size: 1.5em; line-height: 1.3; margin-block-start: 1.4em; font-weight: 600 }
.svc-blog h3 { font-size: 1.25em; font-weight: 600; margin-block-start: 1em }
.svc-blog blockquote { border: 0; background: #f1f1ef; border-radius: 4px; padding: 16px 16px 16px 44px; position:
relative }
.svc-blog blockquote::before { content: "💡"; position: absolute; inset-inline-start: 14px }
[dir=rtl] .svc-blog blockquote { padding: 16px 44px 16px 16px }
.svc-blog li:has(> input:checked) { text-decoration: line-through; color: #5f5e5a }
.svc-blog pre { padding: 34px 16px 32px; background: #f7f6f3; border-radius: 4px; margin-block: 4px }
.svc-blog :not(pre) > code { color: #b3261e; background: #8782761f }
.svc-blog table { font-size: 14px } .svc-blog :is(td, th) { border: 1px solid #e9e9e7; padding: 7px 9px }
.svc-blog th { font-weight: 500; background: #f7f6f3 }
a { color: inherit; text-decoration: underline #0006 }`,
    render: (
      page
    ) => `<header class="cover" aria-hidden="true"></header><main><div class="icon" aria-hidden="true">☂</div>
<article>${page.heading}<dl class="props"><dt>@</dt><dd>${page.byline}</dd></dl>${page.beforeArticle}${page.article}
${page.afterArticle}</article></main>${furniture.footer(page)}`
  },
  {
    name: 'framed-retro',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.4 Tahoma, "DejaVu Sans", sans-serif; color: #000; background: #008080; padding: 8px }
.window { background: #c0c0c0; border: 2px outset #fff; max-width: 50rem; margin: 1rem auto }
.title-bar { background: linear-gradient(90deg, navy, #1084d0); color: #fff; padding: 3px 6px; font-weight: 700;
display: flex; justify-content: space-between } .menu { padding: 2px 6px }
.pane { background: #fff; border: 2px inset #fff; margin: 6px; padding: 12px }
h1, h2, h3 { font-weight: 700 } h1 { font-size: 1.6rem } .svc-blog h2 { font-size: 1.2rem; background: navy; color:
#fff;
padding: 2px 6px } .svc-blog h3 { font-size: 1rem; text-decoration: underline }
.svc-blog hr { border: 0; height: 4px; border-block: 2px groove #ccc }
.svc-blog table { border: 2px outset #ccc; border-collapse: separate; border-spacing: 2px } .svc-blog :is(td, th) {
border:
1px inset #ccc }
.svc-blog blockquote { border: 2px groove #ccc; padding: 8px } .svc-blog pre { background: #000; color: #c0c0c0;
border: 2px
inset #ccc; border-radius: 0 } .svc-blog pre * { color: inherit }
.svc-blog img { border: 2px ridge #ccc } a { color: #00f }
.bar { position: sticky; bottom: 0; background: #c0c0c0; border: 2px outset #fff; padding: 3px; font-size: 14px }`,
    render: (page) => `<div class="window"><div class="title-bar"><span>${furniture.siteName(page)}</span><span
aria-hidden="true">_ □ ×</span></div><div class="menu">${furniture.navigation(page)}</div><main class="pane"><article>
${furniture.post(page)}</article></main>${furniture.footer(page)}</div><div class="bar"><button
type="button">Start</button></div>`
  }
]
