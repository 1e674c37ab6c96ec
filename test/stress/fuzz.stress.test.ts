import { connect } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { client, publish, sessionToken } from '../helper.ts'
import { faultOf } from '../fixtures/http/assert-answer.ts'
import { startDeployment } from '../fixtures/http/deployment.ts'
import { fuzzedConnection, type FuzzedConnection, type FuzzWords } from '../fixtures/http/fuzzed-requests.ts'
import { listen } from '../fixtures/http/listen.ts'
import { readAnswer, type RawAnswer } from '../fixtures/http/raw-answer.ts'
import { rawExchange, rawRequest } from '../fixtures/http/raw-connection.ts'
import { createSeededRandom } from '../fixtures/seeded-random.ts'
import { scaled, small } from '../profile.ts'
import { SEED } from '../seed.ts'

const REQUESTS = small ? 1500 : 10_000
const CONNECTIONS = 32
/**
 * A client that gets no response for this long disconnects: its request was incomplete. A response
 * that comes over a network from a database takes longer.
 */
const QUIET_MS = scaled ? 1000 : 500

t.test(`${REQUESTS.toLocaleString('en')} fuzzed requests get limit headers and no 5xx (SEED=${SEED})`, async (t) => {
  const counts = await fuzz(t, {
    requests: REQUESTS,
    seed: SEED,
    env: { ADDRESS_REQUESTS_PER_HOUR: '10000000', TRUST_PROXY: 'on' }
  })
  for (const status of [200, 204, 400, 401, 403, 404, 405, 415, 417]) {
    t.ok((counts.get(status) ?? 0) > 0, `some were answered ${status}: the requests reach what they are meant to reach`)
  }
})

t.test(`fuzzed requests get limit headers after the limit is used up (SEED=${SEED + 1})`, async (t) => {
  const counts = await fuzz(t, {
    requests: small ? 400 : 3000,
    seed: SEED + 1,
    env: { ADDRESS_REQUESTS_PER_HOUR: small ? '60' : '200' }
  })
  t.ok(counts.get(429)! > 100, 'many were answered 429')
})

