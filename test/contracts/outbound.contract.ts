import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Outbound, OutboundResponse, OutboundError } from '../../ports/outbound/port.ts'
import {
  type Listening,
  openReceiver,
  openTcp,
  type Receiver,
  type ReceiverOptions,
  RSA_SERVER,
  TEST_CA,
  TEST_SERVER
} from '../fixtures/outbound/servers.ts'
import { type ContractCase, until } from './contract.ts'

/**
 * Options of the HTTP client under test. `connect` replaces the network: it gets an address that
 * the policy allowed and returns a connecting socket.
 */
export interface DoorOptions {
  allow: string
  resolve?: (name: string) => Promise<Array<{ address: string; family: number }>>
  connect?: (to: { address: string; port: number }) => Socket
  ca?: string
}
export type OpenOutbound = (options: DoorOptions) => Promise<Outbound>

interface World {
  open: OpenOutbound
  /**
   * A receiver in plain http, or https with the test's certificate for hooks.example, twin.example
   * and 127.0.0.1.
   */
  receiver: (answer?: RequestListener, options?: ReceiverOptions) => Promise<Receiver>
  tcp: (serve?: (socket: Socket) => void) => Promise<Listening>
}

function outbound(title: string, body: (world: World) => Promise<void>): ContractCase<OpenOutbound> {
  return {
    title,
    async run(open) {
      const closing: Array<() => Promise<void>> = []
      const closeLater = async <Opened extends { close: () => Promise<void> }>(opening: Promise<Opened>) => {
        const opened = await opening
        closing.unshift(() => opened.close())
        return opened
      }
      try {
        await body({
          open: (options) => closeLater(open(options)),
          receiver: (answer, options) => closeLater(openReceiver(answer, options)),
          tcp: (serve) => closeLater(openTcp(serve))
        })
      } finally {
        for (const close of closing) await close()
      }
    }
  }
}

const LOOPBACK = '127.0.0.0/8'
const to =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
const get = (url: string) => ({ url, method: 'GET' as const })
const local = ({ port }: { port: number }, rest = '/') => `http://127.0.0.1:${port}${rest}`

function answered(answer: OutboundResponse): Extract<OutboundResponse, { ok: true }> {
  assert.ok(answer.ok, JSON.stringify(answer))
  return answer
}

function failed(answer: OutboundResponse, error: OutboundError): Extract<OutboundResponse, { ok: false }> {
  assert.ok(!answer.ok, `an answer came instead of ${error}`)
  assert.equal(answer.error, error, answer.detail)
  assert.ok(answer.detail.length > 0)
  assert.ok(answer.durationMs >= 0)
  return answer
}

/** A raw answer, sent when the request has come. */
const says =
  (...pieces: string[]) =>
  (socket: Socket) => {
    socket.once('data', async () => {
      for (const piece of pieces) {
        socket.write(piece, 'latin1')
        await wait(2)
      }
    })
  }

const PUBLIC = [
  'https://hooks.example/',
  'https://hooks.example:8443/a?b#c',
  'https://hooks.example./',
  'https://HOOKS.example',
  'https://93.184.216.34/',
  'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
  'https://bücher.example/'
]
const NOT_PUBLIC = [
  'http://hooks.example/',
  'http://hooks.example:443/',
  'https://hooks.example:80/',
  'https://hooks.example:22/',
  'https://hooks.example:444/',
  'https://hooks.example:0/',
  'ftp://hooks.example/',
  'file:///etc/passwd',
  'data:,x',
  'hooks.example',
  '',
  '/a',
  'https://user@hooks.example/',
  'https://user:word@hooks.example/',
  'https://:word@hooks.example/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://nas.lan/',
  'https://nas.home.arpa/',
  'https://intranet/',
  'https://intranet./',
  'https://a..example/',
  'https://*.example/',
  'https://127.0.0.1/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://017700000001/',
  'https://10.0.0.1/',
  'https://172.31.0.1/',
  'https://192.168.0.1/',
  'https://169.254.169.254/',
  'https://100.64.0.1/',
  'https://168.63.129.16/',
  'https://0.0.0.0/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://192.0.2.1/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::ffff:93.184.216.34]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001::1]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[100:0:0:1::1]/',
  'https://[2001:db8::1]/',
  'https://[2606:4700::5efe:7f00:1]/',
  'https://[2606:4700::200:5efe:a00:1]/',
  'https://[4000::1]/'
]

