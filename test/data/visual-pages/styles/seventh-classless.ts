import { editElements } from '../edit.ts'
import * as furniture from '../furniture.ts'
import type { Page, SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

const plain = (page: Page): string =>
  `<header class="top">${furniture.navigation(page)}</header><main><article>${furniture.post(page)}</article></main>
${furniture.footer(page)}`

/** Sites of the seventh set over style sheets without classes, or that look like them. All are faultless. */
export const SEVENTH_CLASSLESS: SiteStyle[] = [
  {
    name: 'sand-at-night',
    half: 'tune',
    packages: ['@picocss/pico/css/pico.classless.sand.css'],
    root: { 'data-theme': 'dark' },
    css: 'h1, h2, h3 { overflow-wrap: anywhere } header nav ul { flex-wrap: wrap }',
    render: (page) => `<header>${furniture.navigation(page)}</header><main><article>${furniture.heading(page)}<hr>
${page.beforeArticle}${page.article}${page.afterArticle}<footer>${furniture.tagList(page)}</footer></article></main>
<footer><small>${furniture.siteName(page)}</small></footer>`
  },
  {
    name: 'dimmed-repository',
    half: 'tune',
    packages: ['github-markdown-css/github-markdown-dark-dimmed.css'],
    css: `${BASE}
body { font: 16px/1.5 "DejaVu Sans", sans-serif; background: #1c2128; color: #d1d7e0 }
.top, .site-footer { padding: .75rem 1rem; max-width: 1012px; margin: 0 auto } a { color: #478be6 }
.file { max-width: 1012px; margin: 1rem auto; border: 1px solid #3d444d; border-radius: 6px; background: #212830 }
.file-name { padding: .5rem 1rem; border-bottom: 1px solid #3d444d; position: sticky; top: 0; background: #262c36;
font-size: .875rem; z-index: 3 } .markdown-body { padding: 2rem } .svc-blog { max-width: none }
@media (max-width: 767px) { .markdown-body { padding: 1rem } .file { border-inline: 0; border-radius: 0 } }`,
    render: (page) => `<header class="top">${furniture.navigation(page)}</header><div class="file">
<div class="file-name"><strong>README.md</strong></div><main class="markdown-body"><article>${furniture.post(page)}
</article></main></div>${furniture.footer(page)}`
  },
  {
    name: 'classless-banner',
    half: 'tune',
    css: `${BASE}
:root { --accent: #0d47a1; --soft: #f5f7ff; --border: #898ea4 }
html { scroll-behavior: smooth }
body { display: grid; grid-template-columns: 1fr min(45rem, 90%) 1fr; font: 1.15rem/1.5 "DejaVu Sans", sans-serif;
color: #212121; background: #fff } body > * { grid-column: 2 }
body > header { grid-column: 1 / -1; background: var(--soft); border-bottom: 1px solid var(--border); text-align:
center; padding: 0 .5rem 2rem } body > header nav ul { justify-content: center; padding: .5rem }
body > header nav a { border: 1px solid var(--border); border-radius: 5px; color: inherit; padding: .1rem 1rem;
text-decoration: none } h1 { font-size: clamp(1.9rem, 6vw, 3rem); line-height: 1.1; margin-block: 1rem }
.svc-blog { font-size: 1em } .svc-blog :is(h2, h3) { line-height: 1.1; margin-block-start: 3rem }
.svc-blog :is(pre, code) { font-family: "DejaVu Sans Mono", monospace; color: #b3125d; background: none }
.svc-blog pre { background: var(--soft); border: 1px solid var(--border); border-radius: 5px; padding: 1rem 1.4rem }
.svc-blog pre * { color: #333 } .svc-blog blockquote { margin-inline: 2rem 0; padding: .4rem .8rem;
border-inline-start: .35rem solid var(--accent); color: #585858; font-style: italic }
.svc-blog table { border-collapse: collapse; margin: 1.5rem 0 } .svc-blog :is(td, th) { border: 1px solid
var(--border); padding: .5rem; text-align: start } .svc-blog th { background: var(--soft); font-weight: bold }
.svc-blog tr:nth-child(even) { background: var(--soft) } .svc-blog img { border-radius: 5px }
.svc-blog hr { border: 0; height: 1px; background: var(--border); margin: 1rem auto } a { color: var(--accent) }
body > footer { grid-column: 1 / -1; margin-top: 4rem; padding: 2rem 1rem 1.5rem; text-align: center; font-size: .9rem;
border-top: 1px solid var(--border); color: #585858 }`,
    render: (page) => `<header>${furniture.navigation(page)}${furniture.heading(page)}</header><main>
${page.beforeArticle}${page.article}${page.afterArticle}</main>${furniture.footer(page)}`
  },
  {
    name: 'classless-cards',
    half: 'tune',
    css: `${BASE}
body { font: 1rem/1.5 "DejaVu Sans", "Segoe UI", sans-serif; color: #000; background: #fff; overflow-x: hidden }
header, main, .site-footer { max-width: 1080px; margin: 0 auto; padding: 2rem 1rem } header { text-align: center }
header nav ul { justify-content: space-between; text-align: start }
.svc-blog { max-width: 46rem; margin: 0 auto } .svc-blog h2 { background-color: transparent; padding: 0; margin: 0
0 .5rem; padding-block-start: 1.5rem } .svc-blog :is(ol, ul) { padding: .2rem 2rem .2rem; padding-inline-start: 2rem }
.svc-blog li { padding: .2rem 0 } .svc-blog code { display: inline-block; margin: 0 .1rem; padding: 0 .5rem;
border-radius: 5px; background: #e9e9e9; text-align: start } .svc-blog pre { margin: 1rem 0; padding: 1rem 0;
max-width: 100%; overflow: auto; background: none } .svc-blog pre code { display: block; padding: 1rem 1.5rem;
white-space: pre; width: max-content; min-width: 100% }
.svc-blog blockquote { border: 0; display: block; font-size: x-large; line-height: 1.5; margin: 1rem auto; padding:
1.5rem 1rem; text-align: center } .svc-blog .svc-table { border: 1px solid #e9e9e9; border-radius: 5px; box-shadow: 2px
2px 10px #b8b8b8 } .svc-blog table { border-spacing: 0; border: 0; min-width: 100%; white-space: nowrap }
.svc-blog thead th { background: #118bee; background: #0b5ea3; color: #fff; padding: .4rem .8rem; text-align: center }
.svc-blog td { border: 0; padding: .4rem .8rem } .svc-blog tr:nth-child(even) { background: #e9e9e9 }
.svc-blog hr { background: #e9e9e9; border: 0; height: 1px; margin: 4rem 0 } .svc-blog img { border-radius: 5px;
box-shadow: 2px 2px 10px #b8b8b8; display: block; margin: 1rem auto }
a { color: #0b5ea3; font-weight: 700; text-decoration: none } a:hover { text-decoration: underline }
.svc-blog strong { font-weight: 900 } .svc-blog sup { background: #e9e9e9; border-radius: 5px; padding: 0 .3em }`,
    render: (page) => `<header>${furniture.navigation(page)}${furniture.heading(page)}</header><main>
${page.beforeArticle}${page.article}${page.afterArticle}</main>${furniture.footer(page)}`
  },
  {
    name: 'ten-pixel-rems',
    half: 'tune',
    css: `${BASE}
html { font-size: 62.5%; font-family: "DejaVu Serif", Georgia, serif }
body { font-size: 1.8rem; line-height: 1.618; max-width: 38em; margin: auto; color: #4a4a4a; background: #f9f9f9;
padding: 13px } h1, h2, h3, h4 { line-height: 1.1; font-family: "DejaVu Sans", sans-serif; font-weight: 700;
margin-block: 3rem 1.5rem; overflow-wrap: break-word; hyphens: auto } h1 { font-size: 2.35em }
.svc-blog { font-size: 1em; --svc-line-height: 1.618 } .svc-blog h2 { font-size: 2em } .svc-blog h3 { font-size: 1.75em
}
.svc-blog p { margin: 0 0 2.5rem } a { text-decoration: none; color: #1d5a80; border-bottom: 1px solid }
.svc-blog ul { padding-inline-start: 1.4em; margin: 0 0 2.5rem } .svc-blog li { margin-bottom: .4em }
.svc-blog blockquote { font-style: italic; margin-inline: 0; padding: .8em .8em .8em 1em; border-inline-start: 5px
solid #2c8898; background: #f1f1f1 } .svc-blog blockquote p { margin-bottom: 0 } .svc-blog blockquote p + p {
margin-top: 1em } .svc-blog pre { background: #f1f1f1; display: block; padding: 1em; font-size: .9em }
.svc-blog code { font-size: .9em; padding: 0 .5em; background: #f1f1f1; white-space: pre-wrap } .svc-blog pre > code {
padding: 0; background: none; white-space: inherit } .svc-blog table { text-align: justify; width: 100%; margin-bottom:
2rem } .svc-blog :is(td, th) { padding: .5em; border: 0; border-bottom: 1px solid #bbb } .svc-blog th { background:
none }`,
    render: (page) => `${furniture.navigation(page)}<article>${furniture.post(page)}</article>${furniture.footer(page)}`
  },
  {
    name: 'typeset-paper',
    half: 'tune',
    css: `${BASE}
body { font: 1.125rem/1.8 "DejaVu Serif", "Latin Modern", serif; max-width: 80ch; margin: 0 auto; padding: 2rem 1.25rem;
color: hsl(0 5% 10%); background: hsl(210 20% 98%); counter-reset: theorem; text-rendering: optimizeLegibility }
h1 { text-align: center; font-weight: 400; margin-top: 3.25rem } .byline { text-align: center; font-variant-caps:
small-caps } .abstract { margin: 2rem 3rem; font-size: .95em } .svc-blog { hyphens: auto; counter-reset: h2 }
.svc-blog > p { text-align: justify; margin-block: 1rem } .svc-blog > p:has(> img) { text-align: center }
.svc-blog h2 { counter-increment: h2; counter-reset: h3; font-weight: 700; line-height: 1.3 } .svc-blog h3 {
counter-increment: h3 } .svc-blog h2::before { content: counter(h2) "\\2003" } .svc-blog h3::before { content:
counter(h2) "." counter(h3) "\\2003" } .svc-blog .svc-footnotes { font-size: .9em; border-top: 1px solid }
.svc-blog table { border-block: 2.3px solid; border-collapse: collapse; margin-inline: auto; min-width: 60% }
.svc-blog :is(td, th) { border: 0; background: none; padding: .5rem; line-height: 1.1 } .svc-blog thead tr {
border-bottom:
1.36px solid } .svc-blog ol > li::marker { content: counter(list-item) ".\\2002" } .svc-blog blockquote { border: 0;
padding: 0; margin: 1.5rem 3rem; text-align: justify } .svc-blog pre { padding: 1rem 1.4rem; background: hsl(210 28%
93%); border-radius: 4px; font-size: .85em } a { color: #8f0000; text-decoration: none }
@media (max-width: 600px) { .svc-blog blockquote, .abstract { margin-inline: 1rem } }`,
    locales: ['en', 'de', 'pt', 'el', 'vi'],
    render: plain
  },
  {
    name: 'prose-inverted',
    half: 'tune',
    css: `${BASE}
body { font: 1rem/1.5 "DejaVu Sans", ui-sans-serif, sans-serif; background: #0f172a; color: #cbd5e1 }
.top, .site-footer, main { max-width: 65ch; margin: 0 auto; padding: 1.25rem } h1 { color: #fff; font-size: 2.25rem;
line-height: 1.1; font-weight: 800; letter-spacing: -.025em }
.svc-blog { font-size: 1.125rem; --svc-line-height: 1.77; color: #cbd5e1; max-width: none }
.svc-blog :is(h2, h3, h4, strong, code) { color: #fff } .svc-blog h2 { font-size: 1.6em; margin: 1.8em 0 1em;
line-height: 1.33 } .svc-blog > :first-child { margin-top: 0 } .svc-blog a { color: #fff; font-weight: 500;
text-decoration: underline; text-decoration-color: #38bdf8; text-underline-offset: 3px }
.svc-blog :not(pre) > code { background: none; padding: 0; font-weight: 600; font-size: .875em }
.svc-blog :not(pre) > code::before, .svc-blog :not(pre) > code::after { content: "\`" }
.svc-blog pre { background: #00000080; border: 1px solid #ffffff1a; border-radius: .5rem; padding: 1em 1.5em;
font-size: .889em } .svc-blog pre code { color: #e2e8f0; font-weight: 400 }
.svc-blog :is(ul, ol) > li::marker { color: #94a3b8 } .svc-blog blockquote { font-weight: 500; font-style: italic;
color: #f1f5f9; border-inline-start: .25rem solid #334155; quotes: "“" "”"; padding-inline-start: 1em }
.svc-blog blockquote p:first-of-type::before { content: open-quote } .svc-blog blockquote p:last-of-type::after {
content: close-quote } .svc-blog table { width: 100%; font-size: .9em } .svc-blog :is(td, th) { border-width: 0 0 1px;
border-color: #334155; background: none; vertical-align: baseline } .svc-blog thead { border-bottom: 1px solid #475569 }
.svc-blog hr { border: 0; border-top: 1px solid #334155; margin-block: 3em } .svc-blog img { border-radius: .75rem;
box-shadow: 0 0 0 1px #ffffff1a } .lead { font-size: 1.25em; color: #94a3b8 }`,
    prepare: (page) => {
      editElements(page, 'p', 0, (html) =>
        html.replace('<p>', '<p class="lead">').replace(/^<p class="lead"><img/, '<p><img')
      )
    },
    locales: ['en', 'de', 'vi', 'el', 'fa', 'ko', 'zh'],
    render: plain
  }
]
