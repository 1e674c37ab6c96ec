import t from 'tap'
import { client, person, startApp } from '../../../../helper.ts'

const BEANS = {
  projectId: 'shop',
  externalId: 'beans-250',
  sku: 'B-250',
  title: 'Quay Blend coffee beans',
  description: 'Milk chocolate and hazelnut.',
  price: 9.5,
  category: 'Coffee>Beans >  Blends'
}

t.test('the first write of an externalId creates a product, and the next one updates it', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const created = await call('POST', '/api/v1/products', BEANS)
  t.equal(created.statusCode, 201, created.body)
  const product = created.json()
  t.match(product, {
    projectId: 'shop',
    externalId: 'beans-250',
    category: 'Coffee > Beans > Blends',
    price: 9.5,
    result: 'created',
    brand: null,
    images: [],
    attributes: {},
    warnings: []
  })
  t.equal(created.headers.location, `/api/v1/products/${product.id}`)
  const updated = await call('POST', '/api/v1/products', { ...BEANS, title: 'Quay Blend', sku: null })
  t.equal(updated.statusCode, 200)
  t.match(updated.json(), {
    id: product.id,
    title: 'Quay Blend',
    sku: null,
    description: 'Milk chocolate and hazelnut.',
    result: 'updated'
  })
  t.equal(
    (await call('POST', '/api/v1/products', { ...BEANS, title: 'Quay Blend', sku: null })).json().result,
    'unchanged'
  )
  t.equal(
    (await call('POST', '/api/v1/products', { projectId: 'shop', externalId: 'beans-250', title: 'Quay Blend' })).json()
      .result,
    'unchanged',
    'omitted fields are unchanged'
  )
  t.equal(
    (await call('POST', '/api/v1/products', { ...BEANS, externalId: 'BEANS-250' })).json().result,
    'created',
    'case counts'
  )
  t.equal(
    (await call('POST', '/api/v1/products', { ...BEANS, externalId: ' beans-250 ', title: 'Quay Blend' })).json().id,
    product.id,
    'surrounding spaces do not'
  )
})

t.test('a product is read, changed and deleted by its id', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = (
    await call('POST', '/api/v1/products', { ...BEANS, tags: ['a', 'b'], attributes: { size: '250 g' } })
  ).json()
  t.match((await call('GET', `/api/v1/products/${id}`)).json(), { id, title: BEANS.title, tags: ['a', 'b'] })
  const patched = await call('PATCH', `/api/v1/products/${id}`, { price: null, tags: ['c'], attributes: null })
  t.equal(patched.statusCode, 200, patched.body)
  t.match(patched.json(), { price: null, tags: ['c'], attributes: {}, title: BEANS.title })
  t.match((await call('PATCH', `/api/v1/products/${id}`, { color: 'red' })).json(), {
    code: 'invalid_request',
    errors: [{ pointer: '/color', code: 'unknown_field' }]
  })
  t.equal((await call('DELETE', `/api/v1/products/${id}`)).statusCode, 204)
  t.match((await call('GET', `/api/v1/products/${id}`)).json(), { status: 404, code: 'product_not_found' })
  t.equal((await call('DELETE', `/api/v1/products/${id}`)).statusCode, 404)
})

