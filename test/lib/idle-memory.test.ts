import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { collectWhenIdle } from '../../lib/idle-memory.ts'

const PERIOD_MS = 50

/** Garbage of at least 16 MB, in the part of the heap for old objects. */
function leaveGarbage(): number {
  return Array.from({ length: 200_000 }, (_, index) => ({ index, text: `object ${index}` })).length
}

/** Resolves once the garbage has been collected so often. */
async function collections(observer: { count: number }, count: number): Promise<void> {
  while (observer.count < count) await wait(PERIOD_MS)
}

t.test('garbage is collected once after each busy time', async (t) => {
  const seen = { count: 0 }
  const stop = collectWhenIdle({ periodMs: PERIOD_MS, maxHeapBytes: Infinity, onCollect: () => (seen.count += 1) })
  t.teardown(stop)
  leaveGarbage()
  const before = process.memoryUsage().heapTotal
  await collections(seen, 1)
  t.ok(process.memoryUsage().heapTotal < before - 8 * 1024 * 1024, 'the memory was returned')
  await wait(PERIOD_MS * 6)
  t.equal(seen.count, 1, 'an idle process does not collect again')
  leaveGarbage()
  await collections(seen, 2)
  stop()
  leaveGarbage()
  await wait(PERIOD_MS * 6)
  t.equal(seen.count, 2, 'it was stopped')
})

t.test('buffers outside of the heap count', async (t) => {
  const seen = { count: 0 }
  t.teardown(collectWhenIdle({ periodMs: PERIOD_MS, maxHeapBytes: Infinity, onCollect: () => (seen.count += 1) }))
  leaveGarbage()
  await collections(seen, 1)
  await wait(PERIOD_MS * 3)
  const buffers = Array.from({ length: 64 }, () => Buffer.alloc(1024 * 1024, 1))
  const before = process.memoryUsage().external
  buffers.length = 0
  await collections(seen, 2)
  t.ok(process.memoryUsage().external < before - 32 * 1024 * 1024)
})

t.test('a busy process and a large heap are left alone', async (t) => {
  const seen = { count: 0 }
  t.teardown(collectWhenIdle({ periodMs: PERIOD_MS, maxHeapBytes: 1024, onCollect: () => (seen.count += 1) }))
  leaveGarbage()
  await wait(PERIOD_MS * 6)
  t.equal(seen.count, 0, 'a large heap')

  const stop = collectWhenIdle({ periodMs: PERIOD_MS, maxHeapBytes: Infinity, onCollect: () => (seen.count += 1) })
  for (let turn = 0; turn < 100; turn++) {
    const end = performance.now() + 5
    while (performance.now() < end) Math.random()
    await new Promise(setImmediate)
  }
  t.equal(seen.count, 0, 'a busy process')
  stop()
})
