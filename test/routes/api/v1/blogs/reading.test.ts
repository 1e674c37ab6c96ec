import t from 'tap'
import { addBlogs, idOf, minute } from '../../../../contracts/store/fixtures/content.ts'
import { client, publish, startApp } from '../../../../helper.ts'

t.test('a published blog is read by its slug with every field of the API', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  await publish(call, {
    title: 'Hello world',
    markdown: 'One two three.',
    tags: ['a'],
    category: 'News',
    author: { name: 'Ann' }
  })
  const read = await call('GET', '/api/v1/blogs/hello-world')
  t.equal(read.statusCode, 200)
  const blog = read.json()
  for (const field of [
    'title',
    'slug',
    'metaDescription',
    'ogImageUrl',
    'publishedAt',
    'htmlContent',
    'cssContent',
    'schemaOrgJson',
    'id'
  ]) {
    t.type(blog[field], 'string', field)
  }
  t.equal(blog.wordCount, 3)
  t.match(blog, {
    title: 'Hello world',
    slug: 'hello-world',
    category: 'News',
    tags: ['a'],
    author: { name: 'Ann', url: null },
    locale: 'en',
    projectId: 'site',
    version: 1
  })
  t.match(blog.htmlContent, /<p>One two three\.<\/p>/)
  t.equal(JSON.parse(blog.schemaOrgJson)['@graph'][0]['@type'], 'BlogPosting')
  t.notOk('status' in blog || 'source' in blog, 'fields for authors are hidden from readers')
})

t.test('the list has only published blogs, newest first, with exact totals and page links', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  for (let day = 1; day <= 5; day++) {
    await publish(call, { title: `Post ${day}`, publishedAt: `2026-01-0${day}T00:00:00Z` })
  }
  await call('POST', '/api/v1/blogs', { projectId: 'site', title: 'Draft', markdown: 'x' })
  const first = await call('GET', '/api/v1/blogs?pageSize=2')
  t.match(first.json(), { totalCount: 5, page: 1, totalPages: 3 })
  t.same(
    first.json().blogs.map((blog: { slug: string }) => blog.slug),
    ['post-5', 'post-4']
  )
  t.notOk('htmlContent' in first.json().blogs[0], 'content is included only on request')
  t.equal(
    first.headers.link,
    '</api/v1/blogs?pageSize=2&page=1>; rel="first", </api/v1/blogs?pageSize=2&page=2>; rel="next", ' +
      '</api/v1/blogs?pageSize=2&page=3>; rel="last"'
  )
  t.same(
    (await call('GET', '/api/v1/blogs?pageSize=2&page=3')).json().blogs.map((blog: { slug: string }) => blog.slug),
    ['post-1']
  )
  const past = await call('GET', '/api/v1/blogs?pageSize=2&page=9')
  t.equal(past.statusCode, 200)
  t.match(past.json(), { blogs: [], totalCount: 5, page: 9, totalPages: 3 })
  const whole = (await call('GET', '/api/v1/blogs?include=content')).json().blogs
  t.type(whole[0].htmlContent, 'string')
})

t.test('out-of-range numbers and unknown parameters are rejected by name, never clamped', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  for (const [query, pointer] of [
    ['page=0', 'page'],
    ['pageSize=101', 'pageSize'],
    ['pageSize=ten', 'pageSize'],
    ['pageSize=Infinity', 'pageSize'],
    ['pageSize=1e400', 'pageSize'],
    ['page=-Infinity', 'page'],
    ['size=3', 'size'],
    ['updatedSince=yesterday', 'updatedSince'],
    ['status=gone', 'status']
  ] as const) {
    const answer = await call('GET', `/api/v1/blogs?${query}`)
    t.equal(answer.statusCode, 400, query)
    t.match(answer.json(), { code: 'invalid_request', errors: [{ pointer }] }, query)
  }
})

