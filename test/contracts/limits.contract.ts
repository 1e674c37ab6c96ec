import assert from 'node:assert/strict'
import { WINDOW_MS } from '../../ports/limits/port.ts'
import type { RateLimitResult, RateLimitRequest, Limits } from '../../ports/limits/port.ts'
import type { ContractCase } from './contract.ts'

/**
 * Where the test sets the time, in milliseconds since 1970 with a fraction down to the microsecond.
 * It begins at the present time, in whole milliseconds.
 */
export interface TestClock {
  nowMs: () => number
  moveTo: (ms: number) => void
}

/** What a case is given: the limits, and their clock where it can be set. */
export interface OpenedLimits {
  limits: Limits
  clock?: TestClock
}
export type OpenLimits = () => Promise<OpenedLimits>

/**
 * `controlled` cases travel in time, so they need the clock; the others hold under any clock, as
 * they take far less than an hour.
 */
export interface LimitsCase extends ContractCase<OpenLimits> {
  clock: 'any' | 'controlled'
}

type Ask = (request?: Partial<RateLimitRequest>) => Promise<RateLimitResult>
interface Room {
  limits: Limits
  ask: Ask
}
interface TimedRoom extends Room {
  start: number
  at: (ms: number) => void
}

function anyClock(title: string, body: (room: Room) => Promise<void>): LimitsCase {
  return {
    title,
    clock: 'any',
    async run(open) {
      const { limits } = await open()
      try {
        await body({ limits, ask: asking(limits) })
      } finally {
        await limits.close()
      }
    }
  }
}

/** `at(ms)` moves the clock to so many milliseconds after the start of the case. */
function controlled(title: string, body: (room: TimedRoom) => Promise<void>): LimitsCase {
  return {
    title,
    clock: 'controlled',
    async run(open) {
      const { limits, clock } = await open()
      if (clock === undefined) throw new Error('this case needs a clock that can be set')
      const start = clock.nowMs()
      try {
        await body({ limits, ask: asking(limits), start, at: (ms) => clock.moveTo(start + ms) })
      } finally {
        await limits.close()
      }
    }
  }
}

const asking =
  (limits: Limits): Ask =>
  async (request = {}) =>
    await limits.consume({ bucket: 'account:a', limit: 3, ...request })

async function times(count: number, ask: () => Promise<RateLimitResult>): Promise<RateLimitResult[]> {
  const answers: RateLimitResult[] = []
  for (let asked = 0; asked < count; asked++) answers.push(await ask())
  return answers
}

