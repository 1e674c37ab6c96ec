import t from 'tap'
import type { WebhookRecord } from '../../../ports/store/port.ts'
import { applyAttempt, initialHealth, circuitState } from '../../../services/webhooks/health.ts'
import type { Outcome } from '../../../services/webhooks/attempt.ts'

const START = Date.UTC(2026, 0, 1)
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const aWebhook = (): WebhookRecord => ({
  id: 'w',
  accountId: 'acme',
  version: 1,
  url: 'https://shop.example/hook',
  events: null,
  projectIds: null,
  description: '',
  secrets: [
    { id: 's2', ciphertext: '', createdAt: '', expiresAt: null },
    { id: 's1', ciphertext: '', createdAt: '', expiresAt: null }
  ],
  lastAcceptedSecretId: 's1',
  disabledBy: null,
  disabledReason: null,
  disabledAt: null,
  health: initialHealth(),
  createdAt: new Date(START).toISOString(),
  updatedAt: new Date(START).toISOString()
})

const OK: Outcome = { delivered: true, status: 200, error: null, detail: null, retryAfterMs: null }
const BAD: Outcome = { delivered: false, status: 500, error: 'http_5xx', detail: '', retryAfterMs: null }

interface Attempt {
  outcome?: Outcome
  at: number
  event?: { eventId: string; at: string }
  probe?: boolean
  secretId?: string
  timeScale?: number
}
const eventAt = (ms: number) => ({ eventId: `e${ms}`, at: new Date(START + ms).toISOString() })
function after(
  webhook: WebhookRecord,
  { outcome = BAD, at, event = eventAt(0), probe = false, secretId = 's1', timeScale = 1 }: Attempt
): WebhookRecord {
  return applyAttempt(webhook, { outcome, atMs: START + at, event, secretId, isProbe: probe }, timeScale)
}
const afterMany = (webhook: WebhookRecord, count: number, how: Attempt) =>
  Array.from({ length: count }).reduce<WebhookRecord>((next) => after(next, how), webhook)
const pausedFor = (webhook: WebhookRecord, at: number) =>
  webhook.health.pausedUntil === null ? null : Date.parse(webhook.health.pausedUntil) - START - at
const circuit = (webhook: WebhookRecord, at: number) => circuitState(webhook, START + at)

t.test('ten attempts of which seven failed cause a pause of 30 seconds', async (t) => {
  t.equal(pausedFor(afterMany(aWebhook(), 9, { at: 0 }), 0), null, 'nine attempts are too few')
  const paused = afterMany(aWebhook(), 10, { at: 0 })
  t.equal(pausedFor(paused, 0), 30 * SECOND)
  t.equal(paused.health.pausedFor, 'breaker')
  const mixed = (ok: number, failed: number) =>
    afterMany(afterMany(aWebhook(), ok, { at: 0, outcome: OK }), failed, { at: 0 })
  t.equal(pausedFor(mixed(3, 7), 0), 30 * SECOND, 'seven of ten failed')
  t.equal(pausedFor(mixed(4, 7), 0), null, 'seven of eleven are less than 70 %')
  t.equal(pausedFor(mixed(300, 699), 0), null)
  t.equal(pausedFor(mixed(300, 700), 0), 30 * SECOND)
})

t.test('attempts older than five minutes do not count', async (t) => {
  const nine = afterMany(aWebhook(), 9, { at: 0 })
  t.equal(pausedFor(after(nine, { at: 4 * MINUTE }), 4 * MINUTE), 30 * SECOND)
  t.equal(pausedFor(after(nine, { at: 5 * MINUTE }), 5 * MINUTE), null)
  t.equal(
    pausedFor(after(nine, { at: 6 * SECOND, timeScale: 60 }), 0),
    null,
    'with a time scale of 60, the window is 5 seconds'
  )
  t.ok(after(nine, { at: 60 * MINUTE }).health.minutes.length <= 5, 'at most five minutes are stored')
})

t.test(
  'after a pause there is one probe: a failure doubles the pause, up to ten minutes; a success ends it',
  async (t) => {
    let webhook = afterMany(aWebhook(), 10, { at: 0 })
    t.equal(circuit(webhook, 29 * SECOND), 'open')
    t.equal(circuit(webhook, 30 * SECOND), 'half-open')
    t.equal(
      pausedFor(afterMany(webhook, 9, { at: SECOND }), 0),
      30 * SECOND,
      'attempts in flight do not extend the pause'
    )
    let at = 30 * SECOND
    for (const pause of [60, 120, 240, 480, 600, 600]) {
      webhook = after(webhook, { at, probe: true })
      t.equal(pausedFor(webhook, at), pause * SECOND)
      t.equal(circuit(webhook, at + pause * SECOND - 1), 'open')
      at += pause * SECOND
      t.equal(circuit(webhook, at), 'half-open')
    }
    webhook = after(webhook, { at, probe: true, outcome: OK })
    t.equal(circuit(webhook, at), 'closed')
    t.equal(circuit(afterMany(webhook, 5, { at: at + 1 }), at + 1), 'closed', 'failures before the pause do not count')
    t.equal(pausedFor(afterMany(webhook, 30, { at: at + 1 }), at + 1), 30 * SECOND, 'the next pause is short again')
  }
)