t.test('filters narrow the list', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  await publish(call, {
    title: 'Brewing tea',
    category: 'Tea',
    tags: ['hot'],
    author: { name: 'Ann' },
    publishedAt: '2026-01-01T00:00:00Z'
  })
  await publish(call, {
    title: 'Kaffee kochen',
    category: 'Coffee',
    tags: ['hot', 'strong'],
    locale: 'de',
    projectId: 'shop',
    markdown: 'Über Bohnen und Tee.',
    publishedAt: '2026-02-01T00:00:00Z'
  })
  const slugs = async (query: string) =>
    (await call('GET', `/api/v1/blogs?${query}`)).json().blogs.map((blog: { slug: string }) => blog.slug)
  t.same(await slugs('category=Tea'), ['brewing-tea'])
  t.same(await slugs('tag=hot'), ['kaffee-kochen', 'brewing-tea'])
  t.same(await slugs('tag=strong'), ['kaffee-kochen'])
  t.same(await slugs('locale=de'), ['kaffee-kochen'])
  t.same(await slugs('author=Ann'), ['brewing-tea'])
  t.same(await slugs('projectId=shop'), ['kaffee-kochen'])
  t.same(await slugs('q=uber%20boh'), ['kaffee-kochen'], 'words are folded, and the last one is a prefix')
  t.same(await slugs('q=tea'), ['brewing-tea'])
  t.same(await slugs('publishedAfter=2026-01-15T00:00:00Z'), ['kaffee-kochen'])
  t.same(await slugs('publishedBefore=2026-01-15T00:00:00Z'), ['brewing-tea'])
  t.same(await slugs('q=!!'), [], 'a query without words finds nothing')
})

t.test('updatedSince lists changed and deleted blogs in one request', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const cached = await publish(call, { title: 'Kept' })
  const gone = await publish(call, { title: 'Gone' })
  const off = await publish(call, { title: 'Off' })
  const since = new Date(Date.now() + 1).toISOString()
  while (new Date().toISOString() <= since) await new Promise((resolve) => setTimeout(resolve, 2))
  await call('PATCH', `/api/v1/blogs/${cached.id}`, { title: 'Kept and changed' })
  await call('DELETE', `/api/v1/blogs/${gone.id}`)
  await call('POST', `/api/v1/blogs/${off.id}/unpublish`)
  const list = (await call('GET', `/api/v1/blogs?updatedSince=${since}`)).json()
  t.same(
    list.blogs.map((blog: { slug: string }) => blog.slug),
    ['kept']
  )
  t.same(list.deleted.map((blog: { slug: string }) => blog.slug).sort(), ['gone', 'off'])
})

t.test('many removed blogs are listed in parts, in pages that a client reads to the end', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  for (const title of ['One', 'Two', 'Three']) await publish(call, { title })
  const remove = async (count: number, from: number) =>
    await addBlogs(
      app.store,
      Array.from({ length: count }, (_, at) => ({
        id: idOf(from + at),
        accountId: call.account,
        projectId: 'site',
        status: 'unpublished' as const,
        withdrawnAt: minute(from + at)
      }))
    )
  const few = await remove(1000, 0)
  const query = `/api/v1/blogs?updatedSince=2020-01-01T00:00:00Z&pageSize=2`
  const read = async (more: string) => (await call('GET', query + more)).json()
  const idsOf = (lists: { deleted: { id: string }[] }[]) => lists.flatMap(({ deleted }) => deleted.map(({ id }) => id))
  for (const page of [1, 2]) {
    const list = await read(`&page=${page}`)
    t.match(list, { moreDeleted: false, totalPages: 2 })
    t.same(
      idsOf([list]),
      few.map(({ id }) => id),
      'up to 1,000 are in each page'
    )
  }
  const all = [...few, ...(await remove(1500, 1000))].map(({ id }) => id)
  await publish(call, { title: 'Four' }) // So that no response in the cache is sent.

  const byPage = [await read('')]
  while (byPage.length < Math.min(9, byPage.at(-1).totalPages)) byPage.push(await read(`&page=${byPage.length + 1}`))
  t.same(
    byPage.map(({ blogs, deleted, moreDeleted }) => [blogs.length, deleted.length, moreDeleted]),
    [
      [2, 1000, true],
      [2, 1000, true],
      [0, 500, false]
    ]
  )
  t.same(idsOf(byPage), all)

  const byCursor = [await read('')]
  for (let next = byCursor[0].nextCursor; next !== null && byCursor.length < 9; next = byCursor.at(-1).nextCursor) {
    byCursor.push(await read(`&cursor=${next}`))
  }
  t.same(
    byCursor.map(({ blogs }) => blogs.length),
    [2, 2, 0]
  )
  t.same(idsOf(byCursor), all)
  const words = await read('&q=one')
  t.same(idsOf([words, await read(`&q=one&cursor=${words.nextCursor}`)]), all.slice(0, 2000), 'with search words')
})

