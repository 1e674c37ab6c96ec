import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Browser, type Page } from 'playwright'
import sharp from 'sharp'
import { buildApp } from '../app.ts'
import { findChromium } from '../ports/browser/playwright/child/find-chromium.ts'
import { DEMO } from '../schemas/examples/demo.ts'
import { signInUrl } from '../services/auth/sign-in-links.ts'
import { DEMO_ACCOUNT } from '../services/demo/index.ts'

/** Takes the pictures of docs/images: starts the service with the demo in an empty folder, and opens its pages. */

const FOLDER = path.resolve(import.meta.dirname, '../docs/images')
/** The pictures show the address of the service: the default port, unless it is in use. */
const PORT = process.env.PORT ?? '3000'
const WIDTH = 1366
const MAX_BYTES = 150 * 1024
const CHECKS_MS = 300_000
/** Requests of a website in the chart of the home page. */
const READS = 60
const SCHEMES = ['light', 'dark'] as const

type App = Awaited<ReturnType<typeof buildApp>>

interface Picture {
  name: string
  /** A path of the service, or of the console with `#`. */
  url: string
  height: number
  /** What is on the page when it is complete. */
  ready: (page: Page) => Promise<unknown>
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'docs-pictures-'))
  const app = await buildApp({
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT,
    LOG_LEVEL: 'error',
    BROWSER_SANDBOX: 'off',
    CHROMIUM_PATH: process.env.CHROMIUM_PATH
  })
  try {
    await app.listen({ host: '127.0.0.1', port: Number(PORT) })
    const pictures = await prepare(app)
    const { executablePath } = await findChromium({})
    const browser = await chromium.launch({ executablePath, chromiumSandbox: false })
    try {
      for (const scheme of SCHEMES) await takeAll(app, { browser, pictures, scheme })
    } finally {
      await browser.close()
    }
  } finally {
    await app.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Creates the demo with its checks and some use, and resolves with the pictures to take. */
async function prepare(app: App): Promise<Picture[]> {
  const key = await app.seedDemo()
  if (key === null) throw new Error('The demo was not created.')
  const get = async <Body>(url: string): Promise<Body> =>
    (await app.inject({ url, headers: { 'x-api-key': key } })).json()
  if ((await app.services.demo.checkPages(AbortSignal.timeout(CHECKS_MS))) === 0) {
    throw new Error('No browser starts. Install Chromium, or set CHROMIUM_PATH.')
  }
  for (let read = 0; read < READS; read++) await get(`/api/v1/blogs?pageSize=${(read % 20) + 1}`)
  const { id } = await get<{ id: string }>('/api/v1/blogs/filter-coffee-at-the-office')
  const [product] = (await get<{ products: { id: string }[] }>('/api/v1/products?externalId=HC-stevedore-250')).products
  const { visualChecks } = await get<{ visualChecks: { id: string }[] }>(`/api/v1/blogs/${DEMO.blogId}/visual-checks`)
  return [
    {
      name: 'console-home',
      url: '/console#/',
      height: 760,
      ready: async (page) => await page.getByText('Records and files', { exact: true }).waitFor()
    },
    {
      name: 'console-editor',
      url: `/console#/blogs/${id}`,
      height: 900,
      ready: async (page) => await page.frameLocator('iframe').getByText('The only number').waitFor()
    },
    {
      name: 'console-products',
      url: '/console#/products',
      height: 800,
      ready: async (page) => {
        await page.getByLabel('Project', { exact: true }).selectOption('harbor-coffee')
        await page.getByText('Choose a project').waitFor({ state: 'hidden' })
        await page.getByRole('table').getByText('Optimized').first().waitFor()
      }
    },
    {
      name: 'console-product',
      url: `/console#/products/${product!.id}`,
      height: 900,
      ready: async (page) => await page.locator('img.product-picture').waitFor()
    },
    {
      name: 'visual-check-report',
      url: `/console#/checks/${DEMO.blogId}/${visualChecks.at(-1)!.id}`,
      height: 1100,
      ready: async (page) => await page.locator('img').first().waitFor()
    },
    {
      name: 'docs-guide',
      url: '/docs/guides/blog-on-your-site',
      height: 760,
      ready: async (page) => await page.getByRole('heading', { level: 1 }).waitFor()
    }
  ]
}

async function takeAll(
  app: App,
  { browser, pictures, scheme }: { browser: Browser; pictures: Picture[]; scheme: (typeof SCHEMES)[number] }
): Promise<void> {
  const context = await browser.newContext({ colorScheme: scheme, locale: 'en-US', reducedMotion: 'reduce' })
  const page = await context.newPage()
  const token = await app.services.signInLinks.create(DEMO_ACCOUNT)
  await page.goto(signInUrl(app.publicUrl, token!))
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  for (const { name, url, height, ready } of pictures) {
    await page.setViewportSize({ width: WIDTH, height })
    await page.goto(`${app.publicUrl}${url}`)
    await ready(page)
    await page.waitForLoadState('networkidle')
    const file = `${name}-${scheme}.webp`
    const bytes = await encode(await page.screenshot())
    await writeFile(path.join(FOLDER, file), bytes)
    process.stdout.write(`${String(bytes.length).padStart(7)}  docs/images/${file}\n`)
  }
  await context.close()
}

/** The best quality that is small enough. Throws an Error if there is none. */
async function encode(png: Buffer): Promise<Buffer> {
  for (const quality of [90, 80, 70]) {
    const bytes = await sharp(png).webp({ quality, effort: 6, smartSubsample: true }).toBuffer()
    if (bytes.length <= MAX_BYTES) return bytes
  }
  throw new Error(`A picture has more than ${MAX_BYTES} bytes.`)
}

await main()
