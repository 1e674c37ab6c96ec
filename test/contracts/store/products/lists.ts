import assert from 'node:assert/strict'
import type { ProductFilter, ProductRecord } from '../../../../ports/store/port.ts'
import type { StoreCase } from '../case.ts'
import { minute } from '../fixtures/content.ts'
import { addProducts, buildProduct, changing, productsListed } from '../fixtures/products.ts'

const withHandle = (value: string): ProductRecord['seo'] => ({
  ...buildProduct().seo,
  handle: { value, source: 'rule' }
})

/** One product has all of what is filtered by, every other lacks one thing. */
const WANTED: Partial<ProductRecord> = {
  externalId: 'wanted',
  projectId: 'shop',
  status: 'failed',
  category: 'Coffee > Beans',
  sku: 'A-1',
  groupId: 'tees',
  seo: withHandle('blue-tee'),
  quality: ['lorem', 'thin'],
  updatedAt: minute(60),
  terms: ['kettle', 'blue']
}
const FILTER: Partial<ProductFilter> = {
  projectId: 'shop',
  status: 'failed',
  category: 'Coffee > Beans',
  sku: 'A-1',
  externalId: 'wanted',
  groupId: 'tees',
  handle: 'blue-tee',
  quality: 'thin',
  updatedSince: minute(60),
  terms: ['kettle', 'bl']
}
const LACKING: Record<string, Partial<ProductRecord>[]> = {
  projectId: [{ projectId: 'site' }],
  status: [{ status: 'pending' }, { status: 'optimized' }, { status: 'optimizing' }],
  category: [
    { category: 'Coffee' },
    { category: null },
    { category: 'coffee > beans' },
    { category: 'Coffee > Beansprout' },
    { category: 'Coffee > Beans >' },
    { category: 'Coffee > Beans !' },
    { category: 'Coffee > Beans >Blends' }
  ],
  sku: [{ sku: 'a-1' }, { sku: null }, { sku: 'A-10' }],
  externalId: [],
  groupId: [{ groupId: null }, { groupId: 'Tees' }],
  handle: [{ seo: withHandle('blue-tee-2') }, { seo: { ...withHandle('x'), handle: null } }],
  quality: [{ quality: [] }, { quality: ['too_short'] }],
  updatedSince: [{ updatedAt: minute(59) }],
  terms: [{ terms: ['kettle'] }, { terms: ['kettles', 'blue'] }]
}

