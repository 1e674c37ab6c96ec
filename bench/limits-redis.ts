import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { openRedisLimits } from '../ports/limits/redis/index.ts'
import type { Bench, BenchRow } from './harness/bench.ts'
import { measureInTurn } from './harness/in-turn.ts'
import { median } from './harness/statistics.ts'

/** Calls of a measurement, one at a time. */
const CALLS = 2_000
/** Calls at the same time, and how often. */
const CONCURRENCY = 32
const WAVES = 50

type WithEmptyScript = Redis & { emptyScript: (...args: Array<string | number>) => Promise<number> }
type Call = () => Promise<unknown>

const BARE = 'bare round trip'
const PIPELINED = 'bare round trip, automatic pipelining'

/** Median of a call in microseconds, one at a time. */
async function measureSequential(call: Call): Promise<number> {
  const timesUs: number[] = []
  for (let index = 0; index < CALLS; index++) {
    const start = performance.now()
    await call()
    timesUs.push((performance.now() - start) * 1000)
  }
  return median(timesUs)
}

/** Microseconds per call, with many at the same time. */
async function measureConcurrent(call: Call): Promise<number> {
  const start = performance.now()
  for (let wave = 0; wave < WAVES; wave++) await Promise.all(Array.from({ length: CONCURRENCY }, call))
  return ((performance.now() - start) * 1000) / WAVES / CONCURRENCY
}

export const bench: Bench = {
  summary:
    'One rate limit decision on Redis (REDIS_URL), compared with a bare round trip: an empty script. ' +
    'The target is at most 1.1 round trips.',
  async run({ rounds }) {
    const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'
    const prefix = `bench-${randomUUID()}`
    const limits = await openRedisLimits({ url, prefix })
    const bare = new Redis(url)
    const pipelined = new Redis(url, { enableAutoPipelining: true })
    for (const redis of [bare, pipelined]) redis.defineCommand('emptyScript', { lua: 'return 1', numberOfKeys: 2 })
    const [log, epochs] = [`{${prefix}:account:bare}:log`, `{${prefix}:account:bare}:epochs`]
    const calls: Record<string, Call> = {
      [BARE]: async () => await (bare as WithEmptyScript).emptyScript(log, epochs, 2_000, 1, ''),
      'decision, allowed': async () =>
        await limits.consume({ bucket: 'account:below-limit', account: 'below-limit', limit: 10_000_000 }),
      'decision, limited': async () => await limits.consume({ bucket: 'account:full', account: 'full', limit: 1 }),
      'decision without an account': async () =>
        await limits.consume({ bucket: 'address:127.0.0.1', limit: 10_000_000 }),
      [PIPELINED]: async () => await (pipelined as WithEmptyScript).emptyScript(log, epochs, 2_000, 1, '')
    }
    const rows: BenchRow[] = []
    for (const [suffix, measure] of [
      ['one at a time', measureSequential],
      [`${CONCURRENCY} at a time`, measureConcurrent]
    ] as const) {
      const sides = Object.entries(calls).map(([name, call]) => ({ name, measure: async () => await measure(call) }))
      const values = await measureInTurn(sides, rounds)
      for (const name of Object.keys(calls)) {
        const baseline = name === BARE ? {} : { baseline: { name: BARE, values: values.get(BARE)! } }
        rows.push({ name: `${name}, ${suffix}`, unit: 'µs', values: values.get(name)!, ...baseline })
      }
    }
    for await (const keys of bare.scanStream({ match: `{${prefix}:*` }) as AsyncIterable<string[]>) {
      if (keys.length > 0) await bare.unlink(...keys)
    }
    await limits.close()
    for (const redis of [bare, pipelined]) redis.disconnect()
    return rows
  }
}
