import t from 'tap'
import { client, startApp } from '../../helper.ts'

t.test('everything that is compiled on first use can be compiled before it', async (t) => {
  const app = await startApp(t)
  t.ok(app.preparations.length > 200, `${app.preparations.length} validators and serializers`)
  for (const prepare of app.preparations) prepare()
  const call = await client(app)
  const created = await call('POST', '/api/v1/blogs', { projectId: 'site', title: 'A title', markdown: 'Text.' })
  t.equal(created.statusCode, 201)
  t.match((await call('POST', '/api/v1/blogs', { title: 3 })).json(), { status: 400, code: 'invalid_request' })
  t.match((await call('GET', '/api/v1/blogs?page=x')).json(), { status: 400, errors: [{ pointer: 'page' }] })
})
