import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import t from 'tap'
import type { VisualCheck } from '../../../../schemas/visual-check.ts'
import type { ReportContext } from '../../../../services/visual-checks/report/html.ts'
import { toPictures } from '../../../../services/visual-checks/report/pictures.ts'
import { streamHtmlReport } from '../../../../services/visual-checks/report/stream.ts'
import { openBrowser } from '../../../browser.ts'
import { hiddenText, sampleCheck } from '../../../fixtures/visual-check/sample-check.ts'

const webp = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#48a' } })
  .webp()
  .toBuffer()
const screenshot = (
  kind: 'thumb' | 'page' | 'crop',
  finding: number | null = null
): VisualCheck['screenshots'][number] => ({
  name: `${kind}.webp`,
  kind,
  viewport: 'mobile',
  finding,
  url: `https://service.example/${kind}.webp`,
  width: 320,
  height: 200
})
const pictured: VisualCheck = {
  ...sampleCheck,
  screenshots: [screenshot('thumb'), screenshot('crop', 1), screenshot('page')]
}
const pictures = new Map(['thumb', 'crop', 'page'].map((kind) => [`${kind}.webp`, `checks/1/${kind}.webp`]))

/** A crop of the page beside what was expected there, a history, and the pictures of the previous check. */
const compared: VisualCheck = {
  ...pictured,
  screenshots: [...pictured.screenshots, { ...screenshot('page', 1), name: 'expected.webp' }]
}
const history = [45, 0, 97, 100].map((overallScore, index) => ({
  overallScore,
  createdAt: `2026-11-${21 - index}T19:04:05.000Z`
}))
const images = new Map([...pictures, ['expected.webp', 'checks/1/expected.webp']])
const context = { images, history, previous: toPictures([screenshot('page'), screenshot('thumb')], images) }

/** The report as a client receives it. Files are read in pieces of any length. */
const rendered = async (check: VisualCheck, context: ReportContext): Promise<string> =>
  await text(
    streamHtmlReport(check, context, async () =>
      Readable.from([webp.subarray(0, 1), webp.subarray(1, 30), webp.subarray(30)])
    )
  )

