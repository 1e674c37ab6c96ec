import t, { type Test } from 'tap'
import type { ProjectRecord, VisualCheckMetadata } from '../../../ports/store/port.ts'
import { openOutbound } from '../../../ports/outbound/open.ts'
import { createCounters } from '../../../services/counters.ts'
import { newId } from '../../../services/ids.ts'
import { createVisualChecks } from '../../../services/visual-checks/index.ts'
import { intervalMs } from '../../../services/visual-checks/schedule.ts'
import { buildVisualCheck } from '../../contracts/store/fixtures/visual-checks.ts'
import { client, person, publish, startApp } from '../../helper.ts'

const RUNNING = new AbortController().signal
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const isoTime = (ms: number) => new Date(ms).toISOString()

/** A project with three published blogs whose pages are checked every three hours. Jobs do not run. */
async function start(t: Test, { checksPerHour = 0 } = {}) {
  const app = await startApp(t, { CHROMIUM_PATH: '/nowhere/chromium' })
  const call = await client(app)
  const asPerson = await person(app, 'acme')
  const { store, queue, files, limits, browser } = app
  await queue.idle()
  const blogs: { id: string; slug: string }[] = []
  for (const title of ['First', 'Second', 'Third']) blogs.push(await publish(call, { title }))
  await call('POST', '/api/v1/blogs', { projectId: 'site', title: 'Draft', markdown: 'Words.' })
  await publish(call, { title: 'Elsewhere', projectId: 'other' })
  await asPerson('PATCH', '/api/projects/site', { siteUrl: 'https://shop.example/', blogPath: '/journal' })
  const patch = async (change: object) => (await asPerson('PATCH', '/api/projects/site', change)).json()
  const outbound = await openOutbound({ allow: '' })
  t.teardown(outbound.close)
  const queued: string[] = []
  const checks = createVisualChecks({
    ...{ store, files, limits, browser, outbound, checksPerHour, counts: createCounters() },
    imageProcessor: app.imageProcessor,
    blogs: app.services.blogs,
    generatedFiles: app.services.generatedFiles,
    queue: {
      ...queue,
      add: async (_name, payload) => {
        queued.push((payload as { checkId: string }).checkId)
      }
    },
    publicUrl: () => 'https://content.example'
  })
  const project = async () => (await store.projects.find('acme', 'site'))!
  const given = async (change: Partial<ProjectRecord>) => {
    await store.projects.update('acme', 'site', change)
  }
  return {
    ...{ app, store, blogs, patch, queued, project, given },
    add: async () => await checks.addScheduled(RUNNING),
    /** The scheduled checks in the order in which they were added. */
    added: async (): Promise<VisualCheckMetadata[]> => {
      const lists = blogs.map(({ id }) =>
        store.visualChecks.list({ accountId: 'acme', blogId: id }, { page: 1, pageSize: 99 })
      )
      const found = (await Promise.all(lists)).flatMap((list) => list.checks)
      return found.filter(({ trigger }) => trigger === 'schedule').sort((a, b) => (a.id < b.id ? -1 : 1))
    },
    /** Ends the checks, as far as the limit of unfinished checks is concerned. */
    remove: async () => {
      for (const id of queued) await store.visualChecks.delete('acme', id)
    }
  }
}

t.test('the pages of a project are checked in turn, each once in the interval', async (t) => {
  const { patch, blogs, add, added, queued, project, given, remove } = await start(t)
  t.match(await patch({ visualCheck: { every: '3h' } }), { visualCheck: { every: '3h' } })
  const startMs = Date.now()
  await add()
  t.match(await added(), [
    {
      ...{ projectId: 'site', blogId: blogs[0]!.id, trigger: 'schedule', status: 'queued', environment: 'live' },
      url: `https://shop.example/journal/${blogs[0]!.slug}`
    }
  ])
  t.equal((await added()).length, 1)
  t.strictSame(
    queued,
    (await added()).map(({ id }) => id)
  )
  const dueInMs = Date.parse((await project()).nextCheckAt!) - startMs
  t.ok(Math.abs(dueInMs - HOUR_MS) < MINUTE_MS, `three blogs in three hours: ${dueInMs} ms`)
  await add()
  t.equal(queued.length, 1, 'nothing is due before')
  for (let turn = 1; turn < 4; turn++) {
    await given({ nextCheckAt: isoTime(Date.now()) })
    const before = new Set(queued)
    await add()
    const [id] = queued.filter((one) => !before.has(one))
    t.equal((await added()).find((check) => check.id === id)?.blogId, blogs[turn % 3]!.id, `turn ${turn}`)
    await remove()
  }
})

