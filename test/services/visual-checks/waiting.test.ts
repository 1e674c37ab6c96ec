import t, { type Test } from 'tap'
import { openOutbound } from '../../../ports/outbound/open.ts'
import type { Queue } from '../../../ports/queue/port.ts'
import type { VisualCheckRecord } from '../../../ports/store/port.ts'
import { createCounters } from '../../../services/counters.ts'
import { newId } from '../../../services/ids.ts'
import { createVisualChecks } from '../../../services/visual-checks/index.ts'
import { buildOutcome, buildVisualCheck } from '../../contracts/store/fixtures/visual-checks.ts'
import { client, publish, startApp } from '../../helper.ts'

const READER = { accountId: 'acme', projectIds: null }
const TOTAL_MS = 5_000

/** Checks whose queue has this number of running jobs. Nothing runs them but the test. */
async function start(t: Test, running = 0) {
  const app = await startApp(t, { CHROMIUM_PATH: '/nowhere/chromium' })
  const call = await client(app)
  const { id: blogId } = await publish(call, { title: 'Tea' })
  const { store, queue, files, limits, browser } = app
  await queue.idle()
  const outbound = await openOutbound({ allow: '' })
  t.teardown(outbound.close)
  const depth: Queue['depth'] = async (name) => ({ ...(await queue.depth(name)), running, oldestMs: 0 })
  const checks = createVisualChecks(
    {
      ...{ store, files, limits, outbound, counts: createCounters(), checksPerHour: 0 },
      browser: { ...browser, assertAvailable: async () => {} },
      imageProcessor: app.imageProcessor,
      blogs: app.services.blogs,
      generatedFiles: app.services.generatedFiles,
      queue: { ...queue, depth, add: async () => {} },
      publicUrl: () => 'https://content.example'
    },
    { pollIntervalMs: 10 }
  )
  const add = async (change: Partial<VisualCheckRecord> = {}) => {
    const check = buildVisualCheck({ id: newId(), blogId, ...change })
    await store.visualChecks.add(check, 1000)
    return check
  }
  const begin = async ({ accountId, id }: VisualCheckRecord) =>
    await store.visualChecks.start({ accountId, id, at: new Date().toISOString(), staleBefore: '' })
  return { app, call, store, checks, blogId, add, begin }
}

t.test('a check that stays behind other checks is returned as queued', async (t) => {
  const { checks, add } = await start(t, 2)
  const check = await add()
  t.match(await checks.wait(check, TOTAL_MS, { startMs: 50 }), { status: 'queued', attempts: 0 })
})

t.test('a check that no worker takes fails, and the reason is a problem of the service', async (t) => {
  const { store, checks, add, begin } = await start(t)
  const ended = await checks.wait(await add(), TOTAL_MS, { startMs: 50 })
  t.match(ended, {
    status: 'failed',
    overallScore: null,
    reason: 'No worker has started the check.',
    finishedAt: String
  })
  await t.rejects(checks.assertNotFailed(READER, ended), {
    code: 'visual_check_failed',
    options: { headers: { 'Retry-After': '30' }, members: { checkId: ended.id } }
  })
  t.equal(await begin(ended), null, 'a worker that comes later does not run it')
  const { accountId, id } = ended
  t.equal(
    (await store.events.list(accountId, { after: 0, limit: 100 })).filter(({ tail }) => tail.includes(id)).length,
    1
  )
})

t.test('a check that has started is awaited to its end', async (t) => {
  const { store, checks, add, begin } = await start(t)
  const check = await add()
  await begin(check)
  const waiting = checks.wait(check, TOTAL_MS, { startMs: 20 })
  await new Promise((resolve) => setTimeout(resolve, 100))
  await store.visualChecks.finish(
    { accountId: 'acme', id: check.id, attempt: 1 },
    buildOutcome({ overallScore: 0 }),
    []
  )
  const ended = await waiting
  t.match(ended, { status: 'completed', overallScore: 0 })
  await checks.assertNotFailed(READER, ended)
  const other = await add()
  await begin(other)
  t.equal((await checks.wait(other, 60, { startMs: 20 })).status, 'running', 'after the total time')
  t.equal((await checks.wait(other, TOTAL_MS, { isAborted: () => true })).status, 'running', 'during a shutdown')
})

t.test('the failed check of a deleted blog is reported as such', async (t) => {
  const { call, checks, blogId, add } = await start(t)
  const failed = await checks.wait(await add(), TOTAL_MS, { startMs: 20 })
  await call('DELETE', `/api/v1/blogs/${blogId}`)
  await t.rejects(checks.assertNotFailed(READER, failed), { code: 'blog_gone' })
})

t.test('a retry of a request whose check failed runs another check', async (t) => {
  const { checks, blogId } = await start(t)
  const request = async (isRetry: boolean, id: string) =>
    await checks.request(READER, blogId, { url: 'https://shop.example/tea', operation: { id, isRetry } })
  const id = newId()
  const first = await request(false, id)
  t.equal((await request(true, id)).id, first.id, 'while it is unfinished, a retry finds it')
  await checks.wait(first, TOTAL_MS, { startMs: 20 })
  const second = await request(true, id)
  t.not(second.id, first.id)
  t.equal(second.status, 'queued')
})
