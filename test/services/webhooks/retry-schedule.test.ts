import t from 'tap'
import type { Outcome } from '../../../services/webhooks/attempt.ts'
import { parseRetryAfterMs } from '../../../services/webhooks/retry-schedule.ts'
import { retryDelayMs } from '../../../services/webhooks/retry-schedule.ts'
import { nextDelayMs } from '../../../services/webhooks/retry-schedule.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const WAITS = [
  0,
  5 * SECOND,
  300 * SECOND,
  1800 * SECOND,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR
]

t.test('the waits of the schedule are a fifth shorter or longer by chance', async (t) => {
  for (const [made, wait] of WAITS.entries()) {
    t.equal(Math.round(retryDelayMs(made, 0)!), wait * 0.8)
    t.equal(Math.round(retryDelayMs(made, 0.5)!), wait)
    t.ok(retryDelayMs(made, 0.999999)! <= wait * 1.2)
  }
  t.equal(retryDelayMs(10), null, 'after ten attempts there is none')
  t.not(retryDelayMs(5), retryDelayMs(5))
})

t.test('a receiver may ask for a pause in seconds or by a date, of 24 hours at most', async (t) => {
  const now = Date.UTC(2026, 10, 21, 8, 0, 0)
  const asked = (value?: string) => parseRetryAfterMs(value, now)
  t.equal(asked('120'), 120_000)
  t.equal(asked(' 5 '), 5000)
  t.equal(asked('Sat, 21 Nov 2026 08:10:00 GMT'), 600_000)
  t.equal(asked('86401'), 24 * HOUR)
  t.equal(asked('999999999999999'), 24 * HOUR)
  t.equal(asked('Sat, 28 Nov 2026 08:00:00 GMT'), 24 * HOUR)
  for (const nothing of [
    undefined,
    '',
    '0',
    '-5',
    '1.5',
    'soon',
    '1e3',
    '0x10',
    'Sat, 21 Nov 2026 07:59:00 GMT',
    'Sat, 41 Nov 2026 09:59:00 GMT',
    '2026-11-21T09:00:00Z',
    '120, 120',
    '9'.repeat(400)
  ]) {
    t.equal(asked(nothing), null, String(nothing).slice(0, 40))
  }
})

t.test('what the receiver answered decides how long at least is waited', async (t) => {
  const failed = (change: Partial<Outcome>): Outcome => ({
    delivered: false,
    status: 500,
    error: 'http_5xx',
    detail: '',
    retryAfterMs: null,
    ...change
  })
  const about = (ms: number | null, wait: number) => ms !== null && ms >= wait * 0.8 && ms <= wait * 1.2
  t.ok(about(nextDelayMs(1, failed({})), 5000))
  t.ok(about(nextDelayMs(9, failed({})), 24 * HOUR))
  t.equal(nextDelayMs(10, failed({})), null, 'the tenth was the last')
  for (const status of [502, 504]) t.equal(nextDelayMs(1, failed({ status })), 60_000, `${status}`)
  t.equal(nextDelayMs(1, failed({ status: null, error: 'timeout' })), 60_000)
  t.ok(about(nextDelayMs(2, failed({ status: 502 })), 300_000), 'no longer where the schedule waits longer')
  for (const error of ['dns', 'tls', 'connect', 'reset', 'redirect', 'http_4xx'] as const) {
    t.ok(about(nextDelayMs(1, failed({ status: null, error })), 5000), error)
  }
  t.equal(nextDelayMs(1, failed({ status: 429, retryAfterMs: 40_000 })), 40_000)
  t.equal(nextDelayMs(1, failed({ status: null, error: 'blocked' })), null, 'a refused address is not tried again')
})
