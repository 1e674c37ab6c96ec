import { editBlocks } from '../edit.ts'
import * as furniture from '../furniture.ts'
import type { Page, SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

const around = (page: Page, main: string): string =>
  `<header class="top">${furniture.navigation(page)}</header>${main}${furniture.footer(page)}`
const plain = (page: Page): string => around(page, `<main><article>${furniture.post(page)}</article></main>`)

/** Sites of the sixth set like the themes of well-known blogs. All are faultless. */
export const SIXTH_BLOGS: SiteStyle[] = [
  {
    name: 'classic-blog',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.5 Georgia, "DejaVu Serif", serif; color: #333; background: #f1f1f1 }
#wrapper { max-width: 940px; margin: 20px auto; padding: 0 20px; background: #fff }
#branding { border-top: 4px solid #000; padding: 20px 0 } #branding img { width: 100%; height: 160px; object-fit:
cover }
#access { background: #000; padding: .4rem .8rem } #access a { color: #ddd }
#main { display: flex; gap: 40px; padding-block: 30px } #container { flex: 1; min-width: 0 } #primary { width: 220px;
font-size: 14px } #primary ul { list-style: square; padding-inline-start: 1.3em; display: block }
@media (max-width: 800px) { #main { display: block } #primary { width: auto } }
.entry-meta { color: #666; font: 14px sans-serif }
.svc-blog { clear: both; padding-block-start: 12px; margin-block-end: 24px }
.svc-blog :is(p, ul, ol, pre, hr) { margin-block-end: 24px }
.svc-blog blockquote { font-style: italic; padding: 0 3em; border: 0 }
.svc-blog :is(h2, h3) { color: #000; margin: 0 0 20px; font-weight: bold }
.svc-blog table { border: 1px solid #e7e7e7; margin: 0 -1px 24px 0; width: 100% }
.svc-blog th { color: #666; font-size: 14px; background: none; border: 0 } .svc-blog td { border: 0; border-top:
1px solid #e7e7e7; padding: 6px 24px 6px 10px }
a { color: #0059a6 }`,
    render: (page) => `<div id="wrapper"><div id="branding"><strong>${furniture.siteName(page)}</strong><img
src="/assets/banner.jpg" alt="" width="1600" height="400"></div><div id="access">${furniture.navigation(page)}</div>
<div id="main"><div id="container"><main class="post">${furniture.post(page)}
<div class="entry-meta">${furniture.tagList(page)}</div>${furniture.comments(page)}</main></div><div id="primary"
role="complementary">${furniture.relatedList(page)}${furniture.newsletter(page)}</div></div>
${furniture.footer(page)}</div>`
  },
  {
    name: 'publication-canvas',
    half: 'tune',
    css: `${BASE}
html { font-size: 62.5% }
body { font: 1.8rem/1.6 Georgia, "DejaVu Serif", serif; color: #15171a; background: #fff }
.top, .site-footer { font: 1.5rem/1.4 "DejaVu Sans", sans-serif; padding: 2rem 4vmin; background: #15171a; color: #fff }
.top a, .site-footer a { color: #fff }
.cover { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); background: #f1f1f4 }
.cover img { width: 100%; height: 100%; object-fit: cover } .cover > div { padding: 8vmin 6vmin }
@media (max-width: 767px) { .cover { grid-template-columns: minmax(0, 1fr) } }
h1 { font: 800 clamp(3rem, 5vw, 6rem)/1.1 "DejaVu Sans", sans-serif; letter-spacing: -.02em; margin: 0 0 2rem }
.content { max-width: 72rem; margin: 6vmin auto; padding: 0 4vmin }
.svc-blog { font-size: 2rem; max-width: none }
.svc-blog > :is(h2, h3) { font-family: "DejaVu Sans", sans-serif; font-weight: 800; letter-spacing: -.01em }
.svc-blog > p:first-child { font-size: 1.15em; line-height: 1.45 }
.svc-blog > * + * { margin-block-start: max(3.2vmin, 2.4rem) }
.svc-blog > blockquote { border: 0; padding: 0 1.5em; font-style: italic; font-size: 1.2em; text-align: center }
.svc-blog pre { background: #15171a; color: #e5eff5; font-size: 1.5rem; border-radius: 5px }
.svc-blog pre * { color: inherit }
.svc-blog table { font: 1.6rem/1.5 "DejaVu Sans", sans-serif; background: radial-gradient(ellipse at left,
rgba(0, 0, 0, .12), transparent 75%) 0 / 10px 100% no-repeat }
.svc-blog :is(td, th) { border: 0; border-bottom: 1px solid #e3e9ed; padding: 6px 12px }
.svc-blog th { text-transform: uppercase; font-size: 1.3rem; letter-spacing: .2px; color: #15171a }
a { color: #c2185b } .cover a { color: inherit }`,
    render: (page) =>
      around(
        page,
        `<div class="cover"><div><p class="tag">${furniture.siteName(page)}</p>${furniture.heading(page)}</div><img
src="/assets/banner.jpg" alt="" width="1600" height="400"></div><main class="content"><article>${page.beforeArticle}
${page.article}${page.afterArticle}</article>${furniture.authorBox(page)}${furniture.relatedCards(page)}</main>`
      )
  },
  {
    name: 'reading-serif',
    half: 'tune',
    css: `${BASE}
body { font: 18px/1.4 "DejaVu Sans", sans-serif; color: #242424; background: #fff }
.top { border-bottom: 1px solid #f2f2f2; padding: 12px 24px; position: sticky; top: 0; background: #fff; z-index: 5 }
main { max-width: 680px; margin: 0 auto; padding: 24px }
h1 { font-size: clamp(32px, 4vw, 42px); line-height: 1.24; letter-spacing: -.011em; font-weight: 700 }
.bar { display: flex; justify-content: space-between; border-block: 1px solid #f2f2f2; padding: 8px 0; font-size: 14px }
.bar button { border: 0; background: none; font: inherit; color: #6b6b6b; min-height: 28px }
.svc-blog :is(p, li, blockquote) { font: 20px/32px "DejaVu Serif", Georgia, serif; letter-spacing: -.003em }
.svc-blog :is(p, ul, ol, pre) { margin-block: 2em 0 } .svc-blog li { margin-block: 1.05em 0 } .svc-blog li p { margin:
0 }
.svc-blog blockquote { box-shadow: inset 3px 0 0 0 #242424; padding-inline-start: 23px; margin-block-start: 32px;
border: 0; font-style: italic }
.svc-blog [dir=rtl] blockquote, [dir=rtl] .svc-blog blockquote { box-shadow: inset -3px 0 0 0 #242424 }
.svc-blog h2 { font-size: 24px; line-height: 30px; letter-spacing: -.016em; margin: 1.95em 0 -.28em }
.svc-blog h3 { font-size: 20px; line-height: 24px; margin: 1.72em 0 -.28em }
.svc-blog hr { border: 0; text-align: center; height: auto } .svc-blog hr::before { content: "···"; letter-spacing:
.6em;
font-size: 24px }
.svc-blog figure { margin: 40px 0 0 } .svc-blog figcaption { font-size: 14px; line-height: 20px; color: #6b6b6b }
.svc-blog pre { padding: 32px; border-radius: 4px; border: 1px solid #e5e5e5; background: #f9f9f9; font-size: 14px }
a { color: inherit }`,
    prepare: (page) => {
      if (!page.article.includes('<p><img')) return
      editBlocks(page, (blocks) =>
        blocks.map((block) =>
          /^<p>(<img[^>]*>)<\/p>$/.test(block)
            ? block.replace(
                /^<p>(<img[^>]*? alt="([^"]*)"[^>]*>)<\/p>$/,
                '<figure><div role="button" tabindex="0" aria-label="$2"><picture><source ' +
                  'media="(min-width: 99999px)"' +
                  ' srcset="/assets/banner.jpg">$1</picture></div><figcaption>$2</figcaption></figure>'
              )
            : block
        )
      )
    },
    render: (page) =>
      around(
        page,
        `<main><article>${furniture.heading(page)}<div class="bar"><button type="button">12 ♥</button><button
type="button">3 ✎</button></div>${page.beforeArticle}${page.article}${page.afterArticle}</article></main>`
      )
  },
  {
    name: 'letter-publication',
    half: 'tune',
    css: `${BASE}
body { font: 19px/1.6 "DejaVu Serif", Spectral, serif; color: #363737; background: #fff }
.top, .site-footer { text-align: center; padding: 1rem } .top ul { justify-content: center }
main { max-width: 728px; margin: 0 auto; padding: 16px }
h1, h2, h3 { font-family: "DejaVu Sans", sans-serif; line-height: 1.16; color: #363737 }
.svc-blog :is(h2, h3) { margin: 1em 0 .625em } .svc-blog p { margin: 0 0 20px }
.svc-blog blockquote { border-inline-start: 4px solid #ff6719; margin: 20px 0; padding: 0 0 0 20px }
.subscription { border: 1px solid #e6e6e6; border-radius: 8px; padding: 24px; margin: 32px 0; text-align: center;
background: #f7f7f7; font: 16px/1.4 "DejaVu Sans", sans-serif } .subscription input { width: 100% }
.captioned { position: relative; margin: 32px 0 } .captioned img { display: block; margin: 0 auto; cursor: zoom-in }
.captioned .zoom { position: absolute; inset: 8px 8px auto auto; opacity: 0 }
.svc-blog .self { position: absolute; inset-inline-start: -40px; opacity: 0 } .svc-blog h2 { position: relative }
a { color: inherit; text-decoration: underline #ff6719 }`,
    prepare: (page) => {
      editBlocks(page, (blocks) => [
        ...blocks.slice(0, 2).map((block) => block),
        `<div class="subscription">${furniture.newsletter(page)}</div>`,
        ...blocks
          .slice(2)
          .map((block) =>
            /^<p>(<img[^>]*>)<\/p>$/.test(block)
              ? `<div class="captioned"><a href="/photo" target="_blank" rel="noopener">${block.slice(3, -4)}</a>` +
                '<button type="button" class="zoom" aria-label="Zoom">⤢</button></div>'
              : block
          )
      ])
    },
    render: plain
  }
]
