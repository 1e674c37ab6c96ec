import t from 'tap'
import { client, startApp } from '../../../../helper.ts'
import { testEmbedded } from '../../../../profile.ts'

const row = (externalId: string, more: Record<string, unknown> = {}) => ({
  externalId,
  sku: `S-${externalId}`,
  title: `Product ${externalId}`,
  price: 1.5,
  category: 'A > B',
  ...more
})

t.test('a batch reports how many products were created and updated', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const first = await call('POST', '/api/v1/products/batch', { projectId: 'shop', products: [row('a'), row('b')] })
  t.equal(first.statusCode, 200, first.body)
  t.same(first.json(), { created: 2, updated: 0, unchanged: 0, failed: 0, errors: [], warnings: [] })
  const second = await call('POST', '/api/v1/products/batch', {
    projectId: 'shop',
    products: [row('a'), row('b', { price: 2 }), row('c')]
  })
  t.match(second.json(), { created: 1, updated: 2, unchanged: 1, failed: 0 })
})

t.test('invalid rows do not block valid ones, and each is reported', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const products = [
    row('a'),
    row('b', { price: 'free' }),
    'nonsense',
    row('c', { title: undefined }),
    row('d', { projectId: 'other' }),
    row('e', { projectId: 'shop' })
  ]
  const answer = await call('POST', '/api/v1/products/batch', { projectId: 'shop', products })
  t.equal(answer.statusCode, 200)
  const { errors, ...counts } = answer.json()
  t.match(counts, { created: 2, updated: 0, failed: 4 })
  t.match(errors, [
    { index: 1, externalId: 'b', pointer: '/products/1/price', code: 'type' },
    { index: 2, externalId: null, pointer: '/products/2', code: 'type' },
    { index: 3, externalId: 'c', pointer: '/products/3/title', code: 'required' },
    { index: 4, externalId: 'd', pointer: '/products/4/projectId', code: 'other_project' }
  ])
  t.equal((await call('GET', '/api/v1/products')).json().totalCount, 2)
})

t.test('a batch of only invalid rows is rejected with the same body', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const answer = await call('POST', '/api/v1/products/batch', {
    projectId: 'shop',
    products: [row('a', { price: -1 }), row('')]
  })
  t.equal(answer.statusCode, 400)
  t.match(answer.json(), {
    code: 'batch_failed',
    created: 0,
    updated: 0,
    unchanged: 0,
    failed: 2,
    warnings: [],
    errors: [
      { index: 0, externalId: 'a', pointer: '/products/0/price' },
      { index: 1, pointer: '/products/1/externalId' }
    ]
  })
})

t.test('an atomic batch writes all products or none', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const refused = await call('POST', '/api/v1/products/batch?atomic=true', {
    projectId: 'shop',
    products: [row('a'), row('b', { price: -1 })]
  })
  t.equal(refused.statusCode, 400)
  t.match(refused.json(), { code: 'batch_failed', created: 0, failed: 2, errors: [{ index: 1 }] })
  t.equal((await call('GET', '/api/v1/products')).json().totalCount, 0)
  t.match(
    (
      await call('POST', '/api/v1/products/batch?atomic=true', { projectId: 'shop', products: [row('a'), row('b')] })
    ).json(),
    { created: 2 }
  )
})

t.test('a dry run reports the same counts and writes nothing', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  await call('POST', '/api/v1/products/batch', { projectId: 'shop', products: [row('a'), row('b')] })
  const batch = { projectId: 'shop', products: [row('a'), row('b', { price: 7 }), row('c'), row('d', { price: -1 })] }
  const rehearsed = await call('POST', '/api/v1/products/batch?dryRun=true', batch)
  t.equal((await call('GET', '/api/v1/products')).json().totalCount, 2)
  t.same(rehearsed.json(), (await call('POST', '/api/v1/products/batch', batch)).json())
  await call('POST', '/api/v1/products/batch?dryRun=true', { projectId: 'new-shop', products: [row('a')] })
  t.equal(await app.store.projects.find('acme', 'new-shop'), null, 'no project is created')
})

t.test('the last row of a repeated externalId wins, each row counts, and a warning reports it', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const products = [row('a', { brand: 'First' }), row('b'), row('a', { title: 'Last' }), row('a', { title: 'Last' })]
  const answer = (await call('POST', '/api/v1/products/batch', { projectId: 'shop', products })).json()
  t.match(answer, {
    created: 2,
    updated: 2,
    unchanged: 1,
    failed: 0,
    warnings: [
      { index: 2, externalId: 'a', pointer: '/products/2/externalId', code: 'repeated' },
      { index: 3, externalId: 'a' }
    ]
  })
  t.match((await call('GET', '/api/v1/products?externalId=a')).json().products, [{ title: 'Last', brand: 'First' }])
})

