import t, { type Test } from 'tap'
import { client, startApp } from '../../helper.ts'

/** Counts the functions that are compiled from text from now on. Returns the function that returns their number. */
function countCompiled(t: Test): () => number {
  let count = 0
  const original = globalThis.Function
  globalThis.Function = new Proxy(original, {
    construct(Target, parameters: string[]) {
      count++
      return new Target(...parameters)
    }
  })
  t.teardown(() => {
    globalThis.Function = original
  })
  return () => count
}

t.test('after the preparation, requests compile nothing', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const compiled = countCompiled(t)
  for (const prepare of app.preparations) prepare()
  const prepared = compiled()
  t.ok(prepared > 150, `${prepared} functions`)
  const products = [{ externalId: 'p-1', title: 'A product' }, { externalId: 'p-2' }]
  t.equal((await call('POST', '/api/v1/products/batch', { projectId: 'shop', products })).statusCode, 200)
  t.equal((await call('GET', '/api/v1/products')).statusCode, 200)
  const { id } = (
    await call('POST', '/api/v1/blogs', { projectId: 'site', title: 'A title', markdown: 'Text.' })
  ).json()
  t.equal((await call('PATCH', `/api/v1/blogs/${id}`, { title: 'Another title' })).statusCode, 200)
  t.equal((await call('GET', '/api/v1/blogs/another')).statusCode, 404)
  t.equal((await call('GET', '/api/v1/products/imports')).statusCode, 200)
  t.equal(compiled(), prepared)
})

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
