import t from 'tap'
import { DEMO } from '../../../schemas/examples/demo.ts'
import { startApp, temporaryFolder } from '../../helper.ts'
import { freePort } from '../../servers/index.ts'

t.test('the demo has a history of real checks, of a page that gets better', { timeout: 300_000 }, async (t) => {
  const app = await startApp(t, { HOST: '127.0.0.1', PORT: '0' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const key = await app.seedDemo()
  const { demo } = app.services
  t.equal(await demo.checkPages(AbortSignal.timeout(240_000)), 3)
  t.equal(await demo.checkPages(AbortSignal.timeout(60_000)), 0, 'the next start does not repeat them')
  t.equal(demo.sites.template(), 'final')
  const get = async (url: string) => (await app.inject({ url, headers: { 'x-api-key': key! } })).json()
  const { id, canonicalUrl } = await get(`/api/v1/blogs/${DEMO.slug}`)
  const { visualChecks } = (await get(`/api/v1/blogs/${id}/visual-checks`)) as {
    visualChecks: { id: string; url: string; status: string; overallScore: number }[]
  }
  t.ok(visualChecks.every(({ url, status }) => url === canonicalUrl && status === 'completed'))
  const [latest, second, first] = visualChecks.map(({ overallScore }) => overallScore)
  t.equal(latest, 100)
  t.equal(visualChecks[2]!.id, DEMO.checkId, 'the samples of the API document read it')
  t.equal(id, DEMO.blogId)
  t.ok(second! < 90 && first! < second! - 5, `${first}, ${second}, ${latest}`)
  const oldest = await get(`/api/v1/blogs/${id}/visual-checks/${visualChecks[2]!.id}`)
  const codes = oldest.findings.map(({ code }: { code: string }) => code)
  for (const code of ['NO_MOBILE_VIEWPORT', 'IMAGE_DISTORTED', 'LOW_CONTRAST', 'META_DESCRIPTION_MISSING']) {
    t.ok(codes.includes(code), code)
  }
})

t.test('without a browser, the demo has no checks, and the next start tries again', async (t) => {
  const folder = temporaryFolder(t)
  const settings = { HOST: '127.0.0.1', PORT: String(await freePort()), DATA_DIR: folder }
  const broken = await startApp(t, { ...settings, CHROMIUM_PATH: '/does/not/exist' })
  await broken.listen({ host: '127.0.0.1', port: Number(settings.PORT) })
  await broken.seedDemo()
  const rejected = { code: 'unavailable', message: 'No browser could be started.' }
  await t.rejects(broken.services.demo.checkPages(AbortSignal.timeout(60_000)), rejected, 'the cause is known')
  const unfinished = await broken.store.visualChecks.unfinished('9999', { after: null, limit: 1 })
  t.strictSame(unfinished.items, [])
  await broken.close()

  const next = await startApp(t, settings)
  await next.listen({ host: '127.0.0.1', port: Number(settings.PORT) })
  t.equal(await next.seedDemo(), null)
  t.equal(await next.services.demo.checkPages(AbortSignal.timeout(240_000)), 3)
})

t.test('a website with another address is not checked for the demo', async (t) => {
  const app = await startApp(t, { HOST: '127.0.0.1', PORT: '0' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  await app.seedDemo()
  await app.services.projects.update(DEMO.accountId, DEMO.projectId, { siteUrl: 'https://www.example.com' })
  t.equal(await app.services.demo.checkPages(AbortSignal.timeout(60_000)), 0)
})