async function fuzz(
  t: Test,
  { requests, seed, env }: { requests: number; seed: number; env: Record<string, string> }
): Promise<Map<number, number>> {
  const { app, apis, ...others } = await startDeployment(t, env)
  // With several processes the app is one more of them: into it can be looked afterwards.
  const ports = scaled ? [...others.ports, await listen(app)] : others.ports
  const words = await content(app)
  const unhandled: unknown[] = []
  const note = (error: unknown): void => {
    unhandled.push(error)
  }
  process.on('unhandledRejection', note)
  t.teardown(() => {
    process.off('unhandledRejection', note)
  })
  const random = createSeededRandom(seed)
  const counts = new Map<number, number>()
  const faults: string[] = []
  let sent = 0
  async function client(): Promise<void> {
    while (sent < requests) {
      const connection = fuzzedConnection(random, words)
      sent += connection.methods.length
      for (const answer of answersIn(await exchange(ports[sent % ports.length]!, connection))) {
        counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
        const fault =
          answer.status >= 500
            ? `${answer.status} ${answer.body.toString()}`
            : faultOf(answer, { toHead: answer.body.length === 0 })
        if (fault !== null) {
          faults.push(
            `${fault}, to ${JSON.stringify(Buffer.concat(connection.chunks).toString('latin1').slice(0, 1500))}`
          )
        }
      }
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  t.comment(
    `seed ${seed}: ${sent} requests; answers: ${[...counts]
      .sort()
      .map(([status, count]) => `${status}×${count}`)
      .join(' ')}`
  )
  t.same(faults.slice(0, 5), [], `every answer is right (SEED=${seed})`)
  for (const port of ports) {
    t.equal((await rawExchange(port, rawRequest('GET', '/health'))).status, 200, 'the service goes on')
    t.equal(
      (await rawExchange(port, rawRequest('GET', '/api/v1/blogs', { headers: { 'x-api-key': words.keys[0]! } })))
        .status,
      200,
      'for customers too'
    )
  }
  await setImmediate()
  t.same(
    [...unhandled, ...apis.map(({ err }) => err()).filter((text) => text !== '')],
    [],
    'nothing went wrong unheard'
  )
  t.equal(await openConnections(app), 0, 'no connection is left')
  return counts
}

async function content(app: FastifyInstance): Promise<FuzzWords> {
  const call = await client(app)
  await app.services.accounts.update(call.account, { requestsPerHour: 10_000_000 })
  await app.services.accounts.ensure('others')
  await app.services.accounts.update('others', { requestsPerHour: 10_000_000 })
  const blog = await publish(call, { title: 'First', slug: 'first', markdown: 'word '.repeat(500) })
  const reader = await app.services.apiKeys.create(call.account, { name: 'Reader', scopes: ['blogs:read'] })
  const other = await app.services.apiKeys.create('others', { name: 'Other' })
  return {
    keys: [call.key, reader.key, other.key],
    tokens: [
      await sessionToken('acme'),
      await sessionToken('others'),
      await sessionToken('operator', { role: 'admin' }),
      await sessionToken('acme', {}, 'another secret that is long enough')
    ],
    paths: [
      '/api/v1/blogs',
      '/api/v1/blogs',
      '/api/v1/blogs/first',
      '/api/v1/blogs/categories',
      '/api/v1/blogs/first/related',
      '/api/v1/blogs/redirects',
      '/api/v1/blogs/feed.xml',
      `/api/v1/blogs/by-id/${blog.id}`,
      `/api/v1/blogs/${blog.id}/publish`,
      `/api/v1/blogs/${blog.id}/images`,
      `/api/v1/blogs/images/${blog.id}/a.png`,
      '/api/v1/blogs/none',
      '/api/keys',
      '/api/keys/01890000-0000-7000-8000-000000000000/rotate',
      '/api/account',
      '/api/account/usage',
      '/api/projects',
      '/api/projects/site',
      '/api/admin/accounts/acme',
      '/health',
      '/health/live',
      '/docs',
      '/openapi.json',
      '/',
      '/nothing',
      '/api',
      '/api/v1'
    ]
  }
}

/** Sends it, and returns what came back before the connection ended or fell silent. */
async function exchange(port: number, { chunks, then }: FuzzedConnection): Promise<Buffer> {
  const received: Buffer[] = []
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => {}) // The service may close while this client still writes.
  socket.on('data', (bytes) => {
    received.push(Buffer.from(bytes as Uint8Array))
  })
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      resolve()
    })
  })
  for (const chunk of chunks) {
    socket.write(chunk)
    await setImmediate()
  }
  if (then === 'half-close') socket.end()
  if (then === 'reset') socket.resetAndDestroy()
  socket.setTimeout(QUIET_MS, () => {
    socket.destroy()
  })
  await closed
  return Buffer.concat(received)
}

/**
 * The whole answers in what was received. Which of them answer HEAD is not known where messages are
 * broken: those are followed by no body.
 */
function answersIn(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let at = 0; at < bytes.length; ) {
    const head = readAnswer(bytes, at, { toHead: true, closed: false })
    const bare =
      head === null || head.end === bytes.length || bytes.toString('latin1', head.end, head.end + 9) === 'HTTP/1.1 '
    const read = bare ? head : readAnswer(bytes, at, { toHead: false, closed: false })
    if (read === null) break
    answers.push(read.answer)
    at = read.end
  }
  return answers
}

async function openConnections(app: FastifyInstance): Promise<number> {
  const count = async () =>
    await new Promise<number>((resolve, reject) => {
      app.server.getConnections((error, open) => {
        if (error) reject(error)
        else resolve(open)
      })
    })
  app.server.closeIdleConnections()
  // What the client closed is noticed by the server when its turn comes; three seconds are more
  // than any lingering takes.
  for (const deadline = Date.now() + 3000; Date.now() < deadline && (await count()) > 0; ) await setTimeout(20)
  return await count()
}
