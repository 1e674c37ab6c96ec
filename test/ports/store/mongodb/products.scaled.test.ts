import assert from 'node:assert/strict'
import t, { type Test } from 'tap'
import type { Database } from '../../../../ports/store/mongodb/database.ts'
import { batchCollection } from '../../../../ports/store/mongodb/products/batches.ts'
import { productCollection } from '../../../../ports/store/mongodb/products/documents.ts'
import type { ProductMark } from '../../../../ports/store/mongodb/events/add.ts'
import { findUnchanged, markPublished } from '../../../../ports/store/mongodb/events/product-events.ts'
import { createProducts } from '../../../../ports/store/mongodb/products/index.ts'
import { OLDEST_VERSION, schemaCollection } from '../../../../ports/store/mongodb/schema-version.ts'
import type { ProductRecord, ProductStore, ProductWrite } from '../../../../ports/store/port.ts'
import { minute } from '../../../contracts/store/fixtures/content.ts'
import { buildProduct, changing, fresh, SITE } from '../../../contracts/store/fixtures/products.ts'
import { withBulkHook } from '../../../fixtures/mongodb/bulk-writes.ts'
import { killedAfter, killedEverywhere, survived } from '../../../fixtures/mongodb/faults.ts'
import { indexesFor, recordQueries } from '../../../fixtures/mongodb/query-plans.ts'
import { createTestDatabase } from '../../../fixtures/mongodb/test-database.ts'
import { MONGODB_URL } from '../../../profile.ts'

const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}
/** Driver calls of a batch with one chunk until it is committed. */
const CALLS_UNTIL_COMMIT = 3
const areAllPending = async (database: Database, accountId: string, marks: ProductMark[]) =>
  (await findUnchanged(database, accountId, [{ marks }])).length === 1
const byId = (found: ProductRecord[]) => found.toSorted((a, b) => (a.id < b.id ? -1 : 1))

async function setUp(t: Test) {
  const own = await createTestDatabase(t)
  const [one, other] = [await own.open(), await own.open()]
  return { ...own, one, other, store: createProducts(one), others: createProducts(other) }
}

/** Two stored products, and writes that change both and add a third. All queried fields change. */
async function startBatch(
  store: ProductStore
): Promise<{ before: ProductRecord[]; after: ProductRecord[]; writes: ProductWrite[] }> {
  const before = [
    buildProduct({ claims: ['old', 'both'], title: 'Before', terms: ['before'] }),
    buildProduct({ claims: [], title: 'Before', terms: ['before'] })
  ]
  assert.deepEqual(await store.saveMany(before.map(fresh)), ['saved', 'saved'])
  const change: Partial<ProductRecord> = {
    title: 'After',
    terms: ['after'],
    optimizePendingSince: minute(9),
    eventPendingSince: minute(9),
    status: 'pending'
  }
  const writes = [
    changing(before[0]!, { ...change, claims: ['new', 'both'] }),
    changing(before[1]!, { ...change, claims: ['first'] }),
    fresh(buildProduct({ ...change, claims: ['own'] }))
  ]
  return { before, after: writes.map(({ product }) => product), writes }
}

/** The results of all reads of the project, sorted. */
async function all(store: ProductStore, ids: string[]) {
  const list = await store.list({ accountId: 'acme', projectIds: null }, { page: 1, pageSize: 100 })
  const of = async (filter: object) =>
    (await store.list({ ...SITE, projectIds: null, ...filter }, { page: 1, pageSize: 100 })).totalCount
  return {
    list: byId(list.products),
    count: list.totalCount,
    found: (await Promise.all(ids.map((id) => store.find('acme', id)))).filter((product) => product !== null),
    many: byId(
      await store.findByExternalIds(
        SITE,
        list.products.map(({ externalId }) => externalId)
      )
    ),
    counts: [await of({ terms: ['before'] }), await of({ terms: ['after'] }), await of({ status: 'pending' })],
    titles: (await store.findByTitles(SITE, ['Before', 'After'])).map(({ id, title }) => `${id} ${title}`).toSorted(),
    claims: (await store.findClaimOwners(SITE, ['old', 'both', 'new', 'first', 'own']))
      .map(({ claim, productId }) => `${claim} ${productId}`)
      .toSorted(),
    due: byId(await store.pending(SITE, 'optimize', 10)),
    pendingEvents: (await store.pendingEvents(SITE, 10)).products.length,
    projects: (await store.pendingProjects('optimize', { after: null, limit: 10 })).items
  }
}