// The limit is the same in both profiles, and 5,000 products take long over MongoDB.
testEmbedded('a batch has 1 to 5,000 products and at most 16 MB', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  t.equal((await call('POST', '/api/v1/products/batch', { projectId: 'shop', products: [] })).statusCode, 400)
  t.match(
    (
      await call('POST', '/api/v1/products/batch', {
        projectId: 'shop',
        products: Array.from({ length: 5001 }, (_, i) => row(`p${i}`))
      })
    ).json(),
    { status: 400, errors: [{ pointer: '/products', code: 'maxItems' }] }
  )
  t.match(
    (
      await call('POST', '/api/v1/products/batch', {
        projectId: 'shop',
        products: [row('a', { description: 'x'.repeat(17_000_000) })]
      })
    ).json(),
    { status: 413, code: 'payload_too_large' }
  )
  t.match(
    (
      await call('POST', '/api/v1/products/batch', {
        projectId: 'shop',
        products: Array.from({ length: 5000 }, (_, i) => row(`p${i}`))
      })
    ).json(),
    { created: 5000 }
  )
})

t.test('a batch with a million errors gets a short response, and its valid products are stored', async (t) => {
  const call = await client(await startApp(t))
  const send = async (products: unknown[]) =>
    (await call('POST', '/api/v1/products/batch', { projectId: 'shop', products })).json()
  const manyFields = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`field${i}`, i]))
  const answer = await send([
    row('a'),
    row('b', { tags: Array(3000).fill(1) }),
    row('c', manyFields),
    row('d', { tags: Array(101).fill('x') })
  ])
  t.match(answer, { created: 1, failed: 3 })
  t.same(
    answer.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
    [
      ['/products/1/tags', 'too_many_parts'],
      ['/products/2', 'too_many_parts'],
      ['/products/3/tags', 'maxItems']
    ]
  )
  t.match(await send([row('b', { tags: Array(1_600_000).fill(1) })]), {
    status: 422,
    code: 'content_too_complex',
    detail: 'The body has more than 20,000 values in element 0 of a list.'
  })
  t.match(
    await send(Array.from({ length: 200 }, (_, i) => row(`p${i}`, { description: ',['.repeat(2500) }))),
    { created: 200 },
    'brackets within strings do not count'
  )
})

t.test('a batch can be processed as an import', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const sent = '{"projectId":"shop","products":[{"externalId":"a","title":"A","price":9.90},{"externalId":"b"}]}'
  const answer = await call('POST', '/api/v1/products/batch', sent, {
    'content-type': 'application/json',
    prefer: 'respond-async'
  })
  t.equal(answer.statusCode, 202, answer.body)
  t.match(answer.json(), { status: 'queued', total: 2 })
  await app.queue.idle()
  t.match((await call('GET', String(answer.headers.location))).json(), {
    status: 'done',
    processed: 2,
    created: 1,
    failed: 1
  })
  t.match((await call('GET', '/api/v1/products?externalId=a')).body, '"price":9.90,')
  t.equal(
    (
      await call(
        'POST',
        '/api/v1/products/batch?atomic=true',
        { projectId: 'shop', products: [row('a')] },
        { prefer: 'respond-async' }
      )
    ).statusCode,
    400
  )
})

t.test('an atomic batch has at most 500 products and 2 million characters', async (t) => {
  const call = await client(await startApp(t))
  const send = async (products: unknown[]) =>
    (await call('POST', '/api/v1/products/batch?atomic=true', { projectId: 'shop', products })).json()
  const many = Array.from({ length: 501 }, (_, i) => row(`p${i}`))
  t.match(await send(many), { status: 413, code: 'payload_too_large', limit: 500 })
  const long = Array.from({ length: 41 }, (_, i) => row(`p${i}`, { description: 'x'.repeat(49_000) }))
  t.match(await send(long), { status: 413, code: 'payload_too_large' })
  t.match(await send(long.slice(0, 40)), { created: 40 })
  t.equal((await call('GET', '/api/v1/products?pageSize=1')).json().totalCount, 40, 'and nothing of the others')
  for (const from of [40, 80]) {
    const others = long.slice(0, 40).map((product, i) => ({ ...product, externalId: `p${from + i}` }))
    const added = await call('POST', '/api/v1/products/batch', { projectId: 'shop', products: others })
    t.match(added.json(), { created: 40 })
  }
  const cheaper = Array.from({ length: 120 }, (_, i) => row(`p${i}`, { price: 5 }))
  t.match(await send(cheaper), {
    status: 413,
    detail: /^The products of the batch, as they are stored, have more than 5/
  })
  t.match(await send(cheaper.slice(0, 40)), { updated: 40 })
})

t.test(
  'a product that occurs thousands of times in a batch is written once, with the result of each row',
  async (t) => {
    const call = await client(await startApp(t))
    const products = Array.from({ length: 3000 }, (_, i) => row('a', { title: `Title ${i}` }))
    const send = async () =>
      (
        await call(
          'POST',
          '/api/v1/products/batch',
          { projectId: 'shop', products },
          { 'idempotency-key': 'a'.repeat(16) }
        )
      ).json()
    t.match(await send(), { created: 1, updated: 2999, failed: 0 })
    t.match((await call('GET', '/api/v1/products')).json().products, [{ title: 'Title 2999' }])
    t.match(await send(), { created: 1, updated: 2999, failed: 0 }, 'again')
  }
)
