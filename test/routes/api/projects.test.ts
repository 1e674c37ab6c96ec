import t from 'tap'
import { client, person, publish, startApp } from '../../helper.ts'

t.test('a project is created by the first write that names it', async (t) => {
  const app = await startApp(t)
  const key = await client(app)
  const call = await person(app, 'acme')
  t.same((await call('GET', '/api/projects')).json(), { projects: [] })
  await publish(key, { title: 'First', projectId: 'my.site_1-a' })
  t.match((await call('GET', '/api/projects')).json(), {
    projects: [
      { id: 'my.site_1-a', name: 'my.site_1-a', siteUrl: null, blogPath: '/blog', optimize: 'auto', brandName: null }
    ]
  })
  for (const projectId of ['', 'a b', 'ä', 'x'.repeat(65), 'a/b']) {
    t.equal((await key('POST', '/api/v1/blogs', { projectId, title: 'T', markdown: 'x' })).statusCode, 400, projectId)
  }
})

t.test('an account restricted to known projects rejects others', async (t) => {
  const app = await startApp(t)
  const key = await client(app)
  const call = await person(app, 'acme')
  await call('PATCH', '/api/account', { knownProjectsOnly: true })
  const refused = await key('POST', '/api/v1/blogs', { projectId: 'site', title: 'T', markdown: 'x' })
  t.match([refused.statusCode, refused.json().code], [404, 'project_not_found'])
  t.equal((await call('POST', '/api/projects', { id: 'site' })).statusCode, 201)
  t.equal((await key('POST', '/api/v1/blogs', { projectId: 'site', title: 'T', markdown: 'x' })).statusCode, 201)
})

t.test('projects can be created once, changed, and deleted when empty', async (t) => {
  const app = await startApp(t)
  const call = await person(app, 'acme')
  const made = await call('POST', '/api/projects', {
    id: 'site',
    name: 'Website',
    siteUrl: 'https://example.com',
    blogPath: '/news',
    brandName: 'Acme',
    optimize: 'manual'
  })
  t.equal(made.statusCode, 201)
  t.match(made.json(), {
    id: 'site',
    name: 'Website',
    siteUrl: 'https://example.com',
    blogPath: '/news',
    brandName: 'Acme',
    optimize: 'manual'
  })
  t.match((await call('POST', '/api/projects', { id: 'site' })).json(), { status: 409, code: 'project_exists' })
  t.match((await call('PATCH', '/api/projects/site', { siteUrl: null, name: 'New' })).json(), {
    id: 'site',
    name: 'New',
    siteUrl: null,
    blogPath: '/news'
  })
  for (const body of [
    {},
    { id: 'other' },
    { siteUrl: 'ftp://example.com' },
    { siteUrl: 'https://user:pw@example.com' },
    { blogPath: 'blog' },
    { name: '  ' },
    { optimize: 'sometimes' }
  ]) {
    t.equal((await call('PATCH', '/api/projects/site', body)).statusCode, 400, JSON.stringify(body))
  }
  t.match((await call('PATCH', '/api/projects/none', { name: 'X' })).json(), { status: 404, code: 'project_not_found' })
  const key = await client(app)
  const blog = await publish(key, { title: 'First' })
  t.match((await call('DELETE', '/api/projects/site')).json(), { status: 409, code: 'project_not_empty' })
  await key('DELETE', `/api/v1/blogs/${blog.id}`)
  t.equal((await call('DELETE', '/api/projects/site')).statusCode, 204)
  t.match((await call('DELETE', '/api/projects/site')).json(), { status: 404, code: 'project_not_found' })
})

t.test('a changed site URL applies to the next request', async (t) => {
  const app = await startApp(t)
  const key = await client(app)
  const call = await person(app, 'acme')
  await call('POST', '/api/projects', { id: 'site', siteUrl: 'https://old.example' })
  await publish(key, { title: 'First' })
  for (const site of [
    'https://old.example',
    'https://new.example',
    'https://newer.example',
    'https://newest.example'
  ]) {
    await call('PATCH', '/api/projects/site', { siteUrl: site })
    for (let time = 0; time < 2; time++) {
      t.match((await key('GET', '/api/v1/blogs/feed.xml?projectId=site')).body, `${site}/blog/first`)
      t.match((await key('GET', '/api/v1/blogs/first')).json().schemaOrgJson, `${site}/blog/first`)
    }
  }
})