/** The result of `all` when exactly these products exist. */
function expected(products: ProductRecord[]) {
  const sorted = byId(products)
  const waiting = sorted.filter(({ optimizePendingSince }) => optimizePendingSince !== null)
  const count = (test: (product: ProductRecord) => boolean) => sorted.filter(test).length
  return {
    list: sorted,
    count: sorted.length,
    found: sorted,
    many: sorted,
    counts: [
      count(({ terms }) => terms.includes('before')),
      count(({ terms }) => terms.includes('after')),
      count(({ status }) => status === 'pending')
    ],
    titles: sorted.map(({ id, title }) => `${id} ${title}`).toSorted(),
    claims: sorted.flatMap(({ id, claims }) => claims.map((claim) => `${claim} ${id}`)).toSorted(),
    due: waiting,
    pendingEvents: count(({ eventPendingSince }) => eventPendingSince !== null),
    projects: waiting.length === 0 ? [] : [SITE]
  }
}

/** Ages all open batches by an hour, so that they count as abandoned. */
async function ageBatches(database: Database): Promise<void> {
  await batchCollection(database).updateMany({}, { $inc: { heartbeatAt: -3_600_000 } })
}

t.test('a crash at any point of saveAll leaves all changes or none, for every kind of read', skip, async (t) => {
  const { one, empty, store, others } = await setUp(t)
  const kills = await killedEverywhere(async (calls) => {
    await empty()
    const { before, after, writes } = await startBatch(store)
    const ids = byId(after).map(({ id }) => id)
    const done = await survived(createProducts(killedAfter(one, calls)).saveAll(writes))
    const saved = calls > CALLS_UNTIL_COMMIT
    t.strictSame(await all(others, ids), expected(saved ? after : before), `after ${calls} calls`)
    await ageBatches(one)
    if (!saved) t.equal(await others.saveAll(writes), true, `after ${calls} calls the next attempt succeeds`)
    t.strictSame(await all(store, ids), expected(after))
    t.equal(
      await productCollection(one).countDocuments({
        $or: [{ pending: { $exists: true } }, { hidden: { $exists: true } }]
      }),
      0
    )
    t.equal(await batchCollection(one).countDocuments({}), 0)
    return done
  })
  t.ok(kills >= 7)
})

