import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { EgressPolicyOptions } from '../../../ports/browser/playwright/child/egress-proxy/egress-policy.ts'
import {
  PROXY_ERROR_HEADER,
  openEgressProxy,
  type ProxySession,
  type SessionLimits,
  type EgressProxy
} from '../../../ports/browser/playwright/child/egress-proxy/index.ts'
import { FORBIDDEN_ADDRESSES, hostileUrls } from '../../fixtures/outbound/hostile-urls.ts'
import { openReceiver, openTcp } from '../../fixtures/outbound/servers.ts'

const ROOMY: SessionLimits = { bytes: 100_000_000, requests: 10_000 }
const basic = ({ username, password }: { username: string; password: string }) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

async function open(
  t: Test,
  options: EgressPolicyOptions,
  limits = ROOMY
): Promise<{ way: EgressProxy; pass: ProxySession }> {
  const way = await openEgressProxy(options)
  t.teardown(() => way.close())
  return { way, pass: way.openSession(limits) }
}

interface Got {
  status: number
  headers: IncomingHttpHeaders
  rawHeaders: string[]
  body: string
  error: string | null
}

/** Asks as a browser asks its proxy; never rejects. */
async function ask(
  way: EgressProxy,
  url: string,
  {
    pass,
    method = 'GET',
    headers = {},
    body
  }: { pass?: { username: string; password: string }; method?: string; headers?: Record<string, string>; body?: string }
): Promise<Got> {
  const { port } = new URL(way.url)
  const credentials = pass === undefined ? {} : { 'proxy-authorization': basic(pass) }
  return await new Promise((resolve) => {
    const none = { status: 0, headers: {}, rawHeaders: [], body: '' }
    const asked = request({
      host: '127.0.0.1',
      port,
      method,
      path: url,
      headers: { host: 'elsewhere.example', ...headers, ...credentials },
      agent: false
    })
    asked.on('error', (error: NodeJS.ErrnoException) => resolve({ ...none, error: error.code ?? error.message }))
    asked.on('response', (answer: IncomingMessage) => {
      const chunks: Buffer[] = []
      const end = (error: string | null) =>
        resolve({
          status: answer.statusCode as number,
          headers: answer.headers,
          rawHeaders: answer.rawHeaders,
          body: Buffer.concat(chunks).toString(),
          error
        })
      answer
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => end(null))
        .on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
    })
    asked.end(body)
  })
}

/** Asks for a tunnel; gives the answer's head, and the socket where it is open. */
async function tunnel(
  way: EgressProxy,
  authority: string,
  pass?: { username: string; password: string }
): Promise<{ status: number; mark: string | undefined; socket: Socket }> {
  const socket = connect(Number(new URL(way.url).port), '127.0.0.1').on('error', () => {})
  socket.write(
    `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n` +
      `${pass === undefined ? '' : `Proxy-Authorization: ${basic(pass)}\r\n`}\r\n`
  )
  let head = ''
  while (!head.includes('\r\n\r\n') && !socket.destroyed) {
    const [chunk] = (await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])) as [
      Buffer | string
    ]
    head += chunk.toString()
  }
  return { status: Number(head.split(' ')[1]), mark: /^x-egress-proxy-error: (.*)\r$/m.exec(head)?.[1], socket }
}

async function within(ms: number, what: Promise<unknown>): Promise<unknown> {
  return await Promise.race([what, delay(ms, 'too late' as const, { ref: false })])
}

// Started before the other tests, because they take five seconds.
const attempts = (async () => {
  const { way, pass } = await open(t, {
    allow: '',
    resolve: async (name) =>
      name === 'slow.example' ? await new Promise(() => {}) : [{ address: '93.184.216.34', family: 4 }],
    connect: () => new Socket()
  })
  const startedMs = performance.now()
  const results = await Promise.all([
    ask(way, 'http://good.example/', { pass }),
    tunnel(way, 'good.example:443', pass),
    ask(way, 'http://slow.example/', { pass })
  ])
  return { results, tookMs: performance.now() - startedMs }
})()

