import t from 'tap'
import { generateNaughtyStrings } from '../../../../data/generate/hostile-strings.ts'
import { seedNote } from '../../../../data/seed.ts'
import { formats } from '../../../../../schemas/formats.ts'
import { client, person, publish, startApp } from '../../../../helper.ts'
import { scaled } from '../../../../profile.ts'
import { assertStoredUnchanged } from './stored-unchanged.ts'

const BLOGS = '/api/v1/blogs'
const ABSENT = '01890000-0000-7000-8000-000000000000'
const json = { 'content-type': 'application/json' }

t.test('every error response is a problem document with advice', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = await publish(call, { title: 'Here' })
  const requests = [
    ['GET', `${BLOGS}/none`, undefined, 404, 'blog_not_found'],
    ['GET', `${BLOGS}?page=0`, undefined, 400, 'invalid_request'],
    ['GET', `${BLOGS}/%ff`, undefined, 400, 'malformed_url'],
    ['POST', BLOGS, '{"title":', 400, 'malformed_json'],
    ['POST', BLOGS, {}, 400, 'invalid_request'],
    ['PUT', `${BLOGS}/${id}`, {}, 405, 'method_not_allowed'],
    ['DELETE', BLOGS, undefined, 405, 'method_not_allowed'],
    ['GET', `${BLOGS}/a/b/c/d`, undefined, 404, 'not_found'],
    ['POST', `${BLOGS}/${ABSENT}/publish`, undefined, 404, 'blog_not_found'],
    ['POST', `${BLOGS}/${id}/images`, undefined, 400, 'invalid_request']
  ] as const
  for (const [method, url, body, status, code] of requests) {
    const answer = await call(method, url, body, typeof body === 'string' ? json : {})
    const label = `${method} ${url}`
    t.equal(answer.statusCode, status, label)
    t.match(answer.headers['content-type'], /^application\/problem\+json/, label)
    const problem = answer.json()
    t.match(
      problem,
      {
        type: new RegExp(`/docs/errors/${code}$`),
        title: String,
        status,
        detail: /\S/,
        instance: url.split('?')[0],
        code,
        requestId: answer.headers['x-request-id']
      },
      label
    )
    t.match(
      answer.headers,
      {
        'x-ratelimit-limit': /^\d+$/,
        'x-ratelimit-remaining': /^\d+$/,
        'x-ratelimit-reset': /^\d+$/,
        'cache-control': 'no-store'
      },
      label
    )
  }
})

t.test('an unsupported body type is rejected with 415, a too large body with 413', async (t) => {
  const call = await client(await startApp(t))
  for (const type of [
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'image/png'
  ]) {
    t.match(
      (await call('POST', BLOGS, 'x', { 'content-type': type })).json(),
      { status: 415, code: 'unsupported_media_type' },
      type
    )
  }
  const large = JSON.stringify({ projectId: 'site', title: 'x', markdown: 'x'.repeat(5 * 1024 * 1024) })
  t.match((await call('POST', BLOGS, large, json)).json(), { status: 413, code: 'payload_too_large' })
  t.match((await call('POST', BLOGS, { projectId: 'site', title: 'x', markdown: 'x'.repeat(1_000_001) })).json(), {
    status: 400,
    errors: [{ pointer: '/markdown', code: 'maxLength' }]
  })
})

t.test('a body cannot pollute object prototypes', async (t) => {
  const call = await client(await startApp(t))
  for (const name of ['__proto__', 'constructor']) {
    const answer = await call(
      'POST',
      BLOGS,
      `{"projectId":"site","title":"x","markdown":"x","${name}":{"prototype":{"admin":true}}}`,
      json
    )
    t.equal(answer.statusCode, 400, name)
  }
  t.equal(({} as Record<string, unknown>).admin, undefined)
})

t.test('a well-formed but meaningless locale is accepted or rejected without a server error', async (t) => {
  const call = await client(await startApp(t))
  for (const locale of [
    'xx',
    'en-ABCDE-ABCDE',
    'en-12',
    'zz-Zzzz-ZZ',
    'abc',
    'en-x1',
    'i-klingon',
    'de-1996',
    'zh-Hant-TW',
    'en-USA',
    'en-US-US'
  ]) {
    const answer = await call('POST', BLOGS, {
      projectId: 'site',
      title: 'Words',
      markdown: 'Some words.',
      locale,
      status: 'published'
    })
    t.ok([201, 400].includes(answer.statusCode), `${locale}: ${answer.statusCode}`)
    if (answer.statusCode === 400) t.match(answer.json(), { errors: [{ pointer: '/locale' }] })
    else t.equal((await call('GET', `${BLOGS}/${answer.json().slug}`)).statusCode, 200)
  }
})

