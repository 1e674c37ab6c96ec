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

interface Tried {
  outcome?: Outcome
  at: number
  event?: { eventId: string; at: string }
  probe?: boolean
  secretId?: string
  speed?: number
}
const eventAt = (ms: number) => ({ eventId: `e${ms}`, at: new Date(START + ms).toISOString() })
function tried(
  webhook: WebhookRecord,
  { outcome = BAD, at, event = eventAt(0), probe = false, secretId = 's1', speed = 1 }: Tried
): WebhookRecord {
  return applyAttempt(webhook, { outcome, atMs: START + at, event, secretId, isProbe: probe }, speed)
}
const many = (webhook: WebhookRecord, count: number, how: Tried) =>
  Array.from({ length: count }).reduce<WebhookRecord>((next) => tried(next, how), webhook)
const pausedFor = (webhook: WebhookRecord, at: number) =>
  webhook.health.pausedUntil === null ? null : Date.parse(webhook.health.pausedUntil) - START - at
const standing = (webhook: WebhookRecord, at: number) => circuitState(webhook, START + at)

t.test('ten attempts of which seven failed bring a pause of 30 seconds', async (t) => {
  t.equal(pausedFor(many(aWebhook(), 9, { at: 0 }), 0), null, 'nine are too few')
  const paused = many(aWebhook(), 10, { at: 0 })
  t.equal(pausedFor(paused, 0), 30 * SECOND)
  t.equal(paused.health.pausedFor, 'breaker')
  const mixed = (ok: number, failed: number) => many(many(aWebhook(), ok, { at: 0, outcome: OK }), failed, { at: 0 })
  t.equal(pausedFor(mixed(3, 7), 0), 30 * SECOND, 'seven of ten')
  t.equal(pausedFor(mixed(4, 7), 0), null, 'seven of eleven are less than 70 %')
  t.equal(pausedFor(mixed(300, 699), 0), null)
  t.equal(pausedFor(mixed(300, 700), 0), 30 * SECOND)
})

t.test('attempts of more than five minutes ago do not count', async (t) => {
  const nine = many(aWebhook(), 9, { at: 0 })
  t.equal(pausedFor(tried(nine, { at: 4 * MINUTE }), 4 * MINUTE), 30 * SECOND)
  t.equal(pausedFor(tried(nine, { at: 5 * MINUTE }), 5 * MINUTE), null)
  t.equal(pausedFor(tried(nine, { at: 6 * SECOND, speed: 60 }), 0), null, 'a window of 5 seconds when 60 times as fast')
  t.ok(tried(nine, { at: 60 * MINUTE }).health.minutes.length <= 5, 'no more than five minutes are kept')
})

t.test(
  'after a pause there is one probe: its failure doubles the pause up to ten minutes, its success ends it',
  async (t) => {
    let webhook = many(aWebhook(), 10, { at: 0 })
    t.equal(standing(webhook, 29 * SECOND), 'wait')
    t.equal(standing(webhook, 30 * SECOND), 'probe')
    t.equal(pausedFor(many(webhook, 9, { at: SECOND }), 0), 30 * SECOND, 'what was under way makes it no longer')
    let at = 30 * SECOND
    for (const pause of [60, 120, 240, 480, 600, 600]) {
      webhook = tried(webhook, { at, probe: true })
      t.equal(pausedFor(webhook, at), pause * SECOND)
      t.equal(standing(webhook, at + pause * SECOND - 1), 'wait')
      at += pause * SECOND
      t.equal(standing(webhook, at), 'probe')
    }
    webhook = tried(webhook, { at, probe: true, outcome: OK })
    t.equal(standing(webhook, at), 'go')
    t.equal(standing(many(webhook, 5, { at: at + 1 }), at + 1), 'go', 'what failed before the pause is forgotten')
    t.equal(pausedFor(many(webhook, 30, { at: at + 1 }), at + 1), 30 * SECOND, 'and the next pause is short again')
  }
)

t.test('pauses are shorter when time is compressed', async (t) => {
  const webhook = many(aWebhook(), 10, { at: 0, speed: 100 })
  t.equal(pausedFor(webhook, 0), 300)
  t.equal(pausedFor(tried(webhook, { at: 300, probe: true, speed: 100 }), 300), 600)
})

