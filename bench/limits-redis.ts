/**
 * Compares a rate limit decision on Redis with a bare round trip, an empty script:
 * `REDIS_URL=redis://… node bench/limits-redis.ts`.
 *
 * Medians of alternating calls, one at a time and 32 concurrently, also with automatic pipelining of
 * ioredis. Prints JSON. The exit code is 1 if a decision takes more than 1.1 round trips.
 */
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { openRedisLimits } from '../ports/limits/redis/index.ts'

const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'
const SEQUENTIAL_CALLS = 5_000
const ROUNDS = 15
const CONCURRENCY = 32
const WAVES = 50
const MAX_RATIO = 1.1

const prefix = `bench-${randomUUID()}`
const limits = await openRedisLimits({ url, prefix })
const bare = new Redis(url)
const pipelined = new Redis(url, { enableAutoPipelining: true })
type WithEmptyScript = Redis & { emptyScript: (...args: Array<string | number>) => Promise<number> }
for (const redis of [bare, pipelined]) redis.defineCommand('emptyScript', { lua: 'return 1', numberOfKeys: 2 })
const [log, epochs] = [`{${prefix}:account:bare}:log`, `{${prefix}:account:bare}:epochs`]

const kinds: Record<string, () => Promise<unknown>> = {
  'bare round trip': () => (bare as WithEmptyScript).emptyScript(log, epochs, 2_000, 1, ''),
  'decision, allowed': async () =>
    await limits.consume({ bucket: 'account:below-limit', account: 'below-limit', limit: 10_000_000 }),
  'decision, limited': async () => await limits.consume({ bucket: 'account:full', account: 'full', limit: 1 }),
  'decision without an account': async () => await limits.consume({ bucket: 'address:127.0.0.1', limit: 10_000_000 }),
  'bare round trip, automatic pipelining': () => (pipelined as WithEmptyScript).emptyScript(log, epochs, 2_000, 1, '')
}
const titles = Object.keys(kinds)
const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[numbers.length >> 1] as number
const rounded = (us: Record<string, number>) =>
  Object.fromEntries(Object.entries(us).map(([title, value]) => [title, Math.round(value * 10) / 10]))

/** Rotates the order, so that no kind always runs after a pause. */
const rotate = (round: number): string[] => [
  ...titles.slice(round % titles.length),
  ...titles.slice(0, round % titles.length)
]

async function measureSequential(): Promise<Record<string, number>> {
  const timesUs = new Map(titles.map((title) => [title, [] as number[]]))
  for (let round = 0; round < SEQUENTIAL_CALLS; round++) {
    for (const title of rotate(round)) {
      const start = performance.now()
      await kinds[title]!()
      timesUs.get(title)!.push((performance.now() - start) * 1000)
    }
  }
  return Object.fromEntries(titles.map((title) => [title, median(timesUs.get(title)!)]))
}

async function measureConcurrent(): Promise<Record<string, number>> {
  const timesUs = new Map(titles.map((title) => [title, [] as number[]]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const title of rotate(round)) {
      const start = performance.now()
      for (let wave = 0; wave < WAVES; wave++) await Promise.all(Array.from({ length: CONCURRENCY }, kinds[title]!))
      timesUs.get(title)!.push(((performance.now() - start) * 1000) / WAVES / CONCURRENCY)
    }
  }
  return Object.fromEntries(titles.map((title) => [title, median(timesUs.get(title)!)]))
}

for (const title of titles) await kinds[title]!()
const sequential = await measureSequential()
const concurrent = await measureConcurrent()
const ratio = (sequential['decision, allowed'] as number) / (sequential['bare round trip'] as number)
console.log(
  JSON.stringify(
    {
      maxRatio: MAX_RATIO,
      ratio: Math.round(ratio * 1000) / 1000,
      sequentialUs: rounded(sequential),
      [`concurrentUs (${CONCURRENCY} at a time)`]: rounded(concurrent)
    },
    null,
    2
  )
)

for await (const keys of bare.scanStream({ match: `{${prefix}:*` }) as AsyncIterable<string[]>) {
  if (keys.length > 0) await bare.unlink(...keys)
}
await limits.close()
for (const redis of [bare, pipelined]) redis.disconnect()
if (ratio > MAX_RATIO) process.exitCode = 1
