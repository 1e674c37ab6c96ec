import t, { type Test } from 'tap'
import { problem } from '../../../errors.ts'
import type { Browser, InspectRequest, PageInspection } from '../../../ports/browser/port.ts'
import { openOutbound } from '../../../ports/outbound/open.ts'
import type { VisualCheckRecord } from '../../../ports/store/port.ts'
import { createCounters } from '../../../services/counters.ts'
import { newId } from '../../../services/ids.ts'
import { createVisualChecks } from '../../../services/visual-checks/index.ts'
import { buildVisualCheck, buildEndedCheck } from '../../contracts/store/fixtures/visual-checks.ts'
import { snapshotsWith } from '../../fixtures/visual-check/snapshots.ts'
import { scaled } from '../../profile.ts'
import { client, publish, startApp } from '../../helper.ts'

const UNREACHABLE: PageInspection = {
  outcome: 'unreachable',
  reason: null,
  finalUrl: null,
  snapshots: [],
  screenshots: [],
  chromium: '153',
  missingFonts: [],
  timings: {}
}
/** The page shows another blog, which is a critical finding. */
const opened = (): Partial<PageInspection> => ({
  outcome: 'inspected',
  finalUrl: 'https://garden.example/blog/herbs',
  snapshots: snapshotsWith(() => {})
})
const RUNNING = new AbortController().signal
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/**
 * Checks over the service's own store, queue, files and blogs, with a browser whose result is given
 * by `inspect`. The service has no browser, so that these checks run only here.
 */
async function start(
  t: Test,
  inspect: (request: InspectRequest) => Promise<PageInspection>,
  { checksPerHour = 0, isAvailable = true } = {}
) {
  const app = await startApp(t, { CHROMIUM_PATH: '/nowhere/chromium' })
  const { id: blogId } = await publish(await client(app), {
    title: 'Tea',
    markdown: 'A *warm* cup.',
    metaDescription: 'About tea',
    locale: 'de'
  })
  const { store, queue, files, limits } = app
  // Otherwise the initial sweep queues the added checks, and the service runs them itself.
  await queue.idle()
  const outbound = await openOutbound({ allow: '' })
  t.teardown(outbound.close)
  const counts = createCounters()
  const browser: Browser = {
    inspectPage: inspect,
    assertAvailable: async () => {
      if (!isAvailable) throw problem('unavailable', 'Chromium cannot use its sandbox.')
    },
    start: async () => {},
    sandbox: () => (isAvailable ? 'on' : 'unavailable'),
    close: async () => {}
  }
  const parts = {
    store,
    queue,
    files,
    generatedFiles: app.services.generatedFiles,
    limits,
    browser,
    imageProcessor: app.imageProcessor,
    outbound,
    blogs: app.services.blogs,
    counts,
    checksPerHour,
    publicUrl: () => 'https://content.example'
  }
  const checks = createVisualChecks(parts)
  async function add(change: Partial<VisualCheckRecord> = {}): Promise<string> {
    const id = newId()
    await store.visualChecks.add(buildVisualCheck({ id, blogId, ...change }), 1000)
    return id
  }
  const found = async (id: string) => (await store.visualChecks.find('acme', id))!
  const eventsOf = async (id: string) =>
    (await store.events.list('acme', { after: 0, limit: 100 })).filter(({ tail }) => tail.includes(id))
  return {
    app,
    store,
    checks,
    counts,
    parts,
    blogId,
    add,
    found,
    eventsOf,
    run: async (id: string, signal = RUNNING) => await checks.run('acme', id, signal)
  }
}

t.test('the browser gets the options of the check and the blog as delivered to sites', async (t) => {
  const requests: InspectRequest[] = []
  const { add, run, blogId } = await start(t, async (request) => {
    requests.push(request)
    return UNREACHABLE
  })
  await run(await add({ viewports: ['mobile'], detail: 'full' }))
  t.equal(requests.length, 2, 'a page that cannot be opened is inspected twice')
  const { blog, ...rest } = requests[0]!
  t.strictSame(rest, {
    url: 'https://shop.example/blog/tea?a=1',
    accountId: 'acme',
    viewports: ['mobile'],
    screenshotDetail: 'full',
    signal: RUNNING
  })
  t.match(blog, { title: 'Tea', language: 'de', html: /A <em[^>]*>warm<\/em> cup\./, css: /\S/ })
  t.ok(blogId)
})