export const outboundContract: ReadonlyArray<ContractCase<OpenOutbound>> = [
  outbound('a request arrives unchanged, and its complete response is returned', async ({ open, receiver }) => {
    const server = await receiver((_request, reply) =>
      reply.writeHead(201, { 'X-Test': 'a', 'Set-Cookie': ['a=1', 'b=2'] }).end(Buffer.from([0, 255, 10]))
    )
    const door = await open({ allow: LOOPBACK })
    const body = new Uint8Array([9, 1, 2, 0, 255, 9]).subarray(1, 5)
    const answer = answered(
      await door.send({
        url: local(server, '/a%20b/../c?d=é#f'),
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Svc-Event': 'ping' },
        body
      })
    )
    assert.deepEqual(
      [answer.status, [...answer.body], answer.truncated, answer.address],
      [201, [0, 255, 10], false, '127.0.0.1']
    )
    assert.equal(answer.headers['x-test'], 'a')
    assert.equal(answer.headers['set-cookie'], 'a=1, b=2')
    assert.ok(Number.isInteger(answer.durationMs) && answer.durationMs >= 0)
    const [request] = server.requests
    assert.deepEqual(
      [request?.method, request?.url, [...(request?.body ?? [])]],
      ['POST', '/c?d=%C3%A9', [1, 2, 0, 255]]
    )
    assert.deepEqual(
      [request?.headers.host, request?.headers['content-type'], request?.headers['x-svc-event']],
      [`127.0.0.1:${server.port}`, 'application/json', 'ping']
    )
  }),

  outbound('text is sent as UTF-8, and a request may have no body', async ({ open, receiver }) => {
    const server = await receiver()
    const door = await open({ allow: LOOPBACK })
    answered(await door.send({ url: local(server), method: 'POST', body: '{"a":"é€"}' }))
    answered(await door.send({ url: local(server), method: 'POST' }))
    answered(await door.send(get(local(server))))
    assert.deepEqual(
      server.requests.map(({ method, body }) => `${method} ${body}`),
      ['POST {"a":"é€"}', 'POST ', 'GET ']
    )
  }),

  outbound('every status except redirects is a response', async ({ open, receiver }) => {
    const server = await receiver((request, reply) => reply.writeHead(Number(request.url?.slice(1))).end())
    const door = await open({ allow: LOOPBACK })
    for (const status of [200, 202, 204, 299, 300, 304, 400, 401, 404, 410, 429, 500, 503]) {
      assert.equal(answered(await door.send(get(local(server, `/${status}`)))).status, status)
    }
  }),

  outbound('a redirect is reported with its status and never followed', async ({ open, receiver }) => {
    const target = await receiver()
    const server = await receiver((request, reply) =>
      reply.writeHead(Number(request.url?.slice(1)), { location: local(target) }).end('moved')
    )
    const door = await open({ allow: LOOPBACK })
    for (const status of [301, 302, 303, 307, 308]) {
      assert.equal(failed(await door.send(get(local(server, `/${status}`))), 'redirect').status, status)
    }
    assert.equal(target.connections, 0)
  }),

  outbound('informational responses are skipped, even if they arrive in parts', async ({ open, tcp }) => {
    const final = 'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nHTTP/1.1 100'
    const asked = 'HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\n'
    for (const pieces of [
      [asked + asked + final],
      [asked, final],
      [...(asked.match(/[^]{1,4}/g) ?? []), final.slice(0, 5), final.slice(5)],
      ['HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n' + final],
      [asked, 'HTTP/1.1 102 Processing\r\n\r\n', final.slice(0, -12), final.slice(-12)]
    ]) {
      const server = await tcp(says(...pieces))
      const door = await open({ allow: LOOPBACK })
      const answer = answered(await door.send(get(local(server))))
      assert.equal(`${answer.status} ${answer.body}`, '200 HTTP/1.1 100')
    }
  }),

  outbound('endless informational responses end the request', async ({ open, tcp }) => {
    const long = `HTTP/1.1 100 Continue\r\nX-A: ${'b'.repeat(4_000)}\r\n\r\n`
    for (const text of [
      'HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n'.repeat(2000),
      'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2000),
      long.repeat(6)
    ]) {
      const server = await tcp(says(text))
      const door = await open({ allow: LOOPBACK })
      assert.match(failed(await door.send(get(local(server))), 'reset').detail, /informational/)
    }
  }),

  outbound('a body in very many tiny chunks is truncated', async ({ open, tcp }) => {
    const server = await tcp(
      says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n' + '1\r\na\r\n'.repeat(12_000))
    )
    const door = await open({ allow: LOOPBACK })
    const answer = answered(await door.send(get(local(server))))
    assert.ok(answer.truncated && answer.body.length < 1_100, `${answer.body.length} bytes`)
  }),

  outbound('endless bytes that are no content end the request', async ({ open, tcp }) => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
    for (const endless of [
      `${head}1;${'e'.repeat(2_000_000)}`,
      `${head}${`1;${'e'.repeat(900)}\r\na\r\n`.repeat(900)}`,
      `${head}1\r\na\r\n0\r\n${'T: a\r\n'.repeat(200_000)}`
    ]) {
      const server = await tcp(says(endless))
      const door = await open({ allow: LOOPBACK })
      failed(await door.send(get(local(server))), 'too_large')
    }
  }),

  outbound('a body is read up to its limit and reported as truncated', async ({ open, receiver }) => {
    const server = await receiver((request, reply) => {
      const bytes = Buffer.alloc(Number(request.url?.slice(2)), 'x')
      if (request.url?.startsWith('/l')) reply.setHeader('content-length', bytes.length)
      reply.end(bytes)
    })
    const door = await open({ allow: LOOPBACK })
    for (const kind of ['c', 'l']) {
      for (const [size, expected, truncated] of [
        [99, 99, false],
        [100, 100, false],
        [101, 100, true],
        [1_000_000, 100, true]
      ] as const) {
        const answer = answered(await door.send({ ...get(local(server, `/${kind}${size}`)), maxBytes: 100 }))
        assert.deepEqual([answer.body.length, answer.truncated], [expected, truncated], `${kind}${size}`)
      }
      assert.equal(
        answered(await door.send({ ...get(local(server, `/${kind}100`)), maxBytes: 100, rejectLarger: true })).body
          .length,
        100
      )
      failed(await door.send({ ...get(local(server, `/${kind}101`)), maxBytes: 100, rejectLarger: true }), 'too_large')
    }
    const answer = answered(await door.send(get(local(server, '/c20000'))))
    assert.deepEqual([answer.body.length, answer.truncated], [16_384, true])
  }),

  outbound('the rest of a body is not read when its beginning is enough', async ({ open, receiver }) => {
    const bytes = Buffer.alloc(1_000_000, 'x')
    const server = await receiver((request, reply) => {
      const [kind, size] = [request.url!.slice(1, 2), Number(request.url!.slice(2))]
      if (kind === 'l') reply.setHeader('content-length', size)
      reply.statusCode = 201
      reply.end(bytes.subarray(0, size))
    })
    const door = await open({ allow: LOOPBACK })
    for (const kind of ['c', 'l']) {
      const looks: [number, number][] = []
      const isEnough = (beginning: Buffer, status: number) => {
        looks.push([beginning.length, status])
        return beginning.length >= 100_000
      }
      const answer = answered(
        await door.send({ ...get(local(server, `/${kind}1000000`)), maxBytes: 1_000_000, isEnough })
      )
      assert.ok(answer.truncated && answer.body.length >= 100_000 && answer.body.length < 900_000)
      assert.equal(looks.at(-1)![0], answer.body.length)
      assert.ok(looks.every(([length, status], at) => status === 201 && length >= 2 * (looks[at - 1]?.[0] ?? 0)))
      const never = await door.send({
        ...get(local(server, `/${kind}200000`)),
        maxBytes: 300_000,
        isEnough: () => false
      })
      assert.deepEqual([answered(never).body.length, answered(never).truncated], [200_000, false])
    }
    const short = await door.send({ ...get(local(server, '/l10000')), isEnough: () => true })
    assert.deepEqual([answered(short).body.length, answered(short).truncated], [10_000, false], 'a short rest is read')
  }),

  outbound('an endless body is closed at its limit', async ({ open, tcp }) => {
    const server = await tcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(10_000)));
      }
      socket.on('drain', more).resume()
      more()
    })
    const door = await open({ allow: LOOPBACK })
    assert.equal(answered(await door.send(get(local(server)))).truncated, true)
    await until(() => server.bytes > 0, 'the connection is closed')
  }),

  outbound('endless headers are not read to their end', async ({ open, tcp }) => {
    const server = await tcp(says('HTTP/1.1 200 OK\r\n' + `X-Long: ${'x'.repeat(1_000)}\r\n`.repeat(100)))
    failed(await (await open({ allow: LOOPBACK })).send(get(local(server))), 'too_large')
  }),

  outbound(
    'a compressed body is returned as received, and compression is not requested',
    async ({ open, receiver }) => {
      const packed = gzipSync('x'.repeat(1_000))
      const server = await receiver((_request, reply) =>
        reply.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
      )
      const answer = answered(await (await open({ allow: LOOPBACK })).send(get(local(server))))
      assert.ok(packed.equals(answer.body))
      assert.equal(server.requests[0]?.headers['accept-encoding'], 'identity')
    }
  ),

  outbound('silent and slow servers end at the total timeout', async ({ open, tcp }) => {
    const silent = await tcp()
    const slow = await tcp((socket) => {
      const drops = setInterval(() => socket.write('x'), 20)
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n')
      socket.on('close', () => clearInterval(drops)).resume()
    })
    const door = await open({ allow: LOOPBACK })
    for (const server of [silent, slow]) {
      const answer = failed(await door.send({ ...get(local(server)), timeoutMs: 300 }), 'timeout')
      assert.equal(answer.address, '127.0.0.1')
      assert.ok(answer.durationMs >= 290, `${answer.durationMs}`)
      await until(() => server.bytes > 0, 'the connection is closed')
    }
  }),

  outbound('a connection that exceeds its timeout ends the request', async ({ open, tcp }) => {
    const server = await tcp()
    const door = await open({ allow: LOOPBACK })
    // TLS may have to be loaded first.
    failed(await door.send({ ...get(`https://127.0.0.1:${server.port}/`), connectTimeoutMs: 800 }), 'timeout')
    await until(() => server.bytes > 0, 'the connection is closed')
  }),

  outbound('a slow response may exceed the connection timeout', async ({ open, receiver }) => {
    const server = await receiver(async (_request, reply) => {
      await wait(700)
      reply.end('late')
    })
    const door = await open({ allow: LOOPBACK })
    assert.equal(String(answered(await door.send({ ...get(local(server)), connectTimeoutMs: 500 })).body), 'late')
  }),

  outbound('a response over a reused connection has the full timeout and no more', async ({ open, receiver }) => {
    const server = await receiver(async ({ url }, reply) => {
      if (url === '/slow') await wait(700)
      if (url !== '/never') reply.end('received')
    })
    for (const host of ['hooks.example', '127.0.0.1']) {
      const door = await open({ allow: `hooks.example:${server.port}, ${LOOPBACK}`, resolve: to('127.0.0.1') })
      const path = (rest: string) => get(`http://${host}:${server.port}${rest}`)
      for (const rest of ['/', '/slow']) {
        assert.equal(String(answered(await door.send({ ...path(rest), connectTimeoutMs: 500 })).body), 'received')
      }
      failed(await door.send({ ...path('/never'), timeoutMs: 300 }), 'timeout')
    }
  }),

  outbound('a name server that does not reply, refuses or has no address ends the request', async ({ open }) => {
    const never = await open({ allow: '', resolve: () => new Promise(() => {}) })
    failed(await never.send({ ...get('https://hooks.example/'), timeoutMs: 200 }), 'timeout')
    failed(await never.send({ ...get('https://hooks.example/'), connectTimeoutMs: 200 }), 'timeout')
    failed(await (await open({ allow: '', resolve: to() })).send(get('https://hooks.example/')), 'dns')
    const no = await open({
      allow: '',
      resolve: async () => {
        throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
      }
    })
    assert.equal(failed(await no.send(get('https://hooks.example/')), 'dns').address, null)
  }),

  outbound('a closed port is reported as a failed connection', async ({ open, receiver }) => {
    const gone = await receiver()
    await gone.close()
    assert.equal(failed(await (await open({ allow: LOOPBACK })).send(get(local(gone))), 'connect').address, '127.0.0.1')
  }),

  outbound('an incomplete or invalid response is reported as a reset connection', async ({ open, tcp }) => {
    const door = await open({ allow: LOOPBACK })
    for (const said of [
      '',
      'HTTP/1.1 200 OK\r\nContent-',
      'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal'
    ]) {
      const server = await tcp((socket) => {
        socket.once('data', () => socket.end(said))
      })
      failed(await door.send(get(local(server))), 'reset')
    }
    for (const said of [
      'SSH-2.0-OpenSSH\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'
    ]) {
      failed(await door.send({ ...get(local(await tcp(says(said)))), timeoutMs: 2_000 }), 'reset')
    }
  }),

  outbound('HTTPS checks the certificate against the host name of the URL', async ({ open, receiver, tcp }) => {
    const server = await receiver(undefined, { secure: true })
    const door = await open({
      allow: `hooks.example:${server.port}, other.example:${server.port}, ${LOOPBACK}`,
      resolve: to('127.0.0.1'),
      ca: TEST_CA
    })
    for (const host of ['hooks.example', 'HOOKS.EXAMPLE.', '127.0.0.1']) {
      answered(await door.send(get(`https://${host}:${server.port}/`)))
    }
    assert.deepEqual(
      server.requests.map(({ headers, servername }) => [headers.host, servername]),
      [
        [`hooks.example:${server.port}`, 'hooks.example'],
        [`hooks.example:${server.port}`, 'hooks.example'],
        [`127.0.0.1:${server.port}`, false]
      ]
    )
    failed(await door.send(get(`https://other.example:${server.port}/`)), 'tls')
    const plain = await receiver()
    failed(await door.send(get(`https://127.0.0.1:${plain.port}/`)), 'tls')
    const cut = await tcp((socket) => {
      socket.once('data', () => socket.destroy())
    })
    failed(await door.send(get(`https://127.0.0.1:${cut.port}/`)), 'reset')
    assert.equal(server.requests.length, 3)
  }),

  outbound('a server cannot choose the modulus of the key exchange', async ({ open, receiver }) => {
    const door = await open({ allow: LOOPBACK, ca: RSA_SERVER.cert })
    const serverWith = async (ciphers: string) =>
      await receiver(undefined, {
        secure: true,
        tls: { ...RSA_SERVER, ciphers, maxVersion: 'TLSv1.2', dhparam: 'auto' }
      })
    const curves = await serverWith('ECDHE-RSA-AES128-GCM-SHA256')
    answered(await door.send(get(`https://127.0.0.1:${curves.port}/`)))
    const modulus = await serverWith('DHE-RSA-AES128-GCM-SHA256')
    failed(await door.send(get(`https://127.0.0.1:${modulus.port}/`)), 'tls')
  }),

  outbound('a server sends at most 24 KiB in the handshake, and as much as it likes afterwards', async (world) => {
    const door = await world.open({ allow: LOOPBACK, ca: TEST_CA })
    const page = Buffer.alloc(200_000, 'text ')
    const serverWith = async (authorities: number) =>
      await world.receiver((_request, reply) => reply.end(page), {
        secure: true,
        tls: { cert: TEST_SERVER.cert + TEST_CA.repeat(authorities) }
      })
    const size = TEST_CA.replaceAll(/-----[A-Z ]+-----|\s/g, '').length * 0.75
    for (const bytes of [0, 16_384]) {
      const server = await serverWith(Math.floor(bytes / size))
      const { body } = answered(await door.send({ ...get(`https://127.0.0.1:${server.port}/`), maxBytes: 300_000 }))
      assert.equal(body.length, page.length)
    }
    const chain = await serverWith(Math.ceil(25_600 / size))
    const failure = failed(await door.send(get(`https://127.0.0.1:${chain.port}/`)), 'tls')
    assert.match(failure.detail, /24 KiB/)
  }),

  outbound('an untrusted certificate ends the request, whatever the environment sets', async ({ open, receiver }) => {
    const server = await receiver(undefined, { secure: true })
    const door = await open({ allow: LOOPBACK })
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      failed(await door.send(get(`https://127.0.0.1:${server.port}/`)), 'tls')
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    }
    assert.equal(server.requests.length, 0)
  }),

  outbound('a proxy of the environment is not used', async ({ open, receiver, tcp }) => {
    const server = await receiver()
    const proxy = await tcp()
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
    for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : `http://127.0.0.1:${proxy.port}`
    try {
      answered(await (await open({ allow: LOOPBACK })).send(get(local(server))))
    } finally {
      for (const name of names) delete process.env[name]
    }
    assert.equal(proxy.connections, 0)
  }),

  outbound('an invalid or reserved header is rejected, and nothing is sent', async ({ open, receiver }) => {
    const server = await receiver()
    const door = await open({ allow: LOOPBACK })
    const wrong: Array<[string, string]> = [
      ['X-A', 'a\r\nX-B: c'],
      ['X-A', 'a\nb'],
      ['X-A', 'a\0'],
      ['X-A', '€'],
      ['X A', 'b'],
      ['X-A:', 'b'],
      ['', 'b'],
      ['X-A\r\nX-B', 'c'],
      ['Host', 'other.example'],
      ['hOST', 'other.example'],
      ['Content-Length', '0'],
      ['Transfer-Encoding', 'chunked'],
      ['Connection', 'close'],
      ['Upgrade', 'h2c'],
      ['Expect', '100-continue'],
      ['Accept-Encoding', 'gzip'],
      ['TE', 'trailers']
    ]
    for (const [name, value] of wrong) {
      failed(await door.send({ url: local(server), method: 'POST', headers: { [name]: value }, body: 'x' }), 'blocked')
    }
    assert.equal(server.connections, 0)
  }),

  outbound('public addresses are allowed', async ({ open }) => {
    const door = await open({ allow: '' })
    for (const url of PUBLIC) assert.equal(door.blockedReason(url), null, url)
  }),

  outbound('all other addresses are rejected with the same text, before and during sending', async ({ open }) => {
    const asked: string[] = []
    const door = await open({
      allow: '',
      resolve: async (name) => {
        asked.push(name)
        return []
      }
    })
    const words = new Set<string | null>()
    for (const url of NOT_PUBLIC) {
      const reason = door.blockedReason(url)
      assert.notEqual(reason, null, url)
      const answer = failed(await door.send(get(url)), 'blocked')
      assert.deepEqual([answer.status, answer.address], [null, null])
      words.add(reason).add(answer.detail)
    }
    assert.equal(words.size, 1)
    assert.deepEqual(asked, [])
  }),

  outbound('a name that resolves to a private address is rejected with the same text', async ({ open }) => {
    const addresses = NOT_PUBLIC.flatMap(
      (url) => /^https:\/\/\[?([\da-f:.]*[:.][\da-f:.]*)\]?\/$/.exec(url)?.[1] ?? []
    ).filter((text) => text.includes(':') || text.split('.').length === 4)
    assert.ok(addresses.length > 20)
    for (const address of [...addresses, 'fe80::1%eth0', '2606:4700::1%lo', 'nonsense', '']) {
      const door = await open({ allow: '', resolve: to(address) })
      const answer = failed(await door.send(get('https://hooks.example/')), 'blocked')
      assert.deepEqual([answer.detail, answer.address], [door.blockedReason('https://localhost/'), null], address)
    }
  }),

  outbound('a name with one private address is rejected', async ({ open, receiver }) => {
    const server = await receiver()
    const url = `http://hooks.example:${server.port}/`
    const tried: string[] = []
    for (const addresses of [
      ['93.184.216.34', '10.0.0.1'],
      ['10.0.0.1', '93.184.216.34'],
      ['93.184.216.34', '2606:4700::1', '::1']
    ]) {
      const door = await open({
        allow: '',
        resolve: to(...addresses),
        connect: ({ address }) => {
          tried.push(address)
          return connect(server.port, '127.0.0.1')
        }
      })
      failed(await door.send(get('https://hooks.example/')), 'blocked')
      failed(await door.send(get(url)), 'blocked')
    }
    assert.deepEqual(tried, [])
  }),

  outbound('the connection goes to the checked address, and no byte goes elsewhere', async ({ open, tcp }) => {
    const sink = await tcp()
    const tried: string[] = []
    const door = await open({
      allow: '',
      resolve: to('93.184.216.34'),
      connect: ({ address, port }) => {
        tried.push(`${address} ${port}`)
        return connect(sink.port, '127.0.0.1')
      }
    })
    failed(await door.send({ url: 'https://hooks.example/', method: 'POST', body: 'secret' }), 'blocked')
    failed(await door.send({ url: 'https://93.184.216.34:8443/', method: 'POST', body: 'secret' }), 'blocked')
    assert.deepEqual(tried, ['93.184.216.34 443', '93.184.216.34 8443'])
    await door.close()
    await sink.close()
    assert.equal(sink.bytes, 0)
  }),

  outbound('the name is resolved for each request, even if a connection is open', async ({ open, receiver }) => {
    const server = await receiver(undefined, { secure: true })
    const answers = ['127.0.0.1', '127.0.0.1', '10.0.0.1', '127.0.0.1']
    const names: string[] = []
    const resolve = async (name: string) => [{ address: answers[names.push(name) - 1] as string, family: 4 }]
    const door = await open({
      allow: LOOPBACK,
      ca: TEST_CA,
      resolve,
      connect: ({ address }) => connect(server.port, address)
    })
    const results: string[] = []
    for (const path of ['1', '2', '3', '4']) {
      const answer = await door.send(get(`https://hooks.example/${path}`))
      results.push(answer.ok ? 'ok' : answer.error)
    }
    assert.deepEqual(results, ['ok', 'ok', 'blocked', 'ok'])
    assert.deepEqual(names, Array(4).fill('hooks.example'))
    assert.deepEqual(
      server.requests.map(({ url }) => url),
      ['/1', '/2', '/4']
    )
  }),

  outbound('a connection is reused only for the same name and address', async ({ open, receiver }) => {
    const server = await receiver(undefined, { secure: true })
    let address = '127.0.0.1'
    const door = await open({
      allow: `hooks.example:${server.port}, twin.example`,
      ca: TEST_CA,
      resolve: async () => await to(address)()
    })
    const send = async (host: string) => {
      answered(await door.send({ url: `https://${host}:${server.port}/`, method: 'POST', body: 'x' }))
    }
    for (let count = 0; count < 5; count++) await send('hooks.example')
    assert.equal(server.connections, 1)
    await send('twin.example')
    assert.equal(server.connections, 2)
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.host?.split(':')[0]),
      [...Array(5).fill('hooks.example'), 'twin.example']
    )
    address = '127.0.0.2'
    const moved = await door.send(get(`https://hooks.example:${server.port}/`))
    assert.ok(!moved.ok, 'the connection to the old address was used')
  }),

  outbound('a connection that the server closed is replaced', async ({ open, receiver }) => {
    const sockets: Socket[] = []
    const server = await receiver((request, reply) => {
      sockets.push(request.socket)
      reply.end('ok')
    })
    const door = await open({ allow: LOOPBACK })
    for (let count = 0; count < 3; count++) {
      answered(await door.send({ url: local(server), method: 'POST', body: 'x' }))
      const [socket] = sockets.splice(0)
      const closed = once(socket as Socket, 'close')
      socket?.end()
      await closed
      await wait(5)
    }
    assert.equal(server.connections, 3)
  }),

  outbound('a response with `Connection: close` closes its connection', async ({ open, receiver }) => {
    const server = await receiver((_request, reply) => reply.setHeader('connection', 'close').end('ok'))
    const door = await open({ allow: LOOPBACK })
    for (let count = 0; count < 3; count++) answered(await door.send(get(local(server))))
    assert.equal(server.connections, 3)
  }),

  outbound('concurrent requests get their own responses', async ({ open, receiver }) => {
    const server = await receiver((request, reply) => reply.end(request.url))
    const door = await open({ allow: LOOPBACK })
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          door.send({ url: local(server, `/${index}`), method: 'POST', body: `${index}` })
        )
      )
      assert.deepEqual(
        answers.map((answer) => String(answered(answer).body)),
        answers.map((_, index) => `/${index}`)
      )
    }
  }),

  outbound('the next address is tried if one does not respond', async ({ open, receiver }) => {
    const server = await receiver()
    const options = { allow: 'hooks.example', resolve: to('127.0.0.2', '127.0.0.1') }
    const silent = ({ address, port }: { address: string; port: number }) =>
      address === '127.0.0.2' ? new Socket() : connect(port, address)
    for (const door of [await open(options), await open({ ...options, connect: silent })]) {
      assert.equal(
        answered(await door.send({ ...get(`http://hooks.example:${server.port}/`), connectTimeoutMs: 2_000 })).address,
        '127.0.0.1'
      )
    }
  }),

  outbound('only the addresses that the operator lists are additionally allowed', async ({ open, receiver }) => {
    const server = await receiver()
    const port = server.port
    const table: Array<[allow: string, url: string, tried: boolean]> = [
      ['127.0.0.1', local(server), true],
      ['127.0.0.0/8', 'http://127.9.9.9:1/', true],
      ['127.0.0.0/8', 'http://128.0.0.1/', false],
      ['127.0.0.0/8', 'http://localhost/', false],
      ['127.0.0.0/8', 'http://hooks.example/', false],
      ['127.0.0.0/8', 'http://[::ffff:127.0.0.1]/', false],
      [`127.0.0.1:${port}`, local(server), true],
      [`127.0.0.1:${port}`, `https://127.0.0.1:${port}/`, true],
      [`127.0.0.1:${port}`, 'http://127.0.0.1:1/', false],
      [`127.0.0.1:${port}`, 'https://127.0.0.1/', false],
      ['10.0.0.0/8:8080', 'http://10.1.1.1:8080/', true],
      ['10.0.0.0/8:8080', 'https://10.1.1.1/', false],
      ['[::1]:9', 'http://[::1]:9/', true],
      ['[::1]:9', 'http://[::1]:8/', false],
      ['::1', 'http://[::1]:8/', true],
      ['fd00::/8', 'https://[fd12::1]:5/', true],
      ['fd00::/8', 'https://[fe80::1]/', false],
      ['localhost', 'http://localhost:1/', true],
      ['localhost', 'http://a.localhost/', false],
      ['localhost:80', 'http://LOCALHOST./', true],
      ['localhost:80', 'https://localhost/', false],
      [' Staging.Example. , app ', 'http://staging.example:3000/', true],
      ['staging.example,app', 'http://app:9/', true],
      ['staging.example', 'http://www.staging.example/', false],
      ['bücher.example', 'http://xn--bcher-kva.example/', true],
      ['localhost', 'http://user@localhost/', false],
      ['localhost', 'ftp://localhost/', false]
    ]
    for (const [allow, url, tried] of table) {
      assert.equal((await open({ allow })).blockedReason(url) === null, tried, `${allow} ${url}`)
    }
    const send = async (allow: string, url: string) =>
      await (await open({ allow, resolve: to('127.0.0.1') })).send(get(url))
    answered(await send('127.0.0.1', local(server)))
    answered(await send('app', `http://app:${port}/`))
    answered(await send(`app:${port}`, `http://app:${port}/`))
    failed(await send('10.0.0.0/8', local(server)), 'blocked')
    const unreadable = await open({ allow: 'app', resolve: to('localhost') })
    failed(await unreadable.send(get(`http://app:${port}/`)), 'blocked')
    failed(await send('127.0.0.1:443', 'https://hooks.example:8443/'), 'blocked')
  }),

  outbound('an invalid allow list is reported with the invalid entry', async ({ open }) => {
    for (const entry of [
      'http://a.example',
      'a.example:',
      'a.example:0',
      'a.example:65536',
      'a.example/path',
      '*.example',
      '10.0.0.0/33',
      '10.0.0.1/8',
      '10.0.0/8',
      '010.0.0.0/8',
      '0x7f.1',
      '2130706433',
      'fd00::/129',
      '[::1',
      '::1]:80',
      'a b',
      'a@b',
      '1.2.3.4/',
      'fe80::1%lo/64',
      'a..b',
      '10.0.0.0/8/8',
      'a.example:80:81'
    ]) {
      await assert.rejects(
        async () => await open({ allow: `localhost, ${entry}` }),
        (error: Error) => error.name === 'StartError' && error.message.includes(`"${entry}"`),
        entry
      )
    }
    for (const list of [',', 'localhost,', 'localhost,,app']) {
      await assert.rejects(async () => await open({ allow: list }), { name: 'StartError' })
    }
    for (const list of ['', '  ']) await open({ allow: list })
  }),

  outbound('the caller can abort a request', async ({ open, tcp }) => {
    const server = await tcp()
    const door = await open({ allow: LOOPBACK })
    const stop = new AbortController()
    const sending = door.send({ ...get(local(server)), signal: stop.signal })
    await until(() => server.connections === 1, 'the request has begun')
    stop.abort()
    failed(await sending, 'reset')
    await until(() => server.bytes > 0, 'the connection is closed')
    failed(await door.send({ ...get(local(server)), signal: AbortSignal.abort() }), 'reset')
    assert.equal(server.connections, 1)
  }),

  outbound(
    'closing aborts running requests, closes idle connections and rejects new requests',
    async ({ open, receiver, tcp }) => {
      const silent = await tcp()
      const closeLater = await receiver()
      const door = await open({ allow: LOOPBACK, resolve: () => new Promise(() => {}) })
      answered(await door.send(get(local(closeLater))))
      const sending = [
        door.send(get(local(silent))),
        door.send(get(`https://127.0.0.1:${silent.port}/`)),
        door.send(get('https://hooks.example/'))
      ]
      await until(() => silent.connections === 2, 'the requests have begun')
      await door.close()
      for (const answer of await Promise.all(sending)) failed(answer, 'reset')
      await until(() => silent.bytes > 0 && closeLater.bytes > 0, 'the connections are closed')
      failed(await door.send(get(local(closeLater))), 'reset')
      assert.equal(closeLater.connections, 1)
      await door.close()
    }
  )
]
