import t, { type Test } from 'tap'
import { BlogEvent, PingEvent } from '../../../schemas/event-bodies.ts'
import { client, person, publish, startApp } from '../../helper.ts'
import { eventually, openReceiver } from '../../fixtures/webhooks/receiver.ts'

const LOOPBACK = { OUTBOUND_ALLOW: '127.0.0.1', WEBHOOK_TIME_SCALE: '1000' }

async function registered(t: Test, body: Record<string, unknown> = {}, answer?: Parameters<typeof openReceiver>[1]) {
  const app = await startApp(t, LOOPBACK)
  const receiver = await openReceiver(t, answer)
  const owner = await person(app, 'acme')
  const made = await owner('POST', '/api/webhooks', { url: receiver.url, ...body })
  t.equal(made.statusCode, 201, made.body)
  receiver.knows(made.json().secret)
  return { app, receiver, owner, call: await client(app), webhook: made.json(), made }
}

t.test('a webhook is registered with a secret that is shown once', async (t) => {
  const { owner, webhook, made } = await registered(t, { events: ['blog.published'], description: 'Site' })
  t.match(webhook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.equal(made.headers['cache-control'], 'no-store')
  const { secret: _secret, ...shown } = webhook
  t.same((await owner('GET', `/api/webhooks/${webhook.id}`)).json(), shown)
  t.same((await owner('GET', '/api/webhooks')).json(), { webhooks: [shown] })
  const rotated = (await owner('POST', `/api/webhooks/${webhook.id}/rotate-secret`, { overlapHours: 1 })).json()
  t.match(rotated.secret, /^whsec_/)
  t.not(rotated.secret, webhook.secret)
  t.match(rotated.secretExpiresAt, /Z$/)
  t.equal((await owner('DELETE', `/api/webhooks/${webhook.id}`)).statusCode, 204)
  t.match((await owner('GET', `/api/webhooks/${webhook.id}`)).json(), { status: 404, code: 'webhook_not_found' })
})

t.test('the secret is in no replayed response and in no file as plain text', async (t) => {
  const app = await startApp(t, LOOPBACK)
  const owner = await person(app, 'acme')
  const key = { 'idempotency-key': 'a-key-that-is-long-enough' }
  const first = await owner('POST', '/api/webhooks', { url: 'http://127.0.0.1:9/' }, key)
  const again = await owner('POST', '/api/webhooks', { url: 'http://127.0.0.1:9/' }, key)
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.match(again.json(), { id: first.json().id, secret: undefined })
  t.notMatch(JSON.stringify(await app.store.webhooks.list('acme')), first.json().secret.slice(6, 18))
})

t.test('forbidden URLs are rejected with the same message', async (t) => {
  const app = await startApp(t)
  const owner = await person(app, 'acme')
  const details = new Set<string>()
  for (const url of [
    'http://127.0.0.1:3000/',
    'https://localhost/',
    'https://10.0.0.1/hook',
    'https://169.254.169.254/latest',
    'https://shop.internal/',
    'http://example.com/',
    'https://example.com:22/'
  ]) {
    const { statusCode, ...answer } = await owner('POST', '/api/webhooks', { url })
    t.equal(statusCode, 400, url)
    t.equal(answer.json().code, 'webhook_address_refused', url)
    // The hint depends on the text of the URL alone.
    details.add(answer.json().detail.replace(/ For a receiver .*/, ''))
  }
  t.equal(details.size, 1)
  t.match([...details][0], /allowed by the operator with OUTBOUND_ALLOW\.$/)
  t.match(
    (await owner('POST', '/api/webhooks', { url: 'http://127.0.0.1:3001/hook' })).json().detail,
    /For a receiver on your machine, start the service with OUTBOUND_ALLOW=127\.0\.0\.1:3001\.$/
  )
  t.equal((await owner('POST', '/api/webhooks', { url: 'https://user:pass@example.com/' })).statusCode, 400)
  t.match((await owner('POST', '/api/webhooks', { url: 'https://example.com/', events: ['blog.read'] })).json(), {
    code: 'invalid_request',
    errors: [{ pointer: '/events/0' }]
  })
})

t.test('a ping reports at once whether the receiver responds', async (t) => {
  const { app, owner, webhook, receiver } = await registered(t)
  const ping = await owner('POST', `/api/webhooks/${webhook.id}/test`)
  t.match(ping.json(), { delivered: true, status: 200, error: null, response: '{"received":true}' }, ping.body)
  t.match(receiver.received, [{ event: 'ping', envelope: { type: 'ping', sequence: 0 } }])
  t.same(app.fieldErrors(PingEvent, receiver.received[0]!.envelope), [], 'matches the schema')
})

t.test('blog changes are sent as events, in order, with the affected paths', async (t) => {
  const { app, call, owner, receiver } = await registered(t)
  await owner('POST', '/api/projects', { id: 'site', blogPath: '/journal' })
  const { id } = await publish(call, { title: 'First words' })
  await call('PATCH', `/api/v1/blogs/${id}`, { slug: 'better-words' })
  await call('PATCH', `/api/v1/blogs/${id}`, { slug: 'better-words' })
  await call('POST', `/api/v1/blogs/${id}/unpublish`)
  await call('DELETE', `/api/v1/blogs/${id}`)
  const draft = (
    await call('POST', '/api/v1/blogs', { projectId: 'site', title: 'Never public', markdown: 'x' })
  ).json()
  await call('DELETE', `/api/v1/blogs/${draft.id}`)
  await app.queue.idle()
  await eventually(() => receiver.received.length >= 4, 'four events')
  t.match(
    receiver.received.map(({ envelope }) => envelope),
    [
      {
        type: 'blog.published',
        sequence: 1,
        data: {
          id,
          slug: 'first-words',
          previousSlug: null,
          paths: ['/journal/first-words', '/journal'],
          contentVersion: 1
        }
      },
      {
        type: 'blog.updated',
        sequence: 2,
        data: {
          slug: 'better-words',
          previousSlug: 'first-words',
          paths: ['/journal/better-words', '/journal/first-words', '/journal']
        }
      },
      { type: 'blog.unpublished', sequence: 3, data: { slug: 'better-words' } },
      { type: 'blog.deleted', sequence: 4 }
    ]
  )
  t.equal(receiver.received.length, 4, 'drafts send no events')
  for (const { envelope } of receiver.received) {
    t.same(app.fieldErrors(BlogEvent, envelope), [], 'matches the schema')
  }
  t.same(receiver.refused, [])
  const pulled = (await owner('GET', '/api/events?after=1&type=blog.updated&type=blog.deleted')).json()
  t.match(pulled, {
    events: [
      { type: 'blog.updated', sequence: 2 },
      { type: 'blog.deleted', sequence: 4 }
    ],
    next: 4
  })
})

t.test('deliveries can be inspected and redelivered', async (t) => {
  let answer = 500
  const { app, call, owner, receiver, webhook } = await registered(t, {}, () => answer)
  await publish(call, { title: 'First words' })
  await eventually(() => receiver.received.length >= 2, 'a second attempt')
  answer = 200
  const list = async (query = '') => (await owner('GET', `/api/webhooks/${webhook.id}/deliveries${query}`)).json()
  await eventually(async () => (await list('?status=delivered')).totalCount === 1, 'the delivery')
  const {
    deliveries: [delivery]
  } = await list()
  const detail = (await owner('GET', `/api/webhooks/deliveries/${delivery.id}`)).json()
  t.match(detail, {
    event: 'blog.published',
    sequence: 1,
    status: 'delivered',
    attemptLog: [{ number: 1, status: 500, error: 'http_5xx', address: '127.0.0.1' }]
  })
  t.equal(detail.body, receiver.received[0]!.body)
  t.notMatch(JSON.stringify(detail.attemptLog), /sha256=|v1,/, 'signatures are not stored')
  t.equal(new Set(receiver.received.map(({ body }) => body)).size, 1, 'identical bytes at each attempt')
  const before = receiver.received.length
  t.equal((await owner('POST', `/api/webhooks/deliveries/${delivery.id}/redeliver`)).statusCode, 202)
  await eventually(() => receiver.received.length > before, 'the redelivery')
  await app.queue.idle()
  const otherAccount = await person(app, 'otherAccount')
  t.equal((await otherAccount('GET', `/api/webhooks/deliveries/${delivery.id}`)).statusCode, 404)
  t.equal((await otherAccount('GET', `/api/webhooks/${webhook.id}/deliveries`)).statusCode, 404)
})

t.test('events from while a webhook was disabled are recovered', async (t) => {
  const { call, owner, receiver, webhook, app } = await registered(t)
  t.match((await owner('PATCH', `/api/webhooks/${webhook.id}`, { enabled: false })).json(), {
    status: 'disabled',
    disabledBy: 'person'
  })
  const since = new Date(Date.now() - 60_000).toISOString()
  for (const n of [1, 2, 3]) await publish(call, { title: `Blog ${n}` })
  await app.queue.idle()
  t.match((await owner('GET', `/api/webhooks/${webhook.id}/deliveries?status=skipped`)).json(), { totalCount: 3 })
  t.match((await owner('POST', `/api/webhooks/${webhook.id}/recover`, { since })).json(), {
    status: 409,
    code: 'webhook_disabled'
  })
  t.match((await owner('POST', `/api/webhooks/${webhook.id}/enable`)).json(), { status: 'enabled' })
  const started = await owner('POST', `/api/webhooks/${webhook.id}/recover`, { since })
  t.equal(started.statusCode, 202, started.body)
  await eventually(() => receiver.received.length === 3, 'three deliveries')
  await eventually(
    async () => (await owner('GET', String(started.headers.location))).json().status === 'done',
    'the end of the recovery'
  )
  t.match((await owner('GET', String(started.headers.location))).json(), { examined: 3, requeued: 3 })
  t.same(receiver.received.map(({ envelope }) => envelope.sequence).sort(), [1, 2, 3])
})

t.test('an account without the feature has no webhooks', async (t) => {
  const app = await startApp(t)
  const owner = await person(app, 'acme')
  await owner('GET', '/api/account')
  await app.services.accounts.update('acme', { features: ['blogs'] })
  t.match((await owner('GET', '/api/webhooks')).json(), {
    status: 403,
    code: 'feature_not_in_plan',
    feature: 'webhooks'
  })
})
