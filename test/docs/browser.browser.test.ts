import chromium from '@sparticuz/chromium'
import { chromium as playwright } from 'playwright'
import t from 'tap'
import { startApp } from '../helper.ts'

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
        '/docs',
        '/docs/guides/blog-on-your-site',
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
      }
      t.strictSame(foreign, [])
      t.strictSame(complaints, [])
      await context.close()
    })
  }
}
