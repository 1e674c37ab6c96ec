import { addHead, editElements, say } from '../edit.ts'
import * as furniture from '../furniture.ts'
import type { SiteStyle } from '../types.ts'
import { BASE, PROGRESS_CSS, PROGRESS_SCRIPT } from './base.ts'

/** Sites of the tune half with style sheets of their own. */
export const OWN_TUNE: SiteStyle[] = [
  {
    name: 'docs-sidebar',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.6 "DejaVu Sans", system-ui, sans-serif; color: #1c2733; background: #fff }
.top { position: sticky; top: 0; z-index: 10; display: flex; gap: 2rem; align-items: center; padding: .6rem 1.25rem;
  background: #fff; border-bottom: 1px solid #d6dde5 }
.columns { display: grid; grid-template-columns: 13rem minmax(0, 44rem) 12rem; gap: 2.5rem; max-width: 80rem;
  margin: 0 auto; padding: 1.5rem 1.25rem }
.side ul { display: block }
.contents { position: sticky; top: 4rem; align-self: start; font-size: .875rem }
a { color: #0b57a4 }
h2, h3 { scroll-margin-top: 5rem }
.anchor { margin-inline-start: .4rem; color: #66727f; text-decoration: none; font-weight: 400 }
.site-footer { border-top: 1px solid #d6dde5; padding: 1rem 1.25rem }
@media (max-width: 900px) { .columns { grid-template-columns: minmax(0, 1fr) } .side { display: none }
  .contents { position: static; order: -1 } }`,
    prepare: (page) => {
      // A permanent link at each heading, as documentation generators add them.
      const label = say(page, { en: 'Link to this section', de: 'Link zu diesem Abschnitt', ar: 'رابط', ja: 'リンク' })
      editElements(page, 'h2', 'all', (html) =>
        html.replace(
          /^<h2 id="([^"]*)">([\s\S]*)<\/h2>$/,
          `<h2 id="$1">$2<a class="anchor" href="#$1" aria-label="${label}">#</a></h2>`
        )
      )
    },
    render: (
      page
    ) => `<header class="top"><strong>${furniture.siteName(page)}</strong>${furniture.navigation(page)}</header>
<div class="columns"><aside class="side">${furniture.relatedList(page)}</aside>
<main><article>${furniture.breadcrumbs(page)}${furniture.post(page)}</article></main>${furniture.contents(page)}</div>
${furniture.footer(page)}`
  },
  {
    name: 'magazine-drop-cap',
    half: 'tune',
    css: `${BASE}
body { font: 19px/1.7 Georgia, "DejaVu Serif", serif; color: #241f1a; background: #fdfaf4 }
.masthead { text-align: center; padding: 2.5rem 1rem 1rem; border-bottom: 3px double #241f1a }
.masthead nav ul { justify-content: center }
main { max-width: 40rem; margin: 0 auto; padding: 1.5rem 1.25rem }
h1 { font-size: clamp(2rem, 6vw, 3.2rem); line-height: 1.15; font-weight: 400; text-align: center }
.byline { text-align: center; font-style: italic }
.svc-blog > p:first-child:first-letter { float: inline-start; font-size: 3.4em; line-height: .85; " +
"padding-inline-end: .08em }
a { color: #8c1c13; text-underline-offset: .2em }
blockquote { font-size: 1.15em }
.site-footer { text-align: center; padding: 2rem }`,
    locales: ['en', 'de'],
    render: (page) => `<header class="masthead"><p><strong>${furniture.siteName(page)}</strong></p>
${furniture.navigation(page)}</header>
<main><article>${furniture.post(page)}</article>
${furniture.authorBox(page)}${furniture.relatedCards(page)}</main>${furniture.footer(page)}`
  },
  {
    name: 'dark-terminal',
    half: 'tune',
    css: `${BASE}
:root { color-scheme: dark }
body { font: 16px/1.65 "DejaVu Sans Mono", ui-monospace, monospace; color: #c8e6c9; background: #0b0f0c }
header { padding: 1rem; border-bottom: 1px dashed #3d5a40 }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem }
a { color: #7ee787 }
h1::before { content: "$ "; color: #7ee787 }
h2::before { content: "## "; color: #6fae75 }
.site-footer { padding: 1rem; border-top: 1px dashed #3d5a40 }`,
    render: (page) => `<header><strong>~/${furniture.siteName(page)}</strong>${furniture.navigation(page)}</header>
<main><article>${furniture.post(page)}${furniture.tagList(page)}</article></main>${furniture.footer(page)}`
  },
  {
    name: 'narrow-rem',
    half: 'tune',
    css: `${BASE}${PROGRESS_CSS}
html { font-size: 62.5% }
body { font: 1.8rem/1.75 "DejaVu Sans", system-ui, sans-serif; color: #333; background: #fff }
main { max-width: 54rem; margin: 0 auto; padding: 3rem 2rem }
h1 { font-size: 3.2rem; line-height: 1.25 }
a { color: #b3261e }
.consent { position: fixed; inset-inline: 1rem; bottom: 1rem; max-width: 40rem; margin: 0 auto; padding: 1.2rem;
  font-size: 1.5rem; line-height: 1.4; background: #222; color: #fff; border-radius: 1rem; z-index: 70 }
.consent button { font: inherit; padding: .6rem 1.4rem }
.site-footer { padding: 4rem 2rem 9rem; text-align: center }`,
    render: (
      page
    ) => `<div class="progress" aria-hidden="true"></div><main><p><a href="/">${furniture.siteName(page)}</a></p>
<article>${furniture.post(page)}</article>${furniture.relatedList(page)}</main>${furniture.footer(page)}
<div class="consent" role="region" aria-label="Cookies"><span>${say(page, {
      en: 'We count visits without cookies.',
      de: 'Wir zählen Besuche ohne Cookies.',
      ar: 'نحصي الزيارات من غير ملفات تعريف.',
      ja: 'クッキーなしで訪問数を数えています。'
    })}</span> <button type="button" onclick="this.parentNode.remove()">OK</button></div>${PROGRESS_SCRIPT}`
  },
  {
    name: 'book-print',
    half: 'tune',
    css: `${BASE}
body { font: 18px/1.55 "DejaVu Serif", Georgia, serif; color: #111; background: #fff }
.page { max-width: 36rem; margin: 0 auto; padding: 2rem 1.25rem }
h1, h2, h3 { font-variant-caps: small-caps; font-weight: 400 }
.svc-blog p + p:not(:has(img)) { text-indent: 1.5em; margin-block-start: 0 }
.svc-blog p { hyphens: auto }
a { color: inherit; text-decoration: underline dotted }
hr { border: 0; text-align: center }`,
    render: (page) => `<div class="page"><header>${furniture.breadcrumbs(page)}</header>
<main><article>${furniture.post(page)}</article></main>
${furniture.tagList(page)}${furniture.footer(page)}</div>`
  },
  {
    name: 'fast-feed',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.6 system-ui, "DejaVu Sans", sans-serif; color: #202124; background: #eef1f4 }
.card { max-width: 43rem; margin: 1rem auto; padding: 1.25rem; background: #fff; border-radius: .75rem; " +
"box-shadow: 0 1px 3px #0003 }
.below { content-visibility: auto; contain-intrinsic-size: auto 600px }
a { color: #1a56b0 }
@font-face { font-family: Brand; src: url(/fonts/brand.woff) format("woff"); font-display: swap; unicode-range: " +
"U+F100-F1FF }
h1 { font-family: Brand, system-ui, "DejaVu Sans", sans-serif }`,
    prepare: (page) => {
      addHead(page, '<link rel="preload" as="font" type="font/woff" crossorigin href="/fonts/brand.woff">')
    },
    render: (page) => `<header class="card">${furniture.navigation(page)}</header>
<main class="card"><article>${furniture.post(page)}${furniture.shareBar(page)}</article></main>
<div class="below"><div class="card">${furniture.comments(page)}</div><div " +
"class="card">${furniture.relatedCards(page)}</div></div>
<div class="card">${furniture.footer(page)}</div>`
  }
]
