import t from 'tap'
import { client, publish, startApp } from '../../../../helper.ts'

t.test('rendering shows unsaved changes as they would be delivered, and saves nothing', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const blog = await publish(call, { title: 'Green tea', markdown: 'Before' })
  const url = `/api/v1/blogs/${blog.id}/render`
  const rendered = await call('POST', url, { title: 'Black tea', markdown: 'After <script>alert(1)</script> *now*' })
  t.equal(rendered.statusCode, 200)
  t.equal(rendered.headers['cache-control'], 'no-store')
  t.match(rendered.json(), { title: 'Black tea', htmlContent: /After\s+<em>now<\/em>/, version: blog.version })
  t.notMatch((rendered.json() as { htmlContent: string }).htmlContent, 'alert')
  t.match((await call('GET', `/api/v1/blogs/${blog.slug}`)).json(), { title: 'Green tea', htmlContent: /Before/ })
  t.match((await call('GET', '/api/events')).json(), { status: 403 }, 'the key of this test reads no events')

  const saved = await call('PATCH', `/api/v1/blogs/${blog.id}`, { title: 'Black tea', markdown: 'After *now*' })
  const delivered = (await call('GET', `/api/v1/blogs/${blog.slug}`)).json() as { htmlContent: string }
  t.equal(saved.statusCode, 200)
  const again = await call('POST', url, { title: 'Black tea' })
  t.equal((again.json() as { htmlContent: string }).htmlContent, delivered.htmlContent, 'the same as delivered')
})

t.test('rendering needs access to the blog, and a valid body', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const blog = await publish(call, { title: 'Green tea' })
  const url = `/api/v1/blogs/${blog.id}/render`
  const other = await client(app, 'other')
  t.match((await other('POST', url, { title: 'Mine' })).json(), { status: 404, code: 'blog_not_found' })
  const reader = await client(app, 'acme', { scopes: ['blogs:read'] })
  t.match((await reader('POST', url, { title: 'Mine' })).json(), { status: 403, scope: 'blogs:write' })
  t.equal((await call('POST', url, {})).statusCode, 400)
  t.match((await call('POST', url, { markdown: 'a', html: 'b' })).json(), { status: 400, code: 'invalid_request' })
})