t.test('categories count published blogs, largest first, without uncategorized blogs', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  for (const [title, category] of [
    ['A', 'Tea'],
    ['B', 'Coffee'],
    ['C', 'Tea'],
    ['D', null],
    ['E', 'Bread']
  ]) {
    await publish(call, { title: title as string, category })
  }
  t.same((await call('GET', '/api/v1/blogs/categories')).json(), [
    { category: 'Tea', count: 2 },
    { category: 'Bread', count: 1 },
    { category: 'Coffee', count: 1 }
  ])
})

t.test(
  'entries for blogs that are not related any more are passed over, and the others keep their order',
  async (t) => {
    const app = await startApp(t)
    const call = await client(app)
    const ids: string[] = []
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) ids.push((await publish(call, { title })).id)
    await app.queue.idle()
    const [first, ...others] = ids as [string, ...string[]]
    const related = others.map((id, at) => ({ id, score: 1 - at / 10 }))
    await app.store.blogs.setRelated('acme', [{ id: first, related }])
    for (const id of others.slice(0, 2)) {
      const { version: _version, ...blog } = (await app.store.blogs.find('acme', id))!
      await app.store.blogs.save({ ...blog, version: _version + 1, status: 'unpublished' }, _version)
    }
    for (const limit of [1, 2]) {
      const found = (await call('GET', `/api/v1/blogs/one/related?limit=${limit}`)).json() as { id: string }[]
      t.same(
        found.map(({ id }) => id),
        others.slice(2, 2 + limit)
      )
    }
  }
)

t.test('related blogs are a flat list that is as long as possible', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  for (const title of [
    'Green tea from Japan',
    'Black tea from Assam',
    'Repairing a bicycle wheel',
    'Truing bicycle wheels'
  ]) {
    await publish(call, { title, markdown: `${title}. ${title} explained in many words about ${title}.` })
  }
  await app.queue.idle()
  const related = async (query: string) =>
    (await call('GET', `/api/v1/blogs/green-tea-from-japan/related${query}`)).json()
  t.equal((await related('')).length, 3)
  t.equal((await related('?limit=12')).length, 3)
  t.equal((await related('?limit=1'))[0].slug, 'black-tea-from-assam')
  t.notOk(
    (await related('?limit=12')).some((blog: { slug: string }) => blog.slug === 'green-tea-from-japan'),
    'a blog is not related to itself'
  )
  t.equal((await call('GET', '/api/v1/blogs/green-tea-from-japan/related?limit=13')).statusCode, 400)
  t.equal((await call('GET', '/api/v1/blogs/nothing/related')).statusCode, 404)
})

t.test('reads have cache validators, and conditional requests receive 304', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const blog = await publish(call, { title: 'Cached', markdown: 'word '.repeat(2000) })
  for (const url of ['/api/v1/blogs/cached', '/api/v1/blogs', '/api/v1/blogs/categories']) {
    for (const round of ['made', 'kept']) {
      const first = await call('GET', url)
      t.match(
        first.headers,
        {
          etag: /^"[\w-]+"$/,
          'last-modified': /GMT$/,
          'cache-control': 'private, max-age=60, stale-while-revalidate=600',
          vary: /X-Api-Key/
        },
        `${url} ${round}`
      )
      const again = await call('GET', url, undefined, { 'if-none-match': String(first.headers.etag) })
      t.equal(again.statusCode, 304, `${url} ${round}`)
      t.equal(again.body, '')
      t.equal(again.headers.etag, first.headers.etag)
      t.equal(
        (await call('GET', url, undefined, { 'if-modified-since': String(first.headers['last-modified']) })).statusCode,
        304
      )
      const head = await call('HEAD', url)
      t.equal(head.statusCode, 200)
      t.equal(head.body, '')
      t.equal(head.headers['content-length'], String(Buffer.byteLength(first.body)))
      t.equal(head.headers.etag, first.headers.etag)
    }
  }
  const etag = String((await call('GET', '/api/v1/blogs/cached')).headers.etag)
  await call('PATCH', `/api/v1/blogs/${blog.id}`, { title: 'Cached and changed' })
  const changed = await call('GET', '/api/v1/blogs/cached', undefined, { 'if-none-match': etag })
  t.equal(changed.statusCode, 200, 'a change is visible to the next request')
  t.equal(changed.json().title, 'Cached and changed')
})

