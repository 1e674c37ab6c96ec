import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type BrowserContext, chromium } from 'playwright'
import t, { type Test } from 'tap'
import { findChromium } from '../../../ports/browser/playwright/child/find-chromium.ts'
import { launchChromium } from '../../../ports/browser/playwright/child/launch.ts'
import {
  CHECK_LIMITS,
  openEgressProxy,
  type ProxySession
} from '../../../ports/browser/playwright/child/egress-proxy/index.ts'
import { UNSUPPORTED_ATTEMPTS, EGRESS_ATTEMPTS } from '../../fixtures/browser/egress-attempts.ts'
import { openReceiver } from '../../fixtures/outbound/servers.ts'

const AT_ONCE = 6
/** What is to come after the load has come by then, on a busy machine too. */
const LONGEST_MS = 3_000
/** After it came: so long something else may come. */
const SETTLE_MS = 200
const found = await findChromium({})

/** The site that a check is for, which plays every hostile page. */
const pages = new Map<string, (site: string) => ReturnType<(typeof EGRESS_ATTEMPTS)[string]>>()
const site = await openReceiver((request, reply) => {
  const url = new URL(request.url as string, 'http://site')
  if (url.pathname === '/redirect') {
    return reply
      .writeHead(Number(url.searchParams.get('status')), { location: url.searchParams.get('to') as string })
      .end()
  }
  if (url.pathname === '/script') {
    return reply.writeHead(200, { 'content-type': 'text/javascript' }).end(url.searchParams.get('text'))
  }
  const page = pages.get(url.pathname)?.(`http://127.0.0.1:${site.port}`)
  if (page === undefined) return reply.writeHead(404).end()
  if (typeof page === 'string') return reply.writeHead(200, { 'content-type': 'text/html' }).end(page)
  if ('status' in page) return reply.writeHead(page.status, { location: page.location }).end()
  reply.writeHead(200, { 'content-type': 'text/html', ...page.headers }).end(page.html)
})
t.teardown(() => site.close())

/** A server that must not be reached, over TCP or UDP. */
async function openVictim() {
  const tcp = await openReceiver((_request, reply) =>
    reply.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/plain' }).end('secret')
  )
  const udp = createSocket('udp4')
  let packets = 0
  udp.on('message', () => {
    packets++
  })
  udp.bind(tcp.port, '127.0.0.1')
  await once(udp, 'listening')
  return {
    port: tcp.port,
    reached: () => tcp.connections + packets,
    close: async () => {
      udp.close()
      await tcp.close()
    }
  }
}

interface Walked {
  /** Connections and packets that came to the victim. */
  reached: number /** Who was refused on the way. */
  refused: string[]
}

/** Where each way led. */
async function walk(
  names: string[],
  open: () => Promise<{ context: BrowserContext; pass?: ProxySession }>
): Promise<Record<string, Walked>> {
  const walked: Record<string, Walked> = {}
  const left = [...names]
  const one = async (name: string) => {
    const victim = await openVictim()
    const path = `/${encodeURIComponent(name)}`
    pages.set(path, (own) =>
      EGRESS_ATTEMPTS[name]!({
        site: own,
        host: '127.0.0.1',
        port: victim.port,
        url: `http://127.0.0.1:${victim.port}/`
      })
    )
    const { context, pass } = await open()
    const page = await context.newPage()
    // A page that is led away, or downloads, does not load.
    await page.goto(`http://127.0.0.1:${site.port}${path}`, { timeout: 5_000 }).catch(() => {})
    const refused = () => pass?.refused() ?? []
    for (
      const endMs = performance.now() + LONGEST_MS;
      performance.now() < endMs && victim.reached() + refused().length === 0;
    ) {
      await delay(20)
    }
    await delay(SETTLE_MS)
    await context.close()
    walked[name] = { reached: victim.reached(), refused: refused() }
    await victim.close()
  }
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) await one(name)
    })
  )
  return walked
}

/**
 * A browser behind an egress proxy with this allow list. All connections of the proxy go to the
 * victim of their port.
 */
async function guarded(t: Test, allow: string) {
  const connects: string[] = []
  const way = await openEgressProxy({
    allow,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    connect: ({ address, port }) => {
      connects.push(`${address}:${port}`)
      return connect(port, '127.0.0.1')
    }
  })
  const { browser, kill } = await launchChromium({ ...found, proxyUrl: way.url, sandbox: false })
  t.teardown(async () => {
    await kill()
    await way.close()
  })
  const open = async () => {
    const pass = way.openSession(CHECK_LIMITS)
    const { username, password } = pass
    return {
      pass,
      context: await browser.newContext({ proxy: { server: way.url, username, password, bypass: '<-loopback>' } })
    }
  }
  return { browser, connects, open }
}