t.test('the time scale divides pauses', async (t) => {
  const webhook = afterMany(aWebhook(), 10, { at: 0, timeScale: 100 })
  t.equal(pausedFor(webhook, 0), 300)
  t.equal(pausedFor(after(webhook, { at: 300, probe: true, timeScale: 100 }), 300), 600)
})

t.test('a Retry-After causes a pause that is not followed by a probe', async (t) => {
  const busy: Outcome = { ...BAD, status: 429, error: 'http_4xx', retryAfterMs: 5 * MINUTE }
  const webhook = after(aWebhook(), { at: 0, outcome: busy })
  t.equal(pausedFor(webhook, 0), 5 * MINUTE)
  t.equal(webhook.health.pausedFor, 'retry_after')
  t.equal(circuit(webhook, 5 * MINUTE), 'closed')
  t.equal(
    pausedFor(after(webhook, { at: SECOND, outcome: { ...busy, retryAfterMs: MINUTE } }), 0),
    5 * MINUTE,
    'a shorter Retry-After does not shorten the pause'
  )
  t.equal(pausedFor(after(webhook, { at: SECOND }), 0), 5 * MINUTE)
  const failing = after(afterMany(aWebhook(), 10, { at: 0 }), { at: 1, outcome: busy })
  t.equal(circuit(failing, 2 * MINUTE), 'open', 'the longer pause counts')
  t.equal(circuit(failing, 6 * MINUTE), 'half-open')
})

t.test(
  'a webhook without a success for 120 hours is disabled if ten attempts of events 12 hours apart failed',
  async (t) => {
    const spread = (count: number, apart: number, at: number) =>
      afterMany(after(aWebhook(), { at: HOUR }), count - 1, { at, event: eventAt(apart) })
    t.equal(spread(10, 12 * HOUR, 120 * HOUR).disabledBy, 'failures')
    t.match(spread(10, 12 * HOUR, 120 * HOUR).disabledReason, /120 hours/)
    t.equal(spread(9, 12 * HOUR, 120 * HOUR).disabledBy, null, 'nine failures')
    t.equal(spread(10, 12 * HOUR - 1, 120 * HOUR).disabledBy, null, 'events closer together')
    t.equal(spread(10, 0, 120 * HOUR).disabledBy, null, 'one event')
    t.equal(spread(10, 12 * HOUR, 120 * HOUR - 1).disabledBy, null, 'before 120 hours')
    const saved = after(spread(9, 12 * HOUR, 119 * HOUR), { at: 119 * HOUR, outcome: OK })
    t.equal(
      afterMany(saved, 30, { at: 130 * HOUR, event: eventAt(130 * HOUR) }).disabledBy,
      null,
      'a success resets the count'
    )
    t.equal(
      afterMany(after(saved, { at: 120 * HOUR }), 10, { at: 239 * HOUR, event: eventAt(130 * HOUR) }).disabledBy,
      'failures',
      '120 hours after that success the webhook is disabled'
    )
    const backwards = afterMany(after(aWebhook(), { at: HOUR, event: eventAt(12 * HOUR) }), 9, { at: 120 * HOUR })
    t.equal(backwards.disabledBy, 'failures', 'the order of the failures does not matter')
  }
)

t.test('410 disables a webhook at once', async (t) => {
  const gone = after(aWebhook(), { at: 0, outcome: { ...BAD, status: 410, error: 'http_4xx' } })
  t.equal(gone.disabledBy, 'gone')
  t.ok(gone.disabledAt)
  t.match(gone.disabledReason, /410/)
  t.equal(circuit(gone, HOUR), 'open')
  const byPerson = { ...aWebhook(), disabledBy: 'person' as const }
  t.equal(after(byPerson, { at: 0, outcome: { ...BAD, status: 410 } }).disabledBy, 'person', 'the first reason is kept')
})

t.test('the secret of the last 2xx response is remembered', async (t) => {
  t.equal(after(aWebhook(), { at: 0, outcome: OK, secretId: 's2' }).lastAcceptedSecretId, 's2')
  t.equal(after(aWebhook(), { at: 0, outcome: BAD, secretId: 's2' }).lastAcceptedSecretId, 's1')
  t.equal(after(aWebhook(), { at: 0, outcome: OK, secretId: 'removed' }).lastAcceptedSecretId, 's1')
})