t.test('large responses are compressed on request and have their own ETag', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  await publish(call, { title: 'Long', markdown: 'word '.repeat(2000) })
  const { brotliDecompressSync, gunzipSync } = await import('node:zlib')
  const plain = await call('GET', '/api/v1/blogs/long')
  for (const round of ['made', 'kept']) {
    const br = await call('GET', '/api/v1/blogs/long', undefined, { 'accept-encoding': 'gzip, br' })
    t.equal(br.headers['content-encoding'], 'br', round)
    t.equal(brotliDecompressSync(br.rawPayload).toString(), plain.body)
    const gz = await call('GET', '/api/v1/blogs/long', undefined, { 'accept-encoding': 'br;q=0, gzip' })
    t.equal(gz.headers['content-encoding'], 'gzip', round)
    t.equal(gunzipSync(gz.rawPayload).toString(), plain.body)
    t.equal(new Set([plain, br, gz].map((answer) => answer.headers.etag)).size, 3, 'strong ETags differ with the bytes')
    t.equal(
      (
        await call('GET', '/api/v1/blogs/long', undefined, {
          'accept-encoding': 'br',
          'if-none-match': String(br.headers.etag)
        })
      ).statusCode,
      304
    )
  }
})

t.test('blogs of other accounts are reported as not found', async (t) => {
  const app = await startApp(t)
  const ours = await client(app, 'acme')
  const theirs = await client(app, 'zeta')
  const blog = await publish(theirs, { title: 'Secret plans' })
  const unknown = (await ours('GET', '/api/v1/blogs/secret-planz')).json()
  const foreign = (await ours('GET', '/api/v1/blogs/secret-plans')).json()
  t.same(
    { ...foreign, requestId: '', instance: '', detail: '' },
    { ...unknown, requestId: '', instance: '', detail: '' }
  )
  t.equal((await ours('GET', '/api/v1/blogs')).json().totalCount, 0)
  for (const [method, url] of [
    ['GET', `/api/v1/blogs/by-id/${blog.id}`],
    ['PATCH', `/api/v1/blogs/${blog.id}`],
    ['DELETE', `/api/v1/blogs/${blog.id}`],
    ['POST', `/api/v1/blogs/${blog.id}/publish`]
  ] as const) {
    t.equal((await ours(method, url, method === 'PATCH' ? { title: 'x' } : undefined)).statusCode, 404, url)
  }
  t.equal((await theirs('GET', '/api/v1/blogs/secret-plans')).statusCode, 200)
})

t.test('a key restricted to projects reads and writes no others', async (t) => {
  const app = await startApp(t)
  const all = await client(app)
  const shop = await client(app, 'acme', { projectIds: ['shop'] })
  await publish(all, { title: 'On the site' })
  await publish(all, { title: 'In the shop', projectId: 'shop' })
  t.same(
    (await shop('GET', '/api/v1/blogs')).json().blogs.map((blog: { slug: string }) => blog.slug),
    ['in-the-shop']
  )
  t.equal((await shop('GET', '/api/v1/blogs/on-the-site')).statusCode, 404)
  t.match((await shop('GET', '/api/v1/blogs?projectId=site')).json(), { status: 403, code: 'project_not_allowed' })
  t.match((await shop('POST', '/api/v1/blogs', { projectId: 'site', title: 'x', markdown: 'x' })).json(), {
    status: 403,
    code: 'project_not_allowed'
  })
})