t.test('a page that cannot be opened scores 0 with a critical finding that names it, and has a reason', async (t) => {
  let inspection = UNREACHABLE
  const { add, run, found, counts, eventsOf } = await start(t, async () => inspection)
  const outcomes = [
    ['unreachable', 'unreachable', 'PAGE_UNREACHABLE'],
    ['timeout', 'timeout', 'PAGE_TIMES_OUT'],
    ['redirecting', 'unreachable', 'PAGE_REDIRECTS_ENDLESSLY'],
    ['reloading', 'unreachable', 'PAGE_RELOADS_ENDLESSLY'],
    ['blocked', 'blocked', 'PAGE_ADDRESS_NOT_ALLOWED']
  ] as const
  for (const [outcome, status, code] of outcomes) {
    inspection = { ...UNREACHABLE, outcome, finalUrl: 'https://inside.example/', reason: 'It was 10.1.2.3.' }
    const id = await add()
    await run(id)
    const check = await found(id)
    t.match(check, { status, overallScore: 0, attempts: 1, finishedAt: String })
    const { categories, findings, coverage } = check.result!
    t.strictSame(new Set(Object.values(categories!)), new Set([0]))
    t.strictSame(coverage, { inDom: 0, visible: 0, cssHeld: 0, compared: 0, measured: 0 })
    t.match(findings, [
      {
        code,
        severity: 'critical',
        confidence: 'certain',
        viewports: ['mobile', 'desktop'],
        evidence: { reason: check.reason }
      }
    ])
    t.equal(findings.length, 1)
    const disclosed = { reason: check.reason, finalUrl: check.finalUrl }
    if (status === 'blocked') {
      t.strictSame(
        disclosed,
        { reason: 'This URL cannot be checked: the page must be on the public internet.', finalUrl: null },
        'the blocked URL is not disclosed'
      )
    } else t.strictSame(disclosed, { reason: 'It was 10.1.2.3.', finalUrl: 'https://inside.example/' })
    t.equal((await eventsOf(id)).length, 1)
  }
  t.strictSame(counts.visualChecks, { unreachable: 3, timeout: 1, blocked: 1 })
})

t.test('a page that crashes browsers scores 0 with this finding, and is not inspected again', async (t) => {
  const requests: InspectRequest[] = []
  const { add, run, found, eventsOf } = await start(t, async (request) => {
    requests.push(request)
    return { ...UNREACHABLE, outcome: 'crashed', reason: 'The page ended the browser.' }
  })
  const id = await add({ viewports: ['mobile'] })
  await run(id)
  t.match(await found(id), {
    status: 'completed',
    overallScore: 0,
    reason: 'The page ended the browser.',
    attempts: 1,
    result: {
      findings: [
        {
          code: 'PAGE_CRASHES_BROWSER',
          severity: 'critical',
          viewports: ['mobile'],
          evidence: { reason: 'The page ended the browser.' },
          locations: []
        }
      ],
      coverage: { inDom: 0, visible: 0, cssHeld: 0, compared: 0, measured: 0 },
      screenshots: []
    }
  })
  t.equal(requests.length, 1)
  t.equal((await eventsOf(id)).length, 1)
})

t.test('a page that opens only the second time is scored by that inspection', async (t) => {
  let requests = 0
  const { add, run, found } = await start(t, async () => {
    requests += 1
    return requests === 1 ? { ...UNREACHABLE, reason: 'No server answered.' } : { ...UNREACHABLE, ...opened() }
  })
  const id = await add({ url: 'https://garden.example/blog/herbs' })
  await run(id)
  const { status, reason, overallScore, result } = await found(id)
  t.match({ status, reason }, { status: 'completed', reason: null })
  t.ok(overallScore! > 0)
  t.match(
    result!.findings.find(({ code }) => code === 'PAGE_UNREACHABLE'),
    { confidence: 'flaky', severity: 'critical' }
  )
  t.equal(requests, 2)
})

t.test('a failed run is retried; the third one fails the check', async (t) => {
  const broken = new Error('The connection to 10.1.2.3 broke')
  const { add, run, found, eventsOf } = await start(t, async () => {
    throw broken
  })
  const id = await add()
  for (let attempt = 1; attempt <= 2; attempt++) {
    await t.rejects(run(id), broken, 'the queue gets the error and retries')
    t.match(await found(id), { status: 'queued', startedAt: null, attempts: attempt })
    t.equal((await eventsOf(id)).length, 0)
  }
  await t.rejects(run(id), broken)
  t.match(await found(id), {
    status: 'failed',
    overallScore: null,
    reason: 'The check failed because of an internal error.',
    attempts: 3
  })
  t.equal((await eventsOf(id)).length, 1)
  await run(id)
  t.equal((await found(id)).attempts, 3, 'the check does not start again')
})

t.test('without a browser the check fails with that reason', async (t) => {
  const { add, run, found } = await start(t, async () => {
    throw problem('unavailable', 'No browser can be started here.')
  })
  const id = await add()
  for (let attempt = 1; attempt <= 3; attempt++) await t.rejects(run(id), { code: 'unavailable' })
  t.match(await found(id), { status: 'failed', reason: 'No browser can be started here.' })
})

t.test('an interrupted run is retried; after three of them the check fails', async (t) => {
  const { add, run, found } = await start(t, async ({ signal }) => {
    throw signal.reason
  })
  const id = await add()
  for (let attempt = 1; attempt <= 3; attempt++) {
    await t.rejects(run(id, AbortSignal.abort(new Error('The service is stopping'))))
    t.match(await found(id), { status: 'queued', attempts: attempt })
  }
  await run(id)
  t.match(await found(id), { status: 'failed', reason: 'The check was interrupted 3 times.' })
})

