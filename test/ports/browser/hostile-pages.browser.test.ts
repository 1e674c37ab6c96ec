import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { constants, createBrotliCompress } from 'node:zlib'
import t, { type Test } from 'tap'
import { openPlaywrightBrowser } from '../../../ports/browser/playwright/index.ts'
import type { Browser, PageInspection } from '../../../ports/browser/port.ts'
import { BROWSER_OPTIONS } from '../../browser.ts'

/*
 * Pages that try to end, fill or block the service, by their driver or their browser. Each one has a
 * result, and a page of the same account that is inspected beside it is inspected as usual.
 */

const TEXT = 'A fig tree grows in a pot of forty litres, and gives more fruit the tighter its roots stand.'
/** A control character has one byte in the page, and six in the messages of the browser. */
const HUGE = String.raw`'\u0001'.repeat(95e6)`
/** Less than the default: pages that fill it are ended sooner. */
const MAX_MEMORY_BYTES = 900_000_000
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

interface HostilePage {
  script?: string
  head?: string
  /** The allowed outcomes. On a slow machine, a page that would crash the browser may time out. */
  outcomes: PageInspection['outcome'][]
}

const PAGES: Record<string, HostilePage> = {
  'logs a huge text': { script: `console.log(${HUGE})`, outcomes: ['crashed', 'timeout', 'inspected'] },
  'has a huge language': {
    script: `document.documentElement.lang = ${HUGE}`,
    outcomes: ['crashed', 'timeout', 'inspected']
  },
  'throws a huge error': { script: `throw new Error(${HUGE})`, outcomes: ['crashed', 'timeout'] },
  'has a frame with a huge name': {
    script: "const f = document.createElement('iframe'); f.name = 'x'.repeat(4e8); document.body.append(f)",
    outcomes: ['crashed', 'timeout']
  },
  'has a huge title': {
    script: "document.title = 'x'.repeat(2e7)",
    outcomes: ['inspected']
  },
  'has a million meta elements': {
    script:
      "for (let i = 0; i < 1e6; i++) { const m = document.createElement('meta'); m.name = 'm' + i; " +
      "m.content = 'x'.repeat(50); document.head.append(m) }",
    outcomes: ['crashed', 'timeout']
  },
  'fills the memory': {
    script:
      'const all = []; setInterval(() => { ' +
      'for (let i = 0; i < 20; i++) all.push(new Uint8Array(5e7).fill(7)) }, 10)',
    outcomes: ['crashed']
  },
  'nests thousands of shadow roots': {
    script:
      'let host = document.body; for (let i = 0; i < 20_000; i++) { ' +
      "const inner = document.createElement('div'); (host.shadowRoot ?? (i === 0 ? host : host)).append(inner); " +
      "inner.attachShadow({ mode: 'open' }); host = inner }",
    outcomes: ['inspected', 'timeout', 'crashed']
  },
  'polls its server': { script: "setInterval(() => fetch('/ping'), 1000)", outcomes: ['inspected'] },
  'polls its server all the time': { script: "setInterval(() => fetch('/ping'), 20)", outcomes: ['inspected'] },
  'reloads itself': { script: 'setTimeout(() => location.reload(), 900)', outcomes: ['reloading'] },
  'reloads itself slowly': { script: 'setTimeout(() => location.reload(), 2500)', outcomes: ['reloading'] },
  'reloads itself at once': { script: 'location.reload()', outcomes: ['reloading'] },
  'moves to another address again and again': {
    script: "setTimeout(() => location.replace('?' + Math.random()), 300)",
    outcomes: ['reloading']
  },
  'refreshes itself': { head: '<meta http-equiv="refresh" content="1">', outcomes: ['reloading'] },
  'refreshes itself slowly': { head: '<meta http-equiv="refresh" content="3">', outcomes: ['reloading'] },
  'reloads itself once': {
    script: 'if (!sessionStorage.seen) { sessionStorage.seen = 1; location.reload() }',
    outcomes: ['inspected']
  },
  'refreshes itself after a minute': { head: '<meta http-equiv="refresh" content="60">', outcomes: ['inspected'] },
  'runs workers that never wait': {
    script:
      "const source = URL.createObjectURL(new Blob(['for (;;);'])); " +
      'for (let i = 0; i < 80; i++) new Worker(source)',
    outcomes: ['crashed']
  },
  'runs a few workers that never wait': {
    script:
      "const source = URL.createObjectURL(new Blob(['for (;;);'])); " +
      'for (let i = 0; i < 8; i++) new Worker(source)',
    outcomes: ['inspected']
  },
  'has thousands of titles and canonical links': {
    head: '<title></title><link rel=canonical href=a>'.repeat(10_000),
    outcomes: ['inspected']
  },
  'opens dialogs all the time': { script: "setInterval(() => alert('x'.repeat(1e5)), 50)", outcomes: ['inspected'] }
}