t.test('a project of another account is reported as not found', async (t) => {
  const app = await startApp(t)
  await (await person(app, 'acme'))('POST', '/api/projects', { id: 'site', name: 'Secret' })
  const otherAccount = await person(app, 'otherAccount')
  t.same((await otherAccount('GET', '/api/projects')).json(), { projects: [] })
  for (const method of ['PATCH', 'DELETE'] as const) {
    const [others, nobodys] = [
      await otherAccount(method, '/api/projects/site', method === 'PATCH' ? { name: 'Mine' } : undefined),
      await otherAccount(method, '/api/projects/none', method === 'PATCH' ? { name: 'Mine' } : undefined)
    ]
    t.equal(others.statusCode, 404)
    const shape = (body: string) => body.replaceAll('none', 'site').replace(/"requestId":"[^"]*"/, '')
    t.equal(shape(others.body), shape(nobodys.body))
  }
  t.equal(
    (await otherAccount('POST', '/api/projects', { id: 'site' })).statusCode,
    201,
    'project ids are unique only within an account'
  )
  t.match((await (await person(app, 'acme'))('GET', '/api/projects')).json(), { projects: [{ name: 'Secret' }] })
})

t.test('requests may spell the setting optimize as optimise', async (t) => {
  const app = await startApp(t)
  const call = await person(app, 'acme')
  const created = await call('POST', '/api/projects', { id: 'site', optimise: 'manual' })
  t.equal(created.statusCode, 201)
  t.equal(created.json().optimize, 'manual')
  t.notOk('optimise' in created.json())
  const changed = await call('PATCH', '/api/projects/site', { optimise: 'auto' })
  t.match([changed.statusCode, changed.json().optimize], [200, 'auto'])
  t.notOk('optimise' in changed.json())
  const both = await call('PATCH', '/api/projects/site', { optimise: 'auto', optimize: 'manual' })
  t.equal(both.json().optimize, 'manual', 'the current spelling wins')
  const invalid = await call('PATCH', '/api/projects/site', { optimise: 'never' })
  t.match([invalid.statusCode, invalid.json().errors], [400, [{ pointer: '/optimise', code: 'not_allowed' }]])
})

t.test('a stored project that spells the setting optimise keeps its setting', async (t) => {
  const app = await startApp(t)
  const key = await client(app)
  const call = await person(app, 'acme')
  const statusOf = async (projectId: string): Promise<unknown> => {
    const product = { projectId, externalId: 'a-1', title: 'Quay blend' }
    const { statusCode, body } = await key('POST', '/api/v1/products', product)
    t.equal(statusCode, 201, body)
    return (JSON.parse(body) as { product?: { status: string }; status?: string }).status
  }
  await call('POST', '/api/projects', { id: 'manual', optimize: 'manual' })
  const current = (await app.store.projects.find('acme', 'manual'))!
  const { optimize, ...legacy } = { ...current, id: 'legacy', optimise: current.optimize }
  await app.store.projects.insertIfAbsent(legacy as never)
  t.match((await app.store.projects.find('acme', 'legacy')) as object, { optimise: optimize })
  t.equal(await statusOf('legacy'), await statusOf('manual'))
  const [listed] = (await call('GET', '/api/projects')).json().projects
  t.match(listed, { id: 'legacy', optimize: 'manual' })
  t.notOk('optimise' in listed)
  t.equal((await call('PATCH', '/api/projects/legacy', { name: 'Legacy' })).json().optimize, 'manual')
  const changed = await call('PATCH', '/api/projects/legacy', { optimize: 'auto' })
  t.equal(changed.json().optimize, 'auto')
  t.notOk('optimise' in changed.json())
})

