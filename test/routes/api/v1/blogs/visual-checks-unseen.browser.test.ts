import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { VisualCheck } from '../../../../../schemas/visual-check.ts'
import { startBlogSite, teaMarkdown } from '../../../../fixtures/browser/blog-site.ts'
import { client, publish, startApp } from '../../../../helper.ts'
import { freePort } from '../../../../servers/index.ts'

const PATH = '/journal/green-tea'
const linux = process.platform === 'linux' ? {} : { skip: 'looks for processes in /proc' }

/**
 * The service with a browser that may open only the site on this machine, and the site that shows
 * its blog.
 */
async function start(t: Test) {
  const site = await startBlogSite(t)
  const app = await startApp(t, { DEMO_CONTENT: 'off', OUTBOUND_ALLOW: new URL(site.url).host })
  const call = await client(app)
  const { slug } = await publish(call, { title: 'How to make green tea', markdown: teaMarkdown(site.picture) })
  const blog = (await call('GET', `/api/v1/blogs/${slug}`)).json()
  const ask = async (url: string, headers: Record<string, string> = {}) =>
    await call('POST', `/api/v1/blogs/${blog.id}/visual-check`, { url }, headers)
  const check = async (url: string): Promise<VisualCheck> => {
    const answer = await ask(url)
    if (![200, 202].includes(answer.statusCode)) throw new Error(`Nothing is checked: ${answer.body}`)
    // On a busy machine a check may take longer than a request waits.
    const ended = await app.services.visualChecks.wait({ accountId: 'acme', id: answer.json().id }, 60_000)
    return app.services.visualChecks.toResponse(ended)
  }
  return { app, site, blog, ask, check }
}

/** A server on this machine that must not be reached; counts its requests. */
async function forbiddenServer(t: Test): Promise<{ port: number; visits: () => number }> {
  let visits = 0
  const server = net
    .createServer((socket) => {
      visits += 1
      socket.destroy()
    })
    .listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, visits: () => visits }
}

t.test(
  'a private URL is rejected at once, and a redirect to one is blocked with the same message',
  { timeout: 120_000 },
  async (t) => {
    const { site, ask, check } = await start(t)
    const { port, visits } = await forbiddenServer(t)
    const refused = await ask(`http://127.0.0.1:${port}/`)
    t.match(refused.json(), { status: 400, code: 'url_not_allowed', errors: [{ pointer: '/url' }] })
    const [reason, hint] = refused.json().detail.split(' For a page on your machine, ')
    t.equal(hint, `start the service with OUTBOUND_ALLOW=127.0.0.1:${port}.`)
    for (const to of [
      `http://127.0.0.1:${port}/secret`,
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/'
    ]) {
      const seen = await check(
        site.answer(PATH, (request, response) => {
          response.writeHead(302, { location: to }).end()
        })
      )
      t.match(
        seen,
        {
          status: 'blocked',
          overallScore: 0,
          reason,
          finalUrl: null,
          findings: [{ code: 'PAGE_ADDRESS_NOT_ALLOWED', evidence: { reason } }],
          screenshots: []
        },
        to
      )
      t.notMatch(JSON.stringify(seen), new URL(to).host, 'nothing is disclosed')
    }
    t.equal(visits(), 0, 'the server received no request')
  }
)

t.test('a page without a server is unreachable and scores 0', { timeout: 120_000 }, async (t) => {
  const site = await startBlogSite(t)
  const empty = await freePort()
  const app = await startApp(t, { DEMO_CONTENT: 'off', OUTBOUND_ALLOW: '127.0.0.1' })
  const call = await client(app)
  const { id } = await publish(call, { title: 'How to make green tea', markdown: teaMarkdown(site.picture) })
  const seen: VisualCheck = (
    await call('POST', `/api/v1/blogs/${id}/visual-check`, { url: `http://127.0.0.1:${empty}/tea` })
  ).json()
  t.match(seen, { status: 'unreachable', overallScore: 0, findings: [{ code: 'PAGE_UNREACHABLE' }] })
  t.equal(typeof seen.reason, 'string')
  t.notMatch(seen.reason, /ECONN|127\.0\.0\.1|proxy|tunnel/i, 'the message has no internal details')
})