export const limitsContract: readonly LimitsCase[] = [
  anyClock('exactly `limit` requests are allowed', async ({ ask }) => {
    const answers = await times(5, ask)
    assert.deepEqual(
      answers.map(({ allowed }) => allowed),
      [true, true, true, false, false]
    )
  }),

  anyClock('every result has the limit and the exact number of remaining requests', async ({ ask }) => {
    const answers = await times(4, ask)
    assert.deepEqual(
      answers.map(({ limit, remaining }) => [limit, remaining]),
      [
        [3, 2],
        [3, 1],
        [3, 0],
        [3, 0]
      ]
    )
  }),

  anyClock('concurrent requests never exceed the limit', async ({ ask }) => {
    const answers = await Promise.all(Array.from({ length: 200 }, async () => await ask({ limit: 50 })))
    assert.equal(answers.filter(({ allowed }) => allowed).length, 50)
    const remaining = answers.filter(({ allowed }) => allowed).map((answer) => answer.remaining)
    assert.deepEqual(
      remaining.sort((a, b) => a - b),
      Array.from({ length: 50 }, (_, index) => index)
    )
  }),

  anyClock('buckets are independent of each other', async ({ ask }) => {
    await times(4, ask)
    assert.deepEqual(pick(await ask({ bucket: 'account:b' })), { allowed: true, remaining: 2 })
    assert.deepEqual(pick(await ask({ bucket: 'account:a ' })), { allowed: true, remaining: 2 })
  }),

  anyClock('a request counts for its cost', async ({ ask }) => {
    assert.deepEqual(pick(await ask({ limit: 10, cost: 7 })), { allowed: true, remaining: 3 })
    assert.deepEqual(pick(await ask({ limit: 10, cost: 4 })), { allowed: false, remaining: 3 })
    assert.deepEqual(pick(await ask({ limit: 10, cost: 3 })), { allowed: true, remaining: 0 })
  }),

  anyClock('a request with cost 0 reads the bucket without counting', async ({ ask }) => {
    assert.deepEqual(pick(await ask({ cost: 0 })), { allowed: true, remaining: 3 })
    assert.deepEqual(pick(await ask({ cost: 0 })), { allowed: true, remaining: 3 })
    await times(3, ask)
    assert.deepEqual(pick(await ask({ cost: 0 })), { allowed: true, remaining: 0 })
  }),

  anyClock('a cost above the limit is rejected, counts nothing, and has a full window as its wait', async ({ ask }) => {
    const answer = await ask({ cost: 4 })
    assert.deepEqual(pick(answer), { allowed: false, remaining: 3 })
    assert.equal(answer.retryAfterMs, WINDOW_MS)
    assert.equal((await ask({ cost: 3 })).allowed, true)
  }),

  anyClock('a larger plan applies immediately, and earlier requests still count', async ({ ask }) => {
    await times(4, ask)
    assert.deepEqual(pick(await ask({ limit: 5 })), { allowed: true, remaining: 1 })
  }),

  anyClock('a smaller plan applies immediately, and `remaining` is never negative', async ({ ask }) => {
    await times(6, () => ask({ limit: 10 }))
    assert.deepEqual(pick(await ask({ limit: 2 })), { allowed: false, remaining: 0 })
    assert.deepEqual(pick(await ask({ limit: 2, cost: 0 })), { allowed: false, remaining: 0 })
    assert.deepEqual(pick(await ask({ limit: 10 })), { allowed: true, remaining: 3 })
  }),

  anyClock('a limit of 2,000 is as exact as a limit of 3', async ({ ask }) => {
    const answers = await times(2_001, () => ask({ limit: 2_000 }))
    assert.deepEqual(
      answers.map(({ remaining }) => remaining),
      [...Array.from({ length: 2_000 }, (_, index) => 1_999 - index), 0]
    )
    assert.deepEqual(answers.map(({ allowed }) => allowed).lastIndexOf(true), 1_999)
  }),

  anyClock(
    'the reset is one window after the first request, in Unix milliseconds, and matches the wait',
    async ({ ask }) => {
      const [first, , , refused] = (await times(4, ask)) as [
        RateLimitResult,
        RateLimitResult,
        RateLimitResult,
        RateLimitResult
      ]
      assert.ok(Math.abs(first.resetAt - WINDOW_MS - Date.now()) < 60_000)
      assert.equal(refused.resetAt, first.resetAt)
      assert.equal(first.retryAfterMs, 0)
      assert.ok(
        refused.retryAfterMs > WINDOW_MS - 60_000 && refused.retryAfterMs <= WINDOW_MS,
        `waits ${refused.retryAfterMs} ms`
      )
      assert.ok([refused.resetAt, refused.retryAfterMs].every(Number.isInteger), 'whole milliseconds')
    }
  ),

  anyClock('without an account both epochs are 0', async ({ ask }) => {
    const { keyEpoch, contentEpoch } = await ask()
    assert.deepEqual([keyEpoch, contentEpoch], [0, 0])
  }),

  anyClock('the epochs of an account only change when they are raised', async ({ ask }) => {
    const before = await ask({ account: 'a' })
    await ask({ bucket: 'user:u' })
    const after = await ask({ account: 'a' })
    assert.ok(before.keyEpoch > 0 && before.contentEpoch > 0)
    assert.deepEqual([after.keyEpoch, after.contentEpoch], [before.keyEpoch, before.contentEpoch])
  }),

  anyClock(
    'the next result has a raised epoch; the other kind and other accounts do not change',
    async ({ limits, ask }) => {
      const [mine, other] = [await ask({ account: 'a' }), await ask({ bucket: 'account:b', account: 'b' })]
      const raised = await limits.bumpEpoch('a', 'keys')
      const after = await ask({ account: 'a' })
      assert.ok(raised > mine.keyEpoch)
      assert.deepEqual([after.keyEpoch, after.contentEpoch], [raised, mine.contentEpoch])
      const content = await limits.bumpEpoch('a', 'content')
      const last = await ask({ account: 'a', cost: 0 })
      assert.ok(content > mine.contentEpoch)
      assert.deepEqual([last.keyEpoch, last.contentEpoch], [raised, content])
      const untouched = await ask({ bucket: 'account:b', account: 'b' })
      assert.deepEqual([untouched.keyEpoch, untouched.contentEpoch], [other.keyEpoch, other.contentEpoch])
    }
  ),

  anyClock('epochs always increase, even if they are raised concurrently', async ({ limits }) => {
    const raised: number[] = []
    for (let round = 0; round < 100; round++) raised.push(await limits.bumpEpoch('a', 'keys'))
    assert.deepEqual(
      raised,
      [...new Set(raised)].sort((a, b) => a - b)
    )
    const together = await Promise.all(Array.from({ length: 50 }, async () => await limits.bumpEpoch('a', 'keys')))
    assert.equal(new Set(together).size, 50)
    assert.ok(Math.min(...together) > (raised.at(-1) as number))
  }),

  anyClock('a missing epoch starts at the clock, above all epochs of an earlier log', async ({ limits, ask }) => {
    const { keyEpoch, contentEpoch, resetAt } = await ask({ account: 'a' })
    // Microseconds: resetAt is the same moment in milliseconds, and a window later.
    const started = (resetAt - WINDOW_MS) * 1000
    assert.ok(Math.abs(keyEpoch - started) < 60_000_000, `${keyEpoch} is not about ${started}`)
    assert.ok(Math.abs(contentEpoch - started) < 60_000_000)
    assert.ok((await limits.bumpEpoch('unseen', 'content')) >= started - 60_000_000)
  }),

  anyClock('the result of a rejected request has the epochs', async ({ limits, ask }) => {
    await times(3, ask)
    const raised = await limits.bumpEpoch('a', 'keys')
    const refused = await ask({ account: 'a' })
    assert.deepEqual([refused.allowed, refused.keyEpoch], [false, raised])
  }),

  anyClock('only the bucket of an account returns its epochs; other buckets throw a RangeError', async ({ ask }) => {
    await assert.rejects(ask({ bucket: 'user:a', account: 'a' }), RangeError)
    await assert.rejects(ask({ bucket: 'account:a', account: 'b' }), RangeError)
  }),

  anyClock('an invalid limit or cost is a bug and counts nothing', async ({ ask }) => {
    for (const wrong of [
      { limit: 0 },
      { limit: 1.5 },
      { limit: NaN },
      { limit: 5, cost: -1 },
      { limit: 5, cost: 0.5 }
    ]) {
      await assert.rejects(ask(wrong), RangeError)
    }
    assert.equal((await ask({ cost: 0 })).remaining, 3)
  }),

  anyClock('account names may contain any characters', async ({ limits, ask }) => {
    const names = ['a', 'a}', '{a}', '}', '{}', 'a:b', 'a b', 'ä\n"', '*', 'a}:log', '0']
    const answers: RateLimitResult[] = []
    for (const account of names) answers.push(await ask({ bucket: `account:${account}`, account }))
    assert.deepEqual(
      answers.map(({ remaining }) => remaining),
      names.map(() => 2)
    )
    await limits.bumpEpoch('a}', 'keys')
    for (const [index, account] of names.entries()) {
      const { keyEpoch } = await ask({ bucket: `account:${account}`, account, cost: 0 })
      assert.equal(keyEpoch !== (answers[index] as RateLimitResult).keyEpoch, account === 'a}', account)
    }
  }),

  anyClock('ping resolves when the log is available', async ({ limits }) => {
    await limits.ping()
  }),

  controlled('a request leaves the window after exactly one hour, not a microsecond earlier', async ({ ask, at }) => {
    await times(3, ask)
    at(WINDOW_MS - 0.001)
    assert.equal((await ask()).allowed, false)
    at(WINDOW_MS)
    assert.deepEqual(pick(await ask()), { allowed: true, remaining: 2 })
  }),

  controlled('the window slides: no hour contains more requests than the limit', async ({ ask, at }) => {
    const admittedAt: number[] = []
    for (let minute = 0; minute < 300; minute += 7) {
      at(minute * 60_000)
      for (const { allowed } of await times(2, ask)) if (allowed) admittedAt.push(minute)
    }
    const fullest = admittedAt.map((end) => admittedAt.filter((other) => other > end - 60 && other <= end).length)
    assert.equal(Math.max(...fullest), 3)
    assert.equal(admittedAt.length, 15)
  }),

  controlled(
    'rejected requests do not count, so a client that retries is allowed when the oldest leaves',
    async ({ ask, at }) => {
      await times(3, ask)
      at(WINDOW_MS / 2)
      await times(50, ask)
      at(WINDOW_MS)
      assert.equal((await ask()).allowed, true)
    }
  ),

  controlled('the reset is when the oldest counted request leaves the window', async ({ ask, at, start }) => {
    await ask()
    at(1_000)
    await ask()
    assert.equal((await ask({ cost: 0 })).resetAt, start + WINDOW_MS)
    at(WINDOW_MS)
    assert.equal((await ask({ cost: 0 })).resetAt, start + 1_000 + WINDOW_MS)
  }),

  controlled('the reset of an empty bucket is one window from now', async ({ ask, at, start }) => {
    assert.equal((await ask({ cost: 0 })).resetAt, start + WINDOW_MS)
    assert.equal((await ask()).resetAt, start + WINDOW_MS)
    at(3 * WINDOW_MS)
    assert.deepEqual(await ask({ cost: 0 }), {
      allowed: true,
      limit: 3,
      remaining: 3,
      resetAt: start + 4 * WINDOW_MS,
      retryAfterMs: 0,
      keyEpoch: 0,
      contentEpoch: 0
    })
  }),

  controlled('a retry after the reported wait is allowed, a millisecond earlier it is not', async ({ ask, at }) => {
    for (const second of [0, 10, 20]) {
      at(second * 1000)
      await ask()
    }
    at(30_000)
    const { retryAfterMs } = await ask()
    assert.equal(retryAfterMs, WINDOW_MS - 30_000)
    at(30_000 + retryAfterMs - 1)
    assert.equal((await ask()).allowed, false)
    at(30_000 + retryAfterMs)
    assert.equal((await ask()).allowed, true)
  }),

  controlled('the wait of a request with cost 2 ends when the second oldest request leaves', async ({ ask, at }) => {
    for (const second of [0, 10, 20]) {
      at(second * 1000)
      await ask()
    }
    const { retryAfterMs } = await ask({ cost: 2 })
    assert.equal(retryAfterMs, WINDOW_MS - 10_000)
    at(20_000 + retryAfterMs - 1)
    assert.equal((await ask({ cost: 2 })).allowed, false)
    at(20_000 + retryAfterMs)
    assert.deepEqual(pick(await ask({ cost: 2 })), { allowed: true, remaining: 0 })
  }),

  controlled('a request that costs more than the limit waits a full window', async ({ ask, at }) => {
    await ask()
    at(10_000)
    assert.equal((await ask({ cost: 4 })).retryAfterMs, WINDOW_MS)
  }),

  controlled(
    'after a change to a smaller plan, the wait lasts until enough requests have left',
    async ({ ask, at }) => {
      for (const second of [0, 10, 20, 30]) {
        at(second * 1000)
        await ask({ limit: 10 })
      }
      assert.equal((await ask({ limit: 2 })).retryAfterMs, WINDOW_MS - 10_000)
      at(WINDOW_MS + 19_999)
      assert.equal((await ask({ limit: 2 })).allowed, false)
      at(WINDOW_MS + 20_000)
      assert.equal((await ask({ limit: 2 })).allowed, true)
    }
  ),

  controlled(
    'times are stored in microseconds and reported in milliseconds, rounded up',
    async ({ ask, at, start }) => {
      at(0.001)
      const first = await ask({ limit: 1 })
      assert.equal(first.resetAt, start + 1 + WINDOW_MS)
      at(0.002)
      assert.equal((await ask({ limit: 1 })).retryAfterMs, WINDOW_MS)
      at(WINDOW_MS)
      assert.equal((await ask({ limit: 1 })).allowed, false)
      at(WINDOW_MS + 0.001)
      assert.equal((await ask({ limit: 1 })).allowed, true)
    }
  ),

  controlled('a clock that is set back allows no request early and extends no wait', async ({ ask, at, start }) => {
    at(60_000)
    await times(3, ask)
    at(0)
    const refused = await ask()
    assert.deepEqual(
      [refused.allowed, refused.resetAt, refused.retryAfterMs],
      [false, start + 60_000 + WINDOW_MS, WINDOW_MS + 60_000]
    )
    at(WINDOW_MS + 59_999)
    assert.equal((await ask()).allowed, false)
    at(WINDOW_MS + 60_000)
    assert.equal((await ask()).allowed, true)
  }),

  controlled('requests while the clock is behind count from the newest time in the log', async ({ ask, at, start }) => {
    at(60_000)
    await ask({ limit: 2 })
    at(0)
    assert.deepEqual(pick(await ask({ limit: 2 })), { allowed: true, remaining: 0 })
    at(WINDOW_MS + 59_999)
    assert.deepEqual(pick(await ask({ limit: 2, cost: 0 })), { allowed: true, remaining: 0 })
    at(WINDOW_MS + 60_000)
    const after = await ask({ limit: 2, cost: 0 })
    assert.deepEqual([after.remaining, after.resetAt], [2, start + 2 * WINDOW_MS + 60_000])
  }),

  anyClock('a refunded request leaves its room to another one', async ({ limits, ask }) => {
    await times(3, ask)
    assert.equal((await ask()).allowed, false)
    assert.deepEqual(pick(await limits.refund({ bucket: 'account:a', limit: 3 })), { allowed: true, remaining: 1 })
    assert.deepEqual(pick(await ask()), { allowed: true, remaining: 0 })
    assert.equal((await ask()).allowed, false)
  }),

  anyClock('a refund of a bucket without requests changes nothing', async ({ limits, ask }) => {
    assert.deepEqual(pick(await limits.refund({ bucket: 'account:a', limit: 3 })), { allowed: true, remaining: 3 })
    assert.equal((await ask()).remaining, 2)
    assert.equal((await limits.refund({ bucket: 'account:b', limit: 3 })).remaining, 3, 'another bucket')
    assert.equal((await ask()).remaining, 1)
  }),

  anyClock('a refund returns the epochs of the account', async ({ limits, ask }) => {
    const { keyEpoch, contentEpoch } = await ask({ account: 'a' })
    const refunded = await limits.refund({ bucket: 'account:a', limit: 3, account: 'a' })
    assert.deepEqual([refunded.keyEpoch, refunded.contentEpoch], [keyEpoch, contentEpoch])
  }),

  controlled('a refund takes back the newest request', async ({ limits, ask, at, start }) => {
    await ask()
    at(10_000)
    await ask()
    at(20_000)
    const refunded = await limits.refund({ bucket: 'account:a', limit: 3 })
    assert.deepEqual([refunded.remaining, refunded.resetAt], [2, start + WINDOW_MS])
    at(WINDOW_MS)
    assert.equal((await ask({ cost: 0 })).remaining, 3, 'the oldest request has left')
  }),

  controlled('epochs increase even if the clock is set back', async ({ limits, ask, at }) => {
    const before = await limits.bumpEpoch('a', 'keys')
    at(-1_000)
    const after = await limits.bumpEpoch('a', 'keys')
    assert.ok(after > before)
    assert.equal((await ask({ account: 'a' })).keyEpoch, after)
  })
]

const pick = ({ allowed, remaining }: RateLimitResult) => ({ allowed, remaining })
