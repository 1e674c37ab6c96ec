import { editBlocks, editElements } from '../edit.ts'
import * as furniture from '../furniture.ts'
import type { Page, SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

const PICTURE = /^<p>(<img[^>]*>)<\/p>$/

/** The alternative text of an image as it is in HTML. */
const altOf = (html: string): string => / alt="([^"]*)"/.exec(html)?.[1] ?? ''

const around = (page: Page, main: string): string =>
  `<header class="top"><strong>${furniture.siteName(page)}</strong>${furniture.navigation(page)}</header>${main}
${furniture.footer(page)}`

/** Sites of the seventh set like newspapers and the themes of blog systems. All are faultless. */
export const SEVENTH_PRESS: SiteStyle[] = [
  {
    name: 'tabloid',
    half: 'tune',
    css: `${BASE}
body { font: 18px/1.55 "DejaVu Serif", Georgia, serif; color: #121212; background: #fff }
.top { border-bottom: 6px double #121212; text-align: center; padding: 1rem } .top nav ul { justify-content: center }
.site-footer, main { max-width: 43rem; margin: 0 auto; padding: 1rem 1.25rem } .kicker { font: 700 .8rem/1
"DejaVu Sans",
sans-serif; text-transform: uppercase; letter-spacing: .1em; color: #b00 } h1 { font-size: clamp(2rem, 7vw, 3.2rem);
line-height: 1.02; letter-spacing: -.02em; font-weight: 900; margin: .3em 0 }
.svc-blog > p:first-of-type:not(:has(img))::first-letter { initial-letter: 3; font-weight: 900; margin-inline-end:
.12em;
color: #b00 } .svc-blog > p:first-of-type::first-line { font-variant-caps: small-caps }
.svc-blog h2 { font-size: 1.35rem; border-top: 4px solid #121212; padding-top: .4em } .svc-blog h2::after { content: "";
display: block; width: 3em; border-bottom: 2px solid #b00; margin-top: .3em }
.svc-blog blockquote { border: 0; border-block: 1px solid #121212; margin: 1.5em 0; padding: 1em 0; font: italic
1.5rem/1.3 "DejaVu Serif", serif; text-align: center } .svc-blog blockquote p:last-child:not(:only-child) { font: .9rem
"DejaVu Sans", sans-serif } .svc-blog table { width: 100%; font: .9rem/1.4 "DejaVu Sans", sans-serif }
.svc-blog thead th { background: #121212; color: #fff } .svc-blog :is(td, th) { border-width: 0 0 1px }
.svc-blog a { color: inherit; text-decoration: underline; text-decoration-color: #b00; text-decoration-thickness: 2px
}`,
    locales: ['en', 'de', 'pt', 'el', 'vi', 'ko', 'zh'],
    render: (page) =>
      around(
        page,
        `<main><article><p class="kicker">${page.post.blog.category ?? ''}</p>${furniture.post(page)}</article>
${furniture.relatedCards(page)}</main>`
      )
  },
  {
    name: 'portal-with-everything',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.6 "DejaVu Sans", Arial, sans-serif; color: #222; background: #eef0f2 }
.top { position: sticky; top: 0; z-index: 20; background: #fff; box-shadow: 0 1px 6px #0003; padding: .5rem 1rem;
display: flex; gap: 1rem; align-items: center } @media (max-width: 700px) { .top nav { display: none } }
.ticker { background: #a30000; color: #fff; padding: .3rem 1rem; white-space: nowrap; overflow: hidden }
.layout { display: grid; grid-template-columns: 3.5rem minmax(0, 1fr) 19rem; gap: 1.5rem; max-width: 78rem; margin: 1rem
auto; padding: 0 1rem } main { background: #fff; padding: 1.5rem clamp(1rem, 4vw, 3rem) } .svc-blog { max-width: 44rem }
.rail .share { position: sticky; top: 5rem; display: grid; font-size: .75rem } .rail .share a { display: grid;
min-height: 2.5rem; border: 1px solid #ccc; border-radius: 50%; overflow: hidden; place-items: center; font-size: 0 }
.rail .share a::first-letter { font-size: 1rem } .rail .share span { display: none }
@media (max-width: 1000px) { .layout { display: block; padding: 0 } .rail { display: none } .extra { padding: 1rem } }
.within { float: inline-end; width: 15rem; margin: .3rem 0 1rem 1.5rem; background: #f4f6f8; border-top: 3px solid
#a30000; padding: .75rem 1rem; font-size: .9rem } [dir=rtl] .within { margin: .3rem 1.5rem 1rem 0 }
.within h2 { font-size: 1rem; margin: 0 } .within ul { padding-inline-start: 1.1em; margin: .4em 0 0 }
@media (max-width: 640px) { .within, [dir=rtl] .within { float: none; width: auto; margin: 1.5rem 0 } }
.newsletter { background: #fff4d6; border-radius: 8px } .newsletter h2 { font-size: 1.1rem; margin-top: 0 }
.cookies { position: fixed; inset: auto 0 0; z-index: 30; background: #222; color: #fff; padding: .6rem 1rem; display:
flex; gap: 1rem; align-items: center; justify-content: center } .site-footer { padding: 2rem 1rem 5rem; background:
#222; color: #fff } .site-footer a { color: #fff } a { color: #a30000 }
.svc-blog h2 { border-inline-start: 6px solid #a30000; padding-inline-start: .6rem }`,
    prepare: (page) => {
      editBlocks(page, (blocks) => {
        const texts = blocks.flatMap((block, index) => (/^<p>(?!<img)[\s\S]{80,}/.test(block) ? [index] : []))
        const first = texts[1] ?? texts[0] ?? 0
        const middle = Math.max(first + 1, Math.ceil(blocks.length / 2))
        const box = `<aside class="within">${furniture.relatedList(page)}</aside>`
        return [
          ...blocks.slice(0, first),
          box,
          ...blocks.slice(first, middle),
          furniture.advert(page),
          ...blocks.slice(middle),
          furniture.newsletter(page)
        ]
      })
    },
    render: (page) => `<div class="ticker" aria-hidden="true">24/7 · ${furniture.siteName(page)}</div>
<header class="top"><strong>${furniture.siteName(page)}</strong>${furniture.navigation(page)}</header>
<div class="layout"><div class="rail">${furniture.shareBar(page)}</div><main>${furniture.breadcrumbs(page)}
<article>${furniture.post(page)}</article>${furniture.tagList(page)}${furniture.authorBox(page)}
${furniture.comments(page)}</main><aside class="extra">${furniture.relatedCards(page)}</aside></div>
${furniture.footer(page)}<div class="cookies" role="region" aria-label="Cookies"><span>🍪 Cookies</span>
<button type="button">OK</button></div>`
  },
  {
    name: 'cards-of-a-publisher',
    half: 'tune',
    css: `${BASE}
body { font: 1.05rem/1.5 "DejaVu Sans", Inter, sans-serif; color: #15171a; background: #fff }
.top, .site-footer { padding: 1rem max(4vmin, 20px); display: flex; flex-wrap: wrap; gap: 1rem; justify-content:
space-between } .canvas { display: grid; grid-template-columns: [full-start] minmax(max(4vmin, 20px), auto) [wide-start]
minmax(auto, 240px) [main-start] min(720px, calc(100% - max(8vmin, 40px))) [main-end] minmax(auto, 240px) [wide-end]
minmax(max(4vmin, 20px), auto) [full-end] } .canvas > * { grid-column: main } .canvas > .feature { grid-column: wide }
.feature img { width: 100%; border-radius: 3px } h1 { font-size: clamp(2.2rem, 5vw, 3.4rem); font-weight: 800;
letter-spacing: -.03em; line-height: 1.08 } .svc-blog { font: 1.2rem/1.7 "DejaVu Serif", Georgia, serif; max-width:
none;
--svc-line-height: 1.7 } .svc-blog :is(h2, h3, h4, th) { font-family: "DejaVu Sans", sans-serif; letter-spacing: -.01em
}
.svc-blog > * { margin-block: 0 } .svc-blog > * + * { margin-top: max(2.8vmin, 28px) } .svc-blog > h2 + * { margin-top:
.6em } .kg-card { margin-inline: 0 } .kg-card figcaption { font: .85rem/1.4 "DejaVu Sans", sans-serif; text-align:
center; color: #56606b; padding-top: .75rem } .kg-card img { display: block; margin: auto; cursor: zoom-in }
.svc-blog blockquote { border: 0; padding: 0 1.5rem; position: relative; font-style: italic } .svc-blog
blockquote::before { content: ""; position: absolute; inset: 0 auto 0 0; width: .3rem; background: #d6226a }
[dir=rtl] .svc-blog blockquote::before { inset: 0 0 0 auto } .svc-blog hr { position: relative; width: 100%; border: 0;
border-top: 1px solid #f0f0f0; margin-block: 4vw } .svc-blog pre { background: #15171a; color: #e5eff5; border-radius:
5px; padding: 1.5rem; font-size: .95rem } .svc-blog pre * { color: inherit } .svc-blog a { color: #c01a5c }
.kg-bookmark { display: grid; grid-template-columns: 1fr 8rem; border: 1px solid #ddd; border-radius: 3px; overflow:
hidden; color: inherit; text-decoration: none; font: .9rem/1.4 "DejaVu Sans", sans-serif } .kg-bookmark span { padding:
1rem } .kg-bookmark img { width: 100%; height: 100%; object-fit: cover }`,
    prepare: (page) => {
      editBlocks(page, (blocks) => [
        ...blocks.map((block) =>
          block.replace(
            PICTURE,
            (_, img: string) =>
              `<figure class="kg-card kg-image-card">${img}<figcaption>${altOf(img)}</figcaption></figure>`
          )
        ),
        `<a class="kg-card kg-bookmark" href="/articles/2"><span>${furniture.relatedTitle(page)}</span><img ` +
          'src="/assets/card-three.jpg" alt="" width="400" height="260" loading="lazy"></a>'
      ])
    },
    render: (page) =>
      around(
        page,
        `<main><article class="canvas">${furniture.heading(page)}<div class="feature"><img src="/assets/banner.jpg"
alt="" width="1600" height="400"></div>${page.beforeArticle}${page.article}${page.afterArticle}</article></main>`
      )
  },
  {
    name: 'blocks-of-a-year',
    half: 'tune',
    css: `${BASE}
:root { --gap: clamp(1.5rem, 4vw, 2.5rem); --wide: 1100px; --narrow: 640px }
body { font: 1.1rem/1.6 "DejaVu Sans", sans-serif; color: #39414d; background: #d1e4dd }
.top, .site-footer, main > * { max-width: var(--narrow); margin-inline: auto; padding-inline: 1.25rem }
h1 { font-size: clamp(2.2rem, 8vw, 4.5rem); font-weight: 300; line-height: 1.1; max-width: var(--wide) }
.svc-blog { max-width: var(--wide); --svc-line-height: 1.7 } .svc-blog > * { max-width: calc(var(--narrow) - 2.5rem);
margin-inline: auto; margin-block: var(--gap) } .svc-blog > .alignwide { max-width: none } .wp-block-image {
margin-inline:
0 } .wp-block-image img { width: 100%; border: 3px solid #28303d } .svc-blog > h2 { font-size: 2.2rem; font-weight: 300;
line-height: 1.2; margin-bottom: 0 } .has-drop-cap::first-letter { float: inline-start; font-size: 4.2em; line-height:
.68; font-weight: 300; margin: .1em .1em 0 0; text-transform: uppercase } .svc-blog .is-style-large { border: 0;
padding:
0; position: relative; padding-inline-start: 1.2em } .svc-blog .is-style-large p { font-size: 1.5em; line-height: 1.35;
margin-block: .3em } .svc-blog .is-style-large::before { content: "“"; position: absolute; inset-inline-start: 0;
font-size: 2em; line-height: 1 } .svc-blog table { border-collapse: collapse; width: 100% } .svc-blog :is(td, th) {
border: 1px solid #28303d; padding: .5rem } .svc-blog th { background: none } .svc-blog tbody tr:nth-child(odd) {
background: #ffffff66 } .svc-blog hr { border: 0; border-bottom: 3px solid #28303d; width: 100px } .svc-blog :is(ul,
ol) {
padding-inline-start: 2em } .svc-blog pre { border: 1px solid #28303d; background: #fff8; padding: 1rem } a { color:
#28303d }`,
    prepare: (page) => {
      editBlocks(page, (blocks) =>
        blocks.map((block) =>
          block
            .replace(PICTURE, '<figure class="wp-block-image alignwide">$1</figure>')
            .replace(/^<blockquote>/, '<blockquote class="wp-block-quote is-style-large">')
            .replace(/^<h2 /, '<h2 class="wp-block-heading" ')
            .replace(/^<p>(?=\p{L}[^<]{120})/u, '<p class="has-drop-cap">')
        )
      )
    },
    locales: ['en', 'de', 'pt', 'el'],
    render: (page) =>
      around(
        page,
        `<main><article><div>${furniture.heading(page)}</div>${page.beforeArticle}${page.article}${page.afterArticle}
</article>${furniture.comments(page)}</main>`
      )
  },
  {
    name: 'static-paper',
    half: 'tune',
    css: `${BASE}
body { font: 18px/1.6 "DejaVu Sans", sans-serif; color: #1f1f1f; background: #f5f5f5 } main, .top, .site-footer {
max-width: 768px; margin: 0 auto; padding: 1rem 24px } .top { display: flex; justify-content: space-between; gap: 1rem }
h1 { font-size: 40px; line-height: 1.15 } @media (max-width: 500px) { h1 { font-size: 32px } .top nav { display: none }
}
.toc { margin: 0 2px 40px; border: 1px solid #e3e3e3; background: #fff; border-radius: 8px; padding: .4em } .toc
summary { cursor: pointer; margin-inline-start: 20px; font-weight: 600 } .svc-blog > * { margin-block: 0 24px }
.svc-blog h2 { margin: 32px 0 24px; font-size: 32px } .svc-blog h3 { font-size: 24px } .anchor { display: none;
margin-inline-start: 8px; color: #6c6c6c } h2:hover .anchor { display: inline } .svc-blog :is(ul, ol) {
padding-inline-start: 20px } .svc-blog li { margin-top: 5px } .svc-blog a { color: inherit; text-decoration: none;
box-shadow: 0 1px 0 } .svc-blog .highlight { position: relative; margin: 10px auto 24px } .svc-blog .highlight pre {
background: #1c1d21; color: #d5d5d6; border-radius: 8px; padding: 14px; margin: 0; font-size: .78em; line-height: 1.5 }
.svc-blog .highlight pre * { color: inherit } .copy { position: absolute; inset: 6px 6px auto auto; display: none }
.highlight:hover .copy { display: block } .svc-blog table { font-size: .85em; display: block; width: max-content;
max-width: 100%; overflow: auto } .svc-blog blockquote { border-inline-start: 3px solid #1f1f1f; padding: 0 14px;
margin:
20px 0 24px } .svc-blog img { border-radius: 4px; margin-block: 1rem } .tags a { display: inline-block; padding: .3rem
.8rem; border: 1px solid #ccc; border-radius: 8px; background: #fff; color: #444; text-decoration: none }
.paginav { display: flex; border: 1px solid #ccc; border-radius: 8px; background: #fff } .paginav a { flex: 1; padding:
12px; color: inherit }`,
    prepare: (page) => {
      if (page.article.includes('<h2')) {
        editElements(page, 'h2', 'all', (html) =>
          html.replace(
            /<h2 id="([^"]*)">([\s\S]*)<\/h2>/,
            '<h2 id="$1">$2<a hidden class="anchor" aria-hidden="true" href="#$1">#</a></h2>'
          )
        )
      }
      if (page.article.includes('<pre')) {
        editElements(
          page,
          'pre',
          'all',
          (html) => `<div class="highlight">${html}<button class="copy" type="button">copy</button></div>`
        )
      }
    },
    render: (page) =>
      around(
        page,
        `<main><article>${furniture.heading(page)}<details class="toc"><summary>☰</summary>${furniture.contents(page)}
</details>${page.beforeArticle}${page.article}${page.afterArticle}${furniture.tagList(page)}<nav class="paginav"
aria-label="Pages"><a href="/articles/1">« 1</a><a href="/articles/2">2 »</a></nav></article></main>`
      )
  },
  {
    name: 'small-sans',
    half: 'tune',
    css: `${BASE}
body { font: 14px/1.6 "DejaVu Sans", Verdana, sans-serif; color: #333; background: #f3f3f3 }
.wrap { max-width: 960px; margin: 0 auto; background: #fff; border-inline: 1px solid #ddd; padding: 0 24px }
.top { padding: 16px 0; border-bottom: 4px solid #36648b } .cols { display: flex; gap: 32px } main { flex: 1;
min-width: 0
} .side { width: 200px; flex: none; font-size: 13px } @media (max-width: 760px) { .cols { display: block } .side {
width:
auto } .wrap { padding: 0 14px } body { font-size: 15px } } h1 { font-size: 22px; color: #36648b }
.svc-blog { font-size: 1em; max-width: 620px } .svc-blog h2 { font-size: 1.25em; color: #36648b; border-bottom: 1px
dotted
#36648b } .svc-blog h3 { font-size: 1.1em } .svc-blog ul { list-style: square } .svc-blog table { font-size: .95em;
border-collapse: collapse } .svc-blog th { background: #36648b; color: #fff } .svc-blog :is(td, th) { padding: 3px 8px;
border: 1px solid #ccc } .svc-blog blockquote { background: #f7f7f0; border: 1px solid #e0e0cc; border-inline-start: 4px
solid #36648b; padding: 6px 12px } .svc-blog pre { background: #f7f7f7; border: 1px dashed #999; font-size: .93em }
.svc-blog img { border: 1px solid #ccc; padding: 4px; background: #fff } a { color: #285577 }`,
    render: (page) => `<div class="wrap"><header class="top"><strong>${furniture.siteName(page)}</strong>
${furniture.navigation(page)}</header><div class="cols"><main>${furniture.breadcrumbs(page)}<article>
${furniture.post(page)}</article>${furniture.comments(page)}</main><aside class="side">${furniture.relatedList(page)}
</aside></div>${furniture.footer(page)}</div>`
  }
]
