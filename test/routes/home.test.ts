import t from 'tap'
import { startApp } from '../helper.ts'

t.test('the start page links to the console, the demo, the documentation, the API and health', async (t) => {
  const app = await startApp(t)
  await app.seedDemo()
  const page = await app.inject('/')
  t.match(page.headers['content-type'], 'text/html')
  t.match(page.headers['content-security-policy'], "default-src 'none'; style-src 'self'; img-src data:;")
  t.notMatch(page.body, /<script|<style| style=| on\w+=/, 'nothing that the policy forbids')
  const [main] = /<main.*<\/main>/s.exec(page.body)!
  const links = [...main.matchAll(/href="([^"]+)"/g)].map(([, link]) => link!)
  for (const url of ['/console', '/demo', '/docs', '/docs/api', '/health/ready', '/docs/guides/blog-on-your-site']) {
    t.ok(links.includes(url), url)
  }
  for (const url of links) t.equal((await app.inject(url)).statusCode, 200, url)
})

t.test('the first steps of the demo are a link to the console, and a request with the demo key', async (t) => {
  const app = await startApp(t, { PUBLIC_URL: 'http://content.test:7700', BRAND: 'acme' })
  const { body } = await app.inject('/')
  t.match(body, '<h2>First steps</h2>')
  t.match(body, 'npm run --silent svc -- console --account demo')
  t.match(body, 'export SVC_KEY=acme_pk_…')
  t.match(body, 'http://content.test:7700/api/v1/blogs?pageSize=3')
})

t.test('without the demo, the start page does not mention it', async (t) => {
  const app = await startApp(t, { DEMO_CONTENT: 'off' })
  const { body } = await app.inject('/')
  t.notMatch(body, /demo|npm/i)
  t.match(body, /create an API key/)
  t.match(body, '/api/v1/blogs?pageSize=3')
})
