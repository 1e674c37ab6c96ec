import assert from 'node:assert/strict'
import type { ProductRecord, ProductWork } from '../../../../ports/store/port.ts'
import type { StoreCase } from '../case.ts'
import { minute } from '../fixtures/content.ts'
import { addProducts, buildProduct, changing, productsListed, SITE } from '../fixtures/products.ts'
import { sweepList } from '../fixtures/sweeps.ts'

const SHOP = { ...SITE, projectId: 'shop' }
const ZETA = { ...SITE, accountId: 'zeta' }
const idsOf = (products: ProductRecord[]) => products.map(({ externalId }) => externalId)
const MARKS = {
  optimize: 'optimizePendingSince',
  imageCheck: 'imageCheckPendingSince',
  suggest: 'suggestionDueAt',
  publish: 'eventPendingSince'
} as const

export const productWorkCases: StoreCase[] = [
  ...(['optimize', 'imageCheck', 'suggest', 'publish'] as const).map(
    (work): StoreCase => ({
      title: `products of a project that are pending for ${work} are listed oldest first, then by id`,
      run: async ({ store }) => {
        const mark = MARKS[work]
        const [a, b] = await addProducts(store, [
          { externalId: 'b', [mark]: minute(2) },
          { externalId: 'c', [mark]: minute(2) },
          { externalId: 'a', [mark]: minute(1) },
          { externalId: 'idle' }
        ])
        await addProducts(store, [
          { ...SHOP, [mark]: minute(0) },
          { ...ZETA, [mark]: minute(0) }
        ])
        await addProducts(store, [
          { externalId: 'other', [MARKS[work === 'optimize' ? 'imageCheck' : 'optimize']]: minute(0) }
        ])
        assert.deepEqual(idsOf(await store.products.pending(SITE, work, 10)), ['a', 'b', 'c'])
        assert.deepEqual(idsOf(await store.products.pending(SITE, work, 2)), ['a', 'b'])
        assert.deepEqual((await store.products.pending(SITE, work, 2))[1], a)
        assert.ok(a !== undefined && b !== undefined)
        await store.products.saveMany([changing(a, { [mark]: null }), changing(b, { [mark]: minute(0) })])
        assert.deepEqual(idsOf(await store.products.pending(SITE, work, 10)), ['c', 'a'])
        assert.deepEqual(await store.products.pending({ ...SITE, projectId: 'nothing' }, work, 10), [])
      }
    })
  ),
  {
    title: 'pending products are returned up to four megabytes, but at least one',
    run: async ({ store }) => {
      const large = (since: number, length: number) => ({
        optimizePendingSince: minute(since),
        eventPendingSince: minute(since),
        description: 'x'.repeat(length)
      })
      await addProducts(store, [
        { externalId: 'a', ...large(1, 4_800_000) },
        { externalId: 'b', ...large(2, 1_200_000) },
        { externalId: 'c', ...large(3, 1_200_000) },
        { externalId: 'd', ...large(4, 1_200_000) },
        { externalId: 'e', ...large(5, 1_200_000) }
      ])
      assert.deepEqual(idsOf(await store.products.pending(SITE, 'optimize', 10)), ['a'])
      const first = await store.products.pendingEvents(SITE, 10)
      assert.deepEqual({ ...first, products: idsOf(first.products) }, { products: ['a'], hasMore: true })
      const [a] = first.products
      await store.products.saveMany([changing(a!, { optimizePendingSince: null, eventPendingSince: null })])
      assert.deepEqual(idsOf(await store.products.pending(SITE, 'optimize', 10)), ['b', 'c', 'd'])
      assert.deepEqual(idsOf(await store.products.pending(SITE, 'optimize', 2)), ['b', 'c'])
      assert.deepEqual(idsOf((await store.products.pendingEvents(SITE, 10)).products), ['b', 'c', 'd'])
    }
  },
  {
    title: 'projects with pending products are listed once, for all accounts',
    run: async ({ store }) => {
      const due = { optimizePendingSince: minute(1) }
      await addProducts(store, [
        due,
        due,
        due,
        { ...SHOP, ...due },
        { ...ZETA, ...due },
        { ...SITE, projectId: 'pictures', imageCheckPendingSince: minute(1) },
        { ...SITE, projectId: 'events', eventPendingSince: minute(1) },
        { ...SITE, projectId: 'idle' }
      ])
      const sorted = (places: object[]) => places.map((place) => JSON.stringify(place)).toSorted()
      const projects = (work: ProductWork) => sweepList((page) => store.products.pendingProjects(work, page))
      assert.deepEqual(sorted(await projects('optimize')), sorted([SITE, SHOP, ZETA]))
      assert.deepEqual(await projects('imageCheck'), [{ ...SITE, projectId: 'pictures' }])
      assert.deepEqual(await projects('publish'), [{ ...SITE, projectId: 'events' }])
      assert.deepEqual(await projects('suggest'), [])
      const has = (projectId: string, work: ProductWork) => store.products.hasPending({ ...SITE, projectId }, work)
      assert.deepEqual(await Promise.all([has('events', 'publish'), has('pictures', 'imageCheck')]), [true, true])
      assert.deepEqual(await Promise.all([has('events', 'optimize'), has('nothing', 'publish')]), [false, false])
    }
  },
  {
    title: 'marking a project for optimization changes only that mark of all its products',
    run: async ({ store }) => {
      const [idle] = await addProducts(store, [
        { status: 'failed', version: 4, imageCheckPendingSince: minute(3), eventPendingSince: minute(4), claims: ['c'] }
      ])
      const others = await addProducts(store, [SHOP, ZETA])
      assert.ok(idle)
      assert.equal(
        await store.products.markOptimizePending(SITE, { externalIds: null, at: minute(9), force: false }),
        1
      )
      assert.deepEqual(await store.products.find('acme', idle.id), {
        ...idle,
        optimizePendingSince: minute(9),
        status: 'pending',
        version: 5
      })
      assert.deepEqual(await productsListed(store, { status: 'pending' }), { ids: [idle.externalId], total: 1 })
      assert.deepEqual(await store.products.saveMany([changing(idle, {})]), ['conflict'])
      for (const other of others) assert.deepEqual(await store.products.find(other.accountId, other.id), other)
      assert.equal(
        await store.products.markOptimizePending(
          { ...SITE, projectId: 'nothing' },
          { externalIds: null, at: minute(9), force: true }
        ),
        0
      )
    }
  },
  {
    title: 'a product that is already pending keeps its time and is counted',
    run: async ({ store }) => {
      const [waiting] = await addProducts(store, [{ optimizePendingSince: minute(1) }, {}])
      assert.ok(waiting)
      assert.equal(
        await store.products.markOptimizePending(SITE, { externalIds: null, at: minute(9), force: false }),
        2
      )
      const after = await store.products.find('acme', waiting.id)
      assert.deepEqual([after?.optimizePendingSince, after?.optimizedFromDigest], [minute(1), 'digest'])
      assert.deepEqual(
        (await store.products.pending(SITE, 'optimize', 5)).map(({ optimizePendingSince }) => optimizePendingSince),
        [minute(1), minute(9)]
      )
    }
  },
  {
    title: 'force discards the source digest, also of pending products, and rejects concurrent saves',
    run: async ({ store }) => {
      const [idle, waiting] = await addProducts(store, [{}, { optimizePendingSince: minute(1), status: 'optimizing' }])
      assert.ok(idle !== undefined && waiting !== undefined)
      assert.equal(await store.products.markOptimizePending(SITE, { externalIds: null, at: minute(9), force: true }), 2)
      const forgotten = { optimizedFromDigest: null, status: 'pending', version: 2 }
      assert.deepEqual(await store.products.find('acme', idle.id), {
        ...idle,
        ...forgotten,
        optimizePendingSince: minute(9)
      })
      assert.deepEqual(await store.products.find('acme', waiting.id), { ...waiting, ...forgotten })
      assert.deepEqual(await store.products.saveMany([changing(waiting, { optimizePendingSince: null })]), ['conflict'])
    }
  },
  {
    title: 'only existing products of a list of ids are marked and counted',
    run: async ({ store }) => {
      const [a, b, c] = await addProducts(store, [
        { externalId: 'a' },
        { externalId: 'b' },
        { externalId: 'c', optimizePendingSince: minute(1) }
      ])
      await addProducts(store, [{ ...SHOP, externalId: 'a' }])
      assert.ok(a !== undefined && b !== undefined && c !== undefined)
      assert.equal(
        await store.products.markOptimizePending(SITE, {
          externalIds: ['a', 'c', 'A', 'nothing'],
          at: minute(9),
          force: false
        }),
        2
      )
      assert.deepEqual(idsOf(await store.products.pending(SITE, 'optimize', 5)), ['c', 'a'])
      assert.deepEqual(await store.products.find('acme', b.id), b)
      assert.equal(await store.products.markOptimizePending(SITE, { externalIds: [], at: minute(9), force: true }), 0)
      assert.deepEqual(await store.products.find('acme', b.id), b)
      assert.deepEqual(await store.products.pending(SHOP, 'optimize', 5), [])
    }
  },
  {
    title: 'markOptimizePending marks the products of groups',
    run: async ({ store }) => {
      await addProducts(store, [
        { externalId: 'a', groupId: 'tees' },
        { externalId: 'b', groupId: 'mugs' },
        { externalId: 'c', groupId: 'tees' },
        { externalId: 'd' },
        { ...SHOP, externalId: 'e', groupId: 'tees' },
        ...['f', 'g', 'h', 'i', 'j', 'k', 'l'].map((externalId) => ({ externalId, groupId: 'tees' }))
      ])
      const mark = { externalIds: null, groupIds: ['tees', 'unknown'], at: minute(9), force: false }
      assert.equal(await store.products.markOptimizePending(SITE, mark), 9)
      const marked = idsOf(await store.products.pending(SITE, 'optimize', 20))
      assert.deepEqual(marked, ['a', 'c', 'f', 'g', 'h', 'i', 'j', 'k', 'l'])
      assert.deepEqual(await store.products.pending(SHOP, 'optimize', 5), [])
    }
  },
  {
    title: 'listGroup returns the products of a group in order of id, page by page',
    run: async ({ store }) => {
      const metaTitle = { value: 'Tea', source: 'human' } as const
      const [first, , third, fourth] = await addProducts(store, [
        { externalId: 'z', groupId: 'tees', seo: { ...buildProduct().seo, metaTitle } },
        { externalId: 'm', groupId: 'mugs' },
        { externalId: 'a', groupId: 'tees' },
        { externalId: 'k', groupId: 'tees', optimizePendingSince: minute(1) }
      ])
      await addProducts(store, [{ ...SHOP, externalId: 'b', groupId: 'tees' }])
      const toTexts = ({ id, externalId, seo, optimizePendingSince }: ProductRecord) => ({
        id,
        externalId,
        seo,
        optimizePendingSince
      })
      const list = (afterId: string | null, limit: number) => store.products.listGroup(SITE, 'tees', { afterId, limit })
      assert.deepEqual(await list(null, 2), [first!, third!].map(toTexts))
      assert.deepEqual(await list(third!.id, 2), [toTexts(fourth!)])
      assert.deepEqual(await list(fourth!.id, 2), [])
      assert.deepEqual(await store.products.listGroup(SITE, 'unknown', { afterId: null, limit: 2 }), [])
    }
  },
  {
    title: 'findGroupLeaders returns the product with the lowest id of each group of the project',
    run: async ({ store }) => {
      const [first, , mug] = await addProducts(store, [
        { externalId: 'z', groupId: 'tees' },
        { externalId: 'a', groupId: 'tees' },
        { externalId: 'm', groupId: 'mugs' },
        { externalId: 'n' }
      ])
      await addProducts(store, [{ ...SHOP, groupId: 'caps' }])
      const leaders = await store.products.findGroupLeaders(SITE, ['tees', 'mugs', 'tees', 'caps', 'unknown'])
      assert.deepEqual(
        leaders.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        [first, mug]
      )
      const many = ['tees', 'mugs', 'caps', ...Array.from({ length: 5 }, (_, at) => `unknown ${at}`)]
      const found = await store.products.findGroupLeaders(SITE, many)
      assert.deepEqual(found.map(({ id }) => id).sort(), leaders.map(({ id }) => id).sort())
      assert.deepEqual(await store.products.findGroupLeaders(SITE, []), [])
      const [owner] = await addProducts(store, [{ groupId: 'pots', claims: ['pot'] }])
      assert.deepEqual(await store.products.findClaimOwners(SITE, ['pot']), [
        { claim: 'pot', productId: owner!.id, groupId: 'pots' }
      ])
    }
  },
  {
    title: 'pendingEvents returns the first pending products, and whether there are others',
    run: async ({ store }) => {
      const [a, b] = await addProducts(store, [
        { externalId: 'b', eventPendingSince: minute(5) },
        { externalId: 'c', eventPendingSince: minute(5) },
        { externalId: 'a', eventPendingSince: minute(2) },
        { externalId: 'd', eventPendingSince: minute(7) },
        {}
      ])
      await addProducts(store, [
        { ...SHOP, eventPendingSince: minute(9) },
        { ...ZETA, eventPendingSince: minute(9) }
      ])
      assert.ok(a !== undefined && b !== undefined)
      const { products, hasMore } = await store.products.pendingEvents(SITE, 3)
      assert.deepEqual({ ids: idsOf(products), hasMore }, { ids: ['a', 'b', 'c'], hasMore: true })
      assert.deepEqual(products[1], a)
      await store.products.saveMany([changing(b, { eventPendingSince: null })])
      const others = await store.products.pendingEvents(SITE, 3)
      assert.deepEqual([idsOf(others.products), others.hasMore], [['a', 'b', 'd'], false])
      assert.deepEqual(await store.products.pendingEvents({ ...SITE, projectId: 'nothing' }, 3), {
        products: [],
        hasMore: false
      })
    }
  }
]