t.test('a page is fetched unchanged, and the site receives no proxy headers', async (t) => {
  const site = await openReceiver((_request, reply) =>
    reply
      .writeHead(418, 'Teapot', [
        'Set-Cookie',
        'a=1',
        'Set-Cookie',
        'b=2',
        'X-Egress-Proxy-Error',
        'refused',
        'Connection',
        'keep-alive, x-hop',
        'X-Hop',
        'own',
        'Proxy-Authenticate',
        'Basic'
      ])
      .end('hello')
  )
  t.teardown(site.close)
  const { way, pass } = await open(t, { allow: `127.0.0.1:${site.port}` })
  const got = await ask(way, `http://127.0.0.1:${site.port}/a?b=c`, {
    pass,
    method: 'POST',
    body: 'sent',
    headers: { 'x-mine': 'yes', connection: 'x-hop', 'x-hop': 'mine', 'proxy-connection': 'keep-alive' }
  })
  t.match(got, { status: 418, body: 'hello', error: null })
  t.same(got.headers['set-cookie'], ['a=1', 'b=2'])
  for (const name of [PROXY_ERROR_HEADER, 'x-hop', 'proxy-authenticate']) {
    t.notOk(name in got.headers, `${name} is not forwarded`)
  }
  const [seen] = site.requests
  t.match(seen, { method: 'POST', url: '/a?b=c', headers: { host: `127.0.0.1:${site.port}`, 'x-mine': 'yes' } })
  t.equal(seen?.body.toString(), 'sent')
  for (const name of ['proxy-authorization', 'proxy-connection', 'x-hop']) {
    t.notOk(name in (seen?.headers ?? {}), `${name} is not passed on`)
  }
  t.equal(pass.usage().requests, 1)
  t.ok(pass.usage().bytes > 100, `${pass.usage().bytes} bytes are counted`)
})

t.test('requests without a session are rejected', async (t) => {
  const site = await openReceiver()
  t.teardown(site.close)
  const { way, pass } = await open(t, { allow: '127.0.0.1' })
  const gone = way.openSession(ROOMY)
  gone.revoke()
  const { username, password } = pass
  for (const wrong of [
    undefined,
    { username, password: 'guess' },
    { username, password: '' },
    { username: '', password },
    { username, password: `${password}x` },
    { username, password: password.replace(/^./, 'ü') },
    gone
  ]) {
    const got = await ask(way, `http://127.0.0.1:${site.port}/`, { pass: wrong })
    t.match(
      [got.status, got.headers[PROXY_ERROR_HEADER], got.headers['proxy-authenticate']],
      [407, 'unauthenticated', /^Basic /]
    )
    const { status, socket } = await tunnel(way, `127.0.0.1:${site.port}`, wrong)
    t.equal(status, 407)
    socket.destroy()
  }
  t.equal(site.connections, 0)
  t.equal((await ask(way, `http://127.0.0.1:${site.port}/`, { pass })).status, 200, 'with the pass the site is reached')
})

t.test('no URL reaches this machine or its network', async (t) => {
  const victim = await openTcp()
  t.teardown(victim.close)
  const connects: string[] = []
  // Wherever it would go, a connection would be seen.
  const { way, pass } = await open(t, {
    allow: '',
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    connect: (to) => {
      connects.push(to.address)
      return connect(victim.port, '127.0.0.1')
    }
  })
  const wrong: string[] = []
  let tried = 0
  for (const url of hostileUrls([victim.port])
    .map((one) => one.replace('https:', 'http:'))
    .filter((one) => /^[\x21-\x7e]+$/.test(one))) {
    const got = await ask(way, url, { pass })
    tried++
    // What is no message at all is not answered.
    if (got.error === null && (got.status !== 403 || got.headers[PROXY_ERROR_HEADER] !== 'refused')) {
      wrong.push(`${got.status} ${url}`)
    }
  }
  for (const address of FORBIDDEN_ADDRESSES) {
    for (const port of [443, 80, victim.port]) {
      const { status, mark, socket } = await tunnel(
        way,
        `${address.includes(':') ? `[${address}]` : address}:${port}`,
        pass
      )
      tried++
      if (status !== 403 || mark !== 'refused') wrong.push(`${status} ${address}`)
      socket.destroy()
    }
  }
  t.ok(tried > 400, `${tried} addresses`)
  t.same(wrong, [])
  t.same(connects, [])
  t.equal(victim.connections, 0)
  t.ok(pass.refused().length <= 100, 'of the refused so many are remembered')
})

