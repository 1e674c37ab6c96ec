import t, { type Test } from 'tap'
import type { Database } from '../../../../ports/store/mongodb/database.ts'
import { migrate } from '../../../../ports/store/mongodb/migrate.ts'
import { productCollection } from '../../../../ports/store/mongodb/products/documents.ts'
import { createProducts } from '../../../../ports/store/mongodb/products/index.ts'
import {
  COUNTED_PRODUCTS,
  type ProductTotalsDocument
} from '../../../../ports/store/mongodb/products/totals/documents.ts'
import { foldProducts } from '../../../../ports/store/mongodb/products/totals/fold.ts'
import { createProductTotals } from '../../../../ports/store/mongodb/products/totals/read.ts'
import { OLDEST_VERSION, SCHEMA_VERSION, schemaCollection } from '../../../../ports/store/mongodb/schema-version.ts'
import { createStorage } from '../../../../ports/store/mongodb/storage.ts'
import { holdCounts } from '../../../../ports/store/mongodb/totals/holds.ts'
import { totalsCollection, totalsId } from '../../../../ports/store/mongodb/totals/documents.ts'
import { readUsage } from '../../../../ports/store/mongodb/totals/usage.ts'
import { createTransfer } from '../../../../ports/store/mongodb/transfer/index.ts'
import { ACME } from '../../../contracts/store/fixtures/content.ts'
import { buildProduct, changing, fresh, SITE } from '../../../contracts/store/fixtures/products.ts'
import { interruptedAfter, killedAfter, killedEverywhere, survived } from '../../../fixtures/mongodb/faults.ts'
import { change, expectedTotals, productAt, readTotals } from '../../../fixtures/mongodb/product-totals.ts'
import { recordQueries } from '../../../fixtures/mongodb/query-plans.ts'
import { createTestDatabase } from '../../../fixtures/mongodb/test-database.ts'
import { MONGODB_URL } from '../../../profile.ts'

const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}

async function setUp(t: Test) {
  const own = await createTestDatabase(t)
  const [one, other] = [await own.open(), await own.open()]
  return { ...own, one, other, store: createProducts(one) }
}

async function foldAll(database: Database): Promise<void> {
  while ((await foldProducts(database, 'acme')) > 0);
}

/** The same database, without what the process remembers about it. */
const reopened = (database: Database): Database => ({ ...database })

t.test('totals and storage are exact with and without changes that are not in the counts', skip, async (t) => {
  const { one, other } = await setUp(t)
  t.same(
    await readTotals(other),
    (await expectedTotals(one)).map(() => 0),
    'of an account without products'
  )
  for (let round = 0; round < 4; round++) {
    await change(one, round * 7)
    t.same(await readTotals(other), await expectedTotals(one), `${round}: some changes are marked`)
    t.ok((await foldProducts(one, 'acme')) > 0)
    await foldAll(one)
    t.equal(await productCollection(one).countDocuments({ totalsMark: { $gt: '' } }), 0)
    t.equal(await productCollection(one).countDocuments({ deleted: true }), 0, 'nothing is left of deleted products')
    t.same(await readTotals(other), await expectedTotals(one), `${round}: none is marked`)
  }
})

t.test('a crash leaves totals that are exact, or that must be counted until the next call', skip, async (t) => {
  const { one, other, empty } = await setUp(t)
  let [exact, counted] = [0, 0]
  const kills = await killedEverywhere(async (calls) => {
    await empty()
    await change(one, 0)
    await foldAll(one)
    await change(one, 7)
    const completed = await survived(foldProducts(killedAfter(one, calls), 'acme'))
    const expected = await expectedTotals(one)
    const read = await readTotals(other)
    if (read.includes(null)) counted++
    else exact++
    t.same(
      read.map((total, at) => total ?? expected[at]),
      expected,
      `killed after ${calls} calls`
    )
    await change(other, 14)
    await foldAll(other)
    t.same(await readTotals(one), await expectedTotals(other), `killed after ${calls} calls, then completed`)
    return completed
  })
  t.ok(kills >= 5)
  t.ok(exact > 0 && counted > 0, `${exact} exact, ${counted} counted`)
})

t.test('another process may change products and counts between any two calls', skip, async (t) => {
  const { one, other, empty } = await setUp(t)
  for (const isFolding of [false, true]) {
    for (let calls = 0; calls < 8; calls++) {
      await empty()
      await change(one, 0)
      await foldAll(one)
      await change(one, 7)
      const interrupted = interruptedAfter(one, calls, async () => {
        await change(other, 14)
        if (isFolding) await foldProducts(other, 'acme')
      })
      await foldProducts(interrupted, 'acme')
      const expected = await expectedTotals(other)
      t.same(await readTotals(other), expected, `after ${calls} calls, with${isFolding ? '' : 'out'} counts`)
      await foldAll(one)
      t.same(await readTotals(other), expected, `after ${calls} calls, and once more`)
    }
  }
})

