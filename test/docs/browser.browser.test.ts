import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import chromium from '@sparticuz/chromium'
import { chromium as playwright } from 'playwright'
import t from 'tap'
import { startApp } from '../helper.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const app = await startApp(t, { DEMO_CONTENT: 'off', HOST: '127.0.0.1', PORT: '0' })
await app.listen({ host: '127.0.0.1', port: 0 })
const browser = await playwright.launch({
  executablePath: await chromium.executablePath(),
  args: ['--no-sandbox', '--disable-dev-shm-usage']
})
t.teardown(() => browser.close())

for (const [device, width] of [
  ['a desktop', 1280],
  ['a phone', 360]
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    t.test(`on ${device}, ${colorScheme}, the pages fit, are styled and load no foreign resources`, async (t) => {
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme })
      const page = await context.newPage()
      const foreign: string[] = []
      const complaints: string[] = []
      page.on('request', (request) => {
        if (!request.url().startsWith(`${app.publicUrl}/`) && !request.url().startsWith('data:')) {
          foreign.push(request.url())
        }
      })
      page.on('console', (message) => {
        complaints.push(message.text())
      })
      page.on('response', (response) => {
        if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`)
      })
      for (const url of [
        '/',
        '/docs',
        '/docs/guides/blog-on-your-site',
        '/docs/examples/next',
        '/docs/security',
        '/docs/visual-check',
        '/docs/api/plain',
        '/docs/errors',
        '/docs/errors/unknown_image_variant'
      ]) {
        await page.goto(app.publicUrl + url)
        await page.evaluate("document.querySelectorAll('main details').forEach((details) => { details.open = true })")
        t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${url} fits`)
        t.equal(
          await page.evaluate('getComputedStyle(document.body).backgroundColor'),
          colorScheme === 'dark' ? 'rgb(20, 24, 26)' : 'rgb(255, 255, 255)',
          `${url} has its styles`
        )
        if (url === '/docs/api/plain') continue // Large, and checked by test/docs/reference.browser.test.ts.
        await page.evaluate(AXE)
        const violations = await page.evaluate<string[]>(`axe.run(document).then(({ violations }) =>
          violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`)
        t.strictSame(violations, [], `${url} is accessible`)
      }
      t.strictSame(foreign, [])
      t.strictSame(complaints, [])
      await context.close()
    })
  }
}

t.test('no command of a guide is cut off on a desktop', async (t) => {
  const page = await browser.newPage({ viewport: { width: 1366, height: 800 } })
  for (const url of ['/docs/guides/blog-on-your-site', '/docs/guides/import-posts', '/docs/examples/next']) {
    await page.goto(app.publicUrl + url)
    const cutOff = await page.evaluate<string[]>(`[...document.querySelectorAll('pre')]
      .filter((pre) => /^(?:npm|export|curl|OUTBOUND_ALLOW)/.test(pre.textContent) && pre.scrollWidth > pre.clientWidth)
      .map((pre) => pre.textContent)`)
    t.strictSame(cutOff, [], url)
  }
  await page.close()
})

t.test('tables show the headings of their columns, also where a phone shows no table head', async (t) => {
  for (const [width, label] of [
    [1366, 'none'],
    [360, '"use scaled when: "']
  ] as const) {
    const page = await browser.newPage({ viewport: { width, height: 800 } })
    await page.goto(`${app.publicUrl}/docs/operating`)
    const content = "getComputedStyle(document.querySelector('td:nth-child(2)'), '::before').content"
    t.equal(await page.evaluate(content), label, `${width} px`)
    await page.close()
  }
})
