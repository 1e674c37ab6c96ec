import type { Page } from 'playwright'
import sharp from 'sharp'
import t from 'tap'
import { deliverCss, scopeCss } from '../../../../services/blogs/content/index.ts'
import { openBrowser } from '../../../browser.ts'
import { BLOG_ID, createInput } from './inputs.ts'

const VIEW = { width: 800, height: 600 }
/** The place of the article in the host's page. */
const SLOT = { left: 120, top: 80, right: 620, bottom: 520 }
/** The host's page: the article between a header, an aside and a footer with fixed places. */
const HOST = `<!doctype html><meta charset="utf-8"><style id="host">
  html { counter-reset: chapter 7; }
  body { margin: 0; height: 600px; position: relative; background: #fff; font: 16px/1.4 sans-serif; }
  body > :not(#slot) { position: absolute; overflow: hidden; background: #def; box-sizing: border-box; }
  header { inset: 0 0 auto 0; height: 80px; } aside { inset: 80px 0 80px auto; width: 180px; }
  footer { inset: auto 0 0 0; height: 80px; }
  nav { inset: 80px auto 80px 0; width: 120px; }
  header::after { content: counter(chapter); } footer { position-anchor: --a; }
  #slot { position: absolute; left: 120px; top: 80px; width: 500px; height: 440px; overflow: visible; }
</style>
<header>Shop <button>Buy</button></header><nav>Menu <a href="#x">Cart</a></nav>
<div id="slot"><style id="author"></style><div class="svc-blog" data-svc-blog="${BLOG_ID}">
  <h2 class="a" id="x">Title</h2><p class="b">Words of a <a href="#x">post</a> with <em class="c">emphasis</em>.</p>
  <ul><li>One</li><li>Two</li></ul><div class="svc-table"><table><tr><td>Cell</td></tr></table></div>
</div></div><aside>Related <a href="#y">post</a></aside><footer>Pay <button>Now</button></footer>`

const SELECTORS = [
  'p',
  '.a',
  'em',
  '*',
  'html',
  'body',
  ':root',
  '.svc-blog',
  'div.svc-blog',
  'body::before',
  'body::after',
  'p::before',
  'li::marker'
]
const DECLARATIONS = [
  'position:absolute;inset:-2000px;background:red',
  'position:fixed;inset:0;background:red;z-index:99',
  'position:sticky;top:-500px;margin:-300px;background:red',
  'content:"";position:absolute;inset:-999px;background:red;z-index:99',
  'margin:-300px -400px;background:red;padding:600px',
  'transform:translate(-300px,-200px) scale(9);background:red',
  'translate:-300px -300px;scale:20;rotate:30deg;background:red',
  'width:9000px;height:9000px;min-width:9000px;background:red',
  'padding:5000px;border:900px solid red',
  'box-shadow:0 0 0 900px red,0 0 300px red;outline:900px solid red;outline-offset:50px',
  'filter:blur(90px) drop-shadow(300px 300px red);backdrop-filter:invert(1);background:red',
  'border-image:linear-gradient(red,red) 1 / 1px / 900px;border:1px solid',
  '-webkit-box-reflect:left;background:red',
  'float:right;clear:both;margin-left:-900px;width:900px;background:red',
  'display:contents',
  'display:inline;position:absolute;background:red',
  'contain:none!important;overflow:visible!important;isolation:auto!important;' +
    'position:absolute!important;inset:-500px!important;background:red!important',
  'counter-reset:chapter 99;counter-increment:chapter 5;counter-set:chapter 3',
  'anchor-name:--a;view-transition-name:x;position-anchor:--a;top:anchor(bottom)',
  'animation:escape 1s infinite;box-shadow:none',
  'font-size:9000px;line-height:99;text-indent:-9000px;letter-spacing:900px',
  'text-shadow:-200px -200px red,300px 0 90px red',
  'mix-blend-mode:difference;background:#fff;position:absolute;inset:-900px',
  'column-span:all;order:-1;grid-area:1/1/9/9;align-self:end;justify-self:end',
  'clip-path:none;mask:none;will-change:transform;perspective:1px;transform-style:preserve-3d;transform:translateZ(9px)'
]
const KEYFRAMES =
  '@keyframes escape{from,to{position:fixed;inset:-900px;box-shadow:0 0 0 900px red;translate:-300px;' +
  'outline:500px solid red;overflow:visible;contain:none}}'

