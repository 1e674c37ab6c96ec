import t from 'tap'
import { createGrowingLru } from '../../lib/growing-lru.ts'

t.test('the entry that was not used for the longest time is dropped', async (t) => {
  const cache = createGrowingLru<string, number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  t.same([...cache.keys()].toSorted(), ['a', 'c'])
})

t.test('an empty cache takes no memory for entries that it may have later', async (t) => {
  const before = process.memoryUsage().heapUsed
  const caches = Array.from({ length: 100 }, () => createGrowingLru<string, number>(100_000))
  const bytesEach = (process.memoryUsage().heapUsed - before) / caches.length
  t.ok(bytesEach < 100_000, `${Math.round(bytesEach)} bytes each`)
})
