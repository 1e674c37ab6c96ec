import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import t from 'tap'
import { openBrowser } from '../browser.ts'
import { startApp } from '../helper.ts'

const app = await startApp(t, { HOST: '127.0.0.1', PORT: '0' })
await app.listen({ host: '127.0.0.1', port: 0 })
const key = await app.seedDemo()
if (key === null) throw new Error('The demo content is missing.')
const browser = await openBrowser(t)
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Opens the reference at a fragment, and collects its requests to other servers and its messages in the console. */
async function openReference(fragment: string, options: { width: number; colorScheme: 'light' | 'dark' }) {
  const context = await browser.newContext({
    viewport: { width: options.width, height: 900 },
    colorScheme: options.colorScheme
  })
  const page = await context.newPage()
  const foreign: string[] = []
  const messages: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(`${app.publicUrl}/`) && !/^(?:data|blob):/.test(request.url())) {
      foreign.push(request.url())
    }
  })
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) messages.push(message.text())
  })
  page.on('pageerror', (error) => messages.push(error.message))
  await page.goto(`${app.publicUrl}/docs/api${fragment}`)
  await page.getByRole('heading', { name: 'List blogs', exact: true }).waitFor()
  return { page, foreign, messages }
}
type ReferencePage = Awaited<ReturnType<typeof openReference>>['page']

/** The findings of axe that prevent or hinder the use of the page. */
async function seriousFindings(page: ReferencePage): Promise<string[]> {
  await page.evaluate(axe)
  return await page.evaluate<string[]>(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`)
}

t.test('the reference sends requests with the entered key, shows samples, and searches', async (t) => {
  const { page, foreign, messages } = await openReference('#tag/blogs/listBlogs', { width: 1366, colorScheme: 'light' })
  t.strictSame(await seriousFindings(page), [], 'the page is accessible')
  await page
    .getByRole('button', { name: /^Test Request.*\/api\/v1\/blogs\b/ })
    .first()
    .click()
  await page.locator('input.scalar-password-input:visible').last().fill(key)
  const [response] = await Promise.all([
    page.waitForResponse(`${app.publicUrl}/api/v1/blogs?projectId=harbor-coffee`),
    page.getByRole('button', { name: /^Send/ }).first().click()
  ])
  t.equal(response.status(), 200)
  t.equal(response.request().headers()['x-api-key'], key)
  await page.getByText('"pour-over-same-every-morning"').first().waitFor()
  t.strictSame(await seriousFindings(page), [], 'the dialog is accessible')
  await page.keyboard.press('Escape')
  const samples = await page.locator('code', { hasText: 'curl' }).allTextContents()
  t.ok(
    samples.some((sample) => sample.includes(`/api/v1/blogs?projectId=harbor-coffee'`) && sample.includes(key)),
    'the sample has the key, and only the parameters that have an example'
  )
  await page.keyboard.press('Control+k')
  await page.keyboard.type('sitemap')
  await page
    .getByRole('option', { name: /sitemap/i })
    .first()
    .click()
  await page.waitForURL('**/docs/api#tag/feeds/getSitemap')
  t.strictSame(foreign, [], 'no requests to other servers')
  t.strictSame(messages, [], 'nothing violates the content security policy')
})

t.test('links to sections of the plain page lead to the same section, also on a phone', async (t) => {
  const { page, foreign, messages } = await openReference('#listBlogs', { width: 390, colorScheme: 'dark' })
  t.equal(new URL(page.url()).hash, '#tag/blogs/listBlogs')
  t.ok(await page.getByRole('heading', { name: 'List blogs', exact: true }).isVisible())
  t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'the page fits')
  t.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(20, 24, 26)')
  t.notMatch(await page.locator('#reference').innerText(), /\^\S*\$/, 'no regular expressions')
  t.strictSame(await seriousFindings(page), [])
  t.strictSame(foreign, [])
  t.strictSame(messages, [])
})
