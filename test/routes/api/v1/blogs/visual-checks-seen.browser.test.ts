import t, { type Test } from 'tap'
import sharp from 'sharp'
import type { Blog } from '../../../../../schemas/blog.ts'
import type { VisualCheck, VisualCheckScreenshot } from '../../../../../schemas/visual-check.ts'
import { readPosts } from '../../../../data/posts.ts'
import { startBlogSite, teaMarkdown } from '../../../../fixtures/browser/blog-site.ts'
import { metricsWith } from '../../../../fixtures/metrics.ts'
import { client, person, publish, startApp } from '../../../../helper.ts'
import { freePort } from '../../../../servers/index.ts'

const PATH = '/journal/green-tea'

/** The service with a browser, and a site that shows its blog. */
async function start(t: Test) {
  const [site, port] = [await startBlogSite(t), await freePort()]
  const app = await startApp(t, {
    DEMO_CONTENT: 'off',
    OUTBOUND_ALLOW: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${port}`
  })
  await app.listen({ host: '127.0.0.1', port })
  const call = await client(app)
  const { slug } = await publish(call, { title: 'How to make green tea', markdown: teaMarkdown(site.picture) })
  const blog: Blog = (await call('GET', `/api/v1/blogs/${slug}`)).json()
  const check = async (
    url: string,
    { id = blog.id, ...input }: { id?: string } & Record<string, unknown> = {}
  ): Promise<VisualCheck> => {
    const answer = await call('POST', `/api/v1/blogs/${id}/visual-check`, { url, ...input })
    if (![200, 202].includes(answer.statusCode)) throw new Error(`Nothing is checked: ${answer.body}`)
    // On a busy machine a check may take longer than a request waits.
    const ended = await app.services.visualChecks.wait({ accountId: 'acme', id: answer.json().id }, 60_000)
    return app.services.visualChecks.toResponse(ended)
  }
  return { app, call, site, blog, check }
}

const codes = ({ findings }: VisualCheck) => findings.map(({ code }) => code)

t.test('a page that shows the blog correctly has the full score and no findings', { timeout: 120_000 }, async (t) => {
  const { site, blog, check } = await start(t)
  const seen = await check(site.show(PATH, blog))
  t.strictSame(seen.findings, [])
  t.match(seen, {
    status: 'completed',
    overallScore: 100,
    reason: null,
    finalUrl: `${site.url}${PATH}`,
    coverage: { inDom: 1, visible: 1, cssHeld: 1 },
    since: null,
    checker: { chromium: /^\d+\./ }
  })
  t.strictSame([...new Set(Object.values(seen.categories!))], [100])
  t.strictSame(Object.keys(seen.timings!.viewports).sort(), ['desktop', 'mobile'])
})

t.test('an Arabic post is right on a page without a writing direction', { timeout: 120_000 }, async (t) => {
  const { call, site, check } = await start(t)
  const { title, locale, text } = readPosts().find((post) => post.locale === 'ar')!
  const { id, slug } = await publish(call, { title, locale, markdown: text })
  const blog: Blog = (await call('GET', `/api/v1/blogs/${slug}`)).json()
  t.match([blog.lang, blog.dir], ['ar', 'rtl'])
  const seen = await check(site.show('/journal/arabic', blog), { id })
  t.strictSame(seen.findings, [])
  t.equal(seen.overallScore, 100)
  const wrong = { ...blog, htmlContent: blog.htmlContent.replace(' dir="rtl"', '') }
  t.match(codes(await check(site.show('/journal/wrong', wrong), { id })), ['TEXT_DIRECTION'])
})

t.test(
  'hidden text lowers the score with its location, disappears when fixed, and each check sends an event',
  { timeout: 180_000 },
  async (t) => {
    const { app, call, site, blog, check } = await start(t)
    const hidden = await check(site.show(PATH, blog, { css: '.svc-blog > p { display: none }' }))
    const [worst] = hidden.findings
    t.match(worst, {
      code: 'TEXT_HIDDEN',
      severity: 'critical',
      confidence: 'certain',
      category: 'layout',
      viewports: ['mobile', 'desktop']
    })
    t.ok(hidden.overallScore! <= 45, `${hidden.overallScore}`)
    t.ok(hidden.coverage!.visible < 0.9 && hidden.coverage!.inDom === 1)
    t.strictSame(hidden.since, null)

    const fixed = await check(site.show(PATH, blog))
    t.match(fixed, {
      overallScore: 100,
      since: { checkId: hidden.id, overallScore: hidden.overallScore, appeared: [], gone: codes(hidden).sort() }
    })
    const broken = await check(site.show(PATH, blog, { head: '<meta name="robots" content="noindex">' }))
    t.match(broken.since, { checkId: fixed.id, overallScore: 100, appeared: ['NOINDEX'], gone: [] })
    t.match(broken.findings, [{ code: 'NOINDEX', severity: 'high' }])
    t.equal(
      (await check(`${site.url}${PATH}`, { environment: 'staging' })).overallScore,
      100,
      'noindex is no finding on staging'
    )

    const { events } = (await (await person(app, 'acme'))('GET', '/api/events?type=visual_check.completed')).json()
    const event = events.find(({ data }: { data: { checkId: string } }) => data.checkId === hidden.id)
    t.match(event, {
      type: 'visual_check.completed',
      timestamp: hidden.finishedAt,
      data: {
        blogId: blog.id,
        url: `${site.url}${PATH}`,
        status: 'completed',
        overallScore: hidden.overallScore,
        categories: hidden.categories,
        since: null
      }
    })
    t.strictSame(
      event.data.findings.map(({ code }: { code: string }) => code),
      codes(hidden)
    )
    t.equal(events.length, 4)
    t.ok(await metricsWith(app, { 'svc_visual_checks_total{status="completed"}': 4 }))
    t.equal((await call('GET', `/api/v1/blogs/${blog.id}/visual-checks`)).json().totalCount, 4)
  }
)

t.test(
  'screenshots are WebP of the reported size: thumbnails, and on request the page and crops of findings',
  { timeout: 180_000 },
  async (t) => {
    const { call, site, blog, check } = await start(t)
    const url = site.show(PATH, blog, { css: '.svc-blog blockquote { color: #e4e4e4 }' })
    const measured = async ({ url }: VisualCheckScreenshot) => {
      const answer = await call('GET', new URL(url).pathname, undefined, { accept: 'image/webp' })
      t.match(answer, { statusCode: 200, headers: { 'content-type': 'image/webp' } })
      return await sharp(answer.rawPayload).metadata()
    }
    const small = await check(url)
    t.strictSame(
      small.screenshots
        .map(({ kind, viewport, width }) => ({ kind, viewport, width }))
        .sort((a, b) => (a.viewport < b.viewport ? 1 : -1)),
      [
        { kind: 'thumb', viewport: 'mobile', width: 320 },
        { kind: 'thumb', viewport: 'desktop', width: 320 }
      ]
    )
    const full = await check(url, { screenshots: 'full' })
    t.match(full.findings[0], { code: 'LOW_CONTRAST' })
    t.strictSame([...new Set(full.screenshots.map(({ kind }) => kind))].sort(), ['crop', 'page', 'thumb', 'viewport'])
    t.equal(full.screenshots.find(({ kind }) => kind === 'crop')!.finding, 0)
    t.match(
      full.screenshots
        .filter(({ kind }) => kind === 'viewport')
        .map(({ width, height }) => `${width} × ${height}`)
        .sort(),
      ['1366 × 900', '390 × 844']
    )
    for (const screenshot of [...small.screenshots, ...full.screenshots]) {
      t.match(
        await measured(screenshot),
        { format: 'webp', width: screenshot.width, height: screenshot.height },
        screenshot.kind
      )
    }
    t.strictSame((await check(url, { screenshots: 'none', viewports: ['desktop'] })).screenshots, [])
  }
)

t.test(
  'a page with an error status has only that finding, even if it looks like the blog',
  { timeout: 120_000 },
  async (t) => {
    const { site, blog, check } = await start(t)
    const page = await (await fetch(site.show(PATH, blog))).text()
    site.answer(PATH, (request, response) => {
      response.writeHead(500, { 'content-type': 'text/html' }).end(page)
    })
    const seen = await check(`${site.url}${PATH}`)
    t.match(seen.findings, [{ code: 'HTTP_ERROR', severity: 'critical' }])
    t.equal(seen.findings.length, 1)
    t.ok(seen.overallScore! <= 25, `${seen.overallScore}`)
  }
)

t.test('an asynchronous check is found at its URL when it has finished', { timeout: 120_000 }, async (t) => {
  const { app, call, site, blog } = await start(t)
  const answer = await call(
    'POST',
    `/api/v1/blogs/${blog.id}/visual-check`,
    { url: site.show(PATH, blog) },
    { prefer: 'respond-async' }
  )
  t.equal(answer.statusCode, 202)
  await app.services.visualChecks.wait({ accountId: 'acme', id: answer.json().id }, 30_000)
  t.match((await call('GET', String(answer.headers.location))).json(), { status: 'completed', overallScore: 100 })
})
