import * as furniture from '../furniture.ts'
import type { Page, SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

const around = (page: Page, main: string): string =>
  `<header class="top">${furniture.navigation(page)}</header>${main}${furniture.footer(page)}`
const plain = (page: Page): string => around(page, `<main><article>${furniture.post(page)}</article></main>`)

/** Sites of the sixth set with unusual typography. All are faultless. */
export const SIXTH_DESIGN: SiteStyle[] = [
  {
    name: 'broadsheet',
    half: 'tune',
    css: `${BASE}
body { font: 15px/1.45 "DejaVu Serif", "Times New Roman", serif; color: #121212; background: #f7f3e9 }
.top { border-block: 1px solid #121212; padding: .3rem 1rem; text-align: center } .top ul { justify-content: center }
main { max-width: 76rem; margin: 0 auto; padding: 1rem }
h1 { font: 900 clamp(2.4rem, 7vw, 5rem)/1 "DejaVu Serif Condensed", "DejaVu Serif", serif; text-align: center;
border-bottom: 1px solid; padding-bottom: .2em }
.byline { text-transform: uppercase; letter-spacing: .08em; font-size: .75rem; text-align: center }
.svc-blog { max-width: none; columns: 18rem; column-gap: 1.5rem; column-rule: 1px solid #999; text-align: justify;
hyphens: auto } .svc-blog p { margin: 0; text-indent: 1em; text-wrap: wrap; orphans: 2; widows: 2 }
.svc-blog :is(h2, h3) { break-after: avoid; text-align: start; line-height: 1.1; margin: .8em 0 .2em }
.svc-blog h2 { column-span: all; border-top: 3px double; padding-top: .4em; text-align: center }
.svc-blog :is(.svc-table, pre, figure, blockquote, li) { break-inside: avoid }
.svc-blog > p:first-child::first-letter { initial-letter: 3; font-weight: 700; margin-inline-end: .3em }
.svc-blog > p:first-child::first-line { font-variant-caps: small-caps; letter-spacing: .04em }
.svc-blog p:has(> img) { text-indent: 0; margin-block: .6em } .svc-blog img { filter: grayscale(1) sepia(.25); width:
100% }
.svc-blog blockquote { border: 0; border-block: 1px solid; padding: .5em 0; margin-block: .7em; font-size: 1.3em;
text-align: center; hyphens: manual } .svc-blog blockquote p { text-indent: 0 }
a { color: inherit; text-decoration-thickness: 1px }`,
    render: plain
  },
  {
    name: 'big-and-bold',
    half: 'tune',
    css: `${BASE}
body { font: 500 clamp(20px, 1.1rem + 1vw, 28px)/1.4 "DejaVu Sans", Inter, sans-serif; color: #1a1033; background:
#ffd9ec }
.top, .site-footer { padding: 2vw; font-size: 1rem } main { padding: 3vw; max-width: 1300px; margin: 0 auto }
h1 { font-size: clamp(2.6rem, 9vw, 8rem); line-height: .95; letter-spacing: -.05em; font-weight: 900; hyphens: auto }
.byline { font-size: 1rem } .svc-blog { max-width: 54rem }
.svc-blog h2 { font-size: 1.8em; letter-spacing: -.03em; line-height: 1; font-weight: 900; color: #d6006c }
.svc-blog h3 { font-size: 1em; font-weight: 900; background: #1a1033; color: #ffd9ec; display: table; padding: .1em
.5em;
border-radius: 2em }
.svc-blog blockquote { border: 0; padding: 1em; background: #1a1033; color: #ffd9ec; border-radius: 1em; rotate: -1deg }
.svc-blog img { border-radius: 2em; width: 100% } .svc-blog :is(pre, table) { font-size: .7em }
.svc-blog ul { list-style: "→ " } .svc-blog ol { list-style: decimal-leading-zero; padding-inline-start: 2.4em }
.svc-blog ol li::marker { font-weight: 900; color: #d6006c }
.svc-blog hr { border: 0; height: .4em; background: repeating-linear-gradient(90deg, #d6006c 0 1em, #0000 1em 2em) }
a { color: inherit; text-decoration: none; background: linear-gradient(#0000 60%, #fff36b 60%) }`,
    render: plain
  },
  {
    name: 'italic-cursive',
    half: 'tune',
    css: `${BASE}
body { font: italic 19px/1.8 "Brush Script MT", "DejaVu Serif", cursive; color: #3b2f2f; background: #fbf7f0 }
.top, .site-footer, main { max-width: 42rem; margin: 0 auto; padding: 1rem 1.5rem }
.svc-blog :is(em, i) { font-style: normal; text-decoration: underline wavy #c06 1px }
h1, h2, h3 { font-weight: 400; text-align: center; color: #a23b57 }
.svc-blog h2 { display: flex; align-items: center; gap: .8em } .svc-blog h2::before, .svc-blog h2::after { content: "";
flex: 1; border-top: 1px solid #d9b8c0; min-width: 1rem }
.svc-blog p:has(> img:only-child) { text-align: center } .svc-blog p > img:only-child { width: 86%; padding: 10px 10px
40px;
background: #fff; box-shadow: 0 3px 12px #0003; transform: rotate(-1.5deg) } .svc-blog p:nth-of-type(even) >
img:only-child {
transform: rotate(1.2deg) }
.svc-blog hr { border: 0; height: auto; text-align: center } .svc-blog hr::after { content: "❦"; font-size: 1.6em }
.svc-blog ul { list-style: "❀ " } .svc-blog blockquote { border: 0; padding: 0 2em; text-align: center }
.svc-blog blockquote::before { content: "“"; font-size: 4em; line-height: .3; display: block; padding-top: .4em;
color: #d9b8c0 }
a { color: #a23b57; text-decoration: underline dotted }`,
    render: plain
  },
  {
    name: 'glass-panels',
    half: 'tune',
    css: `${BASE}
:root { color-scheme: dark }
body { font: 17px/1.7 "DejaVu Sans", sans-serif; color: #f4f6ff; background: #1b1140 radial-gradient(circle at 20% 10%,
#6a2bd9 0, #0000 45%), radial-gradient(circle at 85% 30%, #0b6f8f 0, #0000 40%); background-color: #1b1140 }
.top, main, .site-footer { max-width: 52rem; margin: 1rem auto; padding: 1rem clamp(1rem, 4vw, 2.5rem); border-radius:
24px;
background: #ffffff14; backdrop-filter: blur(18px) saturate(1.4); border: 1px solid #ffffff38; box-shadow: 0 8px 32px
#0006 }
.svc-blog h2 { background: linear-gradient(90deg, #ffd36e, #ff9df5); background-clip: text; color: transparent }
.svc-blog :is(pre, blockquote, .svc-table) { background: #0000004d; border: 1px solid #ffffff2e; border-radius: 16px;
padding: 1rem; backdrop-filter: blur(4px) } .svc-blog pre { color: #f4f6ff } .svc-blog pre * { color: inherit }
.svc-blog img { border-radius: 16px; box-shadow: 0 12px 40px #0008; mix-blend-mode: normal }
.svc-blog :not(pre) > code { background: #ffffff24 } a { color: #9be8ff }`,
    render: plain
  },
  {
    name: 'tracked-sans',
    half: 'tune',
    css: `${BASE}
body { font: 300 17px/1.9 "DejaVu Sans Light", "DejaVu Sans", sans-serif; color: #222; background: #fafafa;
letter-spacing: .02em; word-spacing: .08em; font-feature-settings: "kern", "liga" 0; font-variant-numeric:
oldstyle-nums }
.top, .site-footer { padding: 2rem; text-align: center } .top ul { justify-content: center }
main { max-width: 40rem; margin: 4rem auto; padding: 0 1.5rem }
h1 { font-weight: 300; letter-spacing: .3em; text-transform: uppercase; text-align: center; font-size: 1.6rem;
line-height: 1.6; padding-inline-start: .3em } .byline { text-align: center; font-size: .85rem; letter-spacing: .15em }
.svc-blog h2 { font-weight: 300; text-transform: uppercase; letter-spacing: .22em; font-size: 1.05rem; text-align:
center;
margin-block: 4em 2em } .svc-blog h3 { font-weight: 300; letter-spacing: .12em; font-size: 1rem; border-bottom: 1px
solid
#ccc; padding-bottom: .4em } .svc-blog :is(pre, code) { letter-spacing: 0; word-spacing: 0 }
.svc-blog p { margin-block-end: 2em } .svc-blog ul { list-style: none; padding: 0 } .svc-blog ul > li:not(:has(input)) {
border-bottom: 1px solid #e4e4e4; padding: .5em 0; margin: 0 } .svc-blog ul:has(input) { padding-inline-start: 1.6em }
.svc-blog blockquote { border: 0; padding: 0 2.5rem; font-size: 1.2em; text-align: center }
.svc-blog strong { font-weight: 700 } .svc-blog th { font-weight: 300; text-transform: uppercase; letter-spacing:
.1em; font-size:
.8em; background: none } .svc-blog :is(td, th) { border-inline: 0; border-top: 0 }
a { color: inherit; text-decoration: none; border-bottom: 1px solid #222 }`,
    locales: ['en', 'de', 'fr', 'es', 'ru'],
    render: plain
  },
  {
    name: 'paper-sheet',
    half: 'tune',
    css: `${BASE}
body { font: 12pt/1.5 "DejaVu Serif", Cambria, serif; color: #000; background: #525659; counter-reset: part figure }
.top, .site-footer { color: #fff; padding: 1rem } .top a, .site-footer a { color: #fff }
.sheet { width: min(210mm, 100%); margin: 0 auto 2rem;
padding: clamp(16px, 6vw, 25mm) clamp(16px, 6vw, 25mm) 25mm; background: #fff;
box-shadow: 0 0 8px #000a; min-height: 297mm; position: relative }
.sheet::after { content: "– 1 –"; position: absolute; inset: auto 0 10mm; text-align: center; font-size: 10pt }
h1 { font-size: 20pt; text-align: center; font-weight: 400; line-height: 1.2 } .byline { text-align: center }
.svc-blog { text-align: justify; hyphens: auto } .svc-blog > * + * { margin-block-start: 6pt }
.svc-blog p { margin-block-end: 0 } .svc-blog h2 { font-size: 14pt; counter-increment: part; counter-reset: sub;
text-align: start; padding-inline-start: 2.2em; text-indent: -2.2em } .svc-blog h2::before { content: counter(part);
display: inline-block; width: 2.2em; text-indent: 0 }
.svc-blog h3 { font-size: 12pt; counter-increment: sub; text-align: start } .svc-blog h3::before { content:
counter(part) "."
counter(sub) " " }
.svc-blog p:has(> img:only-child) { counter-increment: figure; text-align: center } .svc-blog p:has(>
img:only-child)::after {
content: "(" counter(figure) ")"; display: block; font-size: 10pt }
.svc-blog p > img:only-child { max-width: 75% }
.svc-blog table { border-block: 1.5pt solid #000; margin-inline: auto } .svc-blog :is(th, td) { border: 0; background:
none }
.svc-blog thead { border-bottom: .75pt solid #000 } .svc-blog pre { font-size: 9pt; border-block: .5pt solid #000;
border-radius: 0;
background: none } .svc-blog blockquote { border: 0; padding: 0 2em; font-size: 11pt }
a { color: #00008b; text-decoration: none }`,
    render: (page) => around(page, `<main class="sheet"><article>${furniture.post(page)}</article></main>`)
  }
]