t.test('repeated POSTs with one Idempotency-Key create one blog', async (t) => {
  const call = await client(await startApp(t))
  const blog = { projectId: 'site', title: 'Once', markdown: 'x' }
  const headers = { 'idempotency-key': 'a-key-of-at-least-16' }
  const first = await call('POST', BLOGS, blog, headers)
  const again = await call('POST', BLOGS, blog, headers)
  t.equal(again.statusCode, 201)
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.same(again.json(), first.json())
  t.equal(again.headers.location, first.headers.location)
  t.match((await call('POST', BLOGS, { ...blog, title: 'Twice' }, headers)).json(), {
    status: 422,
    code: 'idempotency_key_reused'
  })
  const many = await Promise.all(
    Array.from({ length: 6 }, () =>
      call('POST', BLOGS, { ...blog, title: 'At once' }, { 'idempotency-key': 'another-key-of-the-test' })
    )
  )
  t.ok(many.every(({ statusCode }) => statusCode === 201 || statusCode === 409))
  t.equal((await call('GET', `${BLOGS}?status=any`)).json().totalCount, 2)
})

t.test('strings that break other software are stored and returned unchanged', async (t) => {
  await assertStoredUnchanged(
    t,
    generateNaughtyStrings(scaled ? 50 : 500).filter(
      (text) => /\S/.test(text) && text.length <= 100 && formats.label!(text)
    ),
    seedNote
  )
})

t.test('an import stores valid blogs and reports invalid ones', async (t) => {
  const app = await startApp(t)
  const admin = await person(app, 'ops', { role: 'admin' })
  const blogs = [
    { title: 'Good', slug: 'good', markdown: 'Words.', status: 'published', publishedAt: '2024-01-01T00:00:00Z' },
    { title: 'No text', slug: 'no-text' },
    { slug: 'no-title', markdown: 'x' },
    { title: 'Reserved', slug: 'categories', markdown: 'x' },
    { title: 'Future', slug: 'future', markdown: 'x', publishedAt: '2999-01-01T00:00:00Z' },
    'no blog',
    {
      title: 'Broken picture',
      slug: 'broken-picture',
      markdown: '![](a.png)',
      images: [{ name: 'a.png', alt: '', base64: Buffer.from('no picture').toString('base64') }]
    },
    { title: 'Also good', slug: 'also-good', html: '<p>Words.' }
  ]
  const take = async () =>
    (await admin('POST', '/api/admin/accounts/acme/blogs/import', { projectId: 'site', blogs })).json().results as {
      result: string
      slug: string | null
      errors: { pointer: string; code: string }[]
    }[]
  const first = await take()
  t.same(
    first.map(({ result }) => result),
    ['created', 'failed', 'failed', 'failed', 'failed', 'failed', 'failed', 'created']
  )
  t.same(
    first.map(({ errors }) => errors.map(({ pointer, code }) => `${pointer} ${code}`).join()),
    [
      '',
      '/markdown required',
      '/title required',
      '/slug reserved',
      '/publishedAt future',
      ' type',
      ' malformed_image',
      ''
    ]
  )
  const call = await client(app)
  t.match((await call('GET', `${BLOGS}/good`)).json(), { publishedAt: '2024-01-01T00:00:00.000Z', projectId: 'site' })
  t.equal((await call('GET', `${BLOGS}?status=any`)).json().totalCount, 2, 'failed blogs are not stored')
  const second = await take()
  t.same([second[0]!.result, second[7]!.result], ['unchanged', 'unchanged'], 'a repeated import changes nothing')
  blogs[0] = { ...(blogs[0] as object), title: 'Better' } as never
  t.equal((await take())[0]!.result, 'updated')
  t.match((await call('GET', `${BLOGS}/good`)).json(), { title: 'Better', version: 2 })
})

t.test('blogs of an import may have the same slug, images, translations, or exist', async (t) => {
  const app = await startApp(t)
  const admin = await person(app, 'ops', { role: 'admin' })
  const call = await client(app)
  const take = async (...blogs: object[]) =>
    (await admin('POST', '/api/admin/accounts/acme/blogs/import', { projectId: 'site', blogs })).json().results as {
      index: number
      slug: string
      result: string
    }[]
  const made = (slug: string, change: object = {}) => ({
    title: slug,
    slug,
    markdown: 'Roasting coffee at home.',
    status: 'published',
    ...change
  })
  await take(made('first'))
  const results = await take(
    made('second'),
    made('first', { title: 'Changed' }),
    made('second', { title: 'Again' }),
    made('english', { translationKey: 'key' }),
    made('german', { translationKey: 'key', locale: 'de' }),
    made('draft', { status: 'draft' })
  )
  t.same(
    results.map(({ index, slug, result }) => [index, slug, result]),
    [
      [0, 'second', 'created'],
      [1, 'first', 'updated'],
      [2, 'second', 'updated'],
      [3, 'english', 'created'],
      [4, 'german', 'created'],
      [5, 'draft', 'created']
    ]
  )
  await app.queue.idle()
  t.match((await call('GET', `${BLOGS}/second`)).json(), { title: 'Again', version: 2 })
  t.match((await call('GET', `${BLOGS}/english`)).json(), { translations: [{ slug: 'german' }, { slug: 'english' }] })
  const related = (await call('GET', `${BLOGS}/second/related`)).json() as { slug: string }[]
  t.same(related.map(({ slug }) => slug).sort(), ['english', 'first'])
  const events = await app.store.events.list('acme', { after: 0, limit: 20 })
  t.same(events.map(({ type }) => type).sort(), [
    ...Array.from({ length: 4 }, () => 'blog.published'),
    ...Array.from({ length: 2 }, () => 'blog.updated')
  ])
})

