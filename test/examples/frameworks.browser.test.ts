import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { client, type Client, publish, sessionToken, startApp } from '../helper.ts'
import { eventually } from '../fixtures/webhooks/receiver.ts'
import { longDate } from '../fixtures/examples/dates.ts'
import { installExample } from '../fixtures/examples/install.ts'
import { assertAlignedCards, publishWithCover } from '../fixtures/examples/list.ts'
import { runReadmeSteps } from '../fixtures/examples/readme.ts'
import { freePort } from '../servers/index.ts'

/*
 * The examples in examples/astro and examples/next, built and served as their README files say. Their packages are
 * installed from npm in the versions of test/fixtures/examples.
 */

const POSTS = 1_000
const MARKDOWN = 'Green tea is made with water that does not boil.\n\n## What you need\n\n- a pot\n- two cups'

/** A service that listens, with the project `site` at the URL of the example. */
async function startService(t: Test, siteUrl: string) {
  const app = await startApp(t, { OUTBOUND_ALLOW: '127.0.0.1' })
  const call = await client(app)
  await app.services.projects.create('acme', { id: 'site', name: 'Site', siteUrl, blogPath: '/journal' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const env = { SVC_URL: `http://127.0.0.1:${portOf(app.server)}`, SVC_KEY: call.key, SVC_PROJECT: 'site' }
  return { app, call, env }
}

const portOf = (server: { address: () => unknown }): number => (server.address() as AddressInfo).port

/** Runs a program of the example in Node.js. Resolves to what it printed. Throws if it fails. */
async function runPackage(folder: string, args: string[], env: Record<string, string>): Promise<string> {
  const child = start(folder, args, env)
  const [[code], out, err] = await Promise.all([once(child, 'exit'), text(child.stdout!), text(child.stderr!)])
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${out}${err}`)
  return out
}

function start(folder: string, [program, ...args]: string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [path.join('node_modules', program!), ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      ASTRO_TELEMETRY_DISABLED: '1',
      NEXT_TELEMETRY_DISABLED: '1',
      NO_COLOR: '1',
      ...env
    },
    stdio: ['ignore', 'pipe', 'pipe']
  })
}

async function assertScore(
  t: Test,
  { app, call, id, url }: { app: FastifyInstance; call: Client; id: string; url: string }
) {
  const started = await call('POST', `/api/v1/blogs/${id}/visual-check`, { url })
  const check = await app.services.visualChecks.wait({ accountId: 'acme', id: started.json().id }, 90_000)
  const { overallScore, findings } = app.services.visualChecks.toResponse(check)
  t.ok(overallScore !== null && overallScore >= 95, `${url}: ${overallScore} ${JSON.stringify(findings)}`)
}

t.test(`the Astro example shows ${POSTS} posts after few requests`, { timeout: 480_000 }, async (t) => {
  const port = await freePort()
  const siteUrl = `http://127.0.0.1:${port}`
  const { app, call, env } = await startService(t, siteUrl)
  const folder = installExample(t, 'astro')
  const first = await publish(call, { title: 'How to make tea', markdown: MARKDOWN })
  for (let count = 2; count < POSTS; count++) {
    await publish(call, { title: `Tea number ${count}`, markdown: `Words about tea number ${count}.` })
  }
  await publishWithCover(call, 'Iced tea')
  await call('PATCH', `/api/v1/blogs/${first.id}`, { slug: 'making-tea' })
  const remaining = async () => Number((await call('GET', '/api/v1/blogs?pageSize=1')).headers['x-ratelimit-remaining'])
  const build = async () => {
    const before = await remaining()
    await runPackage(folder, ['astro/bin/astro.mjs', 'build'], { ...env, SITE_URL: siteUrl })
    // The second question for what remains is a request too.
    return before - (await remaining()) - 1
  }

  t.equal(await build(), 12)
  const pages = readdirSync(path.join(folder, 'dist/journal'))
  t.ok(pages.filter((name) => name.endsWith('.html')).length >= POSTS, `${pages.length} pages`)
  const read = (file: string) => readFileSync(path.join(folder, 'dist', file), 'utf8')
  t.match(read('journal/making-tea.html'), `<link rel="canonical" href="${siteUrl}/journal/making-tea">`)
  t.match(read('journal/making-tea.html'), `>${longDate(first.publishedAt, 'en')}</time>`)
  t.match(read('journal/how-to-make-tea.html'), '/journal/making-tea', 'a redirect of the former slug')
  t.match(read('journal/feed.xml'), /^<\?xml/)
  t.match(read('journal/sitemap.xml'), `${siteUrl}/journal/making-tea`)
  t.equal(await build(), 1, 'nothing has changed')

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, siteUrl)
    const file = pathname.includes('.') ? pathname : `${pathname}.html`
    try {
      const type = { '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.js': 'text/javascript' }
      const extension = path.extname(file) as keyof typeof type
      response.writeHead(200, { 'content-type': type[extension] ?? 'application/octet-stream' })
      response.end(readFileSync(path.join(folder, 'dist', decodeURIComponent(file))))
    } catch {
      response.writeHead(404).end()
    }
  }).listen(port, '127.0.0.1')
  t.teardown(() => server.close())
  await assertScore(t, { app, call, id: first.id, url: `${siteUrl}/journal/making-tea` })
  await assertAlignedCards(t, `${siteUrl}/journal`)
})

