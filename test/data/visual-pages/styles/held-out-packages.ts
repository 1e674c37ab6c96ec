import { addHead, editElements } from '../edit.ts'
import * as furniture from '../furniture.ts'
import type { SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

/** Sites of the held-out half over published style sheets. */
export const PACKAGES_HELD_OUT: SiteStyle[] = [
  {
    name: 'bulma-blog',
    half: 'held-out',
    packages: ['bulma/css/bulma.css'],
    css: `.section-text { max-width: 44rem; margin: 0 auto; padding: 2rem 1.25rem }
nav ul { display: flex; flex-wrap: wrap; gap: 1rem } .cards { display: grid;
grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem }
.lead { background: #f0ecff; color: #2a1a5e; padding: 2.5rem 1.25rem } .lead h1 { font-size: 2.2rem;
font-weight: 700; line-height: 1.2; overflow-wrap: anywhere }
.lead > * { max-width: 44rem; margin-inline: auto } .related h2 { font-weight: 700; margin-block: 1rem }`,
    root: { 'data-theme': 'light' },
    render: (page) => `<header class="section-text">${furniture.navigation(page)}</header><main><div class="lead">
${page.heading}${page.byline}</div>
<article class="section-text">${page.beforeArticle}${page.article}${page.afterArticle}
${furniture.relatedCards(page)}</article></main>
<div class="section-text">${furniture.footer(page)}</div>`
  },
  {
    name: 'water-dark',
    half: 'held-out',
    packages: ['water.css/out/dark.css'],
    css:
      'h1 { overflow-wrap: anywhere } body { max-width: 44rem } ' +
      'nav ul { display: flex; flex-wrap: wrap; gap: 1rem; list-style: none; ' +
      'padding: 0 } main img { height: auto }',
    render: (page) =>
      `<header>${furniture.navigation(page)}</header><main><article>${furniture.post(page)}</article></main>
${furniture.footer(page)}`
  },
  {
    name: 'tailwind4-layers',
    half: 'held-out',
    packages: ['tailwindcss/preflight.css'],
    css: `@layer base { body { background: #fff; color: #1f2937; font-family: system-ui, "DejaVu Sans", sans-serif } }
.frame { display: grid; grid-template-columns: minmax(0, 1fr) 18rem; gap: 3rem; max-width: 68rem;
margin: 0 auto; padding: 2rem 1.25rem }
@media (max-width: 60rem) { .frame { grid-template-columns: minmax(0, 1fr) } }
main { max-width: 42rem; line-height: 1.7 } h1 { font-size: 2.25rem; font-weight: 800; line-height: 1.2;
overflow-wrap: anywhere }
main a { color: #2c5282; text-decoration: underline } nav ul { display: flex; flex-wrap: wrap; gap: 1.25rem }
aside h2 { font-weight: 700; margin-block-end: .75rem } .newsletter { background: #f3f4f6; padding: 1.25rem;
border-radius: 1rem }
.newsletter input { border: 1px solid #6b7280; padding: .4rem; width: 100%; background: #fff }
.newsletter button { background: #111827; color: #fff; padding: .5rem 1rem; margin-top: .5rem }
.site-bar, footer { padding: 1rem 1.25rem } .cards img { margin-block-end: .3rem } .card-item {
margin-block-end: 1rem }`,
    render: (page) => `<header class="site-bar">${furniture.navigation(page)}</header><div class="frame"><main><article>
${furniture.post(page)}</article></main>
<aside>${furniture.newsletter(page)}${furniture.relatedCards(page)}</aside></div>${furniture.footer(page)}`
  },
  {
    name: 'foundation-forum',
    half: 'held-out',
    packages: ['foundation-sites/dist/css/foundation.css'],
    css: `nav ul { display: flex; flex-wrap: wrap; gap: 1rem; list-style: none; margin: 0 } .board {
max-width: 45rem; margin: 0 auto; padding: 1rem }
.thread { border: 1px solid #c4ccd6; border-radius: .5rem; padding: 1rem; margin-block: 1rem; background: #fff }
body { background: #eef2f6 }
.comments ol { list-style: none; margin: 0 } .comments li { display: flex; gap: 1rem; margin-block: .75rem }
.comments img { border-radius: 50%; width: 48px; height: 48px; flex: none }
h1 { font-size: 1.9rem; overflow-wrap: anywhere } a { color: #0a5f8a } .author-box { display: flex; gap: 1rem }
.author-box img { border-radius: 50%; flex: none }`,
    render: (page) => `<div class="board"><header>${furniture.navigation(page)}</header><main><article class="thread">
${furniture.authorBox(page)}${furniture.post(page)}
${furniture.shareBar(page)}</article><div class="thread">${furniture.comments(page)}</div></main>
${furniture.footer(page)}</div>`
  },
  {
    name: 'github-dark-copy',
    half: 'held-out',
    packages: ['github-markdown-css/github-markdown-dark.css'],
    css: `${BASE}:root { color-scheme: dark } body { font-family: system-ui, "DejaVu Sans", sans-serif;
background: #0d1117; color: #f0f6fc }
.markdown-body { max-width: 47rem; margin: 0 auto; padding: 2rem 1rem } header, .site-footer { padding: 1rem }
header a, .site-footer a { color: #58a6ff }
.code-frame { position: relative } .copy { position: absolute; inset-block-start: -1.1rem;
inset-inline-end: .5rem; font: 12px/1.4 inherit; padding: .2rem .6rem;
  background: #30363d; color: #f0f6fc; border: 1px solid #6e7681; border-radius: .3rem }`,
    prepare: (page) => {
      if (!page.article.includes('<pre')) return
      // A button at each code block, as scripts of such sites add them.
      editElements(
        page,
        'pre',
        'all',
        (html) => `<div class="code-frame">${html}<button class="copy" type="button">Copy</button></div>`
      )
      addHead(
        page,
        `<script>addEventListener('click', ({ target }) => {
  if (target.matches('.copy')) navigator.clipboard?.writeText(target.previousElementSibling.textContent)
})</script>`
      )
    },
    render: (page) =>
      `<header>${furniture.navigation(page)}</header><main ` +
      `class="markdown-body">${furniture.post(page)}</main>${furniture.footer(page)}`
  },
  {
    name: 'bootstrap-dark',
    half: 'held-out',
    packages: ['bootstrap/dist/css/bootstrap.css'],
    css: `main.container { max-width: 44rem } nav ul { display: flex; flex-wrap: wrap; gap: 1rem; list-style: none;
padding: 0 } .svc-blog img { max-width: 100%; height: auto }
.contents { border: 1px solid #495057; border-radius: .5rem; padding: 1rem; margin-block-end: 1.5rem }
.contents ul { display: block; padding-inline-start: 1rem } h1 { overflow-wrap: anywhere }`,
    root: { 'data-bs-theme': 'dark' },
    render: (
      page
    ) => `<header class="container py-3">${furniture.navigation(page)}</header><main class="container"><article>
${furniture.heading(page)}
${furniture.contents(page)}${page.beforeArticle}${page.article}${page.afterArticle}</article></main>
<div class="container">${furniture.footer(page)}</div>`
  }
]
