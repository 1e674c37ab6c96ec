import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import t from 'tap'
import { createSenders } from '../../lib/http/request-senders.ts'

function requestOf(headers: IncomingHttpHeaders, { url = '/api/v1/blogs', address = '192.0.2.1' } = {}) {
  return { headers, url, socket: { remoteAddress: address } } as unknown as IncomingMessage
}

t.test('a sender is known by a credential that was accepted', async (t) => {
  const senders = createSenders()
  const byKey = requestOf({ 'x-api-key': 'key' })
  t.same(senders.of(byKey), { group: 'anonymous', id: '192.0.2.1' }, 'unknown before it is accepted')
  senders.remember(byKey, 'acme')
  t.same(senders.of(byKey), { group: 'account acme', id: 'acme' })
  senders.remember(requestOf({ authorization: 'Bearer token' }), 'acme')
  t.same(senders.of(requestOf({ authorization: 'Bearer token' })), { group: 'account acme', id: 'acme' })
  t.same(senders.of(requestOf({ 'x-api-key': 'other' })).group, 'anonymous')
})

t.test('clients without an account are one group, and take turns by address', async (t) => {
  const senders = createSenders()
  t.same(senders.of(requestOf({}, { address: '192.0.2.7' })), { group: 'anonymous', id: '192.0.2.7' })
  t.same(senders.of(requestOf({ 'x-api-key': 'invented' }, { address: '192.0.2.8' })), {
    group: 'anonymous',
    id: '192.0.2.8'
  })
})

t.test('probes do not wait for other clients without an account', async (t) => {
  const senders = createSenders()
  for (const url of ['/health', '/health/ready', '/health/live?verbose=1']) {
    t.equal(senders.of(requestOf({}, { url })).group, 'health', url)
  }
  for (const url of ['/healthy', '/metrics', '/api/health']) {
    t.equal(senders.of(requestOf({}, { url })).group, 'anonymous', url)
  }
})

t.test('credentials need a limited amount of memory', async (t) => {
  const senders = createSenders()
  const first = requestOf({ 'x-api-key': 'first' })
  senders.remember(first, 'acme')
  const long = requestOf({ 'x-api-key': 'x'.repeat(2_001) })
  senders.remember(long, 'acme')
  t.equal(senders.of(long).group, 'anonymous', 'long credentials are not remembered')
  for (let index = 0; index < 1_100; index++) {
    senders.remember(requestOf({ 'x-api-key': String(index).padEnd(2_000, 'x') }), 'acme')
  }
  t.equal(senders.of(first).group, 'anonymous', 'the oldest was forgotten')
})