t.test(
  'the Next.js example renders posts again when they change, and shows drafts',
  { timeout: 480_000 },
  async (t) => {
    const port = await freePort()
    const siteUrl = `http://127.0.0.1:${port}`
    const { app, call, env } = await startService(t, siteUrl)
    const folder = installExample(t, 'next')
    const inShell = { folder, port, env: { ...env, SVC_TOKEN: await sessionToken('acme') } }
    t.match(
      await runReadmeSteps(t, [4, 5, 6], inShell),
      /^200\nwhsec_\S+\n$/,
      'the address and the webhook are set, and .env.local is written'
    )
    const blog = await publish(call, { title: 'How to make tea', markdown: MARKDOWN })
    await publishWithCover(call, 'Iced tea')
    await runPackage(folder, ['next/dist/bin/next', 'build'], {})
    const site = start(folder, ['next/dist/bin/next', 'start', '-p', String(port), '-H', '127.0.0.1'], {})
    t.teardown(() => site.kill('SIGKILL'))
    const get = async (url: string, headers: Record<string, string> = {}) =>
      await fetch(siteUrl + url, { redirect: 'manual', headers })
    await eventually(async () => (await get('/journal').catch(() => null))?.status === 200, 'the site is shown')

    t.match(await (await get('/journal')).text(), 'How to make tea')
    await assertAlignedCards(t, `${siteUrl}/journal`)
    t.match(await (await get('/journal/feed.xml')).text(), /^<\?xml/)
    await assertScore(t, { app, call, id: blog.id, url: `${siteUrl}/journal/${blog.slug}` })
    t.match(await (await get(`/journal/${blog.slug}`)).text(), `>${longDate(blog.publishedAt, 'en')}</time>`)

    await call('PATCH', `/api/v1/blogs/${blog.id}`, { markdown: `${MARKDOWN}\n\nAnd a spoon of honey.` })
    await eventually(
      async () => (await (await get(`/journal/${blog.slug}`)).text()).includes('And a spoon of honey.'),
      'the page is rendered again after the event'
    )

    t.equal(await runReadmeSteps(t, [8], inShell), `${siteUrl}/journal/hello-from-next-js\n`)
    await eventually(
      async () => (await (await get('/journal')).text()).includes('Hello from Next.js'),
      'the list shows the new post'
    )

    const draft = (await call('POST', '/api/v1/blogs', { projectId: 'site', title: 'Soon', markdown: 'Soon.' })).json()
    const { token } = (await call('POST', `/api/v1/blogs/${draft.id}/preview`)).json()
    t.equal((await get(`/journal/${draft.slug}`)).status, 404)
    t.equal((await get(`/api/draft?slug=${draft.slug}&token=x`)).status, 404)
    const entered = await get(`/api/draft?slug=${draft.slug}&token=${token}`)
    const cookie = entered.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    t.equal(entered.headers.get('location'), `/journal/${draft.slug}`)
    const shown = await get(`/journal/${draft.slug}`, { cookie })
    t.equal(shown.status, 200)
    t.match(await shown.text(), 'Soon.')
  }
)
