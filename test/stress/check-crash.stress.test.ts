import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { findDescendants } from '../../ports/browser/playwright/process/process-tree.ts'
import type { Blog } from '../../schemas/blog.ts'
import type { VisualCheck } from '../../schemas/visual-check.ts'
import { startBlogSite, teaMarkdown } from '../fixtures/browser/blog-site.ts'
import { eventually } from '../fixtures/webhooks/receiver.ts'
import { sessionToken, temporaryFolder } from '../helper.ts'
import { leftOf } from '../ports/browser/processes.ts'
import { startServer, createSvc } from '../processes.ts'
import { scaled } from '../profile.ts'
import { freePort } from '../servers/index.ts'

/** The longest time until the interrupted check is found, repeated and finished. */
const RECOVERY_MS = 100_000
/** The embedded store has one process: without another one, the check of an ended process is interrupted at once. */
const STALE_SECONDS = scaled ? '20' : '120'
const PATH = '/journal/green-tea'

t.test(
  'a check of a killed process is finished once by the next one, and its browser ends',
  { timeout: 2 * RECOVERY_MS },
  async (t) => {
    const [site, data, port] = [await startBlogSite(t), temporaryFolder(t), String(await freePort())]
    const env = {
      OUTBOUND_ALLOW: '127.0.0.1',
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      VISUAL_CHECK_STALE_SECONDS: STALE_SECONDS,
      SWEEP_INTERVAL_SECONDS: '2'
    }
    const key = (await createSvc(data)('keys', 'create', '--name', 'Stress', '--account', 'acme')).out.trim()
    await createSvc(data)('account', 'set-limits', 'acme', '--requests-per-hour', '1000000')
    let server = await startServer(t, data, env)
    const call = async (method: string, path: string, body?: object): Promise<Response> =>
      await fetch(server.url + path, {
        method,
        headers: { 'x-api-key': key, 'content-type': 'application/json', prefer: 'respond-async' },
        body: body === undefined ? null : JSON.stringify(body)
      })
    const made = await call('POST', '/api/v1/blogs', {
      projectId: 'site',
      title: 'How to make green tea',
      markdown: teaMarkdown(site.picture),
      status: 'published'
    })
    const blog = (await (await call('GET', `/api/v1/blogs/${((await made.json()) as Blog).slug}`)).json()) as Blog

    const page = await (await fetch(site.show(PATH, blog))).text()
    let looks = 0
    const visits = { closed: Promise.resolve() as Promise<unknown> }
    // Only a page that is let go of is answered: the first look hangs.
    let letGo = false
    const url = site.answer(PATH, (request, response) => {
      looks++
      if (letGo) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
      else visits.closed = once(response, 'close')
    })
    const asked = await call('POST', `/api/v1/blogs/${blog.id}/visual-check`, { url })
    t.equal(asked.status, 202)
    const where = asked.headers.get('location')!
    await eventually(async () => looks > 0, 'a browser at the page', 60_000)
    const browsers = findDescendants(server.child.pid!)
    t.ok(browsers.length > 2, 'a process with the driver, and Chromium')
    const environments = browsers.map((pid) => readFileSync(`/proc/${pid}/environ`, 'latin1'))
    t.notOk(environments.join().includes('SESSION_SECRET'), 'they have no settings of the service')
    await server.end('SIGKILL')
    await visits.closed
    for (const pid of browsers) t.same(await leftOf(pid, 10_000), [], 'nothing is left of the browser')

    letGo = true
    server = await startServer(t, data, env)
    const now = async () => (await (await call('GET', where)).json()) as VisualCheck
    if (scaled) t.equal((await now()).status, 'running', 'the check does not count as interrupted yet')
    await eventually(async () => (await now()).finishedAt !== null, 'the end of the check', RECOVERY_MS)
    const ended = await now()
    t.match(ended, { status: 'completed', overallScore: 100 })
    t.strictSame(ended.findings, [])
    const events = await fetch(`${server.url}/api/events?type=visual_check.completed`, {
      headers: { authorization: `Bearer ${await sessionToken('acme')}` }
    })
    t.strictSame(
      ((await events.json()) as { events: { data: { overallScore: number } }[] }).events.map(
        ({ data }) => data.overallScore
      ),
      [100]
    )
  }
)
