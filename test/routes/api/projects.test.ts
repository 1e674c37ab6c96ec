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