t.test('an invalid product is rejected by field, and nothing is written', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const wrong: [string, Record<string, unknown>, string, string][] = [
    ['no title', { title: undefined }, '/title', 'required'],
    ['a blank title', { title: '   ' }, '/title', 'pattern'],
    ['a title of 501 characters', { title: 'x'.repeat(501) }, '/title', 'maxLength'],
    ['a price as text', { price: '9.50' }, '/price', 'type'],
    ['a negative price', { price: -1 }, '/price', 'minimum'],
    ['a price that is too large', { price: 10_000_000_000 }, '/price', 'maximum'],
    ['eleven levels', { category: Array.from({ length: 11 }, (_, i) => i).join(' > ') }, '/category', 'too_deep'],
    [
      'control characters that JSON writes as six bytes',
      { attributes: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`a${i}`, '\u0001'.repeat(1000)])) },
      '/attributes',
      'too_large'
    ],
    [
      'a description and attributes that are too large together',
      {
        description: 'é'.repeat(50_000),
        attributes: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`a${i}`, '茶'.repeat(600)]))
      },
      '/attributes',
      'too_large'
    ],
    ['an unknown field', { color: 'red' }, '/color', 'unknown_field'],
    ['no address', { url: 'shop/beans' }, '/url', 'format'],
    ['an unknown availability', { availability: 'soon' }, '/availability', 'not_allowed'],
    ['a project with a space', { projectId: 'my shop' }, '/projectId', 'pattern'],
    ['a blank externalId', { externalId: ' ' }, '/externalId', 'pattern'],
    ['attributes that are no text', { attributes: { size: 250 } }, '/attributes/size', 'type']
  ]
  for (const [what, change, pointer, code] of wrong) {
    const answer = await call('POST', '/api/v1/products', { ...BEANS, ...change })
    t.equal(answer.statusCode, 400, `${what}: ${answer.body}`)
    t.match(answer.json().errors, [{ pointer, code }], what)
  }
  t.equal((await call('GET', '/api/v1/products')).json().totalCount, 0)
  t.match(
    (await call('POST', '/api/v1/products', '{"title": ' as never, { 'content-type': 'application/json' })).json(),
    { status: 400, code: 'malformed_json' }
  )
})

t.test('a price is stored and returned digit by digit', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  for (const price of ['9.90', '0.10', '0', '9999999999.9999', '12.5000', '100', '0.0001', '3']) {
    const sent = `{"projectId":"shop","externalId":"p","title":"P","price":${price}}`
    const answer = await call('POST', '/api/v1/products', sent, { 'content-type': 'application/json' })
    t.match(answer.body, `"price":${price},`, price)
    t.match((await call('GET', '/api/v1/products')).body, `"price":${price},`, `${price} in the list`)
  }
  t.match(
    (
      await call('POST', '/api/v1/products', '{"projectId":"shop","externalId":"p","title":"P","price":1e2}', {
        'content-type': 'application/json'
      })
    ).body,
    '"price":100,',
    'an exponent is written out'
  )
})

t.test('lists are paged, filtered and sorted by externalId', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const products = ['c', 'a', 'b', 'd', 'e'].map((name, i) => ({
    externalId: name,
    title: `Product ${name} of ${i % 2 === 0 ? 'Oak' : 'Ash'}`,
    sku: `S-${name}`,
    category: i < 3 ? 'Furniture > Tables' : 'Furniture > Tableware'
  }))
  await call('POST', '/api/v1/products/batch', { projectId: 'shop', products })
  await call('POST', '/api/v1/products', { projectId: 'other', externalId: 'a', title: 'Elsewhere' })
  const ids = async (query: string) =>
    (await call('GET', `/api/v1/products?${query}`))
      .json()
      .products.map((product: { externalId: string }) => product.externalId)
  const page = await call('GET', '/api/v1/products?projectId=shop&page=2&pageSize=2')
  t.match(page.json(), { products: [{ externalId: 'c' }, { externalId: 'd' }], totalCount: 5, page: 2, totalPages: 3 })
  t.match(page.headers.link, /rel="next"/)
  t.same(await ids('pageSize=3'), ['a', 'a', 'b'], 'without projectId all products of the account')
  t.same(await ids('projectId=shop&category=Furniture+%3E+Tables'), ['a', 'b', 'c'])
  t.same(await ids('projectId=shop&category=Furniture'), ['a', 'b', 'c', 'd', 'e'])
  t.same(await ids('sku=S-d'), ['d'])
  t.same(await ids('projectId=shop&externalId=e'), ['e'])
  t.same(await ids('q=oak'), ['b', 'c', 'e'])
  t.same(await ids('q=ash+prod'), ['a', 'd'])
  t.same(await ids('q=!!'), [])
  t.same(await ids('updatedSince=2999-01-01T00:00:00Z'), [])
  t.match((await call('GET', '/api/v1/products?page=99')).json(), { products: [], totalCount: 6 }, 'past the end')
  for (const query of ['page=0', 'pageSize=101', 'color=red', 'status=done']) {
    t.equal((await call('GET', `/api/v1/products?${query}`)).statusCode, 400, query)
  }
})