t.test('in a real browser', async (t) => {
  const browser = await openBrowser(t)
  const opened = async (html: string, options: { colorScheme?: 'light' | 'dark'; width?: number } = {}) => {
    const page = await browser.newPage({
      colorScheme: options.colorScheme,
      viewport: { width: options.width ?? 1280, height: 900 }
    })
    const asked: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) asked.push(request.url())
    })
    page.on('dialog', async (dialog) => {
      asked.push(`dialog ${dialog.message()}`)
      await dialog.dismiss()
    })
    await page.setContent(html, { waitUntil: 'load' })
    return { page, asked }
  }

  await t.test('the report shows the score, findings and screenshots, and makes no requests', async (t) => {
    const { page, asked } = await opened(await rendered(pictured, { images: pictures }))
    t.strictSame(asked, [])
    t.equal(await page.title(), '45 of 100: https://shop.example/blog/which-tire-width')
    t.equal(await page.locator('h1').innerText(), 'Serious problems')
    t.equal(await page.getByRole('img', { name: 'Score 45 of 100' }).count(), 1)
    const [hidden, contrast] = await page.locator('article').all()
    t.match(await hidden!.innerText(), /^1\s+Critical\s+Layout\s+mobile and desktop\s+12 places\s+Text is hidden\./)
    t.match(await hidden!.innerText(), /Actual\s+\(nothing\)/)
    t.equal(await hidden!.locator('img').count(), 0)
    t.equal(await contrast!.locator('img').count(), 1, 'the crop is beside its own finding')
    t.match(await contrast!.innerText(), 'needs review, not scored')
    const loaded = await page
      .locator('img')
      .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))
    t.strictSame(loaded, [320, 320, 320])
  })

  await t.test('pictures are compared with a slider by keyboard, and side by side', async (t) => {
    const { page, asked } = await opened(await rendered(compared, context))
    t.strictSame(asked, [], 'the Content Security Policy allows the script and nothing is loaded')
    const comparisons = page.locator('.comparison')
    t.equal(await comparisons.count(), 2, 'of the finding, and of the page with the previous check')
    const boxes = async () =>
      await comparisons
        .last()
        .locator('img')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x))
    const clip = async () =>
      await comparisons
        .last()
        .locator('img')
        .last()
        .evaluate((image) => getComputedStyle(image).clipPath)
    const [first, second] = await boxes()
    t.equal(first, second, 'one above the other')
    t.match(await clip(), '50%')
    const slider = page.getByRole('slider', { name: 'From "mobile, previous check" to "mobile, this check"' })
    await slider.focus()
    await page.keyboard.press('End')
    t.match(await clip(), '100%')
    await comparisons.last().getByRole('button', { name: 'Side by side' }).click()
    const [left, right] = await boxes()
    t.ok(left! < right!)
    t.equal(await clip(), 'none')
    t.notOk(await slider.isVisible())
  })

  await t.test('without scripts the pictures are side by side', async (t) => {
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await page.setContent(await rendered(compared, context))
    t.equal(await page.locator('.comparison img').count(), 4)
    t.equal(await page.locator('.comparison button').count(), 0)
  })

  await t.test('the history is a line with a text alternative and a table', async (t) => {
    const { page } = await opened(await rendered(compared, context))
    const line = page.getByRole('img', { name: 'Scores of the last 4 checks, the latest at the end: 100, 97, 0, 45' })
    t.equal(await line.count(), 1)
    const points = (await line.locator('polyline').getAttribute('points'))!
      .split(' ')
      .map((point) => point.split(',').map(Number))
    t.equal(points.length, 4)
    t.ok(points[0]![0]! < points[3]![0]!, 'time goes from left to right')
    t.ok(points[2]![1]! > points[3]![1]! && points[0]![1]! < points[1]![1]!, 'higher scores are higher')
    await page.getByText('Scores by time').click()
    t.match(await page.locator('.history table').innerText(), /2026-11-21 19:04 UTC\s+45/)
  })

  await t.test('content of the checked page is shown as text', async (t) => {
    const hostile =
      '</style></title><script>alert(1)</script><img src=x onerror=alert(2)>"\'><svg onload=alert(3)>&amp;\u0000'
    const finding = {
      ...hiddenText,
      code: hostile,
      message: hostile,
      advice: hostile,
      expected: hostile,
      actual: hostile,
      evidence: { [hostile]: hostile },
      locations: [{ ...hiddenText.locations[0]!, selector: hostile }]
    }
    const { page, asked } = await opened(
      await rendered(
        {
          ...pictured,
          url: hostile,
          finalUrl: 'javascript:alert(4)',
          reason: hostile,
          overallScore: null,
          findings: [finding],
          checker: { ...sampleCheck.checker!, chromium: hostile }
        },
        { images: pictures }
      )
    )
    t.strictSame(asked, [])
    t.strictSame(await page.locator('main script, img[src=x], svg[onload], main a').count(), 0)
    t.equal(await page.locator('h3').innerText(), hostile.replace('\u0000', '\ufffd').replace(/\s+/g, ' '))
    t.match(await page.locator('.address').innerText(), '<script>alert(1)</script>')
  })

  await t.test('the report fits every screen width, and all text has enough contrast, in light and dark', async (t) => {
    const long = {
      ...hiddenText,
      locations: [{ ...hiddenText.locations[0]!, selector: `div.${'x'.repeat(300)}` }],
      evidence: { address: `https://cdn.example/${'y'.repeat(300)}` }
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [320, 390, 1280]) {
        const { page } = await opened(
          await rendered({ ...compared, findings: [long, ...compared.findings.slice(1)] }, context),
          { colorScheme, width }
        )
        const wide = await page.evaluate(() => document.documentElement.scrollWidth)
        t.ok(wide <= width, `${colorScheme}, ${width}: ${wide}`)
        const least = await page.evaluate(leastContrast)
        t.ok(least.contrast >= 4.5, `${colorScheme}, ${width}: ${JSON.stringify(least)}`)
      }
    }
  })
})

t.test('a check without a score shows the reason', async (t) => {
  const html = await rendered(
    {
      ...sampleCheck,
      status: 'unreachable',
      overallScore: null,
      categories: null,
      coverage: null,
      since: null,
      checker: null,
      timings: null,
      findings: [],
      reason: 'Nothing answered at this address.'
    },
    { images: new Map() }
  )
  t.match(html, '<h1>Nothing answered at this address.</h1>')
  t.match(html, '<title>No score: ')
  t.notMatch(html, /undefined|null|NaN|No problems found/)
})

/**
 * The lowest WCAG contrast of any text of the page against the nearest painted background. Runs in
 * the page.
 */
function leastContrast(): { contrast: number; text: string } {
  const channels = (color: string) => color.match(/[\d.]+/g)!.map(Number)
  const luminance = (color: string) => {
    const [r, g, b] = channels(color)
      .slice(0, 3)
      .map((value) => value / 255)
      .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)) as [number, number, number]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const ground = (element: Element | null): string => {
    if (element === null) return 'rgb(255, 255, 255)'
    const color = getComputedStyle(element).backgroundColor
    return (channels(color)[3] ?? 1) === 0 ? ground(element.parentElement) : color
  }
  let least = { contrast: 21, text: '' }
  for (const element of document.body.querySelectorAll('*')) {
    const text = [...element.childNodes]
      .filter(({ nodeType }) => nodeType === 3)
      .map(({ textContent }) => textContent!.trim())
      .join('')
    if (text === '') continue
    const [light, dark] = [luminance(getComputedStyle(element).color), luminance(ground(element))].sort(
      (a, b) => b - a
    ) as [number, number]
    const contrast = (light + 0.05) / (dark + 0.05)
    if (contrast < least.contrast) least = { contrast, text }
  }
  return least
}
