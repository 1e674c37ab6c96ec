import { say } from '../edit.ts'
import * as furniture from '../furniture.ts'
import type { SiteStyle } from '../types.ts'
import { BASE, PROGRESS_CSS, PROGRESS_SCRIPT } from './base.ts'

/** Sites of the held-out half with style sheets of their own. */
export const OWN_HELD_OUT: SiteStyle[] = [
  {
    name: 'grid-full-bleed',
    half: 'held-out',
    css: `${BASE}
body { font: 18px/1.65 "DejaVu Serif", Georgia, serif; color: #20262e; background: #f7f8fa }
.svc-blog, .intro { display: grid; grid-template-columns: minmax(1rem, 1fr) minmax(0, 38rem) minmax(1rem, 1fr) }
.svc-blog > *, .intro > * { grid-column: 2 }
@media (min-width: 60rem) { .svc-blog > p:has(> img) { grid-column: 1 / -1; justify-self: center; max-width: 60rem } }
.svc-blog > p:has(> img) img { display: block; margin-inline: auto }
a { color: #155e75 }
.strip { background: #20262e; color: #f7f8fa; padding: 1rem } .strip a { color: #f7f8fa }
.site-footer { padding: 2rem 1rem; text-align: center }`,
    render: (page) => `<header class="strip">${furniture.navigation(page)}</header><main><article>
<div class="intro">${furniture.breadcrumbs(page)}${page.heading}${page.byline}${page.beforeArticle}</div>
${page.article}${page.afterArticle}</article>
<div class="intro">${furniture.relatedCards(page)}</div></main>${furniture.footer(page)}`
  },
  {
    name: 'newspaper-columns',
    half: 'held-out',
    css: `${BASE}
body { font: 17px/1.55 "DejaVu Serif", "Times New Roman", serif; color: #161616; background: #f4f1ea }
.sheet { max-width: 66rem; margin: 0 auto; padding: 1.5rem 1.25rem }
h1 { font-size: clamp(2rem, 5vw, 3rem); line-height: 1.1; border-block: 2px solid; padding-block: .6rem }
@media (min-width: 64rem) { .svc-blog { columns: 2; column-gap: 2.5rem; column-rule: 1px solid #b8b2a2 } }
.svc-blog img, .svc-blog pre, .svc-blog table, .svc-blog blockquote, .svc-blog li { break-inside: avoid }
.svc-blog > h2, .svc-blog > h3 { break-after: avoid }
a { color: #7a1f1f }`,
    render: (
      page
    ) => `<div class="sheet"><header>${furniture.navigation(page)}</header><main><article>${furniture.post(page)}
</article></main>
${furniture.relatedList(page)}${furniture.footer(page)}</div>`
  },
  {
    name: 'huge-type',
    half: 'held-out',
    css: `${BASE}
body { font: 24px/1.6 "DejaVu Sans", system-ui, sans-serif; color: #2d1b4e; background: #fff7e8 }
main { max-width: 44rem; margin: 0 auto; padding: 2rem 1.25rem }
h1 { font-size: 1.9em; line-height: 1.2; overflow-wrap: anywhere } h2 { letter-spacing: -.01em }
a { color: #4c1d95; text-decoration: none; background: linear-gradient(#fbbf24, #fbbf24) 0 95% / 100% .15em no-repeat }
.svc-blog ul:not(:has(input)) { list-style: "→  " }
.svc-blog img { border-radius: 1.5rem }
.site-footer { padding: 2rem 1.25rem; font-size: 1rem }`,
    render: (page) =>
      `<main><p><a href="/">${furniture.siteName(page)}</a></p><article>${furniture.post(page)}</article></main>
${furniture.footer(page)}`
  },
  {
    name: 'app-shell',
    half: 'held-out',
    css: `${BASE}
html, body { height: 100% }
body { display: grid; grid-template: auto 1fr / minmax(0, 1fr);
font: 16px/1.6 system-ui, "DejaVu Sans", sans-serif; color: #172b4d; background: #fff }
.bar { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: center; padding: .5rem 1rem;
background: #0747a6; color: #fff }
.bar a { color: #fff }
.scroller { overflow-y: auto; min-height: 0 }
.scroller > div { max-width: 42rem; margin: 0 auto; padding: 1rem }
a { color: #0052cc }`,
    render: (
      page
    ) => `<header class="bar"><strong>${furniture.siteName(page)}</strong>${furniture.navigation(page)}</header>
<main class="scroller" tabindex="0"><div><article>${furniture.post(page)}</article>${furniture.newsletter(page)}
${furniture.footer(page)}</div></main>`
  },
  {
    name: 'logical-portal',
    half: 'held-out',
    css: `${BASE}${PROGRESS_CSS}
body { font: 17px/1.7 "DejaVu Sans", Tahoma, sans-serif; color: #22303c; background: #fff }
.top { position: sticky; inset-block-start: 0; z-index: 20; background: #fffffff2;
border-block-end: 1px solid #cfd8e0; padding: .5rem 1.25rem }
.portal { display: flex; flex-wrap: wrap; gap: 2rem; max-width: 72rem; margin-inline: auto; padding: 1.25rem }
.portal main { flex: 1 1 30rem; min-width: 0; max-width: 44rem } .portal > aside { flex: 1 1 15rem }
.byline { border-inline-start: 4px solid #0e7490; padding-inline-start: .75rem }
a { color: #0e7490 }
.consent { position: fixed; inset: auto 0 0; background: #22303c; color: #fff; padding: .75rem 1.25rem;
z-index: 40; font-size: .9rem }
.consent button { font: inherit; padding: .3rem 1rem } .site-footer { padding: 1.5rem 1.25rem 6rem }`,
    render: (
      page
    ) => `<div class="progress" aria-hidden="true"></div><header class="top">${furniture.navigation(page)}</header>
<div class="portal"><main><article>${furniture.post(page)}${furniture.shareBar(page)}</article>
${furniture.authorBox(page)}${furniture.comments(page)}</main>
<aside>${furniture.advert(page)}${furniture.relatedList(page)}</aside></div>${furniture.footer(page)}
<div class="consent" role="region" aria-label="Cookies">${say(page, {
      en: 'This site stores one cookie for your settings.',
      de: 'Diese Seite speichert ein Cookie für Ihre Einstellungen.',
      ar: 'يحفظ هذا الموقع ملفًا واحدًا لإعداداتك.',
      ja: '設定のためにクッキーを一つ保存します。'
    })} <button type="button" onclick="this.parentNode.remove()">OK</button></div>${PROGRESS_SCRIPT}`
  },
  {
    name: 'normalize-caps',
    half: 'held-out',
    packages: ['modern-normalize/modern-normalize.css'],
    css: `${BASE}
body { font: 17px/1.65 "DejaVu Sans", Verdana, sans-serif; color: #3b3a36; background: #fff }
main, .wide { max-width: 43rem; margin: 0 auto; padding: 1.5rem 1.25rem }
h1, h2, h3 { text-transform: uppercase; letter-spacing: .06em; overflow-wrap: anywhere; color: #0f3d3e }
h2 { border-block-end: 3px solid #f2b705; padding-block-end: .3rem }
a { color: #0b6e4f; font-weight: 700; text-decoration: none }
a:hover { text-decoration: underline }
@media (min-width: 50rem) { p { text-align: justify } }`,
    render: (page) => `<header class="wide">${furniture.navigation(page)}</header><main><article>${furniture.post(page)}
</article>${furniture.tagList(page)}</main>
<div class="wide">${furniture.footer(page)}</div>`
  }
]