t.test('a public host is reachable on ports 80 and 443 if all of its addresses are public', async (t) => {
  const connects: string[] = []
  const asked: string[] = []
  const addresses: Record<string, string[]> = {
    'mixed.example': ['93.184.216.34', '10.0.0.1'],
    'good.example': ['93.184.216.34'],
    'none.example': []
  }
  const { way, pass } = await open(t, {
    allow: '',
    resolve: async (name) => {
      asked.push(name)
      return (addresses[name] ?? []).map((address) => ({ address, family: 4 }))
    },
    connect: ({ address, port }) => {
      connects.push(`${address}:${port}`)
      return new Socket().destroy(Object.assign(new Error(), { code: 'ECONNREFUSED' }))
    }
  })
  t.match(await ask(way, 'http://good.example/', { pass }), {
    status: 502,
    headers: { [PROXY_ERROR_HEADER]: 'unreachable' }
  })
  for (const port of [443, 80]) {
    t.match(await tunnel(way, `good.example:${port}`, pass), { status: 502, mark: 'unreachable' })
  }
  t.same(connects, ['93.184.216.34:80', '93.184.216.34:443', '93.184.216.34:80'])
  connects.length = 0
  for (const authority of [
    'mixed.example:443',
    'mixed.example:80',
    'good.example:22',
    'good.example:8443',
    'good.example:8080',
    'good.example',
    'good.example:',
    'user@good.example:443',
    'good.example:443/x',
    '%67ood.example:443?'
  ]) {
    t.match(await tunnel(way, authority, pass), { status: 403, mark: 'refused' }, authority)
  }
  for (const url of [
    'http://mixed.example/',
    'http://good.example:8080/',
    'https://good.example/',
    'ftp://good.example/',
    'http://user:word@good.example/',
    '/'
  ]) {
    t.match(await ask(way, url, { pass }), { status: 403, headers: { [PROXY_ERROR_HEADER]: 'refused' } }, url)
  }
  t.same(connects, [])
  t.match(
    await ask(way, 'http://none.example/', { pass }),
    { status: 502, headers: { [PROXY_ERROR_HEADER]: 'unreachable' } },
    'a name without an address is not refused but not there'
  )
})

t.test('hosts on the allow list are reachable on the listed ports only', async (t) => {
  const [site, other] = [await openReceiver(), await openReceiver()]
  t.teardown(site.close)
  t.teardown(other.close)
  const { way, pass } = await open(t, {
    allow: `staging.test:${site.port}`,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }]
  })
  t.match(await ask(way, `http://staging.test:${site.port}/`, { pass }), { status: 200, body: 'ok' })
  t.match(await ask(way, `http://staging.test:${other.port}/`, { pass }), { status: 403 })
  t.match(await tunnel(way, `staging.test:${other.port}`, pass), { status: 403 })
  t.match(await tunnel(way, `127.0.0.1:${site.port}`, pass), { status: 403 })
  t.same(pass.refused(), [`staging.test:${other.port}`, `127.0.0.1:${site.port}`], 'rejected addresses are reported')
  t.equal(other.connections, 0)
})

t.test('a tunnel forwards both directions and ends when one side ends', async (t) => {
  const echo = await openTcp((socket) =>
    socket.on('data', (chunk) => {
      if (chunk.toString() === 'bye') socket.end('last words')
      else socket.write(chunk)
    })
  )
  t.teardown(echo.close)
  const { way, pass } = await open(t, { allow: '127.0.0.1' })
  const { status, socket } = await tunnel(way, `127.0.0.1:${echo.port}`, pass)
  t.equal(status, 200)
  for (const word of ['one', 'two']) {
    socket.write(word)
    t.equal(String((await once(socket, 'data'))[0]), word)
  }
  socket.write('bye')
  t.equal(String((await once(socket, 'data'))[0]), 'last words', 'what was said at the end arrives')
  t.not(await within(2_000, once(socket, 'close')), 'too late')
  const second = await tunnel(way, `127.0.0.1:${echo.port}`, pass)
  second.socket.destroy()
  await delay(100)
  t.equal(echo.bytes, 9, 'both are closed on the side of the site')
})