const names = Object.keys(EGRESS_ATTEMPTS)

/** Ways over UDP, which the browser itself does not go. */
const OVER_UDP = ['WebRTC by STUN over UDP', 'WebTransport over QUIC']

t.test('a hostile page only reaches its own site', async (t) => {
  const { connects, open } = await guarded(t, `127.0.0.1:${site.port}`)
  const walked = await walk(names, open)
  t.ok(names.length >= 40, `${names.length} ways`)
  for (const name of names) {
    t.equal(walked[name]?.reached, 0, `${name} leads nowhere`)
    if (![...OVER_UDP, ...UNSUPPORTED_ATTEMPTS].includes(name)) {
      t.not(walked[name]?.refused.length, 0, `${name} is rejected`)
    }
  }
  t.same([...new Set(connects)], [`127.0.0.1:${site.port}`])
})

t.test('every egress attempt succeeds with an open policy', async (t) => {
  const { open } = await guarded(t, '0.0.0.0/0,::/0,localhost')
  // Names below localhost cannot be allowed as networks are, and any other is open on 80 and 443
  // alone.
  const byName = ['a name below localhost', 'a name that leads to loopback', 'a file of settings for proxies']
  const others = names.filter((name) => ![...byName, ...OVER_UDP, ...UNSUPPORTED_ATTEMPTS].includes(name))
  const walked = await walk(others, open)
  t.same(
    others.filter((name) => walked[name]?.reached === 0),
    []
  )
})

t.test('without the browser flags, a page bypasses the egress proxy', async (t) => {
  const browser = await chromium.launch({ executablePath: found.executablePath })
  t.teardown(() => browser.close())
  const own = [
    'WebRTC by STUN over UDP',
    'WebTransport over QUIC',
    'the name localhost',
    'a name below localhost',
    'a file of settings for proxies',
    'a WebSocket',
    'a shared worker that fetches',
    'a service worker that fetches'
  ]
  const walked = await walk(own, async () => ({ context: await browser.newContext() }))
  for (const name of own) t.ok((walked[name] as Walked).reached > 0, `${name} leads out`)
})

t.test('a page cannot open local files or browser pages', async (t) => {
  const { browser, open } = await guarded(t, `127.0.0.1:${site.port}`)
  const { context } = await open()
  const page = await context.newPage()
  for (const address of [
    'file:///etc/passwd',
    'chrome://version',
    'chrome://net-export',
    'devtools://devtools/bundled/inspector.html',
    'filesystem:http://127.0.0.1/x',
    'view-source:file:///etc/passwd'
  ]) {
    const path = `/${encodeURIComponent(address)}`
    pages.set(
      path,
      () =>
        `<iframe src="${address}"></iframe><a href="${address}">x</a>` +
        `<script>document.querySelector('a').click(); fetch('${address}').catch(() => {}); try { ` +
        `location.href = '${address}' } catch {}</script>`
    )
    await page.goto(`http://127.0.0.1:${site.port}${path}`).catch(() => {})
    await delay(150)
    for (const frame of page.frames()) {
      t.notOk(
        frame.url().startsWith(address.slice(0, 7)) && /root:|Chromium/.test(await frame.content()),
        `${address} stays closed in ${frame === page.mainFrame() ? 'the page' : 'a frame'}`
      )
    }
    pages.set(`${path}-redirect`, () => ({ status: 302, location: address }))
    t.equal(
      await page.goto(`http://127.0.0.1:${site.port}${path}-redirect`).then(
        (answer) => answer?.status() ?? null,
        () => null
      ),
      null,
      `no redirect leads to ${address}`
    )
  }
  await context.close()
  t.ok(browser.isConnected())
})

t.test('a browser without session credentials reaches no site', async (t) => {
  const { browser } = await guarded(t, `127.0.0.1:${site.port}`)
  const before = site.requests.length
  const context = await browser.newContext()
  const page = await context.newPage()
  const answer = await page.goto(`http://127.0.0.1:${site.port}/`).then(
    (given) => given?.status() ?? null,
    () => null
  )
  t.ok(answer === null || answer === 407, String(answer))
  t.equal(site.requests.length, before)
  await context.close()
})
