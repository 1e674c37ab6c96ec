import t from 'tap'
import { batchSizes, createPacer, type PacerOptions } from '../../services/pacing.ts'

type Sizes = Omit<PacerOptions, 'accountId'>

/**
 * The sizes of ten batches that keep the process busy for `msPerItem`, and then wait for the store:
 * `waitMs` for a batch, and `waitMsPerItem`.
 * Other work keeps it busy for `otherMs` whenever it may. `contended`: another account has precedence.
 */
async function sizesAt(
  msPerItem: number,
  { otherMs = 0, waitMsPerItem = 0, waitMs = 0, contended = false, sizes: range = { min: 10, max: 200 } as Sizes } = {}
): Promise<number[]> {
  let cpuMs = 0
  let nowMs = 0
  const load = { giveWay: async () => contended, isContended: () => contended }
  const pacer = createPacer({ accountId: 'acme', ...range }, { cpuMs: () => cpuMs, nowMs: () => nowMs, load })
  const sizes: number[] = []
  for (let index = 0; index < 10; index++) {
    sizes.push(pacer.size())
    cpuMs += pacer.size() * msPerItem
    nowMs += waitMs + pacer.size() * (msPerItem + waitMsPerItem)
    const resting = pacer.rest()
    cpuMs += otherMs
    await resting
  }
  return sizes
}

t.test('batches that keep the process busy become smaller, down to the minimum', async (t) => {
  t.equal((await sizesAt(0.5)).at(-1), 50, 'nothing else runs')
  t.equal((await sizesAt(0.5, { otherMs: 2 })).at(-1), 20, 'other work runs')
  t.equal((await sizesAt(0.25, { otherMs: 2, contended: true })).at(-1), 16, 'others have precedence now and then')
  t.equal((await sizesAt(5)).at(-1), 10)
})

t.test('batches that a request waits for become small only for the work of other accounts', async (t) => {
  const sizes = { min: 5, max: 200, first: 50, isRequest: true }
  t.strictSame((await sizesAt(0.5, { sizes, otherMs: 2 })).slice(0, 2), [50, 50], 'the account has other work')
  t.equal((await sizesAt(0.5, { sizes, otherMs: 2, contended: true })).at(-1), 8)
  const load = { giveWay: async () => false, isContended: () => false }
  const pacer = createPacer({ accountId: 'acme', ...sizes }, { cpuMs: () => 0, nowMs: () => 0, load })
  let turns = 0
  const countTurn = (): void => {
    turns += 1
    next = setImmediate(countTurn)
  }
  let next = setImmediate(countTurn)
  for (let batch = 0; batch < 10; batch++) await pacer.rest()
  clearImmediate(next)
  t.ok(turns <= 11, `no pause is longer than a turn of the event loop: ${turns}`)
})

t.test('batches of a slow store become smaller', async (t) => {
  t.equal((await sizesAt(0, { waitMsPerItem: 5 })).at(-1), 40)
  t.equal((await sizesAt(0, { waitMsPerItem: 2, contended: true })).at(-1), 25, 'other accounts have precedence')
})

t.test('batches for a store on a server are large, because each of them waits for some commands', async (t) => {
  const all = { local: { min: 10, max: 200 }, remote: { min: 100, max: 1_000, first: 250 } }
  t.strictSame(batchSizes({ isRemote: false }, all), { isRemote: false, min: 10, max: 200 })
  const sizes = batchSizes({ isRemote: true }, all)
  t.strictSame(sizes, { isRemote: true, min: 100, max: 1_000, first: 250 })
  t.strictSame((await sizesAt(0.5, { sizes, waitMs: 100, waitMsPerItem: 0.5 })).slice(0, 4), [250, 500, 1_000, 1_000])
  t.equal((await sizesAt(0.5, { sizes, waitMs: 100, waitMsPerItem: 4 })).at(-1), 422, 'two seconds at most')
  t.equal((await sizesAt(0.5, { sizes, waitMs: 3_000 })).at(-1), 100, 'a server that takes seconds for a batch')
  t.equal((await sizesAt(0, { sizes, waitMsPerItem: 1, contended: true })).at(-1), 100, 'others have precedence')
  t.equal(batchSizes({ isRemote: true }, all, 700).first, 700, 'as the last loop')
})

t.test('an account with precedence is waited for in proportion to the batch', async (t) => {
  let nowMs = 0
  const waits: Array<[string, number]> = []
  const load = {
    giveWay: async (accountId: string, maxMs: number) => waits.push([accountId, maxMs]) > 0,
    isContended: () => true
  }
  const pacer = createPacer({ accountId: 'acme', min: 1, max: 1 }, { cpuMs: () => 0, nowMs: () => nowMs, load })
  for (const batchMs of [30, 100, 5000]) {
    nowMs += batchMs
    await pacer.rest()
  }
  t.same(waits, [
    ['acme', 60],
    ['acme', 200],
    ['acme', 500]
  ])
})

t.test('batches that mostly wait become larger, up to the maximum', async (t) => {
  t.same((await sizesAt(0)).slice(0, 5), [20, 40, 80, 160, 200])
  t.equal((await sizesAt(0)).at(-1), 200)
})

t.test('batches do not become smaller while the process waits for the disk or for a processor', async (t) => {
  const pacer = createPacer({ accountId: 'acme', min: 10, max: 200 })
  const flag = new Int32Array(new SharedArrayBuffer(4))
  for (let batch = 0; batch < 2; batch++) {
    Atomics.wait(flag, 0, 0, 60)
    await pacer.rest()
  }
  t.ok(pacer.size() > 20, `${pacer.size()} items`)
})

t.test('a slice begins with the size of the one before', async (t) => {
  t.equal(createPacer({ accountId: 'acme', min: 10, max: 200, first: 70 }).size(), 70)
  t.equal(createPacer({ accountId: 'acme', min: 10, max: 200 }).size(), 20)
  const load = { giveWay: async () => true, isContended: () => true }
  const pacer = createPacer(
    { accountId: 'acme', min: 10, max: 200, first: 70 },
    { cpuMs: () => 0, nowMs: () => 0, load }
  )
  t.equal(pacer.size(), 10, 'and with a small batch while others have precedence')
})

t.test('other work runs between two batches', async (t) => {
  const pacer = createPacer({ accountId: 'acme', min: 1, max: 1 })
  const order: string[] = []
  setImmediate(() => setImmediate(() => order.push('request')))
  // One turn of the event loop for each pause, whatever the load of the machine.
  for (let batch = 0; batch < 3; batch++) await pacer.rest()
  order.push('batches')
  t.same(order, ['request', 'batches'])
})
