import { addHead, editBlocks, editElements } from '../edit.ts'
import * as furniture from '../furniture.ts'
import { toSections } from '../defects/third.ts'
import type { Page, SiteStyle } from '../types.ts'
import { BASE } from './base.ts'

const around = (page: Page, main: string): string =>
  `<header class="top">${furniture.navigation(page)}</header>${main}${furniture.footer(page)}`
const plain = (page: Page): string => around(page, `<main><article>${furniture.post(page)}</article></main>`)

/** Puts the blocks of each section into a box of their own, if the post has headings. */
const editSections = (page: Page, edit: (blocks: string[], index: number) => string): void => {
  editBlocks(page, (blocks) => toSections(blocks).map(edit))
}

const PICTURE = /^<p>(<img[^>]*>)<\/p>$/

/** Sites of the sixth set whose templates and scripts rebuild the article. All are faultless. */
export const SIXTH_STRUCTURE: SiteStyle[] = [
  {
    name: 'full-width-bands',
    half: 'tune',
    css: `${BASE}
body { font: 18px/1.6 "DejaVu Sans", sans-serif; color: #14213d; background: #fff }
.top, .site-footer, .opening { padding: 1.5rem max(1.25rem, 50vw - 24rem) } .svc-blog { max-width: none }
.band { padding: 3rem max(1.25rem, 50vw - 24rem) } .band:nth-child(even) { background: #14213d; color: #fff }
.band:nth-child(3n) { background: #fca311; color: #000 } .band > :first-child { margin-top: 0 } .band > :last-child {
margin-bottom: 0 }
.band:nth-child(even) pre { background: #0b1226 } a { color: inherit }`,
    prepare: (page) => {
      editSections(page, (blocks) => `<section class="band">${blocks.join('')}</section>`)
    },
    render: (page) =>
      around(
        page,
        `<main><article><div class="opening">${furniture.heading(page)}</div>${page.beforeArticle}${page.article}
${page.afterArticle}</article></main>`
      )
  },
  {
    name: 'picture-beside-text',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.65 "DejaVu Sans", sans-serif; color: #2b2b2b; background: #fff }
.top, .site-footer { padding: 1rem 1.5rem } main { max-width: 68rem; margin: 0 auto; padding: 1rem 1.5rem }
.svc-blog { max-width: none }
.split { margin-block: 2.5rem } .split .photo { margin: 0 }
@media (min-width: 860px) { .split { display: grid; grid-template-columns: 1fr 1fr; gap: 3rem; align-items: center }
.split.media { align-items: start; grid-template-rows: auto 1fr; row-gap: 0 } .media > div { grid-column: 2 }
.media > .photo { grid-area: 1 / 1 / span 2 } .svc-blog section:not(.split) { max-width: 40rem } }
.photo img { width: 100%; aspect-ratio: 4 / 3; object-fit: cover; border-radius: 6px }
a { color: #00695c }`,
    prepare: (page) => {
      editSections(page, (blocks) => {
        const at = blocks.findIndex((block) => PICTURE.test(block))
        const join = (from: number, to?: number): string => `<div>${blocks.slice(from, to).join('')}</div>`
        const photo = `<div class="photo">${blocks[at] ?? ''}</div>`
        // Only a picture below the heading or at the end of its section can be beside the rest of it.
        if (at === 1 && blocks.length > 2) {
          return `<section class="split media">${join(0, 1)}${photo}${join(2)}</section>`
        }
        if (at > 0 && at === blocks.length - 1) return `<section class="split">${join(0, at)}${photo}</section>`
        return `<section>${blocks.join('')}</section>`
      })
    },
    render: plain
  },
  {
    name: 'reveal-on-scroll',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.7 "DejaVu Sans", sans-serif; color: #222; background: #fff }
.top, .site-footer, main { max-width: 46rem; margin: 0 auto; padding: 1rem 1.5rem }
.js [data-reveal] { opacity: 0; transform: translateY(24px); transition: opacity .6s ease, transform .6s ease }
.js [data-reveal].is-in { opacity: 1; transform: none }
@media (prefers-reduced-motion: reduce) { .js [data-reveal] { opacity: 1; transform: none; transition: none } }
a { color: #6a1b9a }`,
    prepare: (page) => {
      editBlocks(page, (blocks) =>
        blocks.map((block, index) =>
          block.replace(/^<([\w-]+)/, `<$1 data-reveal style="transition-delay: ${index % 3}00ms"`)
        )
      )
      addHead(page, '<script>document.documentElement.classList.add("js")</script>')
      page.bodyEnd += `<script>
const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) { target.classList.add('is-in');
observer.unobserve(target) }
}, { rootMargin: '0px 0px -10% 0px' })
document.querySelectorAll('[data-reveal]').forEach((element) => observer.observe(element))
</script>`
    },
    render: plain
  },
  {
    name: 'scroll-timelines',
    half: 'tune',
    css: `${BASE}
body { font: 18px/1.65 "DejaVu Serif", serif; color: #1d1d1f; background: #f5f5f7 }
.top, .site-footer, main { max-width: 44rem; margin: 0 auto; padding: 1rem 1.5rem }
.meter { position: fixed; inset: 0 0 auto; height: 4px; background: #0071e3; transform-origin: 0 0; z-index: 9 }
.svc-blog section { content-visibility: auto; contain-intrinsic-size: auto 700px; margin-block: 2rem }
@supports (animation-timeline: view()) { .meter { animation: grow linear both; animation-timeline: scroll(root) }
.svc-blog section > * { animation: rise linear both; animation-timeline: view(); animation-range: entry 0% entry 60% } }
@keyframes grow { from { transform: scaleX(0) } } @keyframes rise { from { opacity: 0; translate: 0 30px } }
@media (prefers-reduced-motion: reduce) { .svc-blog section > * { animation: none } } a { color: #0058b0 }`,
    prepare: (page) => {
      editSections(page, (blocks) => `<section>${blocks.join('')}</section>`)
    },
    render: (page) => `<div class="meter" aria-hidden="true"></div>${plain(page)}`
  },
  {
    name: 'slotted-component',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.65 "DejaVu Sans", sans-serif; color: #202124; background: #f1f3f4 } a { color: #1558b0 }
site-shell:not(:defined) { display: block }`,
    render: (page) => `<site-shell><template shadowrootmode="open"><style>
:host { display: block } .bar { background: #fff; padding: 12px 24px; box-shadow: 0 1px 3px #0003 }
.paper { max-width: 46rem; margin: 16px auto; padding: 24px; background: #fff; border-radius: 12px }
::slotted(article) { display: block } ::slotted(nav) { display: block }</style><div class="bar"><slot
name="menu"></slot></div>
<div class="paper"><slot></slot></div><slot name="end"></slot></template><div
slot="menu">${furniture.navigation(page)}</div>
<main><article>${furniture.post(page)}</article></main><div slot="end">${furniture.footer(page)}</div></site-shell>`
  },
  {
    name: 'optimized-pictures',
    half: 'tune',
    css: `${BASE}
body { font: 17px/1.65 "DejaVu Sans", sans-serif; color: #111; background: #fff }
.top, .site-footer, main { max-width: 50rem; margin: 0 auto; padding: 1rem 1.5rem }
.ratio { position: relative; display: block; overflow: hidden; border-radius: 8px; background: #cfd8dc
linear-gradient(110deg,
#0000 30%, #fff6 50%, #0000 70%) }
.ratio img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; transition: opacity .3s,
filter .3s }
.ratio img:not(.loaded) { opacity: 0; filter: blur(12px) } .svc-blog pre { white-space: pre-wrap; background: #21252b;
color: #e6e6e6;
padding-block-start: 2.6em; position: relative; border-radius: 8px } .svc-blog pre * { color: inherit } .svc-blog
pre::before { content: "";
position: absolute; inset: 14px auto auto 14px; width: 12px; height: 12px; border-radius: 50%; background: #ff5f56;
box-shadow: 20px 0
#ffbd2e, 40px 0 #27c93f } a { color: #0b57d0 }`,
    prepare: (page) => {
      if (!page.article.includes('<img')) return
      editElements(page, 'img', 'all', (html) => {
        const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(html)!
        const source = Buffer.from(/ src="([^"]*)"/.exec(html)![1]!).toString('base64url')
        const alt = / alt="([^"]*)"/.exec(html)![1]!
        const share = ((Number(height) / Number(width)) * 100).toFixed(2)
        return `<span class="ratio" style="padding-block-end: ${share}%"><img
alt="${alt}" data-src="/cdn/${source}/picture"
src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"></span>`
      })
      page.bodyEnd += `<script>
const load = new IntersectionObserver((entries) => { for (const { isIntersecting, target } of entries) if
(isIntersecting) {
  load.unobserve(target); target.onload = () => target.classList.add('loaded'); target.src = target.dataset.src
} }, { rootMargin: '400px' })
document.querySelectorAll('img[data-src]').forEach((image) => load.observe(image))
</script>`
    },
    render: plain
  },
  {
    name: 'open-accordion',
    half: 'tune',
    css: `${BASE}
body { font: 16px/1.6 "DejaVu Sans", sans-serif; color: #1d2433; background: #fff }
.top, .site-footer, main { max-width: 50rem; margin: 0 auto; padding: 1rem 1.5rem }
.fold { border: 1px solid #d5dbe6; border-radius: 8px; margin-block: 1rem; padding: 0 1.25rem }
.fold > summary { display: flex; justify-content: space-between; align-items: center; list-style: none; cursor:
pointer }
.fold > summary::after { content: "−"; font-size: 1.5rem } .fold > summary :is(h2) { font-size: 1.2rem; margin-block:
.8em }
a { color: #1d4ed8 }`,
    prepare: (page) => {
      editSections(page, ([first = '', ...rest]) =>
        first.startsWith('<h2')
          ? `<details class="fold" open><summary>${first}</summary>${rest.join('')}</details>`
          : `<div>${first}${rest.join('')}</div>`
      )
    },
    render: plain
  }
]