t.test('an import into an unknown project fails for each blog if the account allows known projects only', async (t) => {
  const app = await startApp(t)
  const admin = await person(app, 'ops', { role: 'admin' })
  await app.services.accounts.ensure('acme')
  await app.services.accounts.update('acme', { knownProjectsOnly: true })
  const blogs = [
    { title: 'x', slug: 'x', markdown: 'x' },
    { title: 'y', slug: 'categories', markdown: 'y' }
  ]
  const { results } = (
    await admin('POST', '/api/admin/accounts/acme/blogs/import', { projectId: 'unknown', blogs })
  ).json() as { results: { errors: { code: string }[] }[] }
  t.same(
    results.map(({ errors }) => errors.map(({ code }) => code)),
    [['project_not_found'], ['reserved']]
  )
})

t.test('only administrators import blogs, within the size limits', async (t) => {
  const app = await startApp(t)
  const target = '/api/admin/accounts/acme/blogs/import'
  const body = { projectId: 'site', blogs: [{ title: 'x', slug: 'x', markdown: 'x' }] }
  t.match((await (await person(app, 'acme'))('POST', target, body)).json(), { status: 403, code: 'admin_only' })
  t.equal((await (await client(app))('POST', target, body)).statusCode, 401)
  const admin = await person(app, 'ops', { role: 'admin' })
  t.match((await admin('POST', target, { projectId: 'site', blogs: [] })).json(), {
    status: 400,
    errors: [{ pointer: '/blogs', code: 'minItems' }]
  })
  t.match((await admin('POST', target, { projectId: 'site', blogs: Array(101).fill(body.blogs[0]) })).json(), {
    status: 400,
    errors: [{ pointer: '/blogs', code: 'maxItems' }]
  })
})

t.test('a query with more than 100 parameters is reported by its first error', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const errorsOf = async (parameters: number) => {
    const names = Array.from({ length: parameters }, (_, index) => `a${index}`)
    const response = await call('GET', `/api/v1/blogs?${names.join('&')}`)
    t.equal(response.statusCode, 400)
    return response.json<{ errors: object[] }>().errors
  }
  t.ok((await errorsOf(100)).length > 1)
  t.match(await errorsOf(101), [{ pointer: 'a0' }])
  t.equal((await errorsOf(101)).length, 1)
})

t.test('control characters in titles and names are refused with their field', async (t) => {
  const call = await client(await startApp(t))
  const blog = { projectId: 'site', markdown: 'Words.', title: 'Title' }
  const control = {
    code: 'control_characters',
    message: 'must not contain control characters other than tabs and line ends'
  }
  for (const character of ['\u0000', '\u0008', '\u000b', '\u000c', '\u001f']) {
    const text = `a${character}b`
    for (const [field, pointer] of [
      [{ title: text }, '/title'],
      [{ category: text }, '/category'],
      [{ tags: ['fine', text] }, '/tags/1'],
      [{ author: { name: text } }, '/author/name'],
      [{ authors: [{ name: text }] }, '/authors/0/name'],
      [{ translationKey: text }, '/translationKey']
    ] as const) {
      const refused = await call('POST', BLOGS, { ...blog, ...field })
      t.equal(refused.statusCode, 400, `${pointer} ${JSON.stringify(character)}`)
      t.same(refused.json().errors, [{ pointer, ...control }])
    }
  }
  const accepted = await call('POST', BLOGS, { ...blog, title: 'Tab\t, line\nend and \u200fmark', tags: ['a\tb'] })
  t.equal(accepted.statusCode, 201, accepted.body)
  const { id } = accepted.json()
  const patched = await call('PATCH', `${BLOGS}/${id}`, { title: 'a\u0007' })
  t.same(patched.json().errors, [{ pointer: '/title', ...control }])
})
