import { editElements } from '../edit.ts'
import * as furniture from '../furniture.ts'
import type { Page, SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

const plain = (page: Page): string =>
  `<header class="top">${furniture.navigation(page)}</header><main><article>${furniture.post(page)}</article></main>
${furniture.footer(page)}`

const COLUMN = '.top, .site-footer, main { max-width: 46rem; margin: 0 auto; padding: 1rem 1.5rem }'

/** Sites of the seventh set that differ in typography. All are faultless. */
export const SEVENTH_TYPE: SiteStyle[] = [
  {
    name: 'east-asian-text',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.9 "Noto Serif CJK SC", "Noto Serif KR", "DejaVu Serif", serif; color: #2b2b2b; background: #fdfcf9 }
${COLUMN} h1 { text-align: center; font-weight: 700; line-height: 1.5; word-break: keep-all; overflow-wrap: anywhere }
.byline { text-align: center; color: #666 } .svc-blog { --svc-line-height: 1.9; line-break: strict; text-autospace:
normal;
text-spacing-trim: space-first } .svc-blog > p:not(:has(img)) { text-indent: 2em; text-align: justify; margin-block: 0
.8em
} .svc-blog :lang(ko), .svc-blog:lang(ko) { word-break: keep-all } .svc-blog em { font-style: normal; text-emphasis:
filled
dot; text-emphasis-position: under right } .svc-blog h2 { text-align: center; font-size: 1.3rem } .svc-blog h2::before {
content: "◆ " } .svc-blog h2::after { content: " ◆" } .svc-blog h3 { border-inline-start: 4px solid #a33;
padding-inline-start:
.5em } .svc-blog blockquote { border: 0; background: #f3efe4; padding: 1em 2em; text-align: center } .svc-blog table {
margin-inline: auto } .svc-blog img { display: block; margin-inline: auto } .svc-blog ol { list-style: cjk-decimal }
a { color: #8c2f1b }`,
    locales: ['zh', 'ko'],
    render: plain
  },
  {
    name: 'both-directions',
    half: 'tune',
    css: `${BASE}
body { font: 1.2rem/1.9 "Vazirmatn", "Noto Naskh Arabic", "DejaVu Sans", sans-serif; color: #1d2433; background: #fff }
main { display: grid; grid-template-columns: minmax(0, 44rem) minmax(12rem, 1fr); gap: 3rem; max-width: 64rem;
margin-inline: auto; padding: 1.5rem } @media (max-width: 900px) { main { display: block } } .top, .site-footer {
max-width: 64rem; margin-inline: auto; padding: 1rem 1.5rem } h1 { font-size: 2rem; line-height: 1.5; text-wrap:
balance }
.svc-blog { font-size: 1em; --svc-line-height: 1.9 } .svc-blog p { text-align: start; unicode-bidi: plaintext }
.svc-blog
h2 { display: flex; align-items: center; gap: .6em; line-height: 1.5 } .svc-blog h2::after { content: ""; flex: 1;
height:
2px; background: linear-gradient(to right, #0f766e, #0f766e22) } .svc-blog blockquote { border: 0; border-inline-start:
4px
solid #0f766e; padding-inline: 1rem 0; font-weight: 700 } .svc-blog ul { list-style:
none; padding: 0 } .svc-blog ul > li:not(.svc-task-item) { padding-inline-start: 1.6em; position: relative } .svc-blog
ul >
li:not(.svc-task-item)::before { content: "✓"; position: absolute; inset-inline-start: 0; color: #0f766e } .svc-blog
table
{ width: 100% } .svc-blog thead th { background: #0f766e; color: #fff; border-color: #0f766e } .svc-blog code {
direction:
ltr; unicode-bidi: isolate } .aside { border-inline-start: 1px solid #ccd; padding-inline-start: 1.5rem; font-size:
.9rem
} a { color: #0f766e }`,
    render: (page) => `<header class="top">${furniture.navigation(page)}</header><main><article>${furniture.post(page)}
</article><aside class="aside">${furniture.relatedList(page)}</aside></main>${furniture.footer(page)}`
  },
  {
    name: 'variable-type',
    half: 'tune',
    css: `${BASE}
@font-face { font-family: "Text VF"; src: local("DejaVu Serif"); font-weight: 400; font-display: swap }
@font-face { font-family: "Text VF"; src: local("DejaVu Serif Bold"); font-weight: 700; font-display: swap }
@font-face { font-family: "Text VF"; src: local("DejaVu Serif Italic"); font-style: italic; font-display: swap }
body { font: 400 clamp(1.05rem, .95rem + .5vw, 1.3rem)/1.62 "Text VF", "DejaVu Serif", serif; font-optical-sizing: auto;
font-variation-settings: "opsz" 14, "wght" 400; font-feature-settings: "kern", "liga", "onum"; font-variant-numeric:
oldstyle-nums proportional-nums; color: #201a15; background: #fbf7f0; letter-spacing: .005em } ${COLUMN} h1, .svc-blog
h2 {
font-stretch: 75%; font-family: "DejaVu Sans Condensed", "DejaVu Sans", sans-serif; font-variation-settings: "wdth" 75,
"wght" 800; line-height: 1.08; text-wrap: balance } h1 { font-size: clamp(2.2rem, 1.5rem + 4vw, 4rem) } .svc-blog {
font-size: 1em; --svc-line-height: 1.62 } .lead::first-line { font-variant-caps: all-small-caps; letter-spacing: .06em;
font-size: 1.1em } .svc-blog h3 { font-style: italic; font-weight: 400; font-size: 1.35em } .svc-blog table {
font-variant-numeric: lining-nums tabular-nums; font-size: .9em } .svc-blog :is(td, th) { border-width: 0 0 1px }
.svc-blog
sup { font-variant-position: super; line-height: 0 } .svc-blog strong { font-weight: 650 } .svc-blog blockquote {
border: 0; font-style: italic; hanging-punctuation: first last; text-indent: -.4em; padding-inline: 2em } .svc-blog
blockquote em { font-style: normal } .svc-blog a { color: inherit; text-decoration: underline #b45309 .08em;
text-underline-offset: .18em; text-decoration-skip-ink: auto }`,
    prepare: (page) => {
      editElements(page, 'p', 0, (html) => html.replace(/^<p(?=>)/, '<p class="lead"'))
    },
    locales: ['en', 'de', 'pt', 'el', 'vi'],
    render: plain
  },
  {
    name: 'narrow-hyphenated',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.5 "DejaVu Serif", Charter, serif; color: #222; background: #fff } .top, .site-footer, main {
max-width:
30rem; margin: 0 auto; padding: 1rem } h1 { font-size: 1.7rem; line-height: 1.2; text-wrap: balance; hyphens: manual;
overflow-wrap: break-word } .svc-blog { hyphens: auto; hyphenate-limit-chars: 8 4 4; text-wrap: pretty;
--svc-line-height:
1.5; font-size: 1em } .svc-blog > p:not(:has(img)) { text-align: justify; margin: 0 } .svc-blog > p + p:not(:has(img)) {
text-indent: 1.4em } .svc-blog > p:has(> img) { margin-block: 1.5em } .svc-blog :is(h2, h3) { font-size: 1em; margin:
2em 0
.6em; font-weight: 700; text-wrap: balance } .svc-blog h3 { font-style: italic; font-weight: 400 } .svc-blog :is(ul,
ol) {
padding-inline-start: 1.4em; margin-block: 1em } .svc-blog blockquote { margin: 1em 1.4em; border: 0; padding: 0;
font-size:
.93em } .svc-blog hr { border: 0; text-align: center; margin: 1.5em 0; height: auto } .svc-blog hr::after { content:
"⁂" }
.svc-blog table { font-size: .85em } .svc-blog :is(th, td) { padding: .3em .6em; border-width: 0 0 1px; background:
none }
.svc-blog pre { font-size: .78em; border: 0; border-inline-start: 2px solid #999; background: none } a { color: #6b2d12
}`,
    locales: ['en', 'de', 'pt', 'el', 'vi'],
    render: plain
  },
  {
    name: 'ornamented',
    half: 'tune',
    css: `${BASE}
body { font: 19px/1.65 "DejaVu Serif", serif; color: #2a1f14; background: #fbf4e6; counter-reset: h2 } ${COLUMN}
main { border: 1px solid #b08d57; outline: 1px solid #b08d57; outline-offset: 5px; margin-block: 1.5rem; padding: 2rem
clamp(1rem, 5vw, 3rem) } h1 { text-align: center; font-weight: 400; letter-spacing: .02em } h1::after { content: "❦";
display: block; font-size: .8em; color: #8a5a1c; margin-top: .4em } .byline { text-align: center; font-style: italic }
.svc-blog h2 { counter-increment: h2; counter-reset: h3; text-align: center; font-weight: 400; font-size: 1.5em }
.svc-blog h2::before { content: "§ " counter(h2, upper-roman); display: block; font-size: .6em; color: #8a5a1c;
letter-spacing: .2em } .svc-blog h3 { counter-increment: h3; font-style: italic } .svc-blog h3::before { content:
counter(h2, upper-roman) "." counter(h3, lower-alpha) " " } .svc-blog > p:last-of-type:not(:has(img))::after { content:
" ■";
color: #8a5a1c } .svc-blog hr { border: 0; height: auto; text-align: center } .svc-blog hr::before { content:
"❧ \\2003 ☙ \\2003 ❧"; color: #8a5a1c } .svc-blog ul { list-style: "☞  " } .svc-blog ul ul { list-style: "– " }
.svc-blog ol {
list-style: upper-roman } .svc-blog blockquote { position: relative; border: 0; padding: .5em 2.5em; font-style: italic
}
.svc-blog blockquote::before { content: "“"; position: absolute; inset: -.1em auto auto 0; font-size: 4em; line-height:
1;
color: #b08d5780 } [dir=rtl] .svc-blog blockquote::before { inset: -.1em 0 auto auto } .svc-blog blockquote::after {
content: ""; display: block; width: 5em; margin: 1em auto 0; border-bottom: 1px solid #b08d57 } .svc-blog img { border:
8px
double #b08d57 } .svc-blog table { border-block: 3px double #b08d57; width: 100% } .svc-blog :is(td, th) { border: 0;
background: none } .svc-blog th { font-variant-caps: all-small-caps; letter-spacing: .05em } a { color: #7a3b0c }`,
    locales: ['en', 'de', 'pt', 'el', 'vi', 'fa'],
    render: plain
  },
  {
    name: 'spaced-for-everyone',
    half: 'tune',
    css: `${BASE}
body { font: 20px/1.7 "DejaVu Sans", "Atkinson Hyperlegible", sans-serif; color: #ff0; background: #000 } .top,
.site-footer, main { max-width: 52rem; margin: 0 auto; padding: 1.5rem } .svc-blog { font-size: 1em; --svc-line-height:
1.7
} .svc-blog p { margin-block: 2em } :lang(en) .svc-blog, :lang(de) .svc-blog, :lang(pt) .svc-blog { letter-spacing:
.06em;
word-spacing: .12em } h1, .svc-blog :is(h2, h3) { color: #fff } .svc-blog h2 { margin-block-start: 2.5em } .svc-blog
:is(a,
a:visited) { color: #7fdbff; text-decoration: underline; text-decoration-thickness: 3px } .svc-blog li { margin-block:
.75em } .svc-blog blockquote { border: 3px solid #ff0; padding: 1em } .svc-blog :is(td, th) { border: 2px solid #ff0;
background: #000; padding: .75em } .svc-blog th { color: #fff } .svc-blog pre { border: 2px solid #fff; background:
#000;
color: #fff; letter-spacing: 0 } .svc-blog pre * { color: inherit } a { color: #7fdbff } .byline { color: #fff }`,
    render: plain
  }
]
