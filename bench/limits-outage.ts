/**
 * Compares rules for rate limits while Redis is unavailable: `node bench/limits-outage.ts`.
 *
 * A seeded simulation of four processes behind a load balancer, in virtual time. Redis has the exact
 * sliding log. During the outage each process decides by one of the rules. An oracle records every
 * allowed request. For each rule, over all runs of a scenario:
 *   over      requests above the limit in the worst hour, mean and max
 *   over %    the max, in percent of the limit
 *   denied %  requests denied although the last hour was below the limit, in percent of the requests
 *             that an exact limiter allows. The oracle counts such a request as used.
 *   bound     runs with more than `limit + processes` requests in some hour
 * SEED (default 1) and RUNS (default 10 per scenario) can be set. DETAILS=1 prints every scenario.
 */
import { createLocalLimits } from '../ports/limits/redis/local-limits.ts'
import { createTimeRing, decide, push, timeAt, WINDOW_US, type TimeRing } from '../ports/limits/sliding-log.ts'
import { createSeededRandom } from '../test/fixtures/seeded-random.ts'

const PROCESSES = 4
const SEED = Number(process.env.SEED ?? 1)
const RUNS = Number(process.env.RUNS ?? 10)
const MINUTE_US = 60_000_000

interface Scenario {
  limit: number
  outageMin: number
  /** The share of the limit that is used when the outage starts. */
  fill: number
  /** `steady`: 1.5 × the limit in each hour. `burst`: 1.5 × the limit in the outage's first minute. */
  demand: 'steady' | 'burst'
  /** The share of the requests that the first process gets; the others share the rest. */
  balance: 'even' | 'skewed'
}

/** The decisions of a process. `outage` runs without Redis, `recover` when Redis is back. */
interface Rule {
  shared: (process: number, at: number) => boolean
  outage: (process: number, at: number) => boolean
  begin: () => void
  recover: (at: number) => void
}

const BUCKET = 'account:a'

/** The rule of the adapter: warm local limits, a share of the remaining requests, and a final sync. */
function currentRule(limit: number, clock: { at: number }): Rule {
  const log = createTimeRing()
  const processes = Array.from({ length: PROCESSES }, () =>
    createLocalLimits({ now: () => clock.at, instances: () => PROCESSES })
  )
  let outageFrom = Infinity
  return {
    shared(process, at) {
      const { allowed, remaining, resetAt } = decide(log, { limit, cost: 1 }, at)
      const decision = {
        allowed,
        counted: limit - remaining,
        resetUs: resetAt * 1000,
        timeUs: at,
        waitUs: 0,
        epochs: null
      }
      processes[process]!.record(BUCKET, decision, { cost: 1, isComplete: true })
      return allowed
    },
    begin: () => {
      outageFrom = clock.at
    },
    outage: (process) => processes[process]!.consume({ bucket: BUCKET, limit }).allowed,
    recover() {
      for (const local of processes) for (const { timesUs } of local.allowedSince(outageFrom)) merge(log, timesUs)
    }
  }
}

/**
 * The simple rule: a fresh in-process window of `limit / instances` during the outage. `sync` merges
 * its requests into the shared log afterwards.
 */
function simpleRule(limit: number, { sync }: { sync: boolean }): Rule {
  const log = createTimeRing()
  let rings: TimeRing[] = []
  return {
    shared: (_process, at) => decide(log, { limit, cost: 1 }, at).allowed,
    begin: () => {
      rings = Array.from({ length: PROCESSES }, createTimeRing)
    },
    outage: (process, at) => decide(rings[process]!, { limit: Math.ceil(limit / PROCESSES), cost: 1 }, at).allowed,
    recover() {
      if (sync) for (const ring of rings) merge(log, getTimes(ring))
    }
  }
}

/** Denies every request during the outage. */
function failClosed(limit: number): Rule {
  return { ...simpleRule(limit, { sync: false }), outage: () => false }
}

/** Allows everything during the outage. */
function failOpen(limit: number): Rule {
  return { ...simpleRule(limit, { sync: false }), outage: () => true }
}

const RULES: Record<string, (limit: number, clock: { at: number }) => Rule> = {
  'local limits with sync (adapter)': currentRule,
  'limit / instances': (limit) => simpleRule(limit, { sync: false }),
  'limit / instances with sync': (limit) => simpleRule(limit, { sync: true }),
  'deny all': failClosed,
  'allow all': failOpen
}

const getTimes = (ring: TimeRing): number[] => Array.from({ length: ring.length }, (_, index) => timeAt(ring, index))

function merge(log: TimeRing, timesUs: readonly number[]): void {
  const all = [...getTimes(log), ...timesUs].sort((a, b) => a - b)
  log.length = 0
  for (const time of all) push(log, time)
}

interface Arrival {
  at: number
  process: number
}

