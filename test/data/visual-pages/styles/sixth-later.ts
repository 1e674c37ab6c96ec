import { editBlocks } from '../edit.ts'
import * as furniture from '../furniture.ts'
import { toSections } from '../defects/third.ts'
import type { Page, SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

const plain = (page: Page): string =>
  `<header class="top">${furniture.navigation(page)}</header><main><article>${furniture.post(page)}</article></main>
${furniture.footer(page)}`

const COLUMN = '.top, .site-footer, main { max-width: 46rem; margin: 0 auto; padding: 1rem 1.5rem }'
const ICON =
  "url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='12' height='12'%3E%3Ccircle cx='6' " +
  "cy='6' r='5' fill='%23c2410c'/%3E%3C/svg%3E\")"

/** Written when the rules had been tuned on the rest of the sixth set. All are faultless. */
export const SIXTH_LATER: SiteStyle[] = [
  {
    name: 'stack-with-gaps',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.6 "DejaVu Sans", sans-serif; color: #1c1917; background: #fafaf9 } ${COLUMN}
.svc-blog { display: flex; flex-direction: column; gap: 1.3em } .svc-blog > * { margin: 0 }
.svc-blog > h2 { margin-block-start: 1em } .svc-blog li { margin: 0 } .svc-blog :is(ul, ol) { display: grid; gap: .4em }
.svc-blog > p:has(> img) { align-self: center } a { color: #1d4ed8 }`,
    render: plain
  },
  {
    name: 'wrapped-floats',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.6 "DejaVu Serif", serif; color: #222; background: #fff } ${COLUMN} main { max-width: 54rem }
.svc-blog { max-width: none; display: flow-root } @media (min-width: 700px) {
.svc-blog > p:has(> img:only-child) { float: inline-start; width: 42%; margin: .3em 1.5em .8em 0; clear: both }
[dir=rtl] .svc-blog > p:has(> img:only-child) { margin: .3em 0 .8em 1.5em }
.svc-blog > blockquote { float: inline-end; width: 40%; margin: .3em 0 .8em 1.5em; border-inline-start: 0;
border-block: 3px
solid #b91c1c; padding: .5em 0; font-size: 1.2em } [dir=rtl] .svc-blog > blockquote { margin: .3em 1.5em .8em 0 }
.svc-blog > :is(h2, pre, .svc-table) { clear: both } } a { color: #b91c1c }`,
    render: plain
  },
  {
    name: 'translucent-panel',
    half: 'tune',
    css: `${BASE}
body { font: 18px/1.65 "DejaVu Sans", sans-serif; color: #111; background: url(/assets/banner.jpg) center / cover
fixed }
.top, main, .site-footer { max-width: 50rem; margin: 1rem auto; padding: 1rem 2rem; background: rgba(255, 255, 255,
.9) }
a { color: #7c2d12 } .svc-blog pre { background: rgba(0, 0, 0, .06) }`,
    render: plain
  },
  {
    name: 'sticky-sections',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.6 "DejaVu Sans", sans-serif; color: #111827; background: #fff } ${COLUMN}
.svc-blog section > h2 { position: sticky; inset-block-start: 0; background: #fff; border-bottom: 1px solid #d1d5db;
padding-block: .4em; z-index: 2; font-size: 1.3rem } a { color: #047857 }`,
    prepare: (page) => {
      editBlocks(page, (blocks) => toSections(blocks).map((section) => `<section>${section.join('')}</section>`))
    },
    render: plain
  },
  {
    name: 'night-by-filter',
    half: 'tune',
    css: `${BASE}
html { background: #fff; filter: invert(.92) hue-rotate(180deg) } img, iframe { filter: invert(1) hue-rotate(180deg) }
body { font: 17px/1.65 "DejaVu Sans", sans-serif; color: #1a1a1a; background: #fff } ${COLUMN} a { color: #0b57d0 }`,
    render: plain
  },
  {
    name: 'huge-counters',
    half: 'tune',
    css: `${BASE}
body { font: 18px/1.7 "DejaVu Serif", serif; color: #1f1a17; background: #fffaf3; counter-reset: part } ${COLUMN}
.svc-blog h2 { counter-increment: part; position: relative; z-index: 0; padding-block-start: 1.2em; font-size: 2rem }
.svc-blog h2::before { content: counter(part); position: absolute; inset: -.1em auto auto 0; font-size: 3.5em;
line-height: 1;
color: #c2410c26; z-index: -1; font-weight: 900 } .svc-blog h2 + p::first-letter { font-size: 1.6em; color: #c2410c }
.svc-blog p { text-wrap: pretty; hanging-punctuation: first } a { color: #9a3412 }`,
    render: plain
  },
  {
    name: 'markers-and-icons',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.6 "DejaVu Sans", sans-serif; color: #0f172a; background: #fff } ${COLUMN}
.svc-blog ul:not(:has(input)) { list-style: inside ${ICON}; padding-inline-start: 0 } .svc-blog ol {
list-style-position: inside;
padding-inline-start: 0 } .svc-blog ol > li::marker { content: counter(list-item) ") "; color: #c2410c; font-weight:
700 }
.svc-blog h2 { background: ${ICON} 0 .45em / .6em no-repeat; padding-inline-start: 1em }
[dir=rtl] .svc-blog h2 { background-position: 100% .45em }
.svc-blog a { color: inherit; text-decoration: none; background: ${ICON} 100% 50% / .5em no-repeat;
padding-inline-end: .8em;
border-bottom: 2px solid #c2410c } [dir=rtl] .svc-blog a { background-position: 0 50% }
.svc-blog blockquote { border: 0; background: ${ICON} 0 .3em / 1em no-repeat #f1f5f9; padding: .2em 1em .2em 2em;
border-radius: 8px }
[dir=rtl] .svc-blog blockquote { background-position: 100% .3em; padding: .2em 2em .2em 1em }`,
    render: plain
  },
  {
    name: 'scroll-boxes',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.6 "DejaVu Sans", sans-serif; color: #1e1e1e; background: #fff } ${COLUMN}
.svc-blog pre { max-height: 9rem; overflow: auto; border: 1px solid #ccc } .svc-blog .svc-table { max-height: 12rem;
overflow: auto;
border: 1px solid #ccc; background: linear-gradient(90deg, #fff 30%, #fff0), linear-gradient(90deg, #fff0, #fff 70%)
100% 0,
radial-gradient(farthest-side at 0 50%, #0003, #0000), radial-gradient(farthest-side at 100% 50%, #0003, #0000) 100% 0;
background-repeat: no-repeat; background-size: 40px 100%, 40px 100%, 14px 100%, 14px 100%; background-attachment:
local, local,
scroll, scroll } .svc-blog table { min-width: 640px } .svc-blog th { background: none } a { color: #6d28d9 }`,
    render: plain
  },
  {
    name: 'tinted-pictures',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.65 "DejaVu Sans", sans-serif; color: #2a2320; background: #f4ead9 } ${COLUMN}
.svc-blog p:has(> img:only-child) { position: relative; background: #e0559a; display: grid }
.svc-blog p > img:only-child { width: 100%; filter: grayscale(1) contrast(1.05); mix-blend-mode: multiply }
.svc-blog p:has(> img:only-child)::after { content: ""; position: absolute; inset: 0; background:
linear-gradient(#2b1f6e66,
#2b1f6e1a); pointer-events: none } a { color: #a21caf }`,
    render: plain
  },
  {
    name: 'narrow-ticket',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.55 "DejaVu Sans Mono", monospace; color: #111; background: #ddd }
.top, .site-footer, main { max-width: 24rem; margin: 0 auto; padding: 1rem 1.25rem; background: #fff }
main { border-block: 2px dashed #999 } h1 { font-size: 1.3rem; text-align: center; overflow-wrap: anywhere; hyphens:
auto }
.svc-blog { hyphens: auto } .svc-blog h2 { font-size: 1.1rem; border-block: 1px dashed #999; text-align: center;
padding: .4em }
.svc-blog h3 { font-size: 1rem } .svc-blog p:not(:has(img), li p)::after { content: " ¶"; color: #767676 }
.svc-blog table { min-width: 100%; font-size: .875em } .svc-blog :is(td, th) { border-width: 0 0 1px; border-style:
dashed;
background: none; padding: .3em } .svc-blog blockquote { border: 1px dashed #999; padding: .75em } a { color: #111 }`,
    locales: ['en', 'de', 'fr', 'es', 'ru', 'zh'],
    render: plain
  }
]
