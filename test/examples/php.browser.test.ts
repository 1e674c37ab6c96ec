import { spawn, spawnSync } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import t, { type Test } from 'tap'
import { longDate } from '../fixtures/examples/dates.ts'
import { assertAlignedCards, publishWithCover } from '../fixtures/examples/list.ts'
import { client, publish, startApp, temporaryFolder } from '../helper.ts'

const FILE = path.resolve(import.meta.dirname, '../../examples/php/blog.php')
const isMissing = process.env.CI !== 'true' && spawnSync('php', ['--version']).status !== 0
const skip = isMissing && 'php is not installed here, so the example is NOT tested (apt-get install php-cli)'

/** Starts the example on a free port. Resolves with its URL when it listens. */
async function startSite(t: Test, env: Record<string, string>): Promise<string> {
  const child = spawn('php', ['-d', 'error_reporting=E_ALL', '-S', '127.0.0.1:0', FILE], {
    env: { PATH: process.env.PATH, CACHE_DIR: temporaryFolder(t), ...env },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  t.teardown(() => child.kill('SIGKILL'))
  return await new Promise((resolve, reject) => {
    let output = ''
    child.on('error', reject).on('exit', (code) => reject(new Error(`PHP ended with ${code}: ${output}`)))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
      if (url !== undefined) resolve(url)
      if (/PHP (Warning|Notice|Deprecated|Fatal)/.test(chunk)) t.fail(chunk)
    })
  })
}

t.test('the PHP example shows posts as our own visual check expects', { timeout: 240_000, skip }, async (t) => {
  const app = await startApp(t, { OUTBOUND_ALLOW: '127.0.0.1' })
  const call = await client(app)
  await app.services.projects.create('acme', {
    id: 'site',
    name: 'Site',
    siteUrl: 'https://site.example',
    blogPath: '/journal'
  })
  const markdown = 'Green tea is made with water that does not boil.\n\n## What you need\n\n- a pot\n- two cups'
  const blog = await publish(call, { title: 'How to make tea', markdown })
  const arabic = 'الشاي الأخضر يُحضَّر بماء لا يغلي، ويُقدَّم في أكواب صغيرة بعد دقيقتين من النقع.'
  const other = await publish(call, { title: 'كيف نحضر الشاي', slug: 'shay', locale: 'ar', markdown: arabic })
  await publishWithCover(call, 'Iced tea')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const service = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const site = await startSite(t, { SVC_URL: service, SVC_KEY: call.key, SVC_PROJECT: 'site' })
  const get = async (url: string) => await fetch(site + url, { redirect: 'manual' })

  for (const { id, slug } of [blog, other]) {
    const started = await call('POST', `/api/v1/blogs/${id}/visual-check`, { url: `${site}/journal/${slug}` })
    const check = await app.services.visualChecks.wait({ accountId: 'acme', id: started.json().id }, 90_000)
    const { overallScore, findings } = app.services.visualChecks.toResponse(check)
    t.ok(overallScore !== null && overallScore >= 95, `${slug}: ${overallScore} ${JSON.stringify(findings)}`)
  }

  await assertAlignedCards(t, `${site}/journal`)
  const list = await (await get('/journal')).text()
  for (const text of ['How to make tea', 'كيف نحضر الشاي', '/journal/feed.xml']) t.match(list, text)
  const page = await (await get(`/journal/${blog.slug}`)).text()
  t.match(page, '<link rel="canonical" href="https://site.example/journal/how-to-make-tea">')
  t.match(page, /<script type="application\/ld\+json">\{"@context"/)
  t.match(page, `>${longDate(blog.publishedAt, 'en')}</time>`)
  t.match(await (await get('/journal/feed.xml')).text(), /^<\?xml/)
  t.match(await (await get('/journal/sitemap.xml')).text(), 'https://site.example/journal/how-to-make-tea')
  t.equal((await get('/journal/none')).status, 404)
  t.equal((await get('/')).headers.get('location'), '/journal')

  const draft = (await call('POST', '/api/v1/blogs', { projectId: 'site', title: 'Soon', markdown: 'Soon.' })).json()
  const { token } = (await call('POST', `/api/v1/blogs/${draft.id}/preview`)).json()
  t.equal((await get(`/journal/${draft.slug}?preview=x`)).status, 404)
  const preview = await get(`/journal/${draft.slug}?preview=${token}`)
  t.equal(preview.status, 200)
  t.equal(preview.headers.get('cache-control'), 'no-store')
  t.match(await preview.text(), '<meta name="robots" content="noindex">')

  await call('PATCH', `/api/v1/blogs/${other.id}`, { slug: 'tea-in-arabic' })
  await call('PATCH', `/api/v1/blogs/${other.id}`, { slug: 'shay-akhdar' })
  const moved = await get('/journal/tea-in-arabic')
  t.equal(moved.status, 301)
  t.equal(moved.headers.get('location'), '/journal/shay-akhdar')
  await call('DELETE', `/api/v1/blogs/${other.id}`)
  t.equal((await get('/journal/shay-akhdar')).status, 410)

  await app.close()
  t.equal((await get(`/journal/${blog.slug}`)).status, 200, 'stored pages are shown while the service is down')
  t.equal((await get('/journal/not-stored')).status, 503)
})
