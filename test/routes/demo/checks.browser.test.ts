import t from 'tap'
import { DEMO } from '../../../schemas/examples/demo.ts'
import { startApp } from '../../helper.ts'

t.test('the demo has a history of real checks, of a page that gets better', { timeout: 300_000 }, async (t) => {
  const app = await startApp(t, { HOST: '127.0.0.1', PORT: '0' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const key = await app.seedDemo()
  const { demo } = app.services
  t.equal(await demo.checkPages(AbortSignal.timeout(240_000)), 3)
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

t.test('without a browser, the demo has no checks', async (t) => {
  const app = await startApp(t, { HOST: '127.0.0.1', PORT: '0', CHROMIUM_PATH: '/does/not/exist' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  await app.seedDemo()
  t.equal(await app.services.demo.checkPages(AbortSignal.timeout(60_000)), 0)
  const unfinished = await app.store.visualChecks.unfinished('9999', { after: null, limit: 1 })
  t.strictSame(unfinished.items, [])
})
