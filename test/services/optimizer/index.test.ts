import t from 'tap'
import type { ProductRecord, Store } from '../../../ports/store/port.ts'
import { createOptimizer, outputsDigest, toOutputs } from '../../../services/optimizer/index.ts'
import { scaled } from '../../profile.ts'
import { addProducts, updateProduct, CREATED, buildProduct, openTestShop, PROJECT } from './fixtures.ts'

const signal = () => new AbortController().signal
/** More products than fit into one batch. */
const MANY = scaled ? 240 : 450
const later = '2026-06-01T00:00:00.000Z'

async function findProduct(store: Store, externalId: string): Promise<ProductRecord> {
  const [product] = await store.products.findByExternalIds(PROJECT, [externalId])
  if (product === undefined) throw new Error(`There is no product ${externalId}.`)
  return product
}

t.test('a new product gets all seven outputs and a pending event', async (t) => {
  const { store, queue, jobs } = await openTestShop(t, [
    buildProduct({
      externalId: 'a',
      title: 'Oak Table',
      sku: 'T-1',
      description: '<p>A table of <b>oak</b>.</p>',
      images: ['https://example.com/t.jpg']
    })
  ])
  t.equal(await createOptimizer({ store, queue, provider: null }).optimizeProject(PROJECT, signal()), 1)
  const product = await findProduct(store, 'a')
  t.same(toOutputs(product), {
    external_id: 'a',
    meta_title: 'Oak Table | Acme',
    meta_description: 'A table of oak.',
    page_title: 'Oak Table',
    page_description: 'A table of oak.',
    image_url: 'https://example.com/t.jpg',
    handle: 'oak-table'
  })
  t.match(product, { version: 2, status: 'optimized', optimizePendingSince: null, seo: { handle: { source: 'rule' } } })
  t.ok(product.optimizedFromDigest !== null && product.eventPendingSince !== null && product.updatedAt > CREATED)
  t.equal(product.claims.filter((claim) => !claim.startsWith('similar:')).length, 4)
  t.equal(await jobs(), 1)
})

t.test('unknown outputs are empty strings', async (t) => {
  t.same(toOutputs(buildProduct({ externalId: 'a', title: 'x' })), {
    external_id: 'a',
    meta_title: '',
    meta_description: '',
    page_title: '',
    page_description: '',
    image_url: '',
    handle: ''
  })
  t.not(
    outputsDigest(buildProduct({ externalId: 'a', title: 'x' })),
    outputsDigest(buildProduct({ externalId: 'b', title: 'x' }))
  )
})

t.test('an unchanged product is not optimized again; price and stock are not inputs', async (t) => {
  const { store, queue, jobs } = await openTestShop(t, [
    buildProduct({ externalId: 'a', title: 'Oak Table', price: '10', availability: 'in_stock' })
  ])
  const optimizer = createOptimizer({ store, queue, provider: null })
  await optimizer.optimizeProject(PROJECT, signal())
  const first = await findProduct(store, 'a')
  const priced = await updateProduct(store, first, {
    price: '12',
    currency: 'EUR',
    availability: 'out_of_stock',
    status: 'pending',
    optimizePendingSince: later,
    publishedDigest: outputsDigest(first),
    eventPendingSince: null
  })
  t.equal(await optimizer.optimizeProject(PROJECT, signal()), 0)
  const second = await findProduct(store, 'a')
  t.match(second, { ...priced, version: priced.version + 1, status: 'optimized', optimizePendingSince: null })
  t.equal(await jobs(), 1, 'no further event is pending')
})

t.test('a changed title changes the outputs, but not the handle', async (t) => {
  const { store, queue } = await openTestShop(t, [buildProduct({ externalId: 'a', title: 'Oak Table' })])
  const optimizer = createOptimizer({ store, queue, provider: null })
  await optimizer.optimizeProject(PROJECT, signal())
  const first = await findProduct(store, 'a')
  await updateProduct(store, first, {
    title: 'Walnut Table',
    optimizePendingSince: later,
    publishedDigest: outputsDigest(first),
    eventPendingSince: null
  })
  t.equal(await optimizer.optimizeProject(PROJECT, signal()), 1)
  const second = await findProduct(store, 'a')
  t.equal(second.seo.pageTitle?.value, 'Walnut Table')
  t.equal(second.seo.handle?.value, 'oak-table')
  t.ok(second.eventPendingSince)
  t.not(second.claims.join(), first.claims.join())
})

t.test('outputs that equal the published ones are not published again', async (t) => {
  const { store, queue } = await openTestShop(t, [buildProduct({ externalId: 'a', title: 'Oak Table' })])
  const optimizer = createOptimizer({ store, queue, provider: null })
  await optimizer.optimizeProject(PROJECT, signal())
  const published = outputsDigest(await findProduct(store, 'a'))
  await updateProduct(store, await findProduct(store, 'a'), {
    title: 'Walnut Table',
    optimizePendingSince: later,
    publishedDigest: published
  })
  await optimizer.optimizeProject(PROJECT, signal())
  await updateProduct(store, await findProduct(store, 'a'), { title: 'Oak Table', optimizePendingSince: later })
  await optimizer.optimizeProject(PROJECT, signal())
  t.match(await findProduct(store, 'a'), { publishedDigest: published, eventPendingSince: null })
})

t.test('an optimization with the same result changes neither updatedAt nor the pending event', async (t) => {
  const { store, queue } = await openTestShop(t, [buildProduct({ externalId: 'a', title: 'Oak Table' })])
  const optimizer = createOptimizer({ store, queue, provider: null })
  await optimizer.optimizeProject(PROJECT, signal())
  const first = await findProduct(store, 'a')
  await updateProduct(store, first, { optimizedFromDigest: null, optimizePendingSince: later })
  t.equal(await optimizer.optimizeProject(PROJECT, signal()), 1)
  t.match(await findProduct(store, 'a'), {
    updatedAt: first.updatedAt,
    eventPendingSince: first.eventPendingSince,
    seo: first.seo
  })
})

