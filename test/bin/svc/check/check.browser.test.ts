import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import type { Blog } from '../../../../schemas/blog.ts'
import { startBlogSite, teaMarkdown } from '../../../fixtures/browser/blog-site.ts'
import { sessionToken, temporaryFolder } from '../../../helper.ts'
import { startServer, createSvc } from '../../../processes.ts'

const PATH = '/journal/green-tea'
const HIDDEN = '.svc-blog > p { display: none }'

t.test('checks a page: as text, as JSON, with --fail-under, and as an HTML report', { timeout: 300_000 }, async (t) => {
  const [data, site] = [temporaryFolder(t), await startBlogSite(t)]
  const svc = createSvc(data, { OUTBOUND_ALLOW: '127.0.0.1' })
  const server = await startServer(t, data, { OUTBOUND_ALLOW: '127.0.0.1' })
  const administrator = {
    authorization: `Bearer ${await sessionToken('acme', { role: 'admin' })}`,
    'content-type': 'application/json'
  }
  const key = (await svc('keys', 'create', '--name', 'Writer', '--account', 'acme')).out.trim()
  const api = async (method: string, address: string, body?: object) =>
    await (
      await fetch(`${server.url}${address}`, {
        method,
        headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        body: JSON.stringify(body)
      })
    ).json()
  const { id, slug } = await api('POST', '/api/v1/blogs', {
    projectId: 'site',
    title: 'How to make green tea',
    markdown: teaMarkdown(site.picture),
    status: 'published'
  })
  const blog: Blog = await api('GET', `/api/v1/blogs/${slug}`)
  const url = site.show(PATH, blog)
  const check = async (...words: string[]) => await svc('check', url, '--blog', slug, '--account', 'acme', ...words)

  const good = await check('--fail-under', '100')
  t.equal(good.code, 0, good.err)
  t.match(good.out, /100/)
  t.notMatch(good.out, /TEXT_HIDDEN/)

  site.show(PATH, blog, { css: HIDDEN })
  const seen = await check('--json', '--fail-under', '90', '--viewport', 'mobile')
  t.equal(seen.code, 1, 'the exit code fails a build')
  t.match(JSON.parse(seen.out), {
    status: 'completed',
    url,
    overallScore: 25,
    findings: [{ code: 'TEXT_HIDDEN', viewports: ['mobile'] }],
    since: { overallScore: 100, appeared: ['TEXT_HIDDEN'] }
  })
  const passing = await check('--viewport', 'mobile', '--fail-under', '20')
  t.equal(passing.code, 0, passing.err)
  t.match(passing.out, 'Text is hidden.')

  const opened = await createSvc(data, { OUTBOUND_ALLOW: '127.0.0.1', PATH: '' })(
    'check',
    url,
    '--blog',
    slug,
    '--account',
    'acme',
    '--open',
    '--viewport',
    'mobile'
  )
  t.equal(opened.code, 0, opened.err)
  const file = /The report was saved to (\S+)$/m.exec(opened.err)?.[1]
  t.ok(file, opened.err)
  t.teardown(() => {
    rmSync(path.dirname(file!), { recursive: true })
  })
  const report = readFileSync(file!, 'utf8')
  t.match(report, 'TEXT_HIDDEN')
  t.ok(report.match(/data:image\/webp;base64,/g)!.length >= 2, 'with its screenshots')

  // All pages of the site: two blogs, and a page that shows none.
  const second = await api('POST', '/api/v1/blogs', {
    projectId: 'site',
    title: 'How to keep green tea',
    markdown: teaMarkdown(site.picture),
    status: 'published'
  })
  site.show(PATH, blog)
  const pages = [`/journal/${slug}/`, `/journal/${second.slug}.html`, '/about']
  site.show(pages[0]!, blog)
  site.answer(pages[1]!, (request, response) => {
    response.writeHead(500).end('Out of tea')
  })
  site.answer('/sitemap.xml', (request, response) => {
    const entries = pages.map((page) => `<url><loc>${site.url}${page}</loc></url>`)
    response.writeHead(200, { 'content-type': 'application/xml' }).end(`<urlset>${entries.join('')}</urlset>`)
  })
  site.answer('/index.xml', (request, response) => {
    response
      .writeHead(200)
      .end(gzipSync(`<sitemapindex><sitemap><loc>${site.url}/sitemap.xml</loc></sitemap></sitemapindex>`))
  })
  const checkSite = async (...words: string[]) =>
    await svc('check', '--sitemap', `${site.url}/index.xml`, '--account', 'acme', '--viewport', 'desktop', ...words)
  const summary = await checkSite('--fail-under', '1')
  t.equal(summary.code, 1, summary.err)
  const rows = summary.out.trimEnd().split('\n')
  t.match(rows[1], new RegExp(`${second.slug}\\.html +0 +1 +0 +0 +0 +FAILED`))
  t.match(rows[2], new RegExp(`${slug}/ +\\d+ .*passed`))
  t.match(rows.at(-1), '2 pages: 1 passed, 1 failed')
  t.match(rows.at(-1), '1 other page of the sitemap shows no published blog')
  t.match(summary.err, /\[3\/3\]/, 'progress is on standard error')
  const log = JSON.parse((await checkSite('--format', 'sarif')).out)
  t.match(log, { version: '2.1.0', runs: [{ results: [{ ruleId: String }] }] })
  t.ok(log.runs[0].results.some(({ ruleId }: { ruleId: string }) => ruleId === 'HTTP_ERROR'))
  t.match((await svc('check', '--sitemap', `${site.url}${PATH}`, '--account', 'acme')).err, /is not a sitemap/)
  t.match(
    (await svc('check', '--sitemap', `${site.url}/none.xml`, '--account', 'acme')).err,
    /The sitemap .*none\.xml could not be read: status 404/
  )

  // A former slug of the blog works, too.
  await fetch(`${server.url}/api/v1/blogs/${id}`, {
    method: 'PATCH',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'if-match': '*' },
    body: JSON.stringify({ slug: 'tea-made-green' })
  })
  const asked = await fetch(`${server.url}/api/admin/accounts/acme/blogs/${slug}/visual-checks`, {
    method: 'POST',
    headers: administrator,
    body: JSON.stringify({ url, viewports: ['mobile'], screenshots: 'none' })
  })
  t.equal(asked.status, 202)
  const { id: checkId, blogId } = await asked.json()
  t.equal(blogId, id)
  const found = await fetch(`${server.url}${asked.headers.get('location')}`, { headers: administrator })
  t.match(await found.json(), { id: checkId, blogId: id })
  const notAdministrator = { ...administrator, authorization: `Bearer ${await sessionToken('acme')}` }
  t.equal((await fetch(`${server.url}${asked.headers.get('location')}`, { headers: notAdministrator })).status, 403)

  const unknown = await svc('check', url, '--blog', 'coffee', '--account', 'acme')
  t.match(unknown, { code: 1, out: '', err: /No published blog has the slug "coffee"/ })
  const refused = await svc('check', 'http://10.0.0.1/', '--blog', slug, '--account', 'acme')
  t.match(refused, { code: 1, out: '', err: /This URL cannot be checked/ })
})
