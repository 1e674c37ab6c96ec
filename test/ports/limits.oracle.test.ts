import t from 'tap'
import { openMemoryLimits } from '../../ports/limits/memory.ts'
import { WINDOW_MS } from '../../ports/limits/port.ts'
import type { AdmissionRequest } from '../../ports/limits/port.ts'
import { createLimitsOracle } from '../fixtures/limits/limits-oracle.ts'
import { createSeededRandom } from '../fixtures/seeded-random.ts'

const SCHEDULES = 10_000
const WINDOW_US = WINDOW_MS * 1000
const START_US = 1_800_000_000_000_000
/** A clock may be set back by so much in all before an idle bucket may have been forgotten. */
const MOST_BACK_US = 600_000_000

// The seed can be given to repeat a run that failed: tap test/ports/limits.oracle.test.ts --test-arg=<seed>
const seed = Number(process.argv[2] ?? Date.now() % 2 ** 32)
const counts = { decisions: 0, refused: 0, overAdmissions: 0, wrongRefusals: 0, wrongRemaining: 0, wrongReset: 0, wrongRetryAfter: 0, retries: 0, retriesAtReset: 0, failedRetries: 0, earlyRetries: 0 }

/** One schedule: a few buckets, bursts and pauses, costs, changes of plan, steps of the clock, retries when the answer said so. */
function runSchedule (random: () => number): void {
  const upTo = (most: number) => Math.floor(random() * most)
  const oracle = createLimitsOracle()
  let nowUs = START_US + upTo(WINDOW_US)
  let furthestUs = nowUs
  const limits = openMemoryLimits({ now: () => nowUs })
  const buckets = Array.from({ length: 1 + upTo(3) }, (_, index) => ({ bucket: `b${index}`, limit: 1 + upTo(50) }))
  const moveTo = (us: number) => {
    nowUs = us
    furthestUs = Math.max(furthestUs, us)
  }
  const move = () => {
    const kind = random()
    if (kind < 0.3) return
    if (kind < 0.5) moveTo(nowUs + upTo(2_000))
    else if (kind < 0.8) moveTo(nowUs + upTo(WINDOW_US / 20))
    else if (kind < 0.92) moveTo(nowUs + upTo(WINDOW_US))
    else if (kind < 0.94) moveTo(nowUs + 2 * WINDOW_US + upTo(WINDOW_US))
    else moveTo(Math.max(nowUs - upTo(MOST_BACK_US), furthestUs - MOST_BACK_US))
  }

  const ask = (request: AdmissionRequest) => {
    const answer = limits.admit(request)
    const truth = oracle(request, nowUs)
    counts.decisions++
    if (!truth.admitted) counts.refused++
    if (answer.admitted && !truth.admitted) counts.overAdmissions++
    if (!answer.admitted && truth.admitted) counts.wrongRefusals++
    if (answer.remaining !== truth.remaining) counts.wrongRemaining++
    if (answer.resetAt !== truth.resetAt) counts.wrongReset++
    if (answer.retryAfterMs !== truth.retryAfterMs) counts.wrongRetryAfter++
    return answer
  }

  for (let step = 0; step < 25; step++) {
    move()
    const plan = buckets[upTo(buckets.length)] as { bucket: string, limit: number }
    if (random() < 0.05) plan.limit = 1 + upTo(50)
    const burst = random() < 0.2 ? upTo(20) : 1
    for (let asked = 0; asked < burst; asked++) {
      const cost = random() < 0.7 ? 1 : upTo(6)
      const { admitted, resetAt, retryAfterMs } = ask({ ...plan, cost })
      if (admitted || cost > plan.limit || random() < 0.7) continue
      counts.retries++
      // Where one place is all that is missing, Reset and Retry-After are the same moment.
      const oneMissing = cost === 1 && ask({ ...plan, limit: plan.limit + 1, cost: 0 }).remaining === 1
      if (oneMissing) counts.retriesAtReset++
      const [earlyUs, dueUs] = [nowUs + (retryAfterMs - 1) * 1000, nowUs + retryAfterMs * 1000]
      moveTo(earlyUs)
      if (ask({ ...plan, cost }).admitted) counts.earlyRetries++
      moveTo(oneMissing ? resetAt * 1000 : dueUs)
      if (!ask({ ...plan, cost }).admitted) counts.failedRetries++
    }
  }
}

t.test(`${SCHEDULES} random schedules are decided exactly as by counting everything by hand (seed ${seed})`, async (t) => {
  const random = createSeededRandom(seed)
  for (let schedule = 0; schedule < SCHEDULES; schedule++) runSchedule(random)
  t.comment(JSON.stringify(counts))
  const { decisions, refused, retries, retriesAtReset, ...wrong } = counts
  t.same(wrong, { overAdmissions: 0, wrongRefusals: 0, wrongRemaining: 0, wrongReset: 0, wrongRetryAfter: 0, failedRetries: 0, earlyRetries: 0 })
  t.ok(decisions > 40 * SCHEDULES, `${decisions} decisions`)
  t.ok(refused > decisions / 20, `${refused} of them refusals`)
  t.ok(retries > SCHEDULES, `${retries} retries`)
  t.ok(retriesAtReset > SCHEDULES, `${retriesAtReset} of them at Reset`)
})
