import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createLogFlushes } from '../../../../ports/store/sqlite/log-flushes.ts'

/** Flushes of a file by a disk that ends them when the test lets it. */
function openFlushes(t: Test) {
  const file = path.join(t.testdir(), 'log')
  writeFileSync(file, '')
  const syncs: ReturnType<typeof Promise.withResolvers<void>>[] = []
  const flushes = createLogFlushes(file, {
    async sync() {
      const sync = Promise.withResolvers<void>()
      syncs.push(sync)
      await sync.promise
    },
    syncNow() {
      throw new Error('Nothing is flushed in the event loop')
    }
  })
  return { flushes, syncs }
}

t.test('what waits when the database is closed is durable, because closing flushes everything', async (t) => {
  const { flushes, syncs } = openFlushes(t)
  flushes.changed()
  const first = flushes.flushed(1)
  flushes.changed()
  const second = flushes.flushed(2)
  flushes.close()
  syncs[0]!.resolve()
  await Promise.all([first, second])
  t.equal(syncs.length, 1)
})

t.test('after the disk has failed, closing confirms nothing', async (t) => {
  const { flushes, syncs } = openFlushes(t)
  flushes.changed()
  const first = t.rejects(flushes.flushed(1), { message: 'I/O error' })
  flushes.changed()
  const second = t.rejects(flushes.flushed(2), { message: 'I/O error' })
  syncs[0]!.reject(new Error('I/O error'))
  await first
  flushes.close()
  await second
  await t.rejects(flushes.flushed(2), { message: 'I/O error' })
  t.equal(syncs.length, 1, 'the file is not flushed again')
})
