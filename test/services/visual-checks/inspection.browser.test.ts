import t from 'tap'
import { openPlaywrightBrowser } from '../../../ports/browser/playwright/index.ts'
import { VIEWPORT_NAMES } from '../../../schemas/visual-check.ts'
import { evaluate } from '../../../services/visual-checks/evaluate.ts'
import { BROWSER_OPTIONS } from '../../browser.ts'
import { assertMediaFindings } from '../../fixtures/visual-check/assertions.ts'
import { openCapture } from '../../fixtures/visual-check/capture.ts'
import { getExpectedPageAt } from '../../fixtures/visual-check/check-page.ts'
import { SERVED_IMAGES, serveImage } from '../../fixtures/visual-check/page-cases/served-images.ts'
import { goodPage, type Page } from '../../fixtures/visual-check/page.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

/** Without the category runtime, whose score depends on the load of the machine. */
const FULL_SCORES = { content: 100, layout: 100, media: 100, style: 100, readability: 100, metadata: 100 }

const site = await startSite(t)
const browser = openPlaywrightBrowser({ ...BROWSER_OPTIONS, allow: '127.0.0.1' })
t.teardown(() => browser.close())

const inspect = async (url: string, page: Page) =>
  await browser.inspectPage({
    url,
    accountId: 'garden',
    blog: getExpectedPageAt(url, page),
    viewports: VIEWPORT_NAMES,
    screenshotDetail: 'none',
    signal: AbortSignal.timeout(60_000)
  })

/** Inspects and evaluates a page with the product's own browser adapter. */
async function check(page: Page) {
  const url = site.show(page)
  const expected = getExpectedPageAt(url, page)
  const { outcome, snapshots, missingFonts } = await inspect(url, page)
  return { ...evaluate({ snapshots, expected, missingFonts }), outcome, snapshots, missingFonts, expected }
}

t.test('an unreachable page has no snapshots; a slow one has', async (t) => {
  const page = goodPage(site.origin)
  const unreachable = await inspect('http://127.0.0.1:9/blog/figs', page)
  t.match(unreachable, { outcome: 'unreachable', snapshots: [], finalUrl: null })
  page.answer = { afterMs: 1_000 }
  const slow = await check(page)
  t.equal(slow.outcome, 'inspected')
  t.match(slow.categories, FULL_SCORES)
})

t.test('a page in a script without a font gets full scores, and the script is named', async (t) => {
  const { missingFonts, categories } = await check(goodPage(site.origin, 'japanese'))
  t.ok(
    missingFonts.every((script) => ['Han', 'Hiragana', 'Katakana'].includes(script)),
    missingFonts.join()
  )
  t.match(categories, FULL_SCORES)
})

t.test('a redirect to a private address is blocked', async (t) => {
  const page = goodPage(site.origin)
  page.path = '/blog/away'
  page.answer = { status: 302, location: 'http://10.0.0.1/' }
  t.match(await inspect(site.show(page), page), { outcome: 'blocked', snapshots: [] })
})

t.test('another image with our alt text is reported; ours in another size, format or crop is not', async (t) => {
  const capture = await openCapture(t, 'served-images', site)
  for (const [name, { draw, codes }] of Object.entries(SERVED_IMAGES)) {
    const page = goodPage(site.origin)
    page.path = `/blog/image-${name}`
    page.head.canonical = `<link rel="canonical" href="${site.origin}${page.path}">`
    serveImage(name, await draw())(page, site)
    const result = await check(page)
    capture.check(t, name, result)
    assertMediaFindings(t, result, codes)
  }
})

/** Boxes of 600 pixels. Each requests its path when a position is looked at in which it is in or near the viewport. */
const LAZY_BOXES = 30
const box = (number: number): string => `<div data-box="${number}" style="height: 600px"></div>`
const boxes = (name: string, loader: keyof typeof LOADERS): string => `
  <div>${Array.from({ length: LAZY_BOXES }, (_, number) => box(number)).join('')}</div>
  <script>
    const load = (box) => {
      if (box.dataset.box === undefined) return
      fetch('/lazy/${name}/' + innerWidth + '/' + box.dataset.box)
      delete box.dataset.box
    }
    ${LOADERS[loader]}
  </script>`
const LOADERS = {
  observer: `
    const observer = new IntersectionObserver((all) => {
      for (const { isIntersecting, target } of all) if (isIntersecting) load(target)
    })
    for (const box of document.querySelectorAll('[data-box]')) observer.observe(box)`,
  throttled: `
    let waiting = false
    addEventListener('scroll', () => {
      if (waiting) return
      waiting = true
      setTimeout(() => {
        waiting = false
        for (const box of document.querySelectorAll('[data-box]')) {
          const { top, bottom } = box.getBoundingClientRect()
          if (bottom > -300 && top < innerHeight + 300) load(box)
        }
      }, 200)
    })`
} as const

t.test('what a page loads while it is scrolled is requested in every viewport position', async (t) => {
  const cases = [
    { name: 'observer', loader: 'observer', afterMs: 0 },
    { name: 'throttled', loader: 'throttled', afterMs: 0 },
    // The clock of this page is then far behind real time, and Chromium draws no frame until it has caught up.
    { name: 'slow', loader: 'observer', afterMs: 9_000 }
  ] as const
  for (const { name, loader, afterMs } of cases) {
    const page = goodPage(site.origin)
    page.path = `/blog/lazy-${name}`
    page.head.canonical = `<link rel="canonical" href="${site.origin}${page.path}">`
    page.end = boxes(name, loader)
    page.answer = { afterMs }
    const { outcome, coverage, snapshots } = await check(page)
    t.equal(outcome, 'inspected')
    t.ok((coverage.compared ?? 0) > 0.9, `${name}: compared ${coverage.compared}`)
    for (const { viewport, width } of snapshots) {
      const missing = Array.from({ length: LAZY_BOXES }, (_, number) => number).filter(
        (number) => !site.requested.has(`/lazy/${name}/${width}/${number}`)
      )
      t.strictSame(missing, [], `${name}, ${viewport}`)
    }
  }
})