t.test('products of other accounts are not found, and a restricted key sees only its projects', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const otherAccount = await client(app, 'otherAccount')
  const confined = await client(app, 'acme', { projectIds: ['other'] })
  const reader = await client(app, 'acme', { scopes: ['products:read'] })
  const { id } = (await call('POST', '/api/v1/products', BEANS)).json()
  for (const [who, caller] of [
    ['another account', otherAccount],
    ['a confined key', confined]
  ] as const) {
    const answers = [
      await caller('GET', `/api/v1/products/${id}`),
      await caller('PATCH', `/api/v1/products/${id}`, { price: 1 }),
      await caller('DELETE', `/api/v1/products/${id}`)
    ]
    for (const answer of answers) t.match(answer.json(), { status: 404, code: 'product_not_found' }, who)
    t.equal((await caller('GET', '/api/v1/products')).json().totalCount, 0, who)
  }
  t.match((await confined('POST', '/api/v1/products', BEANS)).json(), { status: 403, code: 'project_not_allowed' })
  t.match((await confined('GET', '/api/v1/products?projectId=shop')).json(), {
    status: 403,
    code: 'project_not_allowed'
  })
  t.match((await reader('POST', '/api/v1/products', BEANS)).json(), {
    status: 403,
    code: 'scope_missing',
    scope: 'products:write'
  })
  t.equal((await reader('GET', `/api/v1/products/${id}`)).statusCode, 200)
})

t.test('product texts are generated, and manual texts are never overwritten', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = (await call('POST', '/api/v1/products', BEANS)).json()
  await app.queue.idle()
  const optimized = (await call('GET', `/api/v1/products/${id}`)).json()
  t.match(optimized, {
    status: 'optimized',
    seo: {
      metaTitle: { source: 'rule' },
      pageTitle: { value: 'Quay Blend coffee beans', source: 'rule' },
      handle: { value: 'quay-blend-coffee-beans', source: 'rule' }
    }
  })
  const written = await call('PATCH', `/api/v1/products/${id}`, {
    seo: { metaTitle: 'My own words', handle: 'my-handle' }
  })
  t.match(written.json(), {
    seo: { metaTitle: { value: 'My own words', source: 'human' }, handle: { value: 'my-handle', source: 'human' } }
  })
  await call('POST', '/api/v1/products', { ...BEANS, title: 'Another blend', description: 'Quite another text.' })
  await app.queue.idle()
  t.match((await call('GET', `/api/v1/products/${id}`)).json(), {
    status: 'optimized',
    seo: {
      metaTitle: { value: 'My own words', source: 'human' },
      pageTitle: { value: 'Another blend' },
      handle: { value: 'my-handle' }
    }
  })
  await call('PATCH', `/api/v1/products/${id}`, { seo: { metaTitle: null } })
  await app.queue.idle()
  t.match(
    (await call('GET', `/api/v1/products/${id}`)).json(),
    { seo: { metaTitle: { value: /Another blend/, source: 'rule' }, handle: { value: 'my-handle' } } },
    'null restores the generated text'
  )
  const second = (await call('POST', '/api/v1/products', { ...BEANS, externalId: 'second' })).json()
  t.match((await call('PATCH', `/api/v1/products/${second.id}`, { seo: { handle: 'my-handle' } })).json(), {
    status: 409,
    code: 'handle_taken'
  })
})

t.test('optimization waits for a request if the project is set to manual', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const owner = await person(app, 'acme')
  await owner('POST', '/api/projects', { id: 'shop', optimize: 'manual' })
  const { id } = (await call('POST', '/api/v1/products', BEANS)).json()
  await app.queue.idle()
  t.equal((await call('GET', `/api/v1/products/${id}`)).json().status, 'pending')
  const asked = await call('POST', '/api/v1/products/optimize', {
    projectId: 'shop',
    externalIds: ['beans-250', 'unknown']
  })
  t.equal(asked.statusCode, 202)
  t.same(asked.json(), { queued: 1 })
  await app.queue.idle()
  t.equal((await call('GET', `/api/v1/products/${id}`)).json().status, 'optimized')
  t.match((await call('POST', '/api/v1/products/optimize', { projectId: 'nowhere' })).json(), {
    status: 404,
    code: 'project_not_found'
  })
})