t.test('after an outage, the missed checks are not added all at once', async (t) => {
  const { patch, add, queued, project, given, remove } = await start(t)
  await patch({ visualCheck: { every: '3h' } })
  await given({ nextCheckAt: isoTime(Date.now() - 100 * HOUR_MS) })
  for (let sweep = 0; sweep < 10; sweep++) {
    await add()
    await remove()
  }
  t.ok(queued.length <= 3, `${queued.length} checks`)
  t.ok(Date.parse((await project()).nextCheckAt!) > Date.now())
})

t.test('scheduled checks leave half of the unfinished checks to requests, and wait', async (t) => {
  const { store, patch, add, queued, project, blogs, given, remove } = await start(t)
  await patch({ visualCheck: { every: '1h' } })
  const running = [newId(), newId()]
  for (const id of running) await store.visualChecks.add(buildVisualCheck({ id, blogId: 'b' }), 4)
  await add()
  t.strictSame(queued, [])
  const { nextCheckAt, nextCheckPosition } = await project()
  t.ok(Date.parse(nextCheckAt!) > Date.now(), 'it is tried again later')
  t.equal(nextCheckPosition, 0, 'with the same blog')
  await store.visualChecks.delete('acme', running[0]!)
  await given({ nextCheckAt: isoTime(Date.now()) })
  await add()
  t.equal(queued.length, 1)
  t.equal((await store.visualChecks.find('acme', queued[0]!))?.blogId, blogs[0]!.id)
  await remove()
})

t.test('scheduled checks have an hourly limit of their own', async (t) => {
  const { patch, add, queued, given, remove, project } = await start(t, { checksPerHour: 1 })
  await patch({ visualCheck: { every: '1h' } })
  await add()
  await remove()
  await given({ nextCheckAt: isoTime(Date.now()) })
  await add()
  t.equal(queued.length, 1)
  t.ok(Date.parse((await project()).nextCheckAt!) > Date.now())
})

t.test('nothing is checked without a schedule, blogs, or the feature', async (t) => {
  const { app, store, patch, add, queued, project, given, blogs } = await start(t)
  await patch({ visualCheck: { every: '1d' } })
  await patch({ visualCheck: null })
  t.equal((await project()).nextCheckAt, null)
  await given({ nextCheckAt: isoTime(0) })
  await add()
  t.equal((await project()).nextCheckAt, null, 'a time that a concurrent sweep wrote is removed')
  await patch({ visualCheck: { every: '1d' } })
  const { features } = (await app.services.accounts.getRecord('acme'))!
  await app.services.accounts.update('acme', { features: features.filter((feature) => feature !== 'visual-check') })
  await add()
  t.ok(Date.parse((await project()).nextCheckAt!) > Date.now())
  await app.services.accounts.update('acme', { features })
  const call = await client(app)
  for (const { id } of blogs) await call('DELETE', `/api/v1/blogs/${id}`)
  await given({ nextCheckAt: isoTime(0) })
  await add()
  t.strictSame(queued, [])
  t.ok(Date.parse((await project()).nextCheckAt!) > Date.now())
  t.equal((await store.projects.dueForCheck(isoTime(Date.now()), 10)).length, 0)
})

t.test('a schedule needs the URL of the website, and an interval of an hour to 30 days', async (t) => {
  const { patch } = await start(t)
  for (const every of ['1h', '23h', '1d', '30d']) {
    t.match(await patch({ visualCheck: { every } }), { visualCheck: { every } })
  }
  for (const every of ['', '0h', '24h', '31d', '1m', 'd', '1.5h', '-1d', '01h', '1h ']) {
    t.match(
      await patch({ visualCheck: { every } }),
      { status: 400, errors: [{ pointer: '/visualCheck/every' }] },
      every
    )
  }
  const missing = { status: 400, code: 'invalid_request', errors: [{ pointer: '/siteUrl', code: 'required' }] }
  t.match(await patch({ siteUrl: null }), missing)
  t.match(await patch({ visualCheck: null, siteUrl: null }), { siteUrl: null, visualCheck: null })
  t.match(await patch({ visualCheck: { every: '1d' } }), missing)
  t.strictSame(
    ['1h', '12h', '1d', '30d'].map(intervalMs),
    [1, 12, 24, 720].map((hours) => hours * HOUR_MS)
  )
})