t.test('every method on its own completes a committed batch after a crash', skip, async (t) => {
  const { one, empty, store, others } = await setUp(t)
  const asks: Record<string, (after: ProductRecord[]) => Promise<unknown>> = {
    find: async ([first]) => (await others.find('acme', first!.id))?.title === 'After',
    'a new one': async (after) => (await others.find('acme', after[2]!.id)) !== null,
    listAfter: async () => (await others.listAfter(SITE, { after: null, limit: 1 }))[0]?.title === 'After',
    findByExternalIds: async (after) =>
      (
        await others.findByExternalIds(
          SITE,
          after.map(({ externalId }) => externalId)
        )
      ).length === 3,
    list: async () =>
      (await others.list({ accountId: 'acme', projectIds: null, terms: ['after'] }, { page: 1, pageSize: 1 }))
        .totalCount === 3,
    claimed: async () => (await others.findClaimOwners(SITE, ['old', 'new', 'own', 'first'])).length === 3,
    due: async () => (await others.pending(SITE, 'optimize', 10)).length === 3,
    pendingProjects: async () =>
      (await others.pendingProjects('optimize', { after: null, limit: 1 })).items.length === 1,
    pendingEvents: async () => (await others.pendingEvents(SITE, 10)).products.length === 3,
    'pendingProjects to publish': async () =>
      (await others.pendingProjects('publish', { after: null, limit: 1 })).items.length === 1,
    existsInProject: async () => await others.existsInProject(SITE),
    saveMany: async (after) =>
      (await others.saveMany(after.map((product) => changing(product, {})))).every((outcome) => outcome === 'saved'),
    remove: async (after) => await others.delete({ accountId: 'acme', id: after[0]!.id, ifVersion: 2 }),
    saveAll: async (after) => {
      const again = after.map((product) => changing(product, {}))
      return (await others.saveAll(again)) || (await others.saveAll(again))
    },
    markOptimizePending: async () =>
      (await others.markOptimizePending(SITE, { externalIds: null, at: minute(1), force: true })) === 3,
    'published state': async (after) =>
      await areAllPending(
        one,
        'acme',
        after.map(({ id, version }) => ({ id, ifVersion: version, digest: 'd' }))
      )
  }
  for (const [name, ask] of Object.entries(asks)) {
    await empty()
    const { after, writes } = await startBatch(store)
    t.equal(await survived(createProducts(killedAfter(one, CALLS_UNTIL_COMMIT + 1)).saveAll(writes)), false)
    t.equal(await ask(after), true, name)
  }
})

t.test(
  'an undecided batch leaves its products unchanged and locked, and reserves its keys and claims',
  skip,
  async (t) => {
    const { one, store, others } = await setUp(t)
    const { before, after, writes } = await startBatch(store)
    t.equal(await survived(createProducts(killedAfter(one, CALLS_UNTIL_COMMIT)).saveAll(writes)), false)
    t.equal(await others.existsInProject(SITE), true)
    t.strictSame(
      await others.saveMany([
        changing(before[0]!, {}),
        fresh(buildProduct({ claims: ['new'] })),
        fresh(buildProduct({ externalId: after[2]!.externalId })),
        fresh(buildProduct({ claims: ['old'] }))
      ]),
      ['conflict', 'conflict', 'conflict', 'taken']
    )
    t.equal(await others.delete({ accountId: 'acme', id: before[0]!.id, ifVersion: 1 }), false)
    t.equal(await others.saveAll([changing(before[1]!, {})]), false)
    t.strictSame(
      await all(
        others,
        byId(after).map(({ id }) => id)
      ),
      expected(before)
    )
    await ageBatches(one)
    t.strictSame(
      await others.saveMany([
        changing(before[0]!, {}),
        fresh(buildProduct({ claims: ['new'] })),
        fresh(buildProduct({ externalId: after[2]!.externalId }))
      ]),
      ['saved', 'saved', 'saved'],
      'an abandoned batch is aborted'
    )
  }
)

t.test('products that are marked for optimization during a batch are changed and stay marked', skip, async (t) => {
  const { one, empty, store, others } = await setUp(t)
  for (const force of [false, true]) {
    await empty()
    const before = buildProduct()
    await store.saveMany([fresh(before)])
    const write = changing(before, { title: 'After', price: '1' })
    t.equal(await survived(createProducts(killedAfter(one, CALLS_UNTIL_COMMIT)).saveAll([write])), false)
    t.equal(await others.markOptimizePending(SITE, { externalIds: null, at: minute(9), force }), 1)
    await batchCollection(one).updateMany({}, { $set: { state: 'committed' } })
    const expected = {
      ...write.product,
      status: 'pending',
      optimizePendingSince: minute(9),
      version: 3,
      optimizedFromDigest: force ? null : 'digest'
    }
    t.strictSame(await others.find('acme', before.id), expected)
    t.strictSame(await others.pending(SITE, 'optimize', 5), [expected])
  }
})

