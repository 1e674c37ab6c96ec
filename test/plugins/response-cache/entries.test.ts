import { randomFillSync } from 'node:crypto'
import type { FastifyContextConfig } from 'fastify'
import t from 'tap'
import { createEntries, createStoredEntry, type CachedResponse } from '../../../plugins/response-cache/entries.ts'

const KB = 1024

/** An entry for a response of so many bytes, which compress well. */
function entryOf(bytes: number): CachedResponse {
  const stored = {
    body: Buffer.alloc(bytes, 'words '),
    etag: '"v1-x"',
    lastModified: 'Thu, 26 Nov 2026 12:00:00 GMT',
    headers: {},
    compressed: { br: null, gzip: null },
    addCompressed: () => {}
  }
  return createStoredEntry(stored, { epoch: 1, routeConfig: {} as FastifyContextConfig })
}

/** How many of these entries are cached. */
const countOf = (entries: ReturnType<typeof createEntries>, count: number): number =>
  Array.from({ length: count }, (_, index) => entries.peek(`key ${index}`)).filter((entry) => entry !== undefined)
    .length

t.test('as many responses are cached as fit into the memory', async (t) => {
  const entries = createEntries(100 * KB)
  for (let index = 0; index < 20; index++) entries.set(`key ${index}`, entryOf(9 * KB))
  t.equal(countOf(entries, 20), 10)
})

t.test('compressed bodies count as soon as they exist', async (t) => {
  const entries = createEntries(100 * KB)
  const cached = Array.from({ length: 10 }, () => entryOf(9 * KB))
  for (const [index, entry] of cached.entries()) entries.set(`key ${index}`, entry)
  t.equal(countOf(entries, 10), 10)
  // Random bytes do not compress.
  const random = entryOf(9 * KB)
  randomFillSync(random.body)
  entries.set('key 9', random)
  const compressed = await random.compressor.compress('gzip')
  t.ok(compressed.length > 2 * KB, `${compressed.length} bytes`)
  t.ok(countOf(entries, 10) < 10, 'others were evicted')
  t.equal(entries.peek('key 9'), random)
})

t.test('an entry that was replaced does not return when it is compressed', async (t) => {
  const entries = createEntries(100 * KB)
  const [first, second] = [entryOf(9 * KB), entryOf(9 * KB)]
  entries.set('key 0', first)
  const compressing = first.compressor.compress('br')
  entries.set('key 0', second)
  await compressing
  t.equal(entries.peek('key 0'), second)
})

t.test('a stored response is cached when it is read again', async (t) => {
  const entries = createEntries(100 * KB)
  const entry = entryOf(KB)
  entries.setRepeated('key 0', entry)
  t.equal(entries.peek('key 0'), undefined)
  for (let index = 1; index < 9_000; index++) entries.setRepeated(`key ${index}`, entry)
  entries.setRepeated('key 0', entry)
  t.equal(entries.peek('key 0'), entry)
  const newer = entryOf(KB)
  entries.setRepeated('key 0', newer)
  t.equal(entries.peek('key 0'), newer, 'what is cached is replaced at once')
})
