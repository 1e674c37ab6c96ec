import t from 'tap'
import { client, person, startApp } from '../helper.ts'

t.test('validation errors are sentences, and name a repeated parameter', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const owner = await person(app, call.account)
  const messages = async (url: string, body?: object, send: typeof owner = call) => {
    const { errors } = (await send(body === undefined ? 'GET' : 'POST', url, body)).json() as {
      errors: { pointer: string; message: string }[]
    }
    return Object.fromEntries(errors.map(({ pointer, message }) => [pointer, message]))
  }
  t.same(await messages('/api/v1/blogs?page=1&page=2&projectId=a&projectId=b'), {
    page: 'must be a single integer',
    projectId: 'must be given only once'
  })
  t.same(await messages('/api/v1/blogs?page=0&pageSize=101'), {
    page: 'must be at least 1',
    pageSize: 'must be at most 100'
  })
  t.match(await messages('/api/v1/blogs', { projectId: 'site', title: 5, markdown: ['a'], tags: 'x' }), {
    '/title': 'must be a string',
    '/tags': 'must be an array'
  })
  t.match(
    await messages('/api/v1/blogs', {
      projectId: 'site',
      title: 'T',
      markdown: 'x',
      tags: Array.from({ length: 31 }, (_, i) => `t${i}`)
    }),
    {
      '/tags': 'must have at most 30 items'
    }
  )
  t.match(await messages('/api/keys', { name: '' }, owner), { '/name': /^must not be (?:empty|blank)$/ })
  t.match(await messages('/api/keys', { name: 'n'.repeat(500) }, owner), {
    '/name': /^must have at most \d+ characters$/
  })
})

t.test('a 401 says what the form of the credential tells, and nothing else', async (t) => {
  const app = await startApp(t)
  const { key } = await client(app)
  const detail = async (url: string, headers: Record<string, string>) =>
    (await app.inject({ url, headers })).json<{ detail: string }>().detail
  t.equal(
    await detail('/api/v1/blogs', {}),
    'This endpoint requires an API key in the X-Api-Key or the Authorization header.'
  )
  t.match(await detail('/api/v1/blogs', { authorization: key }), /is malformed.* Authorization: Bearer/)
  t.match(await detail('/api/v1/blogs', { authorization: `Bearer ${key}`, 'x-api-key': `${key}0` }), /is malformed/)
  t.match(await detail('/api/keys', { authorization: `Bearer ${key}` }), /requires a session token .* is an API key\.$/)
  const other = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
  t.equal(await detail('/api/v1/blogs', { 'x-api-key': other }), 'The credential is invalid or expired.')
  t.equal(await detail('/api/keys', { authorization: 'Bearer a.b.c' }), 'The credential is invalid or expired.')
})