t.test('a check that exceeds its byte limit is cut off', async (t) => {
  const site = await openReceiver((request, reply) => {
    if (request.url === '/small') return reply.end('x')
    const more = () => {
      while (reply.write(Buffer.alloc(65_536)) && !reply.destroyed);
    }
    reply.on('drain', more).on('error', () => {})
    more()
  })
  t.teardown(site.close)
  for (const way of ['request', 'tunnel'] as const) {
    const { way: out, pass } = await open(t, { allow: '127.0.0.1' }, { bytes: 1_000_000, requests: 10 })
    const neighbor = out.openSession(ROOMY)
    if (way === 'request') t.not((await ask(out, `http://127.0.0.1:${site.port}/endless`, { pass })).error, null)
    else {
      const { socket } = await tunnel(out, `127.0.0.1:${site.port}`, pass)
      socket.write('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n')
      socket.resume()
      t.not(await within(3_000, once(socket, 'close')), 'too late', 'the tunnel is cut')
    }
    t.ok(pass.isOverLimit())
    t.ok(pass.usage().bytes > 1_000_000 && pass.usage().bytes < 3_000_000, `${pass.usage().bytes} bytes by ${way}`)
    const later = await ask(out, `http://127.0.0.1:${site.port}/small`, { pass })
    t.not(later.status, 200)
    t.equal(
      (await ask(out, `http://127.0.0.1:${site.port}/small`, { pass: neighbor })).status,
      200,
      'another check goes on'
    )
    t.notOk(neighbor.isOverLimit())
  }
})

t.test('a check cannot exceed its request limit', async (t) => {
  const site = await openReceiver()
  t.teardown(site.close)
  const { way, pass } = await open(t, { allow: '127.0.0.1' }, { bytes: 1_000_000, requests: 3 })
  const all = await Promise.all(Array.from({ length: 8 }, () => ask(way, `http://127.0.0.1:${site.port}/`, { pass })))
  t.equal(all.filter(({ status }) => status === 200).length, 3)
  t.equal(
    all.filter(({ status, headers }) => status === 403 && headers[PROXY_ERROR_HEADER] === 'limit_exceeded').length,
    5
  )
  t.match(await tunnel(way, `127.0.0.1:${site.port}`, pass), { status: 403, mark: 'limit_exceeded' })
  t.equal(site.requests.length, 3)
  t.ok(pass.isOverLimit())
})

t.test('closing a session closes its connections and no others', async (t) => {
  const site = await openReceiver((_request, reply) => {
    reply.write('begun')
  })
  const quiet = await openTcp()
  for (const server of [site, quiet]) t.teardown(server.close)
  const { way, pass } = await open(t, { allow: '127.0.0.1' })
  const other = way.openSession(ROOMY)
  const download = ask(way, `http://127.0.0.1:${site.port}/`, { pass })
  const silent = ask(way, `http://127.0.0.1:${quiet.port}/`, { pass })
  const { socket } = await tunnel(way, `127.0.0.1:${quiet.port}`, pass)
  const { socket: otherSocket } = await tunnel(way, `127.0.0.1:${quiet.port}`, other)
  await delay(50)
  const closed = once(socket, 'close')
  pass.revoke()
  t.not(await within(1_000, Promise.all([download, silent, closed])), 'too late')
  t.match([await download, await silent], [{ error: /./ }, { error: /./ }])
  t.notOk(otherSocket.destroyed)
  await way.close()
  t.not(
    await within(1_000, otherSocket.destroyed ? Promise.resolve() : once(otherSocket, 'close')),
    'too late',
    'closing the way ends the rest'
  )
})