t.test('a receiver that asks for a pause gets it, and no probe is needed after it', async (t) => {
  const busy: Outcome = { ...BAD, status: 429, error: 'http_4xx', retryAfterMs: 5 * MINUTE }
  const webhook = tried(aWebhook(), { at: 0, outcome: busy })
  t.equal(pausedFor(webhook, 0), 5 * MINUTE)
  t.equal(webhook.health.pausedFor, 'retry_after')
  t.equal(standing(webhook, 5 * MINUTE), 'go')
  t.equal(
    pausedFor(tried(webhook, { at: SECOND, outcome: { ...busy, retryAfterMs: MINUTE } }), 0),
    5 * MINUTE,
    'a shorter one does not shorten it'
  )
  t.equal(pausedFor(tried(webhook, { at: SECOND }), 0), 5 * MINUTE)
  const failing = tried(many(aWebhook(), 10, { at: 0 }), { at: 1, outcome: busy })
  t.equal(standing(failing, 2 * MINUTE), 'wait', 'the longer of two pauses holds')
  t.equal(standing(failing, 6 * MINUTE), 'probe')
})

t.test(
  'a webhook without a success for 120 hours is disabled, when ten attempts of events 12 hours apart failed',
  async (t) => {
    const spread = (count: number, apart: number, at: number) =>
      many(tried(aWebhook(), { at: HOUR }), count - 1, { at, event: eventAt(apart) })
    t.equal(spread(10, 12 * HOUR, 120 * HOUR).disabledBy, 'failures')
    t.match(spread(10, 12 * HOUR, 120 * HOUR).disabledReason, /120 hours/)
    t.equal(spread(9, 12 * HOUR, 120 * HOUR).disabledBy, null, 'nine failures')
    t.equal(spread(10, 12 * HOUR - 1, 120 * HOUR).disabledBy, null, 'events that are nearer')
    t.equal(spread(10, 0, 120 * HOUR).disabledBy, null, 'one event')
    t.equal(spread(10, 12 * HOUR, 120 * HOUR - 1).disabledBy, null, 'before 120 hours')
    const saved = tried(spread(9, 12 * HOUR, 119 * HOUR), { at: 119 * HOUR, outcome: OK })
    t.equal(many(saved, 30, { at: 130 * HOUR, event: eventAt(130 * HOUR) }).disabledBy, null, 'a success begins anew')
    t.equal(
      many(tried(saved, { at: 120 * HOUR }), 10, { at: 239 * HOUR, event: eventAt(130 * HOUR) }).disabledBy,
      'failures',
      'and 120 hours later it is time again'
    )
    const backwards = many(tried(aWebhook(), { at: HOUR, event: eventAt(12 * HOUR) }), 9, { at: 120 * HOUR })
    t.equal(backwards.disabledBy, 'failures', 'in whichever order they failed')
  }
)

t.test('410 disables a webhook at once', async (t) => {
  const gone = tried(aWebhook(), { at: 0, outcome: { ...BAD, status: 410, error: 'http_4xx' } })
  t.equal(gone.disabledBy, 'gone')
  t.ok(gone.disabledAt)
  t.match(gone.disabledReason, /410/)
  t.equal(standing(gone, HOUR), 'wait')
  const byPerson = { ...aWebhook(), disabledBy: 'person' as const }
  t.equal(
    tried(byPerson, { at: 0, outcome: { ...BAD, status: 410 } }).disabledBy,
    'person',
    'who disabled it first stays so'
  )
})

t.test('the secret that last earned a 2xx is the one that is known', async (t) => {
  t.equal(tried(aWebhook(), { at: 0, outcome: OK, secretId: 's2' }).lastAcceptedSecretId, 's2')
  t.equal(tried(aWebhook(), { at: 0, outcome: BAD, secretId: 's2' }).lastAcceptedSecretId, 's1')
  t.equal(tried(aWebhook(), { at: 0, outcome: OK, secretId: 'removed' }).lastAcceptedSecretId, 's1')
})
