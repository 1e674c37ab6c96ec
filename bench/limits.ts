/**
 * Measures rate limit decisions in the embedded profile and the memory of their buckets:
 * `node bench/limits.ts`.
 *
 * Prints JSON. The exit code is 1 if the median of 5 rounds exceeds 2 µs for any kind of request.
 */
import v8 from 'node:v8'
import vm from 'node:vm'
import { openMemoryLimits } from '../ports/limits/memory.ts'
import type { RateLimitRequest } from '../ports/limits/port.ts'

const TARGET_NS = 2_000
const ROUNDS = 5
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

function medianNs(kind: Kind): number {
  const rounds: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const limits = openMemoryLimits()
    limits.consume({ bucket: 'account:full', limit: 2_000, cost: 2_000 })
    const start = performance.now()
    for (let index = 0; index < DECISIONS; index++) limits.consume(kind.request(index))
    rounds.push(((performance.now() - start) * 1e6) / DECISIONS)
  }
  // The first round is the warm-up.
  return Math.round(rounds.slice(1).sort((a, b) => a - b)[ROUNDS >> 1] as number)
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

const decisionNs = Object.fromEntries(kinds.map((kind) => [kind.title, medianNs(kind)]))
const bytes = {
  'one of 100,000 addresses with 1 request': bytesPerBucket(ADDRESSES, 1),
  'one of 1,000 accounts with 2,000 requests': bytesPerBucket(1_000, 2_000)
}
console.log(JSON.stringify({ targetNs: TARGET_NS, decisionNs, bytesPerBucket: bytes }, null, 2))
if (Object.values(decisionNs).some((ns) => ns > TARGET_NS)) process.exitCode = 1
