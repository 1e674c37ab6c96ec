import t from 'tap'
import { client, person, publish, startApp, type Client } from '../../../../helper.ts'

const BLOGS = '/api/v1/blogs'
const ABSENT = '01890000-0000-7000-8000-000000000000'
const words = { projectId: 'site', markdown: 'Some words.' }

/** The field errors of a problem document, as `pointer code`. */
const complaints = (answer: { json: () => { errors?: { pointer: string; code: string }[] } }) =>
  (answer.json().errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`)

async function create(call: Client, blog: Record<string, unknown>) {
  const answer = await call('POST', BLOGS, { ...words, ...blog })
  if (answer.statusCode !== 201) throw new Error(`The blog could not be made: ${answer.body}`)
  return answer.json()
}

t.test('a new blog is a draft for authors only, with its URL and version', async (t) => {
  const call = await client(await startApp(t))
  const made = await call('POST', BLOGS, { ...words, title: '  A first blog ', tags: [' one '], category: ' News ' })
  t.equal(made.statusCode, 201)
  const blog = made.json()
  t.match(blog, {
    title: 'A first blog',
    slug: 'a-first-blog',
    status: 'draft',
    publishedAt: null,
    publishAt: null,
    version: 1,
    locale: 'en',
    tags: ['one'],
    category: 'News',
    author: null
  })
  t.match(blog.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, 'ids are UUIDv7')
  t.equal(made.headers.location, `${BLOGS}/by-id/${blog.id}`)
  t.equal(made.headers.etag, '"v1"')
  t.equal((await call('GET', `${BLOGS}/a-first-blog`)).statusCode, 404)
  t.equal((await call('GET', BLOGS)).json().totalCount, 0)
  const read = await call('GET', String(made.headers.location))
  t.same(read.json(), blog)
  t.match(read.headers.etag, /^"v1-/)
})

t.test('the source is returned unchanged, with warnings about removed content', async (t) => {
  const call = await client(await startApp(t))
  const html = '<p onclick="alert(1)">Hello</p><script>alert(2)</script>'
  const sent = {
    projectId: 'site',
    title: 'Kept source',
    html,
    css: '.a { position: fixed }',
    metaDescription: 'Mine',
    ogImageUrl: 'https://pictures.example/a.png',
    canonicalUrl: 'https://elsewhere.example/a'
  }
  const { id } = await create(call, { ...sent, markdown: undefined })
  const blog = (await call('GET', `${BLOGS}/by-id/${id}`)).json()
  t.same(blog.source, {
    format: 'html',
    text: html,
    metaTitle: null,
    excerpt: null,
    cover: null,
    css: sent.css,
    metaDescription: 'Mine',
    ogImageUrl: sent.ogImageUrl,
    canonicalUrl: sent.canonicalUrl
  })
  t.match(blog, { metaDescription: 'Mine', ogImageUrl: sent.ogImageUrl, canonicalUrl: sent.canonicalUrl })
  t.notMatch(blog.htmlContent, /script|onclick/)
  t.match(blog.warnings.join('\n'), /script[^]*position/, 'removed content is reported')
})

t.test('a blog can be created as published with a past date', async (t) => {
  const call = await client(await startApp(t))
  const blog = await create(call, { title: 'Old news', status: 'published', publishedAt: '2020-02-03T04:05:06+02:00' })
  t.match(blog, { status: 'published', publishedAt: '2020-02-03T02:05:06.000Z' })
  t.equal((await call('GET', `${BLOGS}/old-news`)).json().publishedAt, '2020-02-03T02:05:06.000Z')
  const before = Date.now()
  const fresh = await create(call, { title: 'New news', status: 'published' })
  t.ok(Date.parse(fresh.publishedAt) >= before && Date.parse(fresh.publishedAt) <= Date.now())
})

t.test('a slug is derived from the title, with a number if taken; a given slug must be free', async (t) => {
  const call = await client(await startApp(t))
  const slugs = []
  for (let n = 0; n < 3; n++) slugs.push((await create(call, { title: 'Öl & Wasser', locale: 'de' })).slug)
  t.same(slugs, ['oel-wasser', 'oel-wasser-2', 'oel-wasser-3'])
  t.equal((await create(call, { title: '!!!' })).slug, 'blog')
  const taken = await call('POST', BLOGS, { ...words, title: 'Another', slug: 'oel-wasser-2' })
  t.match(taken.json(), { status: 409, code: 'slug_taken' })
  t.equal((await create(call, { title: 'Another', slug: 'oel-wasser-9' })).slug, 'oel-wasser-9')
})

t.test('blogs created concurrently with one title get different slugs', async (t) => {
  const call = await client(await startApp(t))
  const made = await Promise.all(Array.from({ length: 20 }, () => create(call, { title: 'The same' })))
  t.equal(new Set(made.map(({ slug }) => slug)).size, 20)
  t.equal(made.filter(({ slug }) => slug === 'the-same').length, 1)
})

t.test('slugs that are API paths or look like ids are rejected and never generated', async (t) => {
  const call = await client(await startApp(t))
  for (const slug of ['categories', 'images', 'redirects', 'feed', 'sitemap', 'by-id', ABSENT]) {
    const refused = await call('POST', BLOGS, { ...words, title: 'Mine', slug })
    t.match(
      refused.json(),
      { status: 400, code: 'reserved_slug', errors: [{ pointer: '/slug', code: 'reserved' }] },
      slug
    )
    const made = await create(call, { title: slug, status: 'published' })
    t.equal(made.slug, `${slug}-2`, 'the generated slug is numbered')
    t.equal((await call('GET', `${BLOGS}/${made.slug}`)).json().id, made.id)
    t.match((await call('PATCH', `${BLOGS}/${made.id}`, { slug })).json(), { status: 400, code: 'reserved_slug' }, slug)
  }
})

t.test('all errors of a blog are reported together', async (t) => {
  const call = await client(await startApp(t))
  const refused = async (blog: Record<string, unknown>) => {
    const answer = await call('POST', BLOGS, blog)
    t.equal(answer.statusCode, 400, JSON.stringify(blog).slice(0, 80))
    t.match(answer.headers['content-type'], /^application\/problem\+json/)
    return complaints(answer)
  }
  t.same(await refused({}), ['/projectId required', '/title required'])
  t.same(await refused({ ...words, title: 'x', markup: 'x', statsu: 'draft' }), [
    '/markup unknown_field',
    '/statsu unknown_field'
  ])
  t.same(await refused({ projectId: 'site', title: 'x' }), ['/markdown required'])
  t.same(await refused({ ...words, title: 'x', html: '<p>x' }), ['/html either'])
  t.same(await refused({ ...words, title: ' ' }), ['/title pattern'])
  t.same(await refused({ ...words, title: 'x', slug: 'Not A Slug' }), ['/slug pattern'])
  t.same(await refused({ ...words, title: 'x', projectId: 'a b' }), ['/projectId pattern'])
  t.same(
    await refused({
      ...words,
      title: 'x',
      ogImageUrl: 'javascript:alert(1)',
      canonicalUrl: 'https://user:pw@site.example/'
    }),
    ['/ogImageUrl format', '/canonicalUrl format']
  )
  t.same(await refused({ ...words, title: 'x', tags: ['a', 'a'] }), ['/tags uniqueItems'])
  t.same(await refused({ ...words, title: 'x', tags: Array.from({ length: 31 }, (_, n) => `tag ${n}`) }), [
    '/tags maxItems'
  ])
  t.same(await refused({ ...words, title: 'x', status: 'scheduled' }), ['/status not_allowed'])
  t.same(await refused({ ...words, title: 'x', locale: 'english please' }), ['/locale pattern'])
  t.same(await refused({ ...words, title: 'x', author: {} }), ['/author/name required'])
  t.same(await refused({ ...words, title: 'x', publishedAt: '2026-02-30T00:00:00Z' }), ['/publishedAt format'])
  t.same(await refused({ ...words, title: 'x', publishedAt: new Date(Date.now() + 60_000).toISOString() }), [
    '/publishedAt future'
  ])
  t.equal((await call('GET', `${BLOGS}?status=any`)).json().totalCount, 0, 'no blog is created')
})

t.test('values of a wrong type are rejected, never converted', async (t) => {
  const call = await client(await startApp(t))
  for (const [field, value] of [
    ['title', 7],
    ['markdown', ['a']],
    ['tags', 'news'],
    ['category', 5],
    ['author', 'Ann'],
    ['publishedAt', 0],
    ['projectId', 12]
  ] as const) {
    const answer = await call('POST', BLOGS, { ...words, title: 'x', [field]: value })
    t.equal(answer.statusCode, 400, field)
    t.same(complaints(answer), [`/${field} type`])
  }
  for (const body of [[], '"text"', '7', 'null']) {
    t.equal(
      (await call('POST', BLOGS, body, { 'content-type': 'application/json' })).statusCode,
      400,
      JSON.stringify(body)
    )
  }
})

t.test('a patch keeps omitted fields and clears fields that are null', async (t) => {
  const call = await client(await startApp(t))
  const given = {
    title: 'Tea',
    markdown: 'Green tea. It is green.',
    category: 'Drinks',
    tags: ['tea'],
    author: { name: 'Ann' },
    metaDescription: 'About tea',
    ogImageUrl: 'https://p.example/a.png',
    canonicalUrl: 'https://c.example/',
    css: '.a { color: red }'
  }
  const { id } = await create(call, given)
  const patch = async (change: object) => (await call('PATCH', `${BLOGS}/${id}`, change)).json()
  const renamed = await patch({ title: 'Green tea' })
  t.match(renamed, {
    title: 'Green tea',
    slug: 'tea',
    version: 2,
    category: 'Drinks',
    tags: ['tea'],
    author: { name: 'Ann' },
    metaDescription: 'About tea',
    source: { text: given.markdown, css: given.css }
  })
  const cleared = await patch({
    category: null,
    author: null,
    metaDescription: null,
    ogImageUrl: null,
    canonicalUrl: null,
    css: null,
    tags: []
  })
  t.match(cleared, {
    category: null,
    author: null,
    tags: [],
    canonicalUrl: null,
    source: { css: null, metaDescription: null, ogImageUrl: null, canonicalUrl: null }
  })
  t.match(cleared.metaDescription, /tea/i, 'without a description one is derived from the text')
  t.match(
    cleared.ogImageUrl,
    new RegExp(`/api/v1/blogs/images/${id}/og-[0-9a-f]{16}\\.jpg$`),
    'without an image a social image is generated'
  )
  t.match(await patch({ html: '<p>Other words' }), { source: { format: 'html', text: '<p>Other words' } })
  t.match(await patch({ projectId: 'shop', locale: 'de', slug: 'gruener-tee' }), {
    projectId: 'shop',
    locale: 'de',
    slug: 'gruener-tee'
  })
})

t.test('a patch without changes creates no new version', async (t) => {
  const call = await client(await startApp(t))
  const blog = await publish(call, { title: 'Still', tags: ['a'], author: { name: 'Ann' } })
  const same = await call('PATCH', `${BLOGS}/${blog.id}`, {
    title: 'Still',
    tags: ['a'],
    author: { name: 'Ann' },
    slug: 'still'
  })
  t.match(same.json(), { version: 1, updatedAt: blog.updatedAt })
  t.equal(same.headers.etag, '"v1"')
})

t.test('an invalid patch is rejected with the field names', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await create(call, { title: 'Here' })
  await create(call, { title: 'There' })
  const patch = async (change: unknown, target = id) => await call('PATCH', `${BLOGS}/${target}`, change)
  t.same(
    complaints(await patch({ status: 'published' })),
    ['/status unknown_field'],
    'publish and unpublish change the state'
  )
  t.same(complaints(await patch({ title: null })), ['/title type'])
  t.same(complaints(await patch({ markdown: 'a', html: 'b' })), ['/html either'])
  t.same(complaints(await patch({ publishedAt: '2999-01-01T00:00:00Z' })), ['/publishedAt future'])
  t.equal((await patch({})).statusCode, 400)
  t.match((await patch({ slug: 'there' })).json(), { status: 409, code: 'slug_taken' })
  t.match((await patch({ title: 'x' }, ABSENT)).json(), { status: 404, code: 'blog_not_found' })
  t.match((await patch({ title: 'x' }, 'no-slug')).json(), { status: 404, code: 'blog_not_found' })
  t.match((await call('GET', `${BLOGS}/by-id/${id}`)).json(), { title: 'Here', version: 1 })
})

t.test('a patch of an unknown blog creates no project', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  t.equal((await call('PATCH', `${BLOGS}/${ABSENT}`, { projectId: 'ghost' })).statusCode, 404)
  t.same((await (await person(app, 'acme'))('GET', '/api/projects')).json().projects, [])
})

t.test('If-Match also limits publishing, scheduling and unpublishing', async (t) => {
  const call = await client(await startApp(t))
  const { id } = (await call('POST', BLOGS, { projectId: 'site', title: 'Tea', markdown: 'Tea' })).json()
  const send = async (action: string, tag: string, body?: object) =>
    await call('POST', `${BLOGS}/${id}/${action}`, body, { 'if-match': tag })
  const stale = { status: 412, code: 'precondition_failed' }
  await call('PATCH', `${BLOGS}/${id}`, { title: 'Green tea' })
  t.match((await send('publish', '"v1"')).json(), stale)
  t.match((await send('publish', '"v1"', { publishAt: new Date(Date.now() + 86_400_000).toISOString() })).json(), stale)
  t.equal((await call('GET', `${BLOGS}/by-id/${id}`)).json().status, 'draft')
  const published = await send('publish', '"v2"')
  t.match(published.json(), { status: 'published' })
  t.match((await send('unpublish', '"v2"')).json(), stale)
  t.match((await send('unpublish', published.headers.etag as string)).json(), { status: 'unpublished' })
})

t.test('If-Match limits a change to the version that was read', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await publish(call, { title: 'Guarded', markdown: 'word '.repeat(500) })
  const patch = async (title: string, tag: string) =>
    await call('PATCH', `${BLOGS}/${id}`, { title }, { 'if-match': tag })
  const byId = String((await call('GET', `${BLOGS}/by-id/${id}`)).headers.etag)
  t.equal((await patch('Second', byId)).json().version, 2)
  const stale = await patch('Lost', byId)
  t.match(stale.json(), { status: 412, code: 'precondition_failed' })
  const bySlug = String((await call('GET', `${BLOGS}/guarded`)).headers.etag)
  t.equal((await patch('Third', bySlug)).json().version, 3)
  const compressed = await call('GET', `${BLOGS}/guarded`, undefined, { 'accept-encoding': 'br' })
  t.match(compressed.headers.etag, /-br"$/)
  const fourth = await patch('Fourth', String(compressed.headers.etag))
  t.equal(fourth.json().version, 4)
  t.equal(
    (await patch('Fifth', String(fourth.headers.etag))).json().version,
    5,
    'the ETag of a response to a change is valid'
  )
  t.equal((await patch('Sixth', '*')).json().version, 6)
  t.equal((await patch('Seventh', '"other", "v6-abc"')).json().version, 7, 'one matching ETag is enough')
  for (const tag of ['W/"v7"', '"7"', 'v7', '""', '"v8"']) t.equal((await patch('Never', tag)).statusCode, 412, tag)
  t.match((await call('DELETE', `${BLOGS}/${id}`, undefined, { 'if-match': '"v3"' })).json(), {
    status: 412,
    code: 'precondition_failed'
  })
  t.equal((await call('DELETE', `${BLOGS}/${id}`, undefined, { 'if-match': '"v7"' })).statusCode, 204)
})

t.test('of concurrent changes of one version exactly one succeeds', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await create(call, { title: 'Wanted' })
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      call('PATCH', `${BLOGS}/${id}`, { title: `Writer ${n}` }, { 'if-match': '"v1"' })
    )
  )
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 412, 412, 412, 412, 412, 412, 412])
  t.equal((await call('GET', `${BLOGS}/by-id/${id}`)).json().version, 2)
})

t.test('a deleted blog is gone by slug and id, and its slug is free again', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await publish(call, { title: 'Short life' })
  const answer = await call('DELETE', `${BLOGS}/${id}`)
  t.equal(answer.statusCode, 204)
  t.equal(answer.body, '')
  t.match((await call('GET', `${BLOGS}/short-life`)).json(), { status: 404, code: 'blog_gone', id })
  t.match((await call('GET', `${BLOGS}/short-life/related`)).json(), { status: 404, code: 'blog_gone' })
  for (const [method, path] of [
    ['GET', `by-id/${id}`],
    ['PATCH', id],
    ['DELETE', id],
    ['POST', `${id}/publish`],
    ['POST', `${id}/unpublish`],
    ['POST', `${id}/preview`],
    ['GET', `${id}/images`]
  ] as const) {
    t.match(
      (await call(method, `${BLOGS}/${path}`, method === 'PATCH' ? { title: 'x' } : undefined)).json(),
      { status: 404, code: 'blog_gone' },
      `${method} ${path}`
    )
  }
  const again = await publish(call, { title: 'Short life' })
  t.equal(again.slug, 'short-life')
  t.equal((await call('GET', `${BLOGS}/short-life`)).json().id, again.id)
})

t.test('a deleted draft is not visible to readers', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await create(call, { title: 'Never seen' })
  await call('DELETE', `${BLOGS}/${id}`)
  t.match((await call('GET', `${BLOGS}/never-seen`)).json(), { status: 404, code: 'blog_not_found' })
  t.match((await call('GET', `${BLOGS}/by-id/${id}`)).json(), { status: 404, code: 'blog_gone' })
})

t.test('authors list blogs in every state; readers do not', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  await create(call, { title: 'A draft' })
  await publish(call, { title: 'A blog' })
  const list = (await call('GET', `${BLOGS}?status=any`)).json()
  t.same(list.blogs.map(({ slug, status }: { slug: string; status: string }) => `${slug} ${status}`).sort(), [
    'a-blog published',
    'a-draft draft'
  ])
  t.same(
    (await call('GET', `${BLOGS}?status=draft`)).json().blogs.map(({ slug }: { slug: string }) => slug),
    ['a-draft']
  )
  const reader = await client(app, 'acme', { scopes: ['blogs:read'] })
  t.match((await reader('GET', `${BLOGS}?status=any`)).json(), {
    status: 403,
    code: 'scope_missing',
    scope: 'blogs:write'
  })
  t.match((await reader('POST', BLOGS, { ...words, title: 'x' })).json(), {
    status: 403,
    code: 'scope_missing',
    scope: 'blogs:write'
  })
  const writer = await client(app, 'acme', { scopes: ['blogs:write'] })
  t.match((await writer('GET', BLOGS)).json(), { status: 403, code: 'scope_missing', scope: 'blogs:read' })
})

t.test('the first blog that names a project creates it, unless the account allows known projects only', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const asPerson = await person(app, 'acme')
  await create(call, { title: 'One', projectId: 'Shop.de_1' })
  t.same(
    (await asPerson('GET', '/api/projects')).json().projects.map(({ id }: { id: string }) => id),
    ['Shop.de_1']
  )
  t.equal((await asPerson('PATCH', '/api/account', { knownProjectsOnly: true })).statusCode, 200)
  t.match((await call('POST', BLOGS, { ...words, title: 'Two', projectId: 'typo' })).json(), {
    status: 404,
    code: 'project_not_found'
  })
  t.equal((await create(call, { title: 'Two', projectId: 'Shop.de_1' })).projectId, 'Shop.de_1')
})

t.test('changes of a blog at the same time are made one after another', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id, version } = await create(call, { title: 'Busy' })
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => call('PATCH', `${BLOGS}/${id}`, { markdown: `Text ${index}.` }))
  )
  const made = answers.filter(({ statusCode }) => statusCode === 200)
  t.same(
    made.map((answer) => answer.json().version).sort((a, b) => a - b),
    made.map((_, index) => version + 1 + index),
    'none was made twice'
  )
  t.equal(made.length, 20)
})

t.test('changes of a blog that wait are limited, and those of other accounts do not count', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  await client(app, 'other')
  const { id } = await create(call, { title: 'Ours' })
  const { blogs } = app.services
  // Not as requests, of which an account has fewer in progress.
  const change = async (accountId: string, text: string): Promise<string> =>
    await blogs.patch({ accountId, projectIds: null }, id, { patch: { markdown: text }, ifVersions: null }).then(
      () => 'made',
      (error: { code: string }) => error.code
    )
  const own = change('acme', 'Ours.')
  const foreign = Array.from({ length: 12 }, () => change('other', 'Theirs.'))
  const further = Array.from({ length: 12 }, (_, index) => change('acme', `Text ${index}.`))
  t.equal(await own, 'made')
  // One and eight that waited, then none.
  t.same(new Set(await Promise.all(foreign)), new Set(['blog_not_found', 'busy']))
  const results = await Promise.all(further)
  t.equal(results.filter((result) => result === 'made').length, 8)
  t.equal(results.filter((result) => result === 'busy').length, 4)
})