export const productListCases: StoreCase[] = [
  {
    title: 'the products of a project are read in order of their externalId from any position',
    run: async ({ store }) => {
      const ids = ['10', '9', 'A', 'Z', 'a', 'á', '\uff5e', '😀']
      await addProducts(store, [
        ...ids.toReversed().map((externalId) => ({ externalId })),
        ...['A', 'B', 'b'].map((externalId) => ({ externalId, projectId: 'shop' })),
        { externalId: 'B', accountId: 'other' }
      ])
      const read = async (after: string | null, limit: number, projectId = 'site') => {
        const found = await store.products.listAfter({ accountId: 'acme', projectId }, { after, limit })
        return found.map(({ externalId }) => externalId)
      }
      assert.deepEqual(await read(null, 100), ids)
      for (const [at, id] of ids.entries()) assert.deepEqual(await read(id, 3), ids.slice(at + 1, at + 4), id)
      assert.deepEqual(await read('B', 1), ['Z'], 'a position without a product')
      assert.deepEqual(await read(null, 100, 'shop'), ['A', 'B', 'b'])
      assert.deepEqual(await read(null, 100, 'none'), [])
    }
  },
  {
    title: 'products are listed in code point order of their externalId, then by project',
    run: async ({ store }) => {
      const ids = ['10', '9', 'A', 'Z', 'a', 'á', '\uff5e', '😀']
      await addProducts(
        store,
        ids.toReversed().map((externalId) => ({ externalId }))
      )
      assert.deepEqual(await productsListed(store), { ids, total: 8 })
      assert.deepEqual(await productsListed(store, { projectId: 'site' }), { ids, total: 8 })
      const shops = ['c', 'B', 'a'].map((projectId) => ({ externalId: 'A', projectId }))
      await addProducts(store, shops)
      const { products } = await store.products.list(
        { accountId: 'acme', projectIds: null },
        { page: 1, pageSize: 100 }
      )
      assert.deepEqual(
        products.slice(2, 6).map(({ projectId }) => projectId),
        ['B', 'a', 'c', 'site']
      )
      assert.deepEqual(
        (await productsListed(store, { terms: ['kettle'] })).ids,
        products.map(({ externalId }) => externalId)
      )
    }
  },
  {
    title: 'the pages of a list contain every product once, and a page past the end has the total',
    run: async ({ store }) => {
      const made = await addProducts(
        store,
        Array.from({ length: 11 }, (_, at) => ({ projectId: at % 2 === 0 ? 'site' : 'shop' }))
      )
      for (const filter of [{}, { category: 'Kitchen' }]) {
        const pages = await Promise.all(
          [1, 2, 3, 4, 1000].map((page) => productsListed(store, filter, { page, pageSize: 4 }))
        )
        assert.deepEqual(
          pages.map(({ ids }) => ids.length),
          [4, 4, 3, 0, 0]
        )
        assert.deepEqual(
          pages.map(({ total }) => total),
          [11, 11, 11, 11, 11]
        )
        assert.deepEqual(
          pages.flatMap(({ ids }) => ids),
          made.map(({ externalId }) => externalId).toSorted()
        )
      }
    }
  },
  ...Object.keys(FILTER).map(
    (name): StoreCase => ({
      title: `a list of products is narrowed by ${name}, and its total with it`,
      run: async ({ store }) => {
        const lacking = Object.entries(LACKING).flatMap(([lack, changes]) =>
          changes.map((change) => ({ lack, change }))
        )
        await addProducts(store, [
          WANTED,
          { ...WANTED, accountId: 'zeta' },
          ...lacking.map(({ change }, at) => ({ ...WANTED, externalId: `lacks-${at}`, ...change }))
        ])
        const { ids, total } = await productsListed(store, { [name]: FILTER[name as keyof ProductFilter] })
        const unchanged = [
          'wanted',
          ...lacking.flatMap(({ lack }, at) => (lack === name || name === 'externalId' ? [] : [`lacks-${at}`]))
        ]
        assert.deepEqual(ids, unchanged.toSorted())
        assert.equal(total, unchanged.length)
      }
    })
  ),
  {
    title: 'all filters of a product list are combined',
    run: async ({ store }) => {
      await addProducts(store, [
        WANTED,
        ...Object.values(LACKING)
          .flat()
          .map((change, at) => ({ ...WANTED, externalId: `lacks-${at}`, ...change }))
      ])
      const { externalId, ...filter } = FILTER
      assert.deepEqual(await productsListed(store, filter), { ids: ['wanted'], total: 1 })
      assert.deepEqual(await productsListed(store, { ...filter, projectIds: ['site'] }), { ids: [], total: 0 })
    }
  },
  {
    title: 'a category includes its subcategories, but not categories with the same prefix',
    run: async ({ store }) => {
      await addProducts(
        store,
        ['Tea', 'Tea > Green', 'Tea > Green > Sencha', 'Tea > Greenish', 'Teapots', 'Tea time', 'Green', null].map(
          (category, at) => ({ category, externalId: String(at) })
        )
      )
      assert.deepEqual(await productsListed(store, { category: 'Tea' }), { ids: ['0', '1', '2', '3'], total: 4 })
      assert.deepEqual(await productsListed(store, { category: 'Tea > Green' }), { ids: ['1', '2'], total: 2 })
      assert.deepEqual(await productsListed(store, { category: 'Tea > Gree' }), { ids: [], total: 0 })
      assert.deepEqual(await productsListed(store, { category: 'Tea%' }), { ids: [], total: 0 })
    }
  },
  {
    title: 'a scope that is restricted to projects returns only products of those projects',
    run: async ({ store }) => {
      await addProducts(
        store,
        ['a', 'b', 'c', 'b'].map((projectId, at) => ({ projectId, externalId: `${at}-${projectId}` }))
      )
      for (const filter of [{}, { terms: ['kettle'] }, { category: 'Kitchen' }]) {
        assert.deepEqual(await productsListed(store, { ...filter, projectIds: ['b'] }), {
          ids: ['1-b', '3-b'],
          total: 2
        })
        assert.deepEqual(await productsListed(store, { ...filter, projectIds: ['c', 'a', 'nothing'] }), {
          ids: ['0-a', '2-c'],
          total: 2
        })
        assert.deepEqual(await productsListed(store, { ...filter, projectIds: [] }), { ids: [], total: 0 })
        assert.deepEqual(await productsListed(store, { ...filter, projectIds: ['a'], projectId: 'b' }), {
          ids: [],
          total: 0
        })
        assert.deepEqual(await productsListed(store, { ...filter, projectIds: ['a', 'b'], projectId: 'b' }), {
          ids: ['1-b', '3-b'],
          total: 2
        })
      }
    }
  },
  {
    title: 'a search finds the products with all words, the last one as a prefix',
    run: async ({ store }) => {
      const words = [['green', 'teapot'], ['greenish', 'tea'], ['tea'], ['größe', '茶壶', 'x1'], []]
      await addProducts(
        store,
        words.map((terms, at) => ({ terms, externalId: String(at) }))
      )
      assert.deepEqual(await productsListed(store, { terms: ['green', 'te'] }), { ids: ['0'], total: 1 })
      assert.deepEqual(await productsListed(store, { terms: ['tea', 'green'] }), { ids: ['1'], total: 1 })
      assert.deepEqual(await productsListed(store, { terms: ['t'] }), { ids: ['0', '1', '2'], total: 3 })
      assert.deepEqual(await productsListed(store, { terms: ['pot'] }), { ids: [], total: 0 })
      assert.deepEqual(await productsListed(store, { terms: ['grosse'] }), { ids: [], total: 0 })
      assert.deepEqual(await productsListed(store, { terms: ['x1', '茶'] }), { ids: ['3'], total: 1 })
      for (const terms of [[], [''], ['', '']]) assert.equal((await productsListed(store, { terms })).total, 5)
      assert.deepEqual(await productsListed(store, { terms: ['tea', ''] }), { ids: ['1', '2'], total: 2 })
      for (const strange of ['"', '*', 'AND', 'x', '-', '(']) {
        assert.deepEqual(await productsListed(store, { terms: [strange === 'x' ? 'x0' : strange] }), {
          ids: [],
          total: 0
        })
      }
    }
  },
  {
    title: 'a changed product is found only by its new words',
    run: async ({ store }) => {
      const [changed, unchanged] = await addProducts(store, [{ terms: ['old', 'both'] }, { terms: ['both'] }])
      assert.ok(changed !== undefined && unchanged !== undefined)
      await store.products.saveMany([
        changing(changed, { terms: ['both', 'new'] }),
        changing(unchanged, { title: 'New' })
      ])
      assert.deepEqual(await productsListed(store, { terms: ['old'] }), { ids: [], total: 0 })
      assert.deepEqual(await productsListed(store, { terms: ['new'] }), { ids: [changed.externalId], total: 1 })
      assert.equal((await productsListed(store, { terms: ['both'] })).total, 2)
    }
  },
  {
    title: 'a changed product is listed by its current SKU, category, title and status',
    run: async ({ store }) => {
      const [product] = await addProducts(store, [{ sku: 'a', category: 'A' }])
      assert.ok(product)
      await store.products.saveMany([
        changing(product, { sku: 'b', category: 'B', status: 'pending', updatedAt: minute(9) })
      ])
      for (const gone of [{ sku: 'a' }, { category: 'A' }, { status: 'optimized' as const }]) {
        assert.equal((await productsListed(store, gone)).total, 0)
      }
      for (const now of [
        { sku: 'b' },
        { category: 'B' },
        { status: 'pending' as const },
        { updatedSince: minute(9) }
      ]) {
        assert.equal((await productsListed(store, now)).total, 1)
      }
    }
  }
]
