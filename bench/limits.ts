import v8 from 'node:v8'
import vm from 'node:vm'
import { openMemoryLimits } from '../ports/limits/memory.ts'
import type { RateLimitRequest } from '../ports/limits/port.ts'
import type { Bench } from './harness/bench.ts'
import { measureInTurn } from './harness/in-turn.ts'

/** A decision of the embedded profile must not take longer: reads take about 60 µs. */
const TARGET_NS = 2_000
const DECISIONS = 300_000
const ADDRESSES = 100_000

v8.setFlagsFromString('--expose-gc')
const collectGarbage = vm.runInNewContext('gc') as () => void
const address = (index: number) => `address:10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`

interface Kind {
  title: string
  request: (index: number) => RateLimitRequest
}
const kinds: Kind[] = [
  { title: 'account at its limit', request: () => ({ bucket: 'account:full', limit: 2_000, account: 'full' }) },
  {
    title: 'account below its limit',
    request: () => ({ bucket: 'account:below-limit', limit: 10_000_000, account: 'below-limit' })
  },
  {
    title: 'one of 1,000 accounts',
    request: (index) => ({ bucket: `account:${index % 1_000}`, limit: 2_000, account: `${index % 1_000}` })
  },
  { title: 'one of 100,000 addresses', request: (index) => ({ bucket: address(index % ADDRESSES), limit: 2_000 }) },
  {
    title: 'read without counting',
    request: () => ({ bucket: 'account:full', limit: 2_000, cost: 0, account: 'full' })
  }
]

/** Nanoseconds per decision, with a new set of buckets. */
function measureDecision(kind: Kind): number {
  const limits = openMemoryLimits()
  limits.consume({ bucket: 'account:full', limit: 2_000, cost: 2_000 })
  const start = performance.now()
  for (let index = 0; index < DECISIONS; index++) limits.consume(kind.request(index))
  return ((performance.now() - start) * 1e6) / DECISIONS
}

function bytesPerBucket(buckets: number, entries: number): number {
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const limits = openMemoryLimits()
  for (let index = 0; index < buckets; index++) limits.consume({ bucket: address(index), limit: 2_000, cost: entries })
  collectGarbage()
  const bytes = (process.memoryUsage().heapUsed - before) / buckets
  if (limits.buckets() !== buckets) throw new Error(`Expected ${buckets} buckets`)
  return Math.round(bytes)
}

export const bench: Bench = {
  summary:
    'One rate limit decision of the embedded profile, and the memory of its buckets. ' +
    `The target is ${TARGET_NS} ns per decision.`,
  async run({ rounds }) {
    const values = await measureInTurn(
      kinds.map((kind) => ({ name: kind.title, measure: async () => await Promise.resolve(measureDecision(kind)) })),
      rounds
    )
    return [
      ...kinds.map(({ title }) => ({ name: title, unit: 'ns', values: values.get(title)! })),
      {
        name: 'one of 100,000 addresses with 1 request',
        unit: 'bytes',
        values: [bytesPerBucket(ADDRESSES, 1)]
      },
      {
        name: 'one of 1,000 accounts with 2,000 requests',
        unit: 'bytes',
        values: [bytesPerBucket(1_000, 2_000)]
      }
    ]
  }
}