t.test('storage is exact while another process adds changes to the counts', skip, async (t) => {
  const { one, other, empty } = await setUp(t)
  for (let calls = 0; calls < 4; calls++) {
    await empty()
    await change(one, 0)
    await foldAll(one)
    await change(one, 7)
    const [records, bytes] = (await expectedTotals(one)).slice(-2)
    const usage = await readUsage<ProductTotalsDocument>(
      interruptedAfter(other, calls, async () => await foldAll(one)),
      { counted: COUNTED_PRODUCTS, accountId: 'acme', fold: async () => await foldAll(other) }
    )
    t.match(usage, { records, bytes }, `after ${calls} calls`)
  }
})

t.test('storage is exact after a crash while changes were added to the counts', skip, async (t) => {
  const { one, other, empty } = await setUp(t)
  await killedEverywhere(async (calls) => {
    await empty()
    await change(one, 0)
    await foldAll(one)
    await change(one, 7)
    const completed = await survived(foldProducts(killedAfter(one, calls), 'acme'))
    const { products, bytes } = await createStorage(other).measure('acme')
    t.same([products, bytes], (await expectedTotals(one)).slice(-2), `killed after ${calls} calls`)
    return completed
  })
})

t.test('the change of a batch that is aborted is not counted', skip, async (t) => {
  const { one, other, empty } = await setUp(t)
  for (let calls = 1; calls < 8; calls++) {
    await empty()
    const products = [buildProduct({ claims: ['a'] }), buildProduct({ claims: ['taken'] })]
    await createProducts(one).saveMany(products.map(fresh))
    const writer = createProducts(interruptedAfter(one, calls, async () => await foldAll(other)))
    const longer = changing(products[0]!, { description: 'x'.repeat(5_000) })
    t.equal(await writer.saveAll([longer, fresh(buildProduct({ claims: ['taken'] }))]), false)
    await foldAll(other)
    t.same(await readTotals(other), await expectedTotals(one), `counted after ${calls} calls`)
  }
})

t.test('many marked products are counted by the server, and added to the counts in the background', skip, async (t) => {
  const { one, store } = await setUp(t)
  const totals = createProductTotals(one, { fold: 5, max: 10 })
  await store.saveMany(Array.from({ length: 40 }, (_, at) => fresh(productAt(at))))
  t.equal(await totals.count(ACME), null)
  t.equal((await store.list(ACME, { page: 1, pageSize: 1 })).totalCount, 40)
  await totals.close()
  t.equal(await productCollection(one).countDocuments({ totalsMark: { $gt: '' } }), 0)
  t.same(await readTotals(one), await expectedTotals(one))
})

t.test('while many products are marked, lists count them in the index, and read none', skip, async (t) => {
  const { one, other, store } = await setUp(t)
  await store.saveMany(Array.from({ length: 40 }, (_, at) => fresh(productAt(at))))
  await foldProducts(one, 'acme', { changes: 5, bytes: 2 ** 20 })
  const hold = await holdCounts(one, COUNTED_PRODUCTS, { accountId: 'acme' })
  const queries = await recordQueries(other, async (database) => {
    const totals = createProductTotals(database, { fold: 5, max: 10 })
    for (let lists = 0; lists < 4; lists++) t.equal(await totals.count(ACME), null)
    await hold!.release()
    await totals.close()
    await foldAll(one)
    t.equal(await totals.count(ACME), 40, 'few are marked again')
  })
  const reads = queries.filter(({ sort }) => 'totalsKey' in sort)
  t.equal(reads.length, 2, 'the first list, and the one after products were added to the counts')
})

t.test('categories that need too much space are not counted, and others are', skip, async (t) => {
  for (const category of [(at: number) => `category ${at}`, (at: number) => `${at}${' > x'.repeat(20)}`]) {
    const { one, other, store } = await setUp(t)
    const deep = Array.from({ length: 40 }, (_, at) => buildProduct({ category: category(at), claims: [] }))
    await store.saveMany(deep.map(fresh))
    const filter = { ...ACME, category: category(1) }
    await foldProducts(one, 'acme', { changes: 500, bytes: 1_000 })
    t.equal(await createProductTotals(other).count(filter), null)
    t.equal(await createProductTotals(other).count({ ...ACME, status: 'optimized' }), 40)
    await store.saveMany([changing(deep[0]!, { category: 'Tea' })])
    await foldAll(one)
    t.equal(await createProductTotals(other).count(filter), null, 'still')
    t.equal((await createProducts(other).list(filter, { page: 1, pageSize: 1 })).totalCount, 1)
    await store.saveMany([fresh(buildProduct({ category: 'Tea', claims: [] }))])
    t.equal((await createProducts(other).list(ACME, { page: 1, pageSize: 1 })).totalCount, 41)
  }
})

t.test('a category with too many levels is counted by the server before it is in the counts', skip, async (t) => {
  const { one, store } = await setUp(t)
  const category = `a${' > b'.repeat(30)}`
  await store.saveMany([fresh(buildProduct({ category, claims: [] }))])
  t.equal(await createProductTotals(one).count({ ...ACME, category: 'a' }), null)
  t.equal((await store.list({ ...ACME, category: 'a' }, { page: 1, pageSize: 1 })).totalCount, 1)
})

