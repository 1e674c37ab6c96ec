import type { Socket } from 'node:net'
import { connect } from 'node:net'
import t from 'tap'
import { openSsrfSafeFetch } from '../../ports/outbound/ssrf-safe-fetch/index.ts'
import { FORBIDDEN_ADDRESSES, hostileUrls } from '../fixtures/outbound/hostile-urls.ts'
import { type Listening, openReceiver, openTcp, TEST_CA } from '../fixtures/outbound/servers.ts'

const QUICK = { method: 'POST' as const, body: 'secret', connectTimeoutMs: 1_000, timeoutMs: 2_000 }

/** Listeners on loopback, IPv4 and IPv6 where there is one, that count what comes. */
async function sinkholes(): Promise<Listening[]> {
  const hosts = ['127.0.0.1', '127.0.0.1', '127.0.0.1']
  const opened = await Promise.all(hosts.map((host) => openTcp((socket) => socket.resume(), host)))
  const six = await openTcp((socket) => socket.resume(), '::1').catch(() => null)
  return six === null ? opened : [...opened, six]
}

t.test('no URL reaches this machine or its network', async (t) => {
  const sinks = await sinkholes()
  const ports = sinks.map(({ port }) => port)
  // Whatever the port of the url, a connection would end at a sinkhole: nothing is missed because
  // nobody listens there.
  const connects: string[] = []
  const rerouted = ({ address, port }: { address: string; port: number }): Socket => {
    connects.push(`${address} ${port}`)
    return connect(ports[0] as number, '127.0.0.1')
  }
  const names: string[] = []
  const resolve = async (name: string) => {
    names.push(name)
    return [{ address: '127.0.0.1', family: 4 }]
  }
  const direct = openSsrfSafeFetch({ allow: '', resolve })
  const watched = openSsrfSafeFetch({ allow: '', resolve, connect: rerouted })
  const urls = hostileUrls(ports)
  t.ok(new Set(urls).size >= 250, `${new Set(urls).size} different addresses`)
  const through: string[] = []
  const unlike: string[] = []
  for (const url of urls) {
    for (const door of [direct, watched]) {
      const answer = await door.send({ ...QUICK, url })
      if (answer.ok) through.push(url)
      else if (answer.error !== 'blocked' || answer.detail !== direct.blockedReason('https://127.0.0.1/')) {
        unlike.push(`${answer.error} ${url}`)
      }
    }
  }
  t.same(through, [], 'no answer')
  t.same(unlike, [], 'all are refused in the same words')
  t.same(connects, [], 'no connection is even begun')
  t.same(
    sinks.map(({ connections }) => connections),
    sinks.map(() => 0),
    'nobody came to a sinkhole'
  )
  await Promise.all([direct.close(), watched.close(), ...sinks.map((sink) => sink.close())])
})

t.test('a host name never reaches a private address, even if it also has public ones', async (t) => {
  const sink = await openTcp()
  const connects: string[] = []
  for (const address of FORBIDDEN_ADDRESSES) {
    for (const addresses of [
      [address],
      ['93.184.216.34', address],
      [address, '93.184.216.34'],
      ['2606:4700::1111', '93.184.216.34', address]
    ]) {
      const door = openSsrfSafeFetch({
        allow: '',
        resolve: async () => addresses.map((one) => ({ address: one, family: one.includes(':') ? 6 : 4 })),
        connect: (to) => {
          connects.push(to.address)
          return connect(sink.port, '127.0.0.1')
        }
      })
      const answer = await door.send({ ...QUICK, url: 'https://hooks.example/' })
      if (answer.ok || answer.error !== 'blocked') t.fail(`${addresses.join(' ')}: ${JSON.stringify(answer)}`)
      await door.close()
    }
  }
  t.ok(FORBIDDEN_ADDRESSES.length >= 50, `${FORBIDDEN_ADDRESSES.length} addresses`)
  t.same(connects, [])
  await sink.close()
  t.same([sink.connections, sink.bytes], [0, 0])
})