t.test('a writer whose batch was aborted saves nothing when it continues', skip, async (t) => {
  const { one, store, others } = await setUp(t)
  const { before, after, writes } = await startBatch(store)
  // The batch is aborted before its products are prepared.
  const slow = withBulkHook(one, 'products', async (_, send) => {
    await batchCollection(one).deleteMany({})
    return await send()
  })
  t.equal(await createProducts(slow).saveAll(writes), false)
  t.strictSame(
    await all(
      others,
      byId(after).map(({ id }) => id)
    ),
    expected(before)
  )
  t.equal(await others.saveAll(writes), true)
})

t.test('two processes that save the same products with saveAll never leave a mixture', skip, async (t) => {
  const { store, others } = await setUp(t)
  const externalIds = Array.from({ length: 6 }, (_, at) => `p-${at}`)
  let saved = 0
  const seen: string[] = []
  await Promise.all(
    Array.from({ length: 10 }, async (_, writer) => {
      const mine = writer % 2 === 0 ? store : others
      for (let tries = 0; tries < 6; tries++) {
        const found = await mine.findByExternalIds(SITE, externalIds)
        const writes =
          found.length === 0
            ? externalIds.map((externalId) =>
                fresh(buildProduct({ externalId, claims: [externalId], brand: `w${writer}.${tries}` }))
              )
            : found.map((product) => changing(product, { brand: `w${writer}.${tries}` }))
        if (await mine.saveAll(writes)) saved++
      }
    })
  )
  for (const product of await store.findByExternalIds(SITE, externalIds)) {
    seen.push(`${product.brand} ${product.version}`)
  }
  t.equal(seen.length, 6)
  t.equal(new Set(seen).size, 1, 'all products are of one writer')
  t.match(seen[0], new RegExp(` ${saved}$`), 'every successful save counts once')
})

t.test(
  'one of twenty concurrent saves of a product succeeds, and every writer gets its own outcome',
  skip,
  async (t) => {
    const { store, others } = await setUp(t)
    const product = buildProduct()
    await store.saveMany([fresh(product)])
    for (let version = 1; version <= 3; version++) {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 === 0 ? store : others).saveMany([
            changing({ ...product, version }, { brand: String(at) }),
            fresh(buildProduct())
          ])
        )
      )
      const winners = outcomes.flatMap(([outcome], at) => (outcome === 'saved' ? [String(at)] : []))
      t.equal(winners.length, 1)
      t.equal((await store.find('acme', product.id))?.brand, winners[0])
      t.ok(outcomes.every(([, outcome]) => outcome === 'saved'))
    }
  }
)

t.test('a save counts as saved even if other saves follow before its outcome is looked up', skip, async (t) => {
  const { one, store, others } = await setUp(t)
  const [product, stale] = [buildProduct(), buildProduct({ version: 5 })]
  await store.saveMany([fresh(product), fresh(stale)])
  // Another process saves the product after the bulk write and before the lookup.
  const overtaken = withBulkHook(one, 'products', async (_, send) => {
    const result = await send()
    await others.saveMany([changing({ ...product, version: 2 }, { brand: 'later' })])
    return result
  })
  t.strictSame(
    await createProducts(overtaken).saveMany([
      changing(product, { brand: 'mine' }),
      changing({ ...stale, version: 1 }, {})
    ]),
    ['saved', 'conflict']
  )
})

t.test('a claim that one product releases can go to another product of the same call', skip, async (t) => {
  const { store } = await setUp(t)
  const holder = buildProduct({ claims: ['handle:a', 'text'] })
  await store.saveMany([fresh(holder)])
  const [next, third] = [buildProduct({ claims: ['handle:a'] }), buildProduct({ claims: ['text'] })]
  t.strictSame(await store.saveMany([changing(holder, { claims: ['handle:b', 'text'] }), fresh(next), fresh(third)]), [
    'saved',
    'saved',
    'taken'
  ])
  t.strictSame(await store.findClaimOwners(SITE, ['handle:a']), [
    { claim: 'handle:a', productId: next.id, groupId: null }
  ])
})