t.test('the id and the external id of a deleted product can be used again at once', skip, async (t) => {
  const { one, other, store } = await setUp(t)
  const transfer = createTransfer(one)
  const adds: [string, (product: ReturnType<typeof buildProduct>) => Promise<unknown>][] = [
    ['saveMany', async (product) => t.same(await store.saveMany([fresh(product)]), ['saved'])],
    ['saveAll', async (product) => t.equal(await store.saveAll([fresh(product)]), true)],
    ['import', async (product) => t.match(await transfer.put('product', [product]), { added: 1 })]
  ]
  const readers = createProducts(other)
  for (const isCounted of [false, true]) {
    for (const [name, add] of adds) {
      const title = `${name}, ${isCounted ? 'counted' : 'marked'}`
      const product = buildProduct({ claims: [`claim of ${title}`] })
      const before = (await readers.list(ACME, { page: 1, pageSize: 1 })).totalCount
      await store.saveMany([fresh(product)])
      if (isCounted) await foldAll(other)
      t.equal(await store.delete({ accountId: 'acme', id: product.id, ifVersion: product.version }), true)
      t.equal(await readers.find('acme', product.id), null, title)
      t.same(await readers.findByExternalIds(SITE, [product.externalId, product.id]), [], title)
      t.same(await readers.findClaimOwners(SITE, product.claims), [], title)
      t.equal((await readers.list(ACME, { page: 1, pageSize: 1 })).totalCount, before, title)
      await add(product)
      t.same(await readers.find('acme', product.id), product, title)
      t.same(await readTotals(other), await expectedTotals(one), title)
      await foldAll(other)
      t.same(await readTotals(other), await expectedTotals(one), `${title}, and stored`)
    }
  }
})

t.test('exports contain neither deleted products nor counts', skip, async (t) => {
  const { one, store } = await setUp(t)
  const [first, second] = [buildProduct(), buildProduct({ title: 'Other' })]
  await store.saveMany([fresh(first), fresh(second)])
  await foldAll(one)
  await store.delete({ accountId: 'acme', id: first.id, ifVersion: first.version })
  const { records } = await createTransfer(one).page('product', { after: null, limit: 100 })
  t.same(records, [second])
})

t.test('totals are stored once a cleanup has recorded that all processes mark their changes', skip, async (t) => {
  const { one, other, store } = await setUp(t)
  const setVersion = async (version: number) => {
    await schemaCollection(one).updateOne({ _id: 'schema' }, { $set: { version } })
  }
  // The state of a database of the previous version, which marks nothing.
  await setVersion(SCHEMA_VERSION - 1)
  await store.saveMany(Array.from({ length: 9 }, (_, at) => fresh(productAt(at))))
  await productCollection(one).updateMany({}, { $unset: { totalsKey: '', totalsMark: '' } })
  const expected = await expectedTotals(one)
  const beside = reopened(one)
  t.match(await migrate(one), { version: SCHEMA_VERSION - 1, isComplete: false })
  t.same(await readTotals(beside), [...expected.slice(0, -2).map(() => null), ...expected.slice(-2)])
  t.equal((await createProducts(beside).list(ACME, { page: 1, pageSize: 1 })).totalCount, 9)
  const [deleted] = (await store.list(ACME, { page: 1, pageSize: 1 })).products
  await store.delete({ accountId: 'acme', id: deleted!.id, ifVersion: deleted!.version })
  t.same(await store.saveMany([fresh(deleted!)]), ['saved'], 'the id is free')
  await store.delete({ accountId: 'acme', id: deleted!.id, ifVersion: deleted!.version })
  t.match(await migrate(one, { cleanup: true }), { version: SCHEMA_VERSION, isComplete: true })
  t.same(await readTotals(reopened(other)), await expectedTotals(one))
  await foldAll(one)
  t.match(await migrate(one, { cleanup: true }), { version: SCHEMA_VERSION, isComplete: true })
  t.same(await readTotals(reopened(other)), await expectedTotals(one), 'a second cleanup changes nothing')

  // The repair that docs/operating.md describes.
  await totalsCollection<ProductTotalsDocument>(one, COUNTED_PRODUCTS).updateOne(
    { _id: totalsId('acme', 'counts') },
    { $set: { 'counts.all': { '=': { '=site': 99 } }, 'counts.bytes': 5 } }
  )
  t.equal((await readTotals(reopened(other)))[0], 99)
  const [counted] = (await store.list(ACME, { page: 1, pageSize: 1 })).products
  await store.delete({ accountId: 'acme', id: counted!.id, ifVersion: counted!.version })
  await setVersion(OLDEST_VERSION)
  await migrate(one, { cleanup: true })
  t.same(await readTotals(reopened(other)), await expectedTotals(one), 'counted again')
  await foldAll(one)
  t.same(await readTotals(reopened(other)), await expectedTotals(one), 'counted again, and stored')
})