t.test(
  'a manual text in a group reaches the variants of a project set to manual when they are optimized',
  async (t) => {
    const app = await startApp(t)
    const call = await client(app)
    const owner = await person(app, 'acme')
    await owner('POST', '/api/projects', { id: 'shop', optimize: 'manual' })
    const variant = (color: string) => ({
      ...BEANS,
      externalId: color,
      title: `Mug – ${color}`,
      sku: null,
      groupId: 'mug'
    })
    const { id } = (await call('POST', '/api/v1/products', variant('Red'))).json()
    const { id: other } = (await call('POST', '/api/v1/products', variant('Blue'))).json()
    const optimize = async () => {
      await call('POST', '/api/v1/products/optimize', { projectId: 'shop' })
      await app.queue.idle()
    }
    await optimize()
    const changed = (await call('PATCH', `/api/v1/products/${id}`, { seo: { pageTitle: 'The mug' } })).json()
    t.equal(changed.status, 'optimized', 'nobody has asked for an optimization')
    const titleOf = async () => (await call('GET', `/api/v1/products/${other}`)).json().seo.pageTitle.value
    t.not(await titleOf(), 'The mug')
    await optimize()
    t.equal(await titleOf(), 'The mug')
  }
)

t.test('If-Match limits changes and deletions of a product to the version that was read', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = (await call('POST', '/api/v1/products', BEANS)).json()
  await app.queue.idle()
  const path = `/api/v1/products/${id}`
  const send = async (method: 'PATCH' | 'DELETE', tag: string, body?: object) =>
    await call(method, path, body, { 'if-match': tag })
  const tagOf = async () => String((await call('GET', path)).headers.etag)
  const read = await tagOf()
  const changed = await send('PATCH', read, { sku: 'B-1' })
  t.match(changed.json(), { sku: 'B-1' })
  t.match((await send('PATCH', read, { sku: 'B-2' })).json(), { status: 412, code: 'precondition_failed' })
  t.match((await send('DELETE', read)).json(), { status: 412, code: 'precondition_failed' })
  t.equal((await call('GET', path)).json().sku, 'B-1')
  t.match((await send('PATCH', '*', { sku: 'B-3' })).json(), { sku: 'B-3' }, 'any version')
  await app.queue.idle()
  t.equal((await send('DELETE', await tagOf())).statusCode, 204)
})

t.test('the ETag in the response to a change of a product is valid in If-Match', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = (await call('POST', '/api/v1/products', BEANS)).json()
  await app.queue.idle()
  const patch = async (pageTitle: string, tag = '*') =>
    await call('PATCH', `/api/v1/products/${id}`, { seo: { pageTitle } }, { 'if-match': tag })
  const { etag } = (await patch('Beans')).headers
  t.equal((await patch('Coffee', String(etag))).statusCode, 200)
  t.equal((await patch('Tea', String(etag))).statusCode, 412)
})

t.test('a project with products cannot be deleted', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const owner = await person(app, 'acme')
  await call('POST', '/api/v1/products', BEANS)
  t.match((await owner('DELETE', '/api/projects/shop')).json(), { status: 409, code: 'project_not_empty' })
})

t.test('a body in another encoding than UTF-8 is rejected', async (t) => {
  const call = await client(await startApp(t))
  const send = async (encoding: BufferEncoding) =>
    await call('POST', '/api/v1/products', Buffer.from(JSON.stringify({ ...BEANS, title: 'Röstkaffee' }), encoding), {
      'content-type': 'application/json'
    })
  t.match((await send('latin1')).json(), { status: 400, code: 'malformed_json' })
  t.equal((await call('GET', '/api/v1/products')).json().totalCount, 0)
  t.equal((await send('utf8')).json().title, 'Röstkaffee')
})

t.test('manual texts may not have control characters', async (t) => {
  const call = await client(await startApp(t))
  const { id } = (await call('POST', '/api/v1/products', BEANS)).json()
  const write = async (seo: object) => (await call('PATCH', `/api/v1/products/${id}`, { seo })).json()
  t.match(await write({ metaTitle: 'Beans\u0000', pageDescription: '\u001B[2J' }), {
    status: 400,
    errors: [
      { pointer: '/seo/metaTitle', code: 'control_characters' },
      { pointer: '/seo/pageDescription', code: 'control_characters' }
    ]
  })
  t.equal((await write({ pageDescription: 'One\n\n\tTwo', metaTitle: null })).seo.pageDescription.value, 'One\n\n\tTwo')
})