t.test(
  'a rejected saveAll leaves claims with their owners, and a claim cannot move within one saveAll',
  skip,
  async (t) => {
    const { store, others } = await setUp(t)
    const holder = buildProduct({ claims: ['a', 'b'] })
    await store.saveMany([fresh(holder)])
    t.equal(
      await store.saveAll([
        changing(holder, { claims: ['c'] }),
        fresh(buildProduct({ claims: ['d', 'd'] })),
        fresh(buildProduct({ claims: ['d'] }))
      ]),
      false
    )
    t.equal(await store.saveAll([changing(holder, { claims: ['b'] }), fresh(buildProduct({ claims: ['a'] }))]), false)
    t.strictSame(await others.find('acme', holder.id), holder)
    t.strictSame(
      await others.saveMany([fresh(buildProduct({ claims: ['c', 'd'] })), fresh(buildProduct({ claims: ['a'] }))]),
      ['saved', 'taken']
    )
  }
)

t.test('saveAll handles hundreds of products, also if only the last one is rejected', skip, async (t) => {
  const { one, store, others } = await setUp(t)
  const holder = buildProduct({ claims: ['a'] })
  await store.saveMany([fresh(holder)])
  const many = Array.from({ length: 410 }, () => fresh(buildProduct()))
  t.equal(await store.saveAll([...many, fresh(buildProduct({ claims: ['a'] }))]), false)
  t.equal((await others.list({ accountId: 'acme', projectIds: null }, { page: 1, pageSize: 1 })).totalCount, 1)
  t.equal(await productCollection(one).countDocuments({}), 1)
  t.equal(await store.saveAll(many), true)
  t.equal((await others.list({ accountId: 'acme', projectIds: null }, { page: 1, pageSize: 1 })).totalCount, 411)
})

t.test('attribute names may contain any characters', skip, async (t) => {
  const { store } = await setUp(t)
  const attributes = JSON.parse(
    '{"a.b":"1","$set":"2","__proto__":"3","":"4","null\\u0000":"5","constructor":"6"}'
  ) as Record<string, string>
  const product = buildProduct({ attributes, title: 'Strange' })
  t.equal(await store.saveAll([fresh(product)]), true)
  assert.deepEqual(await store.find('acme', product.id), product)
  assert.deepEqual((await store.findByTitles(SITE, ['Strange']))[0]?.attributes, attributes)
})

t.test(
  'an event marks a product once, however often it is applied, and a changed product stays pending',
  skip,
  async (t) => {
    const { one, other, empty, store } = await setUp(t)
    const event = { id: 'event', accountId: 'acme' }
    await killedEverywhere(async (calls) => {
      await empty()
      const [same, changed, silenced, gone] = ['a', 'b', 'c', 'd'].map((externalId) =>
        buildProduct({ externalId, eventPendingSince: minute(1) })
      ) as [ProductRecord, ProductRecord, ProductRecord, ProductRecord]
      const products = [same, changed, silenced, gone]
      await store.saveMany(products.map(fresh))
      const marks = products.map(({ id }) => ({ id, ifVersion: 1, digest: `of ${id}` }))
      t.equal(await areAllPending(one, 'acme', marks), true)
      await store.saveMany([
        changing(changed, { eventPendingSince: minute(5) }),
        changing(silenced, { eventPendingSince: null })
      ])
      await store.delete({ accountId: 'acme', id: gone.id, ifVersion: 1 })
      t.equal(await areAllPending(one, 'acme', marks), false)
      const done = await survived(markPublished(killedAfter(one, calls), event, marks))
      await Promise.all([one, other, one, other].map((database) => markPublished(database, event, marks)))
      t.strictSame(await store.find('acme', same.id), {
        ...same,
        publishedDigest: `of ${same.id}`,
        eventPendingSince: null,
        version: 2
      })
      t.strictSame(await store.find('acme', changed.id), {
        ...changed,
        publishedDigest: `of ${changed.id}`,
        eventPendingSince: minute(5),
        version: 3
      })
      const left = await store.find('acme', silenced.id)
      t.match(left, { publishedDigest: `of ${silenced.id}`, version: 3 })
      t.ok(Date.parse(left!.eventPendingSince!) > Date.now() - 60_000)
      t.equal(await store.find('acme', gone.id), null)
      return done
    })
  }
)

