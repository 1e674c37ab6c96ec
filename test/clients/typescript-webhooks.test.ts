import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import {
  createClient,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError
} from '../../clients/typescript/src/index.ts'
import { messageSignatures, toSigningSecret } from '../../services/webhooks/signing.ts'
import { sessionToken, startApp } from '../helper.ts'

const makeSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** The headers of a delivery that is signed with these secrets. */
function signed(body: string, secrets: string[], seconds = Math.floor(Date.now() / 1000)): Record<string, string> {
  const id = randomUUID()
  const keys = secrets.map((secret) => toSigningSecret('key', secret))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': messageSignatures({ id, seconds, body: Buffer.from(body) }, keys)
  }
}

t.test('a delivery of the service is verified, before, during and after a rotation of the secret', async (t) => {
  const app = await startApp(t, { OUTBOUND_ALLOW: '127.0.0.1' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const events: WebhookEvent[] = []
  let secret: VerifyOptions['secret'] = ''
  const receiver = createServer(async (request, response) => {
    try {
      events.push(await verifyWebhook(await buffer(request), request.headers, secret))
      response.end('{"received":true}')
    } catch {
      response.writeHead(401).end()
    }
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  t.teardown(() => receiver.close())

  const content = createClient({ url, key: await sessionToken('acme') })
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const webhook = await content.post('/api/webhooks', { body: { url: hook } })
  const params = { path: { webhookId: webhook.id } }
  const ping = async () => (await content.post('/api/webhooks/{webhookId}/test', { params })).delivered
  secret = webhook.secret!
  t.equal(await ping(), true)
  t.match(events, [{ type: 'ping', sequence: 0 }])
  const next = await content.post('/api/webhooks/{webhookId}/rotate-secret', { params, body: { overlapHours: 1 } })
  t.equal(await ping(), true, 'with the former secret')
  secret = [webhook.secret!, next.secret!]
  t.equal(await ping(), true, 'with both')
  secret = next.secret!
  t.equal(await ping(), true, 'with the new secret')
  secret = makeSecret()
  t.equal(await ping(), false, 'not with another secret')
  t.equal(events.length, 4)
})

t.test('every kind of body and headers is accepted', async (t) => {
  const secret = makeSecret()
  const body = JSON.stringify({ type: 'ping', data: { text: 'Ä “quoted”' } })
  const headers = signed(body, [secret])
  const bytes = new TextEncoder().encode(body)
  for (const rawBody of [body, bytes, bytes.buffer, Buffer.from(body)]) {
    t.same(await verifyWebhook(rawBody, headers, secret), JSON.parse(body))
  }
  const inNode = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
  for (const variant of [new Headers(headers), inNode]) {
    t.match(await verifyWebhook(body, variant, { secret: [makeSecret(), secret] }), { type: 'ping' })
  }
})

t.test('what is not a valid delivery is rejected with its reason', async (t) => {
  const secret = makeSecret()
  const body = '{"type":"ping"}'
  const headers = signed(body, [secret])
  const now = Date.now()
  const old = signed(body, [secret], Math.floor(now / 1000) - 301)
  const cases: Array<[string, string, Record<string, string>, string | VerifyOptions]> = [
    ['invalid_signature', `${body} `, headers, secret],
    ['invalid_signature', body, headers, makeSecret()],
    ['invalid_signature', body, { ...headers, 'webhook-id': randomUUID() }, secret],
    ['invalid_signature', body, { ...headers, 'webhook-signature': 'v1,%%%' }, secret],
    ['invalid_signature', body, { ...headers, 'webhook-signature': headers['webhook-signature']!.slice(3) }, secret],
    ['missing_header', body, { ...headers, 'webhook-signature': '' }, secret],
    ['missing_header', body, {}, secret],
    ['timestamp_out_of_range', body, old, { secret, now }],
    ['timestamp_out_of_range', body, headers, { secret, now: now - 301_000 }],
    ['timestamp_out_of_range', body, { ...headers, 'webhook-timestamp': 'Infinity' }, secret],
    ['invalid_secret', body, headers, ''],
    ['invalid_secret', body, headers, secret.slice(6)],
    ['invalid_secret', body, headers, { secret: [] }]
  ]
  for (const [code, text, given, key] of cases) {
    const error = await verifyWebhook(text, given, key).catch((thrown: unknown) => thrown)
    t.type(error, WebhookVerificationError)
    t.equal((error as WebhookVerificationError).code, code, JSON.stringify(key))
  }
  t.match(await verifyWebhook(body, old, { secret, now, toleranceSeconds: 400 }), { type: 'ping' })
})
