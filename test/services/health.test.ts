import t from 'tap'
import { openMemoryLimits } from '../../ports/limits/memory.ts'
import { openInProcessQueue } from '../../ports/queue/in-process/index.ts'
import { createHealth } from '../../services/health.ts'
import { openTestFiles, openTestStore, temporaryFolder } from '../helper.ts'

t.test('a worker is not ready without the queue or the shared limits', async (t) => {
  const folder = temporaryFolder(t)
  const [store, files] = [await openTestStore(folder), await openTestFiles(folder)]
  t.teardown(async () => {
    for (const port of [store, files]) await port.close()
  })
  const limits = openMemoryLimits()
  const queue = openInProcessQueue()
  const away = async () => {
    throw new Error('not there')
  }
  const worker = (parts: object) => createHealth({ store, files, limits, queue, workerOnly: true, ...parts }).ready()
  t.strictSame(await worker({}), { status: 'ok', missing: [] })
  await t.rejects(worker({ limits: { ...limits, ping: away } }), {
    code: 'unavailable',
    options: { members: { missing: ['limits'] } }
  })
  await t.rejects(worker({ queue: { ...queue, ping: away } }), {
    code: 'unavailable',
    options: { members: { missing: ['queue'] } }
  })
  const api = createHealth({
    store,
    files,
    limits: { ...limits, ping: away },
    queue: { ...queue, ping: away },
    workerOnly: false
  })
  t.strictSame(await api.ready(), { status: 'degraded', missing: ['limits', 'queue'] })
})

t.test('a dependency that does not respond for two seconds is reported as missing', async (t) => {
  const folder = temporaryFolder(t)
  const [store, files] = [await openTestStore(folder), await openTestFiles(folder)]
  t.teardown(async () => {
    for (const port of [store, files]) await port.close()
  })
  const silent = { ...openInProcessQueue(), ping: async () => await new Promise<void>(() => {}) }
  const began = Date.now()
  const health = createHealth({ store, files, limits: openMemoryLimits(), queue: silent, workerOnly: false })
  t.strictSame(await health.ready(), { status: 'degraded', missing: ['queue'] })
  t.ok(Date.now() - began >= 1990, 'the check waited two seconds')
  t.ok(Date.now() - began < 20_000, 'the check did not wait longer')
})