t.test('marking a product as published waits for its open batch and loses no change', skip, async (t) => {
  const { one, other, store } = await setUp(t)
  const product = buildProduct({ eventPendingSince: minute(1) })
  await store.saveMany([fresh(product)])
  const write = changing(product, { title: 'After' })
  t.equal(await survived(createProducts(killedAfter(one, CALLS_UNTIL_COMMIT)).saveAll([write])), false)
  const marking = markPublished(other, { id: 'event', accountId: 'acme' }, [
    { id: product.id, ifVersion: 1, digest: 'd' }
  ])
  await new Promise((resolve) => {
    setTimeout(resolve, 200)
  })
  t.match(await store.find('acme', product.id), { title: product.title, version: 1 })
  await batchCollection(one).updateMany({}, { $set: { state: 'committed' } })
  await marking
  t.strictSame(await store.find('acme', product.id), {
    ...write.product,
    publishedDigest: 'd',
    eventPendingSince: minute(1),
    version: 3
  })
})

t.test('findByTitles returns the first products of each title', skip, async (t) => {
  const { store } = await setUp(t)
  const many = Array.from({ length: 70 }, (_, at) => buildProduct({ title: at % 7 === 0 ? 'Rare' : 'Common' }))
  await store.saveMany(many.map(fresh))
  const found = await store.findByTitles(SITE, ['Common', 'Rare', 'None'])
  for (const title of ['Common', 'Rare']) {
    t.strictSame(
      found.filter((each) => each.title === title).map(({ id }) => id),
      byId(many)
        .filter((each) => each.title === title)
        .slice(0, 20)
        .map(({ id }) => id)
    )
  }
})

t.test('all products of a large project are marked, whatever the size of one command', skip, async (t) => {
  const { one, store } = await setUp(t)
  const other = buildProduct({ projectId: 'other' })
  await store.saveMany([other].map(fresh))
  await store.saveMany([buildProduct({ externalId: 'p0' })].map(fresh))
  const first = (await productCollection(one).findOne({ externalId: 'p0' }))!
  const copies = Array.from({ length: 1_099 }, (_, i) => ({ ...first, _id: `copy-${i}`, externalId: `p${i + 1}` }))
  await productCollection(one).insertMany(copies)
  const before = await productCollection(one)
    .find({}, { projection: { externalId: 1, version: 1 } })
    .toArray()
  const marks = { externalIds: null, at: minute(9), force: true }
  t.equal(await store.markOptimizePending(SITE, marks), 1_100)
  const after = await productCollection(one)
    .find({}, { projection: { externalId: 1, version: 1 } })
    .toArray()
  const versions = new Map(before.map(({ _id, version }) => [_id, version]))
  const changes = after.map(({ _id, version }) => version - versions.get(_id)!)
  t.equal(changes.filter((change) => change === 1).length, 1_100, 'each of them once')
  t.equal(changes.filter((change) => change === 0).length, 1, 'and none of another project')
})