t.test('the sweep queues a check of a dead process again, but not a running one', async (t) => {
  const { add, run, found, checks, parts } = await start(t, async () => UNREACHABLE)
  const left = await add({ status: 'running', attempts: 1, startedAt: minutesAgo(3) })
  // In the embedded profile, a run of before the start of the only process has ended with another one.
  const running = await add({ status: 'running', attempts: 1, startedAt: minutesAgo(scaled ? 1 : -1) })
  const queued: unknown[] = []
  const watched = createVisualChecks({
    ...parts,
    queue: {
      ...parts.queue,
      add: async (name, payload, options) => {
        queued.push([name, payload, options])
      }
    }
  })
  await watched.sweep(RUNNING)
  t.strictSame(queued, [['run-visual-check', { accountId: 'acme', checkId: left }, { key: left }]])
  await run(left)
  t.match(await found(left), { status: 'unreachable', attempts: 2 })
  await run(running)
  t.match(await found(running), { status: 'running', attempts: 1 })
  t.ok(checks)
})

t.test('concurrent runs of a check inspect the page once', async (t) => {
  let requests = 0
  const { add, run, eventsOf } = await start(t, async () => {
    requests += 1
    return UNREACHABLE
  })
  const id = await add()
  await Promise.all(Array.from({ length: 5 }, () => run(id)))
  t.equal(requests, 2, 'one run, which inspects a page twice that cannot be opened')
  t.equal((await eventsOf(id)).length, 1)
})

t.test('the check of a deleted blog fails without an inspection', async (t) => {
  const { app, add, run, found, blogId } = await start(t, async () => {
    throw new Error('The page must not be inspected')
  })
  const id = await add()
  await (await client(app))('DELETE', `/api/v1/blogs/${blogId}`)
  await run(id)
  t.match(await found(id), { status: 'failed', reason: 'The blog was deleted before the check started.' })
})

t.test(
  'wait returns at once for a check of this process, and soon for one of another process',
  { timeout: 120_000 },
  async (t) => {
    const { store, checks, parts, add } = await start(t, async () => UNREACHABLE)
    const here = await add()
    const HOUR_MS = 3_600_000
    const waiting = createVisualChecks(parts, { pollIntervalMs: HOUR_MS })
    const [ending] = await Promise.all([
      waiting.wait({ accountId: 'acme', id: here }, HOUR_MS),
      new Promise((resolve) => setTimeout(resolve, 50)).then(async () => await waiting.run('acme', here, RUNNING))
    ])
    t.equal(ending.status, 'unreachable')
    const there = await add()
    const started = (await store.visualChecks.start({
      accountId: 'acme',
      id: there,
      at: minutesAgo(0),
      staleBefore: ''
    }))!
    const { result, status, overallScore, reason, finalUrl } = buildEndedCheck(minutesAgo(0))
    const [seen] = await Promise.all([
      checks.wait(started, 10_000),
      store.visualChecks.finish(
        { accountId: 'acme', id: there, attempt: 1 },
        { result, status, overallScore, reason, finalUrl, finishedAt: minutesAgo(0) },
        []
      )
    ])
    t.equal(seen.status, 'completed')
    const long = await add()
    t.equal(
      (await checks.wait({ accountId: 'acme', id: long }, 100)).status,
      'queued',
      'after the time limit, the current state is returned'
    )
  }
)

t.test('a full queue responds busy with Retry-After to an account with an unfinished check', async (t) => {
  const { parts, blogId, store } = await start(t, async () => UNREACHABLE)
  const after = (oldestMs: number) =>
    createVisualChecks({
      ...parts,
      queue: { ...parts.queue, depth: async (name) => ({ ...(await parts.queue.depth(name)), waiting: 25, oldestMs }) }
    }).request({ accountId: 'acme', projectIds: null }, blogId, { url: 'https://shop.example/' })
  t.equal((await after(60_001)).status, 'queued')
  await t.rejects(after(60_001), { code: 'busy', options: { headers: { 'Retry-After': '30' } } })
  t.equal((await store.visualChecks.list({ accountId: 'acme', blogId }, { page: 1, pageSize: 10 })).totalCount, 1)
  t.equal((await after(59_000)).status, 'queued')
})

t.test('without a sandbox a check is rejected with 503 before it is stored', async (t) => {
  const { checks, blogId, store } = await start(t, async () => UNREACHABLE, { isAvailable: false })
  await t.rejects(checks.request({ accountId: 'acme', projectIds: null }, blogId, { url: 'https://shop.example/' }), {
    code: 'unavailable'
  })
  t.equal((await store.visualChecks.list({ accountId: 'acme', blogId }, { page: 1, pageSize: 10 })).totalCount, 0)
})