t.test('DNS rebinding does not reach a private address', async (t) => {
  const sink = await openReceiver(undefined, { secure: true })
  const before = ['93.184.216.34', '2606:4700::1111']
  const connects: string[] = []
  let asked = 0
  const door = openSsrfSafeFetch({
    allow: '',
    ca: TEST_CA,
    resolve: async () => {
      const address = asked++ % 2 === 0 ? (before[asked % before.length] as string) : '127.0.0.1'
      return [{ address, family: address.includes(':') ? 6 : 4 }]
    },
    // A network that leads to the sinkhole whatever the address: the door must see it and say
    // nothing.
    connect: ({ address }) => {
      connects.push(address)
      return connect(sink.port, '127.0.0.1')
    }
  })
  for (let count = 0; count < 40; count++) {
    const answer = await door.send({ ...QUICK, url: 'https://hooks.example/' })
    t.match(answer, { ok: false, error: 'blocked', address: null })
  }
  t.equal(asked, 40, 'one question a request: what was vetted is what is connected to')
  t.equal(connects.length, 20)
  t.ok(
    connects.every((address) => before.includes(address)),
    'the private answer was never connected to'
  )
  await door.close()
  await sink.close()
  t.same([sink.requests.length, sink.bytes], [0, 0], 'not a byte came')
})

t.test('a redirect of an allowed server is not followed', async (t) => {
  const sinks = await sinkholes()
  const places = hostileUrls(sinks.map(({ port }) => port))
    .filter((url) => /^[\x21-\x7e]+$/.test(url))
    .slice(0, 80)
  const server = await openReceiver((request, reply) => {
    const [, status, index] = request.url?.split('/') ?? []
    reply
      .writeHead(Number(status), {
        location: places[Number(index)] ?? `http://127.0.0.1:${sinks[0]?.port}/`,
        refresh: `0; url=http://127.0.0.1:${sinks[0]?.port}/`
      })
      .end()
  })
  const door = openSsrfSafeFetch({ allow: `127.0.0.1:${server.port}` })
  for (const status of [301, 302, 303, 307, 308]) {
    for (const index of places.keys()) {
      const answer = await door.send({
        ...QUICK,
        timeoutMs: 15_000,
        url: `http://127.0.0.1:${server.port}/${status}/${index}`
      })
      if (answer.ok || answer.error !== 'redirect') t.fail(JSON.stringify(answer))
    }
  }
  t.equal(server.requests.length, 5 * places.length)
  t.same(
    sinks.map(({ connections }) => connections),
    sinks.map(() => 0)
  )
  await Promise.all([door.close(), server.close(), ...sinks.map((sink) => sink.close())])
})

t.test('an allow list entry does not allow other addresses', async (t) => {
  const [sink, other] = [await openTcp(), await openReceiver()]
  const door = openSsrfSafeFetch({
    allow: `127.0.0.1:${other.port}, staging.example:${other.port}`,
    resolve: async (name) => [{ address: name === 'staging.example' ? '127.0.0.1' : '127.0.0.2', family: 4 }]
  })
  t.match(
    await door.send({
      ...QUICK,
      timeoutMs: 15_000,
      connectTimeoutMs: 10_000,
      url: `http://staging.example:${other.port}/`
    }),
    { ok: true }
  )
  for (const url of [
    `http://127.0.0.1:${sink.port}/`,
    `http://staging.example:${sink.port}/`,
    `http://www.staging.example:${other.port}/`,
    `http://127.0.0.2:${other.port}/`,
    `http://localhost:${other.port}/`,
    `https://hooks.example:${other.port}/`,
    `http://127.0.0.1:${other.port}@127.0.0.1:${sink.port}/`,
    `http://[::ffff:127.0.0.1]:${other.port}/`
  ]) {
    t.match(await door.send({ ...QUICK, url }), { ok: false, error: 'blocked' }, url)
  }
  await door.close()
  await Promise.all([sink.close(), other.close()])
  t.equal(sink.connections, 0)
})