async function startSite(t: Test, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const pageWith = ({ script = '', head = '' }: Partial<HostilePage> = {}): string =>
  `<!doctype html><html lang="en"><head><title>Figs</title>${head}</head>` +
  `<body><article><h1>Figs</h1><p>${TEXT}</p></article><script>${script}</script></body></html>`

const inspect = async (browser: Browser, url: string): Promise<PageInspection> =>
  await browser.inspectPage({
    url,
    accountId: 'garden',
    viewports: ['mobile', 'desktop'],
    screenshotDetail: 'thumbs',
    signal: AbortSignal.timeout(85_000),
    blog: { title: 'Figs', html: `<p>${TEXT}</p>`, css: '', language: 'en' }
  })

function open(t: Test): Browser {
  const browser = openPlaywrightBrowser({ ...BROWSER_OPTIONS, allow: '127.0.0.1', maxMemoryBytes: MAX_MEMORY_BYTES })
  t.teardown(() => browser.close())
  return browser
}

t.test('hostile pages have a result, and pages beside them are inspected', { timeout: 900_000 }, async (t) => {
  const names = Object.keys(PAGES)
  const site = await startSite(t, (request, response) => {
    const { pathname } = new URL(request.url!, 'http://site')
    if (pathname === '/ping') return response.writeHead(204).end()
    const page = PAGES[names[Number(pathname.slice(1))] ?? '']
    response.writeHead(200, { 'content-type': 'text/html' }).end(pageWith(page))
  })
  const browser = open(t)
  const wanted = process.env.PAGE
  for (const [index, name] of names.entries()) {
    if (wanted !== undefined && !name.includes(wanted)) continue
    const [hostile, neighbor] = await Promise.all([
      inspect(browser, `${site}/${index}`),
      inspect(browser, `${site}/good`)
    ])
    t.ok(PAGES[name]!.outcomes.includes(hostile.outcome), `A page that ${name}: ${hostile.outcome} ${hostile.reason}`)
    t.equal(hostile.reason === null, hostile.outcome === 'inspected')
    t.equal(neighbor.outcome, 'inspected', `a page beside one that ${name}: ${neighbor.reason}`)
    if (hostile.outcome === 'inspected') {
      const [snapshot] = hostile.snapshots
      t.equal(snapshot!.blocks[0]!.similarity, 1, name)
      t.ok(JSON.stringify(hostile.snapshots).length < 3_000_000, 'the snapshots are bounded')
      t.ok(snapshot!.document.titles.length <= 20 && snapshot!.document.relativeCanonicals!.length <= 20)
    }
  }
  t.ok(process.memoryUsage.rss() < 600_000_000, `${process.memoryUsage.rss()} bytes`)
})

t.test('an og:image that decodes to gigabytes is not decoded', { timeout: 120_000 }, async (t) => {
  const chunk = Buffer.alloc(2 ** 20)
  let sent = 0
  const zeros = Readable.from(
    (function* () {
      for (let megabyte = 0; megabyte < 2_000; megabyte++) yield chunk
    })()
  )
  const compressed: Buffer[] = []
  const encoder = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
  for await (const part of zeros.pipe(encoder)) compressed.push(part as Buffer)
  const bomb = Buffer.concat(compressed)
  const site = await startSite(t, (request, response) => {
    const head = '<meta property="og:image" content="/bomb.png">'
    if (request.url !== '/bomb.png') {
      return response.writeHead(200, { 'content-type': 'text/html' }).end(pageWith({ head }))
    }
    sent++
    response.writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'br' }).end(bomb)
  })
  const { outcome, snapshots } = await inspect(open(t), `${site}/`)
  t.equal(outcome, 'inspected')
  t.equal(snapshots.find(({ viewport }) => viewport === 'desktop')!.document.ogImageLoads, true)
  t.equal(sent, 1)
  await delay(1_000)
  const used = largestProcess()
  t.ok(used < 400_000_000, `the largest process has ${used} bytes after the check`)
})

t.test('an image with too many pixels is not compared', { timeout: 120_000 }, async (t) => {
  const huge = '<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"></svg>'
  const site = await startSite(t, (request, response) => {
    if (request.url === '/huge.svg') return response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(huge)
    if (request.url === '/own.gif') return response.writeHead(200, { 'content-type': 'image/gif' }).end(PIXEL)
    const page = pageWith().replace(
      '</article>',
      '<img src="/huge.svg" alt="A fig tree" width="9" height="9"></article>'
    )
    response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  })
  const { snapshots } = await open(t).inspectPage({
    url: `${site}/`,
    accountId: 'garden',
    viewports: ['desktop'],
    screenshotDetail: 'none',
    signal: AbortSignal.timeout(85_000),
    blog: { title: 'Figs', html: `<p>${TEXT}</p><img src="${site}/own.gif" alt="A fig tree">`, css: '', language: 'en' }
  })
  t.match(snapshots[0]!.images, [{ index: 0, matchedByUrl: false, naturalWidth: 30_000, similarity: null }])
})

/** The resident memory of the largest descendant of this process. 0 on systems without /proc. */
function largestProcess(): number {
  if (process.platform !== 'linux') return 0
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, 'latin1')
        const field = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
        return { pid: field('Pid'), parent: field('PPid'), bytes: field('RssAnon') * 1024 }
      } catch {
        return { pid: 0, parent: 0, bytes: 0 } // It has ended meanwhile.
      }
    })
  const tree = new Set([process.pid])
  for (let size = 0; size < tree.size; ) {
    size = tree.size
    for (const { pid, parent } of processes) if (tree.has(parent)) tree.add(pid)
  }
  tree.delete(process.pid)
  return Math.max(0, ...processes.filter(({ pid }) => tree.has(pid)).map(({ bytes }) => bytes))
}