t.test('failures of a site are reported to the browser and leave no connection open', async (t) => {
  const lines: Record<string, string> = {
    'huge headers': `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
    'many headers': `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(50_000)}\r\n`,
    'no HTTP': 'SSH-2.0-OpenSSH\r\n',
    'two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    "a proxy's question":
      'HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n',
    'another protocol': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    'a status that is none': 'HTTP/1.1 42 What\r\n\r\n',
    nothing: ''
  }
  const cut: Record<string, string> = {
    'a bad chunk': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n',
    'half a body': 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello'
  }
  for (const [name, text] of [...Object.entries(lines), ...Object.entries(cut)]) {
    const site = await openTcp((socket) => {
      socket.once('data', () => socket.end(text)).resume()
    })
    const { way, pass } = await open(t, { allow: '127.0.0.1' })
    const got = await within(3_000, ask(way, `http://127.0.0.1:${site.port}/`, { pass }))
    if (name in cut) t.match(got, { error: /./ }, `${name}: the answer is cut for the browser too`)
    else t.match(got, { status: 502, headers: { [PROXY_ERROR_HEADER]: 'unreachable' } }, name)
    await delay(20)
    t.not(await within(1_000, site.close()), 'too late', 'its connection is closed')
  }
})

t.test('a misbehaving client does not affect other clients', async (t) => {
  const site = await openReceiver()
  t.teardown(site.close)
  const { way, pass } = await open(t, { allow: '127.0.0.1' })
  const authorization = `Proxy-Authorization: ${basic(pass)}\r\n`
  const url = `http://127.0.0.1:${site.port}/`
  const messages = [
    '',
    '\0\0\0',
    'GET\r\n\r\n',
    `GET ${url} HTTP/1.1\r\n${authorization}`,
    `GET ${url} HTTP/1.1\r\nHost: x\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
    'CONNECT  HTTP/1.1\r\n\r\n',
    `POST ${url} HTTP/1.1\r\nHost: x\r\n${authorization}Content-Length: 100\r\n\r\nhalf`,
    `POST ${url} HTTP/1.1\r\nHost: x\r\n${authorization}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    `POST ${url} HTTP/1.1\r\nHost: x\r\n${authorization}Content-Length: 3\r\n` +
      `Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET ${url}smuggled HTTP/1.1\r\n\r\n`,
    `CONNECT 127.0.0.1:${site.port} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`
  ]
  for (const ending of ['destroy', 'resetAndDestroy', 'end'] as const) {
    for (const message of messages) {
      const socket = connect(Number(new URL(way.url).port), '127.0.0.1').on('error', () => {})
      await once(socket, 'connect')
      socket.write(message)
      await delay(5)
      socket[ending]()
      t.teardown(() => socket.destroy())
    }
  }
  t.match(await ask(way, url, { pass }), { status: 200, body: 'ok' })
  t.notOk(site.requests.some((one) => one.url.includes('smuggled')))
  pass.revoke()
  await delay(50)
  t.not(await within(1_000, way.close()), 'too late')
})

t.test('a slow browser applies backpressure to the site', async (t) => {
  let sent = 0
  const site = await openReceiver((_request, reply) => {
    const more = () => {
      while (!reply.destroyed && sent < 60_000_000) {
        sent += 65_536
        if (!reply.write(Buffer.alloc(65_536))) return
      }
    }
    reply.on('drain', more).on('error', () => {})
    more()
  })
  t.teardown(site.close)
  const { way, pass } = await open(t, { allow: '127.0.0.1' })
  const { port } = new URL(way.url)
  const lazy = connect(Number(port), '127.0.0.1')
  lazy.write(`GET http://127.0.0.1:${site.port}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic(pass)}\r\n\r\n`)
  // All buffers are full when nothing more is sent for a while, which takes longer on a busy machine.
  const hasStopped = async () => {
    const before = sent
    await delay(500)
    return sent === before && sent > 0
  }
  while (!(await hasStopped()));
  t.ok(sent < 30_000_000, `${sent} bytes were sent to who reads none`)
  lazy.destroy()
})

t.test('a connection attempt ends after five seconds', async (t) => {
  const { results, tookMs } = await attempts
  const [first, second, third] = results
  t.match([first, third], [{ status: 504, headers: { [PROXY_ERROR_HEADER]: 'unreachable' } }, { status: 504 }])
  t.match(second, { status: 504, mark: 'unreachable' })
  t.ok(tookMs > 4_900 && tookMs < 30_000, `${Math.round(tookMs)} ms`)
})
