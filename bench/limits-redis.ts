/**
 * How long one decision over Redis takes beside a bare round trip, a script that does nothing:
 * `REDIS_URL=redis://… node bench/limits-redis.ts`.
 * One at a time and 32 at a time, in turn, medians; also with ioredis's automatic pipelines. Prints
 * JSON; exit code 1 when one decision takes more than a bare round trip and 10 %.
 */
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { openRedisLimits } from '../ports/limits/redis/index.ts'

const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'
const ONE_BY_ONE = 5_000
const ROUNDS = 15
const AT_ONCE = 32
const WAVES = 50
const MOST = 1.1

const prefix = `bench-${randomUUID()}`
const limits = await openRedisLimits({ url, prefix })
const bare = new Redis(url)
const piped = new Redis(url, { enableAutoPipelining: true })
type Nothing = Redis & { nothing: (...words: Array<string | number>) => Promise<number> }
for (const redis of [bare, piped]) redis.defineCommand('nothing', { lua: 'return 1', numberOfKeys: 2 })
const [log, epochs] = [`{${prefix}:account:bare}:log`, `{${prefix}:account:bare}:epochs`]

const kinds: Record<string, () => Promise<unknown>> = {
  'a bare round trip': () => (bare as Nothing).nothing(log, epochs, 2_000, 1, ''),
  'a decision, admitted': async () =>
    await limits.consume({ bucket: 'account:roomy', account: 'roomy', limit: 10_000_000 }),
  'a decision, refused': async () => await limits.consume({ bucket: 'account:full', account: 'full', limit: 1 }),
  'a decision without an account': async () => await limits.consume({ bucket: 'address:127.0.0.1', limit: 10_000_000 }),
  'a bare round trip, automatic pipelines': () => (piped as Nothing).nothing(log, epochs, 2_000, 1, '')
}
const titles = Object.keys(kinds)
const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[numbers.length >> 1] as number
const rounded = (us: Record<string, number>) =>
  Object.fromEntries(Object.entries(us).map(([title, value]) => [title, Math.round(value * 10) / 10]))

/** Begins with another kind each time, so that none is always the one after a pause. */
const inTurn = (round: number): string[] => [
  ...titles.slice(round % titles.length),
  ...titles.slice(0, round % titles.length)
]

async function oneByOne(): Promise<Record<string, number>> {
  const took = new Map(titles.map((title) => [title, [] as number[]]))
  for (let round = 0; round < ONE_BY_ONE; round++) {
    for (const title of inTurn(round)) {
      const began = performance.now()
      await kinds[title]!()
      took.get(title)!.push((performance.now() - began) * 1000)
    }
  }
  return Object.fromEntries(titles.map((title) => [title, median(took.get(title)!)]))
}

async function manyAtOnce(): Promise<Record<string, number>> {
  const took = new Map(titles.map((title) => [title, [] as number[]]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const title of inTurn(round)) {
      const began = performance.now()
      for (let wave = 0; wave < WAVES; wave++) await Promise.all(Array.from({ length: AT_ONCE }, kinds[title]!))
      took.get(title)!.push(((performance.now() - began) * 1000) / WAVES / AT_ONCE)
    }
  }
  return Object.fromEntries(titles.map((title) => [title, median(took.get(title)!)]))
}

for (const title of titles) await kinds[title]!()
const single = await oneByOne()
const together = await manyAtOnce()
const ratio = (single['a decision, admitted'] as number) / (single['a bare round trip'] as number)
console.log(
  JSON.stringify(
    {
      most: MOST,
      ratio: Math.round(ratio * 1000) / 1000,
      oneByOneUs: rounded(single),
      [`us each, ${AT_ONCE} at once`]: rounded(together)
    },
    null,
    2
  )
)

for await (const keys of bare.scanStream({ match: `{${prefix}:*` }) as AsyncIterable<string[]>) {
  if (keys.length > 0) await bare.unlink(...keys)
}
await limits.close()
for (const redis of [bare, piped]) redis.disconnect()
if (ratio > MOST) process.exitCode = 1
