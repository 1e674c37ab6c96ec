import * as furniture from '../furniture.ts'
import type { Page, SiteStyle } from '../types.ts'

const plain = (page: Page): string =>
  `<header>${furniture.navigation(page)}</header><main><article>${furniture.post(page)}</article></main>
${furniture.footer(page)}`

const FIT = 'h1, h2, h3 { overflow-wrap: anywhere } img { max-width: 100%; height: auto }'
const COLUMN = `${FIT} header, main, .site-footer { max-width: 44rem; margin: 0 auto; padding: 1rem }
nav ul { display: flex; flex-wrap: wrap; gap: 1rem; list-style: none; padding: 0 }`

/** Sites over published style sheets, written after the rest of the seventh set. Only their plain pages are checked. */
export const SEVENTH_PACKAGES: SiteStyle[] = [
  { name: 'water-by-day', half: 'tune', packages: ['water.css/out/light.css'], css: FIT, render: plain },
  { name: 'water-by-night', half: 'tune', packages: ['water.css/out/dark.css'], css: FIT, render: plain },
  {
    name: 'content-of-a-framework',
    half: 'tune',
    packages: ['bulma/css/bulma.css'],
    css: FIT,
    render: (page) => `<nav class="navbar is-dark"><div class="container p-3">${furniture.siteName(page)}</div></nav>
<section class="section"><div class="container is-max-desktop"><article class="content
is-medium">${furniture.post(page)}
</article><div class="tags">${furniture.tagList(page)}</div></div></section><footer class="footer">
<div class="content has-text-centered">${furniture.siteName(page)}</div></footer>`
  },
  {
    name: 'article-in-a-card',
    half: 'tune',
    packages: ['@picocss/pico/css/pico.jade.css'],
    root: { 'data-theme': 'light' },
    css: 'h1, h2, h3 { overflow-wrap: anywhere } nav ul { flex-wrap: wrap }',
    render: (page) => `<header class="container">${furniture.navigation(page)}</header><main class="container"><article>
<header>${furniture.heading(page)}</header>${page.beforeArticle}${page.article}${page.afterArticle}<footer>
${furniture.tagList(page)}</footer></article></main><footer class="container"><small>© 2026</small></footer>`
  },
  {
    name: 'preflight-and-little-more',
    half: 'tune',
    packages: ['tailwindcss/preflight.css'],
    css: `${COLUMN} body { font-family: ui-sans-serif, system-ui, "DejaVu Sans", sans-serif; color: #18181b }
h1 { font-size: 2.25rem; font-weight: 800; line-height: 1.2; margin-bottom: 1rem } a { color: #2563eb }`,
    render: plain
  },
  {
    name: 'normalized-serif',
    half: 'tune',
    packages: ['modern-normalize/modern-normalize.css'],
    css: `${COLUMN} body { font: 1.125rem/1.6 Charter, "DejaVu Serif", serif }`,
    render: plain
  },
  {
    name: 'everything-reset',
    half: 'tune',
    packages: ['@unocss/reset/eric-meyer.css'],
    css: `${COLUMN} body { font: 17px/1.6 "DejaVu Sans", sans-serif; color: #222 } h1 { font-size: 2em; font-weight:
700;
line-height: 1.2; margin-block: .67em } .site-footer p { margin-block: .5em } strong { font-weight: 700 } em {
font-style:
italic } a { color: #0645ad }`,
    render: plain
  },
  {
    name: 'high-contrast-markdown',
    half: 'tune',
    packages: ['github-markdown-css/github-markdown-dark-high-contrast.css'],
    css: `${FIT} body { background: #010409; margin: 0 } .markdown-body { box-sizing: border-box; max-width: 980px;
margin:
0 auto; padding: 45px } @media (max-width: 767px) { .markdown-body { padding: 15px } }`,
    render: (page) => `<main class="markdown-body"><article>${furniture.post(page)}</article></main>`
  },
  {
    name: 'dashboard-in-the-dark',
    half: 'tune',
    packages: ['bootstrap/dist/css/bootstrap.css'],
    root: { 'data-bs-theme': 'dark' },
    css: `${FIT} .card { max-width: 50rem }`,
    render: (page) => `<div class="d-flex"><nav class="d-none d-lg-block p-3 border-end" style="width: 14rem"
aria-label="Main"><ul class="nav flex-column"><li class="nav-item"><a class="nav-link" href="/">
${furniture.siteName(page)}</a></li></ul></nav><main class="container-fluid p-4"><div class="card"><div
class="card-header">${page.post.blog.category ?? ''}</div><div class="card-body"><article>${furniture.post(page)}
</article></div></div></main></div>`
  },
  { name: 'styles-of-the-browser', half: 'tune', css: `${FIT} body { max-width: 44rem }`, render: plain },
  {
    name: 'seven-declarations',
    half: 'tune',
    css: `body { margin: 40px auto; max-width: 650px; line-height: 1.6; font-size: 18px; color: #444; padding: 0 10px }
h1, h2, h3 { line-height: 1.2; overflow-wrap: anywhere } img { max-width: 100%; height: auto }`,
    render: plain
  }
]
