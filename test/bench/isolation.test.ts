import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { createClient } from '../../bench/isolation/client.ts'
import { sendAtFixedTimes, type Sample } from '../../bench/isolation/fixed-times.ts'
import { KINDS, selectKinds } from '../../bench/isolation/kinds/index.ts'
import { formatEach, formatFailures, formatTimes, timesOf } from '../../bench/isolation/summary.ts'
import { createSeededRandom } from '../fixtures/seeded-random.ts'

const STALL_MS = 300
/** Kinds that have random bodies, and need nothing of the service. */
const RANDOM = ['random-words', 'long-words', 'random-patterns']

const sampleOf = (name: string, ms: number, failure: string | null = null): Sample => ({ name, ms, failure })

t.test('a service that does not respond for a while delays all requests that are due meanwhile', async (t) => {
  const startMs = performance.now()
  const inProgress = { now: 0, max: 0 }
  const respond = async () => {
    inProgress.max = Math.max(inProgress.max, ++inProgress.now)
    await wait(Math.max(0, startMs + STALL_MS - performance.now()))
    inProgress.now--
    return 200
  }
  const samples = await sendAtFixedTimes([{ name: 'read', send: respond }], { perSecond: 100, seconds: 0.5 })
  t.equal(samples.length, 50)
  t.ok(inProgress.max >= 25, 'requests do not wait for the responses to those before')
  t.ok(samples.filter(({ ms }) => ms > STALL_MS / 3).length >= 20, 'those of the first 200 ms take more than 100 ms')
  t.ok(timesOf(samples).max >= STALL_MS - 5)
})

t.test('a request that is sent late counts from the time at which it was due', async (t) => {
  const send = async (index: number) => {
    const untilMs = performance.now() + (index === 0 ? STALL_MS : 0)
    while (performance.now() < untilMs);
    return await Promise.resolve(200)
  }
  const samples = await sendAtFixedTimes([{ name: 'read', send }], { perSecond: 100, seconds: 0.2 })
  t.ok(samples[1]!.ms >= STALL_MS - 15 && samples[10]!.ms >= STALL_MS - 105)
})

t.test('requests of several kinds take turns, and those that fail are counted', async (t) => {
  const sent: string[] = []
  const act = (name: string, respond: () => Promise<number>) => ({
    name,
    send: async (index: number) => {
      sent.push(`${name}${index}`)
      return await respond()
    }
  })
  const samples = await sendAtFixedTimes(
    [
      act('a', async () => await Promise.resolve(201)),
      act('b', async () => await Promise.resolve(503)),
      act('c', async () => await Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' })))
    ],
    { perSecond: 1000, seconds: 0.005 }
  )
  t.equal(sent.join(' '), 'a0 b0 c0 a1 b1')
  t.equal(formatFailures(samples), '3 of 5 (503: 2, ECONNRESET: 1)')
  t.equal(formatFailures(samples.slice(0, 1)), null)
})

t.test('times are summarized', async (t) => {
  const samples = [...Array.from({ length: 100 }, (_, i) => sampleOf('read', i + 1)), sampleOf('list', 1500, '503')]
  t.equal(formatTimes(samples), '51, 100, 1,500')
  t.equal(formatEach(samples), 'list 1,500, 1,500; read 51, 99')
  t.equal(formatEach([]), '–')
})

t.test('kinds are selected by their names', async (t) => {
  t.same(selectKinds('clauses, images'), ['clauses', 'images'])
  t.same(selectKinds(undefined), Object.keys(KINDS))
  t.throws(() => selectKinds('clauses,x,toString'), { message: /^Unknown kinds: x, toString\. Kinds: large-blogs, / })
})

t.test('the requests of a kind are the same for the same seed', async (t) => {
  const client = createClient({ url: 'http://127.0.0.1:1', key: '', token: '' }, 1)
  for (const name of RANDOM) {
    const make = async (seed: number) => {
      const next = await KINDS[name]!.prepare({ client, random: createSeededRandom(seed), scale: 1 })
      return [next(0), next(1)]
    }
    const [first, again] = [await make(1), await make(1)]
    t.ok(JSON.stringify(first) === JSON.stringify(again), name)
    t.ok(JSON.stringify(first) !== JSON.stringify(await make(2)), `${name} with another seed`)
  }
  await client.close()
})
