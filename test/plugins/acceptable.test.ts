import t from 'tap'
import { client, publish, startApp } from '../helper.ts'

t.test('a 406 response lists the available media types', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  await publish(call, { title: 'Words' })
  const status = async (url: string, accept: string) => (await call('GET', url, undefined, { accept })).statusCode
  for (const accept of [
    'application/json',
    '*/*',
    'application/*',
    'text/html,application/xhtml+xml,*/*;q=0.8',
    'application/json;q=0.1, text/html',
    'APPLICATION/JSON',
    'nonsense'
  ]) {
    t.equal(await status('/api/v1/blogs/words', accept), 200, accept)
    t.equal(await status('/api/v1/products', accept), 200, accept)
  }
  for (const accept of ['text/html', 'application/xml, text/*', 'application/json;q=0', 'application/json;q=0, */*']) {
    t.equal(await status('/api/v1/blogs/words', accept), 406, `${accept}, also from memory`)
    t.equal(await status('/api/v1/products', accept), 406, accept)
  }
  const many = 'text/plain,'.repeat(200)
  t.equal(await status('/api/v1/products', `application/json,${many}`), 200, 'the first 2,000 characters count')
  t.equal(await status('/api/v1/products', `${many}application/json`), 406, 'the others do not')
  const refused = await call('GET', '/api/v1/blogs', undefined, { accept: 'text/html' })
  t.match(refused.json(), { code: 'not_acceptable', detail: 'This endpoint only returns application/json.' })
  t.equal(refused.headers['content-type'], 'application/problem+json; charset=utf-8')
  await app.services.projects.update('acme', 'site', { siteUrl: 'https://example.com' })
  t.equal(await status('/api/v1/blogs/sitemap.xml', 'application/xml'), 200)
  t.equal(await status('/api/v1/blogs/sitemap.xml', 'application/json'), 406)
})
