import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { readSitemap, slugOf } from '../../../../bin/svc/check/sitemap.ts'
import { checkSite } from '../../../../bin/svc/check/site.ts'
import { RequestError } from '../../../../bin/svc/command.ts'
import type { CheckClient } from '../../../../bin/svc/check/client.ts'
import type { VisualCheckInput } from '../../../../schemas/visual-check.ts'
import { sampleCheck } from '../../../fixtures/visual-check/sample-check.ts'

/** A site that serves these files. */
async function serve(t: Test, files: (origin: string) => Record<string, string | Buffer>): Promise<string> {
  const server = createServer((request, response) => {
    const body = files(origin)[request.url!]
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return origin
}

t.test('the pages of a sitemap are read in order, also from a compressed index that lists itself', async (t) => {
  const origin = await serve(t, (origin) => ({
    '/index.xml.gz': gzipSync(
      `<?xml version="1.0"?><sitemapindex xmlns="x"><sitemap><loc>${origin}/a.xml</loc></sitemap>` +
        `<sitemap><loc>${origin}/index.xml.gz</loc></sitemap><sitemap><loc>/b.xml</loc></sitemap></sitemapindex>`
    ),
    '/a.xml':
      '<urlset>\n<url><loc>\n https://shop.example/blog/tea?a=1&amp;b=2 </loc><image:image><image:loc>https://shop.example/a.jpg' +
      '</image:loc></image:image></url><url><loc><![CDATA[https://shop.example/blog/cup]]></loc></url></urlset>',
    '/b.xml':
      '<urlset><url><loc>https://shop.example/blog/cup</loc></url><url><loc>ftp://shop.example/x</loc></url>' +
      '<url><loc>https://shop.example/blog/&#x4e2d;&#50;</loc></url></urlset>'
  }))
  t.strictSame(await readSitemap(`${origin}/index.xml.gz`), [
    'https://shop.example/blog/tea?a=1&b=2',
    'https://shop.example/blog/cup',
    'https://shop.example/blog/%E4%B8%AD2'
  ])
})

t.test('a file that cannot be read is named', async (t) => {
  const many = Array.from({ length: 101 }, (_, n) => n)
  const origin = await serve(t, (origin) => ({
    '/page.xml': '<html><loc>https://shop.example/</loc></html>',
    '/broken.xml': Buffer.from([0x1f, 0x8b, 1, 2, 3]),
    '/many.xml': `<sitemapindex>${many.map((n) => `<loc>${origin}/${n}.xml</loc>`).join('')}</sitemapindex>`
  }))
  await t.rejects(readSitemap(`${origin}/page.xml`), {
    name: 'StartError',
    message: `${origin}/page.xml is not a sitemap.`
  })
  await t.rejects(readSitemap(`${origin}/none.xml`), {
    message: `The sitemap ${origin}/none.xml could not be read: status 404`
  })
  await t.rejects(readSitemap(`${origin}/broken.xml`), { name: 'StartError', message: /broken\.xml could not be read/ })
  await t.rejects(readSitemap(`${origin}/many.xml`), { message: /lists more than 100 sitemaps/ })
  await t.rejects(readSitemap('http://127.0.0.1:9/'), {
    name: 'StartError',
    message: /127\.0\.0\.1:9\/ could not be read/
  })
})

t.test('the slug is the last segment of the path', async (t) => {
  const slugs = {
    'https://shop.example/blog/tea': 'tea',
    'https://shop.example/blog/tea/?page=2#cup': 'tea',
    'https://shop.example/tea.html': 'tea',
    'https://shop.example/blog/%E4%B8%AD': '中',
    'https://shop.example/blog/v1.5': 'v1.5',
    'https://shop.example/': null,
    'https://shop.example/%ff': null
  }
  for (const [url, slug] of Object.entries(slugs)) t.equal(slugOf(url), slug, url)
})

const failure = (code: string) =>
  new RequestError({
    type: 'x',
    title: 'Title',
    status: 429,
    code,
    detail: `Detail of ${code}.`
  } as RequestError['problem'])

/** A service with blogs of these slugs, which answers requests with the given errors first. */
function createClient(slugs: string[], errors: string[] = []): CheckClient {
  return {
    request: async ({ slug }, { url }: VisualCheckInput) => {
      const error = errors.shift()
      if (error !== undefined && error !== '') throw failure(error)
      if (!slugs.includes(slug)) throw failure('blog_not_found')
      return { ...sampleCheck, url }
    },
    find: async () => sampleCheck,
    report: async () => Buffer.from(''),
    queue: async () => null
  }
}
const urlsOf = (...slugs: string[]) => slugs.map((slug) => `https://shop.example/blog/${slug}`)
const options = (lines: string[] = []) => ({
  project: undefined,
  input: {},
  log: (line: string) => {
    lines.push(line)
  },
  retryMs: 1
})

t.test('a full queue is awaited, and pages without a blog are left out', async (t) => {
  const lines: string[] = []
  const client = createClient(['tea', 'cup'], ['too_many_unfinished_visual_checks', 'busy', 'busy'])
  const { checks, skipped, unchecked } = await checkSite(client, urlsOf('tea', 'about', 'cup'), options(lines))
  t.strictSame(
    checks.map(({ url }) => url),
    urlsOf('tea', 'cup')
  )
  t.strictSame({ skipped, unchecked }, { skipped: urlsOf('about'), unchecked: [] })
  t.match(lines.sort(), [/^\[1\/3\]/, /^\[2\/3\]/, /^\[3\/3\]/])
})

t.test('after the hourly limit the other pages are unchecked, and the reason is logged', async (t) => {
  const lines: string[] = []
  const client = createClient(['a', 'b', 'c', 'd'], ['', '', 'too_many_visual_checks'])
  const { checks, unchecked } = await checkSite(client, urlsOf('a', 'b', 'c', 'd'), options(lines))
  t.equal(checks.length + unchecked.length, 4)
  t.ok(unchecked.includes(urlsOf('c')[0]!))
  t.match(lines.at(-1), 'Title: Detail of too_many_visual_checks.')
})

t.test('without any check the reason is an error', async (t) => {
  await t.rejects(
    checkSite(createClient(['a'], ['scope_missing', 'scope_missing']), urlsOf('a', 'b'), options()),
    RequestError
  )
  await t.rejects(checkSite(createClient(['a']), urlsOf('b'), options()), { name: 'StartError' })
})
