import * as furniture from '../furniture.ts'
import type { SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

/** Sites of the tune half over published style sheets. */
export const PACKAGES_TUNE: SiteStyle[] = [
  {
    name: 'bootstrap-news',
    half: 'tune',
    packages: ['bootstrap/dist/css/bootstrap.css'],
    css: `h1 { overflow-wrap: anywhere }
.author-box { display: flex; gap: 1rem } .author-box img { border-radius: 50% }
.share { display: flex; flex-wrap: wrap; gap: .5rem 1rem; margin-block: 1rem } .share a { padding-block: .25rem }
.advert { margin-block: 1.5rem } .advert img { max-width: 100%; height: auto } .advert small { display: block }
.breadcrumbs, .svc-blog { max-width: 42rem } .svc-blog img { max-width: 100%; height: auto }
.byline { color: #545b62 } nav ul { display: flex; flex-wrap: wrap; gap: 1rem; list-style: none; padding: 0;
margin: 0 }`,
    render: (page) => `<header class="bg-dark text-white p-3 mb-3" data-bs-theme="dark"><div class="container">
<strong>${furniture.siteName(page)}</strong>${furniture.navigation(page)}</div></header>
<div class="container"><div class="row"><main class="col-lg-8"><article>${furniture.breadcrumbs(page)}
${furniture.heading(page)}
${furniture.shareBar(page)}${page.beforeArticle}${page.article}${page.afterArticle}</article>
${furniture.authorBox(page)}${furniture.comments(page)}</main>
<aside class="col-lg-4">${furniture.advert(page)}${furniture.relatedList(page)}</aside></div></div>
<div class="container border-top py-3">${furniture.footer(page)}</div>`
  },
  {
    name: 'foundation-shop',
    half: 'tune',
    packages: ['foundation-sites/dist/css/foundation.css'],
    css: `h1 { overflow-wrap: anywhere }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: 1rem }
.shop-bar { background: #0a3d2e; color: #fff; padding: .75rem 1rem } .shop-bar a { color: #fff }
.shop-bar ul { display: flex; flex-wrap: wrap; gap: 1rem; list-style: none; margin: 0 }
.offer { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; border: 1px solid #cacaca;
padding: 1rem; margin-block: 1.5rem }
main { max-width: 44rem; margin: 0 auto; padding: 1rem } a { color: #0c6249 }
.newsletter { background: #eef5f2; padding: 1rem; margin-block: 1.5rem }
.newsletter .button, .newsletter button { background: #0c6249; color: #fff; padding: .6rem 1rem }`,
    render: (
      page
    ) => `<header class="shop-bar"><strong>${furniture.siteName(page)}</strong>${furniture.navigation(page)}</header>
<main><article>${furniture.breadcrumbs(page)}${furniture.post(page)}</article>
<section class="offer"><img src="/assets/card-one.jpg" alt="" width="120" height="78"><p><strong>24.90 €</strong>
</p></section>
${furniture.relatedCards(page)}${furniture.newsletter(page)}${furniture.footer(page)}</main>`
  },
  {
    name: 'tailwind-landing',
    half: 'tune',
    packages: ['@unocss/reset/tailwind.css'],
    css: `h1 { overflow-wrap: anywhere }
body { font-family: system-ui, "DejaVu Sans", sans-serif; color: #1f2937; background: #fff }
.hero { background: linear-gradient(120deg, #1e3a8a, #6d28d9); color: #fff; padding: 4rem 1.5rem }
.hero h1 { font-size: clamp(2rem, 5vw, 3.5rem); font-weight: 800; line-height: 1.15; max-width: 50rem; margin: 0 auto }
.hero .byline { max-width: 50rem; margin: 1rem auto 0 }
.hero nav ul { display: flex; flex-wrap: wrap; gap: 1.25rem; margin-bottom: 2rem }
.prose { max-width: 42rem; margin: 2.5rem auto; padding: 0 1.5rem; font-size: 1.125rem; line-height: 1.75 }
.prose a { color: #1d4ed8; text-decoration: underline }
.newsletter { background: #eef2ff; padding: 2rem 1.5rem; text-align: center }
.newsletter h2 { font-size: 1.5rem; font-weight: 700 } .newsletter input { border: 1px solid #6b7280; padding: .5rem }
.newsletter button { background: #1d4ed8; color: #fff; padding: .5rem 1rem; border-radius: .5rem }
footer { padding: 2rem 1.5rem; text-align: center }`,
    render: (page) => `<div class="hero"><header>${furniture.navigation(page)}</header>${furniture.heading(page)}</div>
<main class="prose">${page.beforeArticle}${page.article}${page.afterArticle}</main>${furniture.newsletter(page)}
${furniture.footer(page)}`
  },
  {
    name: 'pico-classless',
    half: 'tune',
    packages: ['@picocss/pico/css/pico.classless.css'],
    css: `h1 { overflow-wrap: anywhere }
main { max-width: 46rem !important; margin-inline: auto } .contents ul { display: block }
nav ul { flex-wrap: wrap } .author-box { display: flex; gap: 1rem } .author-box img { border-radius: 50% }`,
    root: { 'data-theme': 'light' },
    render: (page) => `<header>${furniture.navigation(page)}</header>
<main><article>${furniture.heading(page)}${page.beforeArticle}${page.article}${page.afterArticle}</article>
${furniture.authorBox(page)}</main>${furniture.footer(page)}`
  },
  {
    name: 'github-light',
    half: 'tune',
    packages: ['github-markdown-css/github-markdown-light.css'],
    css: `${BASE}body { font-family: system-ui, "DejaVu Sans", sans-serif; background: #fff; color: #1f2328 }
.markdown-body { max-width: 47rem; margin: 0 auto; padding: 2rem 1rem }
.repo { padding: 1rem; background: #f6f8fa; border-bottom: 1px solid #d1d9e0 } .site-footer { padding: 1rem }`,
    render: (page) => `<header class="repo">${furniture.navigation(page)}</header>
<main class="markdown-body">${furniture.post(page)}</main>${furniture.footer(page)}`
  },
  {
    name: 'block-theme',
    half: 'tune',
    // An imitation of what themes of WordPress print; nothing is copied.
    css: `${BASE}
body { font: 1.125rem/1.55 Georgia, "DejaVu Serif", serif; background: #fbfaf3; color: #151515 }
.is-layout-constrained { max-width: 645px; margin-inline: auto; padding-inline: 1rem }
:where(.entry-content) > * { margin-block: 1.2rem 0 }
h1, h2, h3, h4 { font-weight: 400; line-height: 1.2 }
a:where(:not(.button)) { color: #503aa8 }
.entry-meta { font-size: .95rem } .entry-content { hyphens: manual }
.widget { border-top: 1px solid #b9b5a0; margin-block-start: 2rem }`,
    body: { class: 'single single-post wp-theme' },
    render: (page) => `<header class="is-layout-constrained">${furniture.navigation(page)}</header>
<main class="is-layout-constrained"><article class="post type-post hentry"><div class="entry-header">${page.heading}
<div class="entry-meta">${page.byline}</div></div><div class="entry-content">${page.beforeArticle}${page.article}
${page.afterArticle}</div>
${furniture.tagList(page)}</article><div class="widget">${furniture.comments(page)}</div><div class="widget">
${furniture.relatedList(page)}</div></main>
<div class="is-layout-constrained">${furniture.footer(page)}</div>`
  }
]
