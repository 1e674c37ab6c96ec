import t from 'tap'
import { exampleUrl, operationsOf } from '../../openapi/operations.ts'
import { client, person, startApp } from '../../helper.ts'

t.test('operations without query parameters reject any', async (t) => {
  const app = await startApp(t)
  const owner = await person(app, 'acme')
  const call = await client(app)
  const requests = [
    () => owner('GET', '/api/keys?name=site'),
    () => owner('POST', '/api/keys?expiresAt=2030-01-01T00:00:00Z', { name: 'site' }),
    () => owner('GET', '/api/projects?limit=5'),
    () => owner('GET', '/api/webhooks?active=true'),
    () => owner('GET', '/api/account/usage?from=2026-01-01'),
    () => call('POST', '/api/v1/blogs?dryRun=true', { projectId: 'site', title: 'A title', markdown: 'x' })
  ]
  for (const request of requests) {
    const response = await request()
    t.match(
      response.json(),
      { status: 400, code: 'invalid_request', errors: [{ code: 'unknown_field' }] },
      response.body
    )
  }
  t.match((await owner('GET', '/api/projects?limit=5')).json().errors, [
    { pointer: 'limit', message: 'is an unknown field; remove it' }
  ])
  t.equal((await call('GET', '/api/v1/blogs?status=draft')).json().totalCount, 0, 'nothing was created')
})

t.test('every operation of the API rejects an unknown query parameter', async (t) => {
  const app = await startApp(t)
  const call = await person(app, 'acme', { role: 'admin' })
  const document = await app.openApiDocument()
  // An invalid body would be reported first. `getBlog` documents that it ignores other parameters.
  const operations = operationsOf(document).filter(
    ({ path, operation: { operationId, requestBody } }) =>
      path.startsWith('/api/') && requestBody === undefined && operationId !== 'getBlog'
  )
  t.ok(operations.length > 50)
  for (const operation of operations) {
    const url = `${exampleUrl(document, operation)}?unknown-parameter=1`
    const response = await call(operation.method.toUpperCase() as 'GET', url)
    const reported = (response.json().errors ?? []) as { pointer: string; code: string }[]
    t.ok(
      reported.some(({ pointer, code }) => pointer === 'unknown-parameter' && code === 'unknown_field'),
      `${operation.title}: ${response.statusCode} ${response.body.slice(0, 200)}`
    )
  }
})