t.test('counts and marks of products name an index that serves their filter', skip, async (t) => {
  const { one, store } = await setUp(t)
  // A database of the previous version has no stored totals, so that all lists are counted.
  await schemaCollection(one).updateOne({ _id: 'schema' }, { $set: { version: OLDEST_VERSION } })
  const named = async (work: (store: ProductStore) => Promise<unknown>) =>
    (await recordQueries(one, async (database) => await work(createProducts(database)))).filter(
      ({ hint }) => hint !== undefined
    )
  const filters: [object, string][] = [
    [{}, 'list'],
    [SITE, 'unique_external_id'],
    [{ projectIds: ['a', 'b'] }, 'unique_external_id'],
    [{ ...SITE, externalId: 'a', status: 'ready' }, 'list'],
    [{ ...SITE, sku: 'a', status: 'ready' }, 'list_by_sku'],
    [{ handle: 'a' }, 'list_by_handle'],
    [{ groupId: 'a' }, 'list_by_group'],
    [{ terms: ['tea'], category: 'Tea' }, 'list_by_term'],
    [{ terms: [''], category: 'Tea' }, 'list_by_category'],
    [{ updatedSince: minute(1), status: 'ready' }, 'list_by_update'],
    [{ quality: 'title_length' }, 'list_by_quality'],
    [{ status: 'ready' }, 'list_by_status']
  ]
  for (const [filter, index] of filters) {
    const [query] = await named(async ({ list }) => {
      await list({ accountId: 'acme', projectIds: null, ...filter } as never, { page: 1, pageSize: 1 })
    })
    t.equal(query?.hint, index, JSON.stringify(filter))
    t.ok(indexesFor({ ...query!, sort: {} }).includes(index), JSON.stringify(filter))
  }

  const reads: ((store: ProductStore) => Promise<unknown>)[] = [
    ({ existsInProject }) => existsInProject(SITE),
    ({ listAfter }) => listAfter(SITE, { after: 'a', limit: 2 })
  ]
  for (const read of reads) {
    const [query] = await named(read)
    t.equal(query?.hint, 'unique_external_id', String(read))
    t.ok(indexesFor(query!).includes('unique_external_id'), String(read))
  }

  const products = Array.from({ length: 450 }, (_, at) => buildProduct({ claims: [], groupId: at < 300 ? 'a' : null }))
  await store.saveMany(products.map(fresh))
  const mark = { at: minute(9), force: false }
  const externalIds = products.map(({ externalId }) => externalId)
  const marks: [Parameters<ProductStore['markOptimizePending']>[1], string[], { updates: number; pending: number }][] =
    [
      [{ ...mark, externalIds }, ['_id_', 'unique_external_id'], { updates: 2, pending: 450 }],
      [{ ...mark, externalIds: null }, ['unique_external_id'], { updates: 2, pending: 450 }],
      [{ ...mark, externalIds: null, groupIds: ['a'] }, ['by_group', '_id_'], { updates: 2, pending: 300 }]
    ]
  for (const [selection, indexes, { updates, pending }] of marks) {
    const queries = await named(async ({ markOptimizePending }) => {
      t.equal(await markOptimizePending(SITE, selection), pending)
    })
    t.ok(queries.length > updates, `${queries.length}: commands of few products, and a count`)
    t.same(new Set(queries.map(({ hint }) => hint)), new Set(indexes))
  }
})

t.test('products of several commands have the outcomes of one', skip, async (t) => {
  const { store, one } = await setUp(t)
  const products = Array.from({ length: 350 }, () => buildProduct())
  const stored = products.filter((_, at) => at % 3 === 0)
  t.strictSame(new Set(await store.saveMany(stored.map(fresh))), new Set(['saved']))
  const queries: number[] = []
  const counted = withBulkHook(one, 'products', async (writes, send) => {
    queries.push(writes.length)
    return await send()
  })
  const outcomes = await createProducts(counted).saveMany(products.map(fresh))
  t.strictSame(
    outcomes,
    products.map((_, at) => (at % 3 === 0 ? 'conflict' : 'saved'))
  )
  t.ok(queries.length > 1 && Math.max(...queries) <= 200, `commands of ${queries} products`)
  t.equal(
    queries.reduce((sum, size) => sum + size),
    products.length
  )
})