t.test('manual values are never overwritten', async (t) => {
  const human = (value: string) => ({ value, source: 'human' as const })
  const seo = {
    metaTitle: human('Mine'),
    metaDescription: human('My text'),
    pageTitle: null,
    pageDescription: human('My page'),
    imageUrl: human('https://example.com/mine.jpg'),
    handle: human('my-own')
  }
  const { store, queue } = await openTestShop(t, [
    buildProduct({ externalId: 'a', title: 'Oak Table', seo, imageUrl: 'https://example.com/t.jpg' }),
    buildProduct({ externalId: 'b', title: 'Oak Table', seo: { ...seo, handle: human('my-other') } })
  ])
  const optimizer = createOptimizer({ store, queue, provider: null })
  await optimizer.optimizeProject(PROJECT, signal())
  for (const externalId of ['a', 'b']) {
    const { pageTitle, handle, ...others } = (await findProduct(store, externalId)).seo
    t.match(others, {
      metaTitle: seo.metaTitle,
      metaDescription: seo.metaDescription,
      pageDescription: seo.pageDescription,
      imageUrl: seo.imageUrl
    })
    t.equal(pageTitle?.source, 'rule')
    t.match(handle?.value, /^my-/)
  }
  const [a, b] = [await findProduct(store, 'a'), await findProduct(store, 'b')]
  t.equal(a.claims.length + b.claims.length, 6, 'only one of two equal manual texts holds the claim')
})

t.test('the optimizer does not use a manual text or handle of another product', async (t) => {
  const human = (value: string) => ({ value, source: 'human' as const })
  const seo = {
    ...buildProduct({ externalId: 'x', title: 'x' }).seo,
    pageTitle: human('Oak Table'),
    handle: human('oak-table')
  }
  const { store, queue } = await openTestShop(t, [
    buildProduct({ externalId: 'machine', title: 'Oak Table', sku: 'T-1' }),
    buildProduct({ externalId: 'person', title: 'Some Table', seo })
  ])
  await createOptimizer({ store, queue, provider: null }).optimizeProject(PROJECT, signal())
  t.match((await findProduct(store, 'machine')).seo, {
    pageTitle: { value: 'Oak Table – T-1' },
    handle: { value: 'oak-table-t-1' }
  })
})

t.test('a product that cannot be optimized fails alone, and the failure is reported once', async (t) => {
  // Every store accepts this value, but the rules cannot read it.
  const broken = buildProduct({ externalId: 'broken', title: 'Broken', attributes: { Color: null } as never })
  const { store, queue } = await openTestShop(t, [
    broken,
    ...['a', 'b', 'c'].map((externalId) => buildProduct({ externalId, title: `Table ${externalId}` }))
  ])
  const optimizer = createOptimizer({ store, queue, provider: null })
  await t.rejects(optimizer.optimizeProject(PROJECT, signal()), {
    message: /^1 products of project shop could not be optimized$/
  })
  t.match(await findProduct(store, 'broken'), {
    status: 'failed',
    optimizePendingSince: null,
    optimizedFromDigest: null
  })
  for (const externalId of ['a', 'b', 'c']) t.equal((await findProduct(store, externalId)).status, 'optimized')
  t.equal(await optimizer.optimizeProject(PROJECT, signal()), 0, 'the failed product is no longer pending')
})

t.test('nothing is optimized after an abort', async (t) => {
  const { store, queue, jobs } = await openTestShop(t, [buildProduct({ externalId: 'a', title: 'Oak Table' })])
  t.equal(await createOptimizer({ store, queue, provider: null }).optimizeProject(PROJECT, AbortSignal.abort()), 0)
  t.match(await findProduct(store, 'a'), { version: 1, status: 'pending', optimizePendingSince: CREATED })
  t.equal(await jobs(), 0)
})

t.test('concurrent optimizers optimize every product once and use no text twice', async (t) => {
  const { store, queue, all } = await openTestShop(
    t,
    Array.from({ length: MANY }, (_, i) => buildProduct({ externalId: `p${i}`, title: `Table ${i % 30}` }))
  )
  const optimizers = [1, 2, 3].map(() => createOptimizer({ store, queue, provider: null }))
  const counts = await Promise.all(
    optimizers.map(async (optimizer) => await optimizer.optimizeProject(PROJECT, signal()))
  )
  const products = await all()
  t.equal(
    counts.reduce((sum, count) => sum + count),
    MANY
  )
  t.ok(products.every(({ status, version }) => status === 'optimized' && version === 2))
  for (const field of ['metaTitle', 'pageTitle', 'handle'] as const) {
    t.equal(new Set(products.map(({ seo }) => seo[field]!.value)).size, MANY, field)
  }
})

t.test('texts are unique per project: two projects may use the same title', async (t) => {
  const { store, queue } = await openTestShop(t, [buildProduct({ externalId: 'a', title: 'Oak Table' })])
  await addProducts(store, [buildProduct({ projectId: 'other', externalId: 'a', title: 'Oak Table' })])
  const optimizer = createOptimizer({ store, queue, provider: null })
  for (const projectId of ['shop', 'other']) await optimizer.optimizeProject({ ...PROJECT, projectId }, signal())
  const [other] = await store.products.findByExternalIds({ ...PROJECT, projectId: 'other' }, ['a'])
  t.equal(other?.seo.handle?.value, 'oak-table')
  t.equal(other?.seo.metaTitle?.value, 'Oak Table', 'an unknown project has no brand')
})