const STYLE = {
  colorScheme: 'auto',
  maxWidth: '46rem',
  accentColor: '#7b3f00',
  fontFamily: 'Inter, "Noto Sans", sans-serif',
  borderRadius: '8px',
  codeTheme: 'dark'
}

t.test('the look of articles is a setting of the project, and applies to the next request', async (t) => {
  const app = await startApp(t)
  const key = await client(app)
  const call = await person(app, 'acme')
  await publish(key, { title: 'First', locale: 'ar' })
  const read = async () => await key('GET', '/api/v1/blogs/first')
  const before = await read()
  t.match(before.json(), { lang: 'ar', dir: 'rtl' })
  t.match((await key('GET', '/api/v1/blogs')).json().blogs, [{ lang: 'ar', dir: 'rtl' }])
  t.match((await call('GET', '/api/projects')).json().projects, [
    {
      colorScheme: 'inherit',
      maxWidth: null,
      accentColor: null,
      fontFamily: null,
      borderRadius: null,
      codeTheme: 'inherit'
    }
  ])
  const changed = await call('PATCH', '/api/projects/site', STYLE)
  t.match([changed.statusCode, changed.json()], [200, STYLE])
  const after = await read()
  t.not(after.headers.etag, before.headers.etag)
  t.notMatch(before.json().cssContent, /46rem|light-dark/)
  for (const value of ['max-width:46rem', '#7b3f00', '"Inter","Noto Sans",sans-serif', '8px', 'light-dark(']) {
    t.match(after.json().cssContent, value)
  }
  t.same(after.json().htmlContent, before.json().htmlContent)
  const listed = (await key('GET', '/api/v1/blogs?include=content')).json().blogs
  t.equal(listed[0].cssContent, after.json().cssContent)
  await call('PATCH', '/api/projects/site', { maxWidth: null })
  t.match((await call('GET', '/api/projects')).json().projects, [{ ...STYLE, maxWidth: null }], 'others are unchanged')
  t.notMatch((await read()).json().cssContent, '46rem')
})

t.test('settings for the look of articles cannot contain other CSS', async (t) => {
  const app = await startApp(t)
  const call = await person(app, 'acme')
  const hostile = [
    'x}body{display:none',
    'red;position:fixed',
    'url(https://evil.example)',
    '</style><script>',
    'a\\',
    '/*',
    ''
  ]
  for (const [name, values] of Object.entries({
    colorScheme: ['sepia'],
    maxWidth: ['0', '48', '-1px', '100%', '12345px', 'calc(1px)', '48rem !important', '48rem\n'],
    accentColor: ['red', '#12', '#12345', '#1234567', 'var(--a b)', 'var(--a,red)', 'var(--a)) ', 'rgb(0,0,0)'],
    fontFamily: [
      'Inter,',
      ',',
      '"Inter',
      '\'a"',
      'Inter; x',
      'a{',
      'var(--a',
      'x'.repeat(61),
      Array(12).fill('a').join()
    ],
    borderRadius: ['8', '100px', '-1px', '8px 8px'],
    codeTheme: ['github']
  })) {
    for (const value of [...values, ...hostile]) {
      const answer = await call('POST', '/api/projects', { id: 'site', [name]: value })
      t.equal(answer.statusCode, 400, `${name}: ${value}`)
      t.match(answer.json().errors, [{ pointer: `/${name}` }])
    }
  }
  for (const style of [
    { maxWidth: '720px', accentColor: '#abc', fontFamily: 'var(--font), serif', borderRadius: '0' },
    {
      maxWidth: '62.5ch',
      accentColor: 'var(--brand-color_1)',
      fontFamily: "'Hiragino Sans', \u30d2\u30e9\u30ae\u30ce",
      borderRadius: '0.5rem'
    },
    { maxWidth: null, accentColor: null, fontFamily: null, borderRadius: null }
  ]) {
    const id = `site-${style.maxWidth}`.replaceAll('.', '-')
    const created = await call('POST', '/api/projects', { id, ...style })
    t.match([created.statusCode, created.json()], [201, style])
  }
})
