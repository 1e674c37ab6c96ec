import sharp from 'sharp'
import t from 'tap'
import { openPlaywrightBrowser } from '../../../ports/browser/playwright/index.ts'
import type { Page } from '../../fixtures/visual-check/page.ts'
import { goodPage } from '../../fixtures/visual-check/page.ts'
import { drawPicture, PICTURES } from '../../fixtures/visual-check/pictures.ts'
import { getExpectedPageAt } from '../../fixtures/visual-check/check-page.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'
import { VIEWPORT_NAMES } from '../../../schemas/visual-check.ts'
import { evaluate } from '../../../services/visual-checks/evaluate.ts'

/** How quickly it came is not asked here: it depends on what else the machine does. */
const READABLE = { content: 100, layout: 100, media: 100, style: 100, readability: 100, metadata: 100 }

const site = await startSite(t)
const browser = await openPlaywrightBrowser({ allow: '127.0.0.1' })
t.teardown(() => browser.close())

const look = async (url: string, page: Page) =>
  await browser.inspectPage({
    url,
    accountId: 'garden',
    blog: getExpectedPageAt(url, page),
    viewports: VIEWPORT_NAMES,
    screenshotDetail: 'none',
    signal: AbortSignal.timeout(60_000)
  })

t.test('UNREACHABLE: an address at which nothing answers has no score; one that answers late is seen', async (t) => {
  const page = goodPage(site.origin)
  const nowhere = await look('http://127.0.0.1:9/blog/figs', page)
  t.match(nowhere, { outcome: 'unreachable', snapshots: [], finalUrl: null })
  page.answer = { afterMs: 1_000 }
  const url = site.show(page)
  const late = await look(url, page)
  t.equal(late.outcome, 'inspected')
  t.match(
    evaluate({ snapshots: late.snapshots, expected: getExpectedPageAt(url, page), missingFonts: late.missingFonts })
      .categories,
    READABLE
  )
})

t.test('a page in a script that this machine may have no font for can be read, and the script is named', async (t) => {
  const page = goodPage(site.origin, 'japanese')
  const url = site.show(page)
  const { snapshots, missingFonts } = await look(url, page)
  t.ok(
    missingFonts.every((script) => ['Han', 'Hiragana', 'Katakana'].includes(script)),
    missingFonts.join()
  )
  t.match(evaluate({ snapshots, expected: getExpectedPageAt(url, page), missingFonts }).categories, READABLE)
})

t.test('a redirect to an address that may not be reached is told as blocked', async (t) => {
  const page = goodPage(site.origin)
  page.path = '/blog/away'
  page.answer = { status: 302, location: 'http://10.0.0.1/' }
  t.match(await look(site.show(page), page), { outcome: 'blocked', snapshots: [] })
})

t.test(
  'another picture under the description of ours is told; ours in another size, format and cut is not',
  async (t) => {
    const tree = PICTURES[0]
    const ours = sharp(await drawPicture(tree))
    const office = sharp({
      create: { width: tree.width, height: tree.height, channels: 3, background: '#20242c' }
    }).composite([
      {
        input: Buffer.from(
          '<svg width="1200" height="800"><rect x="60" y="60" width="300" height="680" fill="#cfd8dc"/><rect x="500" y="420" width="640" height="90" fill="#90a4ae"/></svg>'
        )
      }
    ])
    const shown: [string, Buffer, string[]][] = [
      ['another', await office.jpeg().toBuffer(), ['IMAGE_FOREIGN']],
      ['smaller', await ours.clone().resize(480).webp({ quality: 40 }).toBuffer(), []],
      ['cut', await ours.clone().resize(900, 800).jpeg({ quality: 60 }).toBuffer(), []],
      ['no-picture', Buffer.from('nothing'), ['IMAGE_BROKEN']]
    ]
    for (const [name, body, codes] of shown) {
      const page = goodPage(site.origin)
      page.path = `/blog/picture-${name}`
      page.head.canonical = `<link rel="canonical" href="${site.origin}${page.path}">`
      page.content = page.content.replace(/(<img [^>]*src=")[^"]*fig-tree[^"]*"(?: srcset="[^"]*")?/, `$1/cdn/${name}"`)
      page.answers[`/cdn/${name}`] = { type: 'image/webp', body }
      const url = site.show(page)
      const { snapshots, missingFonts } = await look(url, page)
      t.strictSame(
        evaluate({ snapshots, expected: getExpectedPageAt(url, page), missingFonts })
          .findings.filter(({ category }) => category === 'media')
          .map(({ code }) => code),
        codes,
        name
      )
    }
  }
)