t.test('a page that never responds ends within the time limits', { timeout: 180_000 }, async (t) => {
  const { site, check } = await start(t)
  const seen = await check(site.answer(PATH, () => {}))
  t.match(seen, { status: 'timeout', overallScore: 0, findings: [{ code: 'PAGE_TIMES_OUT' }], reason: String })
})

t.test('a waiting request gets a score for pages that readers cannot use', { timeout: 180_000 }, async (t) => {
  const { site, blog, ask } = await start(t)
  let hops = 0
  const pages: Record<string, string> = {
    PAGE_REDIRECTS_ENDLESSLY: site.answer(PATH, (request, response) => {
      hops += 1
      response.writeHead(302, { location: `/journal/hop-${hops}` }).end()
    }),
    PAGE_RELOADS_ENDLESSLY: site.show('/journal/reloads', blog, { after: '<script>location.reload()</script>' }),
    HTTP_ERROR: site.answer('/journal/broken', (request, response) => {
      response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Out of tea</h1>')
    })
  }
  for (let hop = 1; hop < 100; hop++) {
    site.answer(`/journal/hop-${hop}`, (request, response) => {
      response.writeHead(302, { location: `/journal/hop-${hop + 1}` }).end()
    })
  }
  for (const [code, url] of Object.entries(pages)) {
    const answer = await ask(url)
    t.equal(answer.statusCode, 200, code)
    t.match(answer.json(), { overallScore: 0, findings: [{ code, severity: 'critical', confidence: 'certain' }] })
  }
})

t.test('a slow page is awaited, and scored', { timeout: 180_000 }, async (t) => {
  const { site, blog, ask } = await start(t)
  const page = await (await fetch(site.show(PATH, blog))).text()
  const url = site.answer(PATH, (request, response) => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page), 8_000)
  })
  const answer = await ask(url)
  t.equal(answer.statusCode, 200, answer.body)
  const { status, overallScore, findings } = answer.json()
  t.equal(status, 'completed')
  t.ok(overallScore > 0)
  t.ok(findings.some(({ code }: { code: string }) => code === 'SLOW_RESPONSE'))
})

t.test('a page with a part that never loads is evaluated as far as it is loaded', { timeout: 180_000 }, async (t) => {
  const { site, blog, check } = await start(t)
  site.answer('/slow.png', () => {})
  const seen = await check(site.show(PATH, blog, { after: '<img src="/slow.png" width="20" height="20" alt="">' }))
  t.equal(seen.status, 'completed', seen.reason ?? '')
  t.equal(seen.coverage!.visible, 1)
})

t.test('a page that is busy forever ends within the time limits', { timeout: 180_000 }, async (t) => {
  const { site, blog, ask } = await start(t)
  const answer = await ask(site.show(PATH, blog, { after: '<script>for (;;);</script>' }))
  t.equal(answer.statusCode, 200, answer.body)
  t.match(answer.json(), { status: /^(?:timeout|completed)$/, overallScore: 0 })
})

/** The browser processes started by this process. */
function browsersOfOurs(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
        return parent === process.pid && /child\/main\.ts/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
      } catch {
        return false // The process has exited meanwhile.
      }
    })
}

t.test('a check whose browser is killed is completed by another browser', { timeout: 180_000, ...linux }, async (t) => {
  const { site, blog, check } = await start(t)
  const visited = Promise.withResolvers<void>()
  const page = await (await fetch(site.show(PATH, blog))).text()
  let visits = 0
  site.answer(PATH, (request, response) => {
    visits += 1
    visited.resolve()
    // The first browser is killed before it loads the page.
    if (visits > 2) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  })
  const checking = check(`${site.url}${PATH}`)
  await visited.promise
  await wait(200)
  const killed = browsersOfOurs()
  t.equal(killed.length, 1)
  process.kill(killed[0]!, 'SIGKILL')
  const seen = await checking
  t.match(seen, { status: 'completed', coverage: { inDom: 1, visible: 1 } })
  t.notMatch(browsersOfOurs(), killed, 'another browser process completed the check')
})