/** Two hours before the outage (so that the window is in a steady state) and one after it. */
function generateArrivals(
  { limit, outageMin, fill, demand, balance }: Scenario,
  random: () => number
): {
  arrivals: Arrival[]
  from: number
  until: number
} {
  const from = 120 * MINUTE_US
  const until = from + outageMin * MINUTE_US
  const pick = () => (balance === 'skewed' && random() < 0.7 ? 0 : Math.floor(random() * PROCESSES))
  const arrivals: Arrival[] = []
  const spread = (count: number, start: number, length: number) => {
    for (let added = 0; added < count; added++) {
      arrivals.push({ at: Math.floor(start + random() * length), process: pick() })
    }
  }
  // The requests of the hour before the outage.
  spread(Math.round(limit * fill), from - 59 * MINUTE_US, 58 * MINUTE_US)
  if (demand === 'burst') spread(Math.round(limit * 1.5), from, Math.min(1, outageMin) * MINUTE_US)
  else spread(Math.round((limit * 1.5 * outageMin) / 60), from, outageMin * MINUTE_US)
  // After the outage the demand continues at 1.5 × the limit.
  spread(Math.round(limit * 1.5), until, 60 * MINUTE_US)
  return { arrivals: arrivals.sort((a, b) => a.at - b.at), from, until }
}

interface Outcome {
  over: number
  wronglyDenied: number
  exactlyAllowed: number
}

function simulate(scenario: Scenario, make: (typeof RULES)[string], random: () => number): Outcome {
  const { arrivals, from, until } = generateArrivals(scenario, random)
  const clock = { at: 0 }
  const rule = make(scenario.limit, clock)
  const exact = createTimeRing()
  /** The oracle: the times of allowed requests, and of those that an exact limiter would count. */
  const allowedAt: number[] = []
  const exactAt: number[] = []
  const inLastHour = (times: number[], at: number): number => {
    while (times.length > 0 && times[0]! <= at - WINDOW_US) times.shift()
    return times.length
  }
  let [over, wronglyDenied, exactlyAllowed] = [0, 0, 0]
  let state: 'before' | 'during' | 'after' = 'before'
  for (const { at, process } of arrivals) {
    clock.at = at
    if (state === 'before' && at >= from) {
      state = 'during'
      rule.begin()
    }
    if (state === 'during' && at >= until) {
      state = 'after'
      rule.recover(at)
    }
    if (decide(exact, { limit: scenario.limit, cost: 1 }, at).allowed) exactlyAllowed += 1
    const isBelowLimit = inLastHour(exactAt, at) < scenario.limit
    const isAllowed = state === 'during' ? rule.outage(process, at) : rule.shared(process, at)
    if (isAllowed) {
      allowedAt.push(at)
      over = Math.max(over, inLastHour(allowedAt, at) - scenario.limit)
    } else if (isBelowLimit) wronglyDenied += 1
    if (isAllowed || isBelowLimit) exactAt.push(at)
  }
  return { over, wronglyDenied, exactlyAllowed }
}

const scenarios: Scenario[] = [100, 500, 2_000].flatMap((limit) =>
  [1 / 6, 1, 10, 60].flatMap((outageMin) =>
    [0, 0.5, 0.9].flatMap((fill) =>
      (['steady', 'burst'] as const).flatMap((demand) =>
        (['even', 'skewed'] as const).map((balance) => ({ limit, outageMin, fill, demand, balance }))
      )
    )
  )
)

interface Row {
  rule: string
  runs: number
  'over (mean)': number
  'over (max)': number
  'over %': number
  'denied %': number
  bound: number
}

function measure(title: string, some: readonly Scenario[]): void {
  const rows: Row[] = []
  for (const [name, make] of Object.entries(RULES)) {
    let [runs, overSum, overMax, overShare, denied, exactlyAllowed, bound] = [0, 0, 0, 0, 0, 0, 0]
    for (const scenario of some) {
      for (let run = 0; run < RUNS; run++) {
        const random = createSeededRandom(SEED * 1_000_003 + scenarios.indexOf(scenario) * 1_009 + run)
        const outcome = simulate(scenario, make, random)
        runs += 1
        overSum += outcome.over
        overMax = Math.max(overMax, outcome.over)
        overShare = Math.max(overShare, outcome.over / scenario.limit)
        denied += outcome.wronglyDenied
        exactlyAllowed += outcome.exactlyAllowed
        if (outcome.over > PROCESSES) bound += 1
      }
    }
    rows.push({
      rule: name,
      runs,
      'over (mean)': Math.round((overSum / runs) * 10) / 10,
      'over (max)': overMax,
      'over %': Math.round(overShare * 1000) / 10,
      'denied %': Math.round((denied / exactlyAllowed) * 1000) / 10,
      bound
    })
  }
  console.log(`\n${title}: ${some.length} scenarios`)
  console.table(Object.fromEntries(rows.map(({ rule, ...row }) => [rule, row])))
}

measure('All scenarios', scenarios)
for (const balance of ['even', 'skewed'] as const) {
  for (const demand of ['steady', 'burst'] as const) {
    measure(
      `${demand} demand, ${balance} balance`,
      scenarios.filter((one) => one.demand === demand && one.balance === balance)
    )
  }
}
for (const limit of [100, 500, 2_000]) {
  measure(
    `Limit ${limit} an hour`,
    scenarios.filter((one) => one.limit === limit)
  )
}
if (process.env.DETAILS === '1') {
  for (const one of scenarios) measure(JSON.stringify(one), [one])
}
