import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { mock } from 'node:test'
import t from 'tap'
import type { InjectOptions } from 'fastify'
import { buildApp } from '../../app.ts'
import { appSettings, client, publish, sessionToken, temporaryFolder } from '../helper.ts'
import { scaled } from '../profile.ts'

const PROGRAM = path.resolve(import.meta.dirname, '../fixtures/idempotency/kill-before-response.ts')
/** Later than a claim without a response can be taken over: at once if no other process can have it. */
const STALE_MS = scaled ? 121_000 : 0

/** Sends the request in a process that is killed between the effect and the stored response. */
async function sendAndKill(env: Record<string, string>, request: InjectOptions): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(request)], {
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const [[code, signal], output] = await Promise.all([once(child, 'exit'), text(child.stderr)])
  if (signal !== 'SIGKILL') throw new Error(`The process exited with ${code}: ${output}`)
}

t.test('a request that was killed between its effect and its stored response takes effect once', async (t) => {
  // Jobs run in another process, so that this test sees only what requests do.
  const env = { ...(await appSettings(temporaryFolder(t))), DEMO_CONTENT: 'off', SWEEP_INTERVAL_SECONDS: '300' }
  const setup = await buildApp(env)
  const call = await client(setup)
  const session = { authorization: `Bearer ${await sessionToken(call.account)}` }
  const blog = await publish(call, { title: 'Existing' })
  const webhook = await setup.services.webhooks.create(call.account, { url: 'https://hooks.example/in' })
  await setup.close()

  const key = { 'x-api-key': call.key }
  const requests: Record<string, InjectOptions> = {
    blog: {
      url: '/api/v1/blogs',
      headers: key,
      payload: { projectId: 'site', title: 'Killed', markdown: 'Text', status: 'published' }
    },
    check: {
      url: `/api/v1/blogs/${blog.id}/visual-check`,
      headers: { ...key, prefer: 'respond-async' },
      payload: { url: 'https://site.example/existing' }
    },
    product: { url: '/api/v1/products', headers: key, payload: { projectId: 'shop', externalId: 'A', title: 'A' } },
    batch: {
      url: '/api/v1/products/batch',
      headers: key,
      payload: { projectId: 'shop', products: ['B', 'C', 'B'].map((id) => ({ externalId: id, title: id })) }
    },
    import: {
      url: '/api/v1/products/imports?projectId=shop',
      headers: { ...key, 'content-type': 'application/x-ndjson' },
      payload: '{"externalId":"D","title":"D"}\n'
    },
    apiKey: { url: '/api/keys', headers: session, payload: { name: 'Killed' } },
    webhook: { url: '/api/webhooks', headers: session, payload: { url: 'https://hooks.example/killed' } },
    recovery: {
      url: `/api/webhooks/${webhook.id}/recover`,
      headers: session,
      payload: { since: '2026-01-01T00:00:00Z' }
    }
  }
  for (const [name, request] of Object.entries(requests)) {
    request.method = 'POST'
    request.headers = { ...request.headers, 'idempotency-key': `killed-${name}-0000000001` }
    await sendAndKill(env, request)
  }

  mock.timers.enable({ apis: ['Date'], now: Date.now() + STALE_MS })
  t.teardown(() => {
    mock.timers.reset()
  })
  const app = await buildApp(env)
  t.teardown(() => app.close())
  const bodies: Record<string, Record<string, unknown>> = {}
  const retry = async (name: string, status: number) => {
    const response = await app.inject(requests[name]!)
    t.equal(response.statusCode, status, `${name}: ${response.body.slice(0, 300)}`)
    t.notOk('idempotent-replayed' in response.headers, `${name}: no response had been stored`)
    bodies[name] = response.json()
    const replayed = await app.inject(requests[name]!)
    t.match([replayed.statusCode, replayed.headers['idempotent-replayed']], [status, 'true'], name)
  }
  const expected = { blog: 201, check: 202, product: 201, batch: 200, import: 202, apiKey: 201, webhook: 201 }
  for (const [name, status] of Object.entries({ ...expected, recovery: 202 })) await retry(name, status)
  t.match(bodies.product, { result: 'created' }, 'the result of the first attempt')
  t.match(bodies.batch, { created: 2, updated: 1, failed: 0 }, 'the counts of the first attempt')

  const { store } = app
  const idsOf = async (kind: 'blog' | 'visualCheck' | 'import' | 'recovery' | 'apiKey' | 'webhook') =>
    (await store.transfer.page(kind, { after: null, limit: 100 })).records.map(({ id }) => id).sort()
  t.same(await idsOf('blog'), [blog.id, bodies.blog!.id].sort())
  t.same(await idsOf('visualCheck'), [bodies.check!.id])
  t.same(await idsOf('import'), [bodies.import!.id])
  t.same(await idsOf('recovery'), [bodies.recovery!.id])
  t.same(await idsOf('apiKey'), [call.keyId, bodies.apiKey!.id].sort())
  t.same(await idsOf('webhook'), [webhook.id, bodies.webhook!.id].sort())
  const { records: products } = await store.transfer.page('product', { after: null, limit: 100 })
  t.same(products.map(({ externalId }) => externalId).sort(), ['A', 'B', 'C', 'D'].slice(0, products.length))
  const { records: events } = await store.transfer.page('event', { after: null, limit: 100 })
  t.equal(events.filter(({ type }) => type === 'blog.published').length, 2, 'one event for each blog')

  const listed = await app.inject({ url: '/api/v1/blogs', headers: { 'x-api-key': String(bodies.apiKey!.key) } })
  t.equal(listed.statusCode, 200, 'the key that the retry returned is valid')
  t.match(bodies.webhook!.secret, /^whsec_/)
})