/** Every declaration with several selectors, on elements inside of the article and on the article itself. */
function* sheets(): Generator<string> {
  for (const [index, declarations] of DECLARATIONS.entries()) {
    for (let offset = 0; offset < 3; offset++) {
      yield `${KEYFRAMES}${SELECTORS[(index * 5 + offset * 4) % SELECTORS.length]}{${declarations}}`
    }
    // On the wrapper, and on everything inside of it, at once.
    yield `${KEYFRAMES}body{${declarations}}body::before{content:"";${declarations}}*{${declarations}}`
  }
  yield '@page{margin:0}@property --x{syntax:"*";inherits:true;initial-value:red}'
  yield 'html{background:red}:root:has(~ *){inset:0}'
  yield '@media screen{@supports (display:grid){html,body{all:unset;position:fixed;inset:0;background:red}}}'
}

/** What a style sheet changed: in the page's own code, because it runs in the browser. */
const MEASURE = `(() => {
  const article = document.querySelector('.svc-blog')
  const { left, top, right, bottom } = article.getBoundingClientRect()
  const hit = []
  for (let x = 2; x < ${VIEW.width}; x += 19) for (let y = 2; y < ${VIEW.height}; y += 19) {
    const isOutside = x < left || x > right || y < top || y > bottom
    if (isOutside && article.contains(document.elementFromPoint(x, y))) hit.push(x + ',' + y)
  }
  return { left, top, right, bottom, hit, width: document.documentElement.scrollWidth }
})()`

interface Measured {
  left: number
  top: number
  right: number
  bottom: number
  /** Points outside of the article's box at which the article would receive a click. */
  hit: string[]
  width: number
}

async function applyCss(page: Page, css: string): Promise<{ measured: Measured; pixels: Buffer }> {
  await page.evaluate(`document.getElementById('author').textContent = ${JSON.stringify(css)}; scrollTo(0, 0)`)
  return {
    measured: await page.evaluate(MEASURE),
    pixels: await sharp(await page.screenshot())
      .raw()
      .toBuffer()
  }
}

/** The number of pixels that differ above `bottom` or beside the slot. An article may grow downwards. */
function differences(one: Buffer, other: Buffer, bottom: number): number {
  const channels = one.length / (VIEW.width * VIEW.height)
  let count = 0
  for (let y = 0; y < VIEW.height; y++) {
    for (let x = 0; x < VIEW.width; x++) {
      if (x >= SLOT.left && x < SLOT.right && y >= SLOT.top && y < Math.max(SLOT.bottom, bottom)) continue
      const at = (y * VIEW.width + x) * channels
      if (one.compare(other, at, at + channels, at, at + channels) !== 0) count += 1
    }
  }
  return count
}

t.test('no style sheet has an effect outside of the article', { timeout: 240_000 }, async (t) => {
  const page = await (await openBrowser(t)).newPage({ viewport: VIEW })
  await page.setContent(HOST)
  const before = await applyCss(page, deliverCss(''))
  const options = { ...createInput(''), blogId: BLOG_ID }
  let tested = 0
  for (const css of sheets()) {
    const { measured, pixels } = await applyCss(page, deliverCss(scopeCss(css, options, () => {})))
    const { left, top, right, bottom, hit, width } = measured
    t.ok(left >= SLOT.left && top >= SLOT.top && right <= SLOT.right, `${left} ${top} ${right} ${bottom}: ${css}`)
    t.same(hit, [], css)
    t.equal(width, before.measured.width, css)
    t.equal(differences(before.pixels, pixels, bottom), 0, css)
    tested += 1
  }
  t.ok(tested >= 60, `${tested} style sheets`)
})

t.test('the comparison detects effects outside of the article', async (t) => {
  const page = await (await openBrowser(t)).newPage({ viewport: VIEW })
  await page.setContent(HOST)
  const before = await applyCss(page, deliverCss(''))
  const escape = await applyCss(page, 'p{position:fixed;inset:0;background:red;z-index:9}')
  t.ok(differences(before.pixels, escape.pixels, escape.measured.bottom) > 1000)
  t.ok(escape.measured.hit.length > 100)
})
