import assert from 'node:assert/strict'
import { TITLED_BYTES, type ProductWrite } from '../../../../ports/store/port.ts'
import type { StoreCase } from '../case.ts'
import { minute } from '../fixtures/content.ts'
import { sweepList } from '../fixtures/sweeps.ts'
import { addProducts, buildProduct, changing, fresh, productsListed, SITE } from '../fixtures/products.ts'

const byId = <T extends { id: string }>(things: T[]) => things.toSorted((a, b) => (a.id < b.id ? -1 : 1))

export const productCases: StoreCase[] = [
  {
    title: 'a product is stored unchanged and found by its id and its externalId',
    run: async ({ store }) => {
      const product = buildProduct({
        claims: ['handle:kettle', 'é'],
        optimizePendingSince: minute(1),
        imageCheckPendingSince: minute(2),
        eventPendingSince: minute(3),
        optimizedFromDigest: null,
        publishedDigest: null,
        price: '0.10',
        terms: ['größe']
      })
      assert.deepEqual(await store.products.saveMany([fresh(product)]), ['saved'])
      assert.deepEqual(await store.products.find('acme', product.id), product)
      assert.deepEqual(await store.products.findByExternalIds(SITE, [product.externalId]), [product])
      assert.deepEqual(await store.products.list({ accountId: 'acme', projectIds: null }, { page: 1, pageSize: 5 }), {
        products: [product],
        totalCount: 1
      })
      assert.equal(await store.products.find('zeta', product.id), null)
      assert.equal(await store.products.find('acme', 'nothing'), null)
      assert.deepEqual(await store.products.findByExternalIds({ ...SITE, accountId: 'zeta' }, [product.externalId]), [])
      assert.deepEqual(await store.products.findByExternalIds({ ...SITE, projectId: 'shop' }, [product.externalId]), [])
    }
  },
  {
    title: 'a product without optional fields is stored unchanged',
    run: async ({ store }) => {
      const product = buildProduct({
        sku: null,
        description: null,
        price: null,
        category: null,
        url: null,
        images: [],
        brand: null,
        gtin: null,
        currency: null,
        availability: null,
        locale: null,
        attributes: {},
        tags: [],
        groupId: null,
        quality: [],
        imageCheck: null,
        lastImport: null,
        terms: []
      })
      await store.products.saveMany([fresh(product)])
      assert.deepEqual(await store.products.find('acme', product.id), product)
    }
  },
  {
    title: 'a lookup of externalIds returns each existing product once and is case-sensitive',
    run: async ({ store }) => {
      const [a, b] = await addProducts(store, [{ externalId: 'a' }, { externalId: 'b b,"\u0000' }, { externalId: 'c' }])
      assert.deepEqual(
        byId(await store.products.findByExternalIds(SITE, ['b b,"\u0000', 'A', 'nothing', 'a'])),
        byId([a, b] as NonNullable<typeof a>[])
      )
      assert.deepEqual(await store.products.findByExternalIds(SITE, []), [])
    }
  },
  {
    title: 'an externalId is unique within a project and case-sensitive',
    run: async ({ store }) => {
      const [first] = await addProducts(store, [{ externalId: 'x', claims: ['c'] }])
      // The same claim as well: it is said that the product is there, not that another has its
      // claim.
      assert.deepEqual(
        await store.products.saveMany([fresh(buildProduct({ externalId: 'x', claims: ['c'], title: 'Other' }))]),
        ['conflict']
      )
      assert.deepEqual(await store.products.findByExternalIds(SITE, ['x']), [first])
      const others = [
        { externalId: 'X' },
        { externalId: 'x', projectId: 'shop', claims: ['c'] },
        { externalId: 'x', accountId: 'zeta', claims: ['c'] }
      ].map((change) => fresh(buildProduct(change)))
      assert.deepEqual(await store.products.saveMany(others), ['saved', 'saved', 'saved'])
    }
  },
  {
    title: 'a product is only replaced if its version matches',
    run: async ({ store }) => {
      const [product] = await addProducts(store, [{ claims: ['a', 'b'], optimizePendingSince: minute(1), version: 7 }])
      assert.ok(product)
      const write = changing(product, {
        title: 'Cup',
        sku: null,
        category: 'Cups',
        claims: ['b', 'c'],
        terms: ['cup'],
        status: 'failed',
        optimizePendingSince: null,
        optimizedFromDigest: null,
        publishedDigest: null,
        eventPendingSince: minute(5),
        imageCheckPendingSince: minute(6),
        updatedAt: minute(7),
        price: '1.0000'
      })
      for (const wrong of [6, 8]) {
        assert.deepEqual(await store.products.saveMany([{ ...write, ifVersion: wrong }]), ['conflict'])
      }
      for (const wrong of [{ accountId: 'zeta' }, { id: 'nothing' }]) {
        assert.deepEqual(await store.products.saveMany([{ ...write, product: { ...write.product, ...wrong } }]), [
          'conflict'
        ])
      }
      assert.deepEqual(await store.products.find('acme', product.id), product)
      assert.deepEqual(await store.products.saveMany([write]), ['saved'])
      assert.deepEqual(await store.products.find('acme', product.id), write.product)
      assert.deepEqual(await store.products.saveMany([write]), ['conflict'])
      assert.equal((await productsListed(store)).total, 1)
    }
  },
  {
    title: 'a save that changes only a pending mark stores the mark',
    run: async ({ store }) => {
      const [product] = await addProducts(store, [
        { optimizePendingSince: minute(1), imageCheckPendingSince: minute(1) }
      ])
      assert.ok(product)
      const seen = changing(product, { imageCheckPendingSince: null })
      await store.products.saveMany([seen])
      assert.deepEqual(await store.products.find('acme', product.id), seen.product)
      assert.deepEqual(await store.products.pending(SITE, 'imageCheck', 5), [])
      assert.deepEqual(await store.products.pending(SITE, 'optimize', 5), [seen.product])
    }
  },
  {
    title: 'a claim is unique within a project, and only the product that violates this is rejected',
    run: async ({ store }) => {
      const [holder, other] = await addProducts(store, [{ claims: ['tea', 'pot'] }, { claims: ['own'] }])
      assert.ok(holder !== undefined && other !== undefined)
      const rival = buildProduct({ claims: ['free', 'pot'] })
      const third = buildProduct({ claims: ['third'] })
      const outcomes = await store.products.saveMany([
        fresh(rival),
        changing(other, { claims: ['new', 'tea'], title: 'Taken', terms: ['taken'] }),
        changing(holder, { title: 'Saved' }),
        fresh(third)
      ])
      assert.deepEqual(outcomes, ['taken', 'taken', 'saved', 'saved'])
      assert.equal(await store.products.find('acme', rival.id), null)
      assert.deepEqual(await store.products.find('acme', other.id), other)
      assert.equal((await productsListed(store, { terms: ['taken'] })).total, 0)
      const claimed = await store.products.findClaimOwners(SITE, ['tea', 'pot', 'own', 'free', 'new', 'third'])
      assert.deepEqual(
        new Map(claimed.map(({ claim, productId }) => [claim, productId])),
        new Map([
          ['tea', holder.id],
          ['pot', holder.id],
          ['own', other.id],
          ['third', third.id]
        ])
      )
      assert.equal(claimed.length, 4)
    }
  },
  {
    title: 'claims are released when a product drops them or is deleted',
    run: async ({ store }) => {
      const [first] = await addProducts(store, [{ claims: ['a', 'b'] }])
      assert.ok(first)
      const changed = changing(first, { claims: ['b', 'c'] })
      await store.products.saveMany([changed])
      assert.deepEqual(
        await store.products.saveMany([fresh(buildProduct({ claims: ['b'] })), fresh(buildProduct({ claims: ['a'] }))]),
        ['taken', 'saved']
      )
      await store.products.delete({ accountId: 'acme', id: first.id, ifVersion: 2 })
      assert.deepEqual(await store.products.findClaimOwners(SITE, ['b', 'c']), [])
      assert.deepEqual(await store.products.saveMany([fresh(buildProduct({ claims: ['b', 'c'] }))]), ['saved'])
    }
  },
  {
    title: 'claims are looked up in one project, as exact text',
    run: async ({ store }) => {
      await addProducts(store, [{ claims: ['a'] }, { claims: ['é'] }])
      for (const place of [
        { ...SITE, projectId: 'shop' },
        { ...SITE, accountId: 'zeta' }
      ]) {
        assert.deepEqual(await store.products.findClaimOwners(place, ['a']), [])
      }
      assert.deepEqual(await store.products.findClaimOwners(SITE, ['A', 'e', 'e\u0301']), [])
      assert.deepEqual(await store.products.findClaimOwners(SITE, []), [])
    }
  },
  {
    title: 'saveAll saves all products or none',
    run: async ({ store }) => {
      const [holder, waiting] = await addProducts(store, [{ claims: ['a'] }, {}])
      assert.ok(holder !== undefined && waiting !== undefined)
      const good = [fresh(buildProduct({ claims: ['x'], terms: ['good'] })), changing(waiting, { title: 'New' })]
      for (const bad of [
        fresh(buildProduct({ claims: ['a'] })),
        fresh(buildProduct({ externalId: holder.externalId })),
        { ...changing(holder, {}), ifVersion: 9 }
      ]) {
        assert.equal(await store.products.saveAll([...good, bad]), false)
        assert.deepEqual(await store.products.find('acme', waiting.id), waiting)
        assert.deepEqual(await productsListed(store, { terms: ['good'] }), { ids: [], total: 0 })
        assert.deepEqual(await store.products.findClaimOwners(SITE, ['x']), [])
      }
      assert.equal(await store.products.saveAll(good), true)
      assert.deepEqual(await store.products.find('acme', waiting.id), good[1]?.product)
      assert.equal((await productsListed(store)).total, 3)
      assert.equal(await store.products.saveAll([]), true)
    }
  },
  {
    title: 'a product is only deleted if its version matches, and then from all lists',
    run: async ({ store }) => {
      const [product, other] = await addProducts(store, [
        { title: 'Same', optimizePendingSince: minute(1), eventPendingSince: minute(1), externalId: 'x' },
        { title: 'Same' }
      ])
      assert.ok(product !== undefined && other !== undefined)
      assert.equal(await store.products.delete({ accountId: 'acme', id: product.id, ifVersion: 2 }), false)
      assert.equal(await store.products.delete({ accountId: 'zeta', id: product.id, ifVersion: 1 }), false)
      assert.deepEqual(await store.products.find('acme', product.id), product)
      assert.equal(await store.products.delete({ accountId: 'acme', id: product.id, ifVersion: 1 }), true)
      assert.equal(await store.products.delete({ accountId: 'acme', id: product.id, ifVersion: 1 }), false)
      assert.equal(await store.products.find('acme', product.id), null)
      assert.deepEqual(await productsListed(store, { terms: ['kettle'] }), { ids: [other.externalId], total: 1 })
      assert.deepEqual(
        (await store.products.findByTitles(SITE, ['Same'])).map(({ id }) => id),
        [other.id]
      )
      assert.deepEqual(await store.products.pending(SITE, 'optimize', 5), [])
      assert.deepEqual(await store.products.saveMany([changing(product, {})]), ['conflict'])
      assert.deepEqual(await store.products.saveMany([fresh(buildProduct({ externalId: 'x' }))]), ['saved'])
    }
  },
  {
    title: 'writes that may be repeated are saved like others, and are visible at once',
    run: async ({ store }) => {
      const [one, two] = [buildProduct({ externalId: 'one' }), buildProduct({ externalId: 'two' })]
      const save = (writes: ProductWrite[]) => store.products.saveMany(writes, { repeatable: true })
      assert.deepEqual(await save([fresh(one), fresh(two)]), ['saved', 'saved'])
      assert.deepEqual(await store.products.find('acme', two.id), two)
      assert.deepEqual(await save([fresh(buildProduct({ externalId: 'one' })), changing(two, {})]), [
        'conflict',
        'saved'
      ])
      assert.deepEqual(await store.products.saveMany([changing(one, {})]), ['saved'])
    }
  },
  {
    title: 'all products of a large project are marked, and those of other projects are not',
    run: async ({ store }) => {
      const products = Array.from({ length: 401 }, (_, at) => buildProduct({ externalId: `é-${at}` }))
      await store.products.saveMany(products.map(fresh))
      await store.products.saveMany([fresh(buildProduct({ externalId: 'é-1', projectId: 'shop' }))])
      const mark = { at: minute(1), force: true }
      assert.equal(await store.products.markOptimizePending(SITE, { ...mark, externalIds: null }), 401)
      const { products: marked } = await store.products.list(
        { ...SITE, projectIds: null, status: 'pending' },
        { page: 1, pageSize: 2000 }
      )
      assert.equal(marked.length, 401)
      assert.ok(
        marked.every(({ version, optimizePendingSince }) => version === 2 && optimizePendingSince === minute(1))
      )
      const externalIds = products.slice(50, 350).map((product) => product.externalId)
      assert.equal(await store.products.markOptimizePending(SITE, { ...mark, externalIds }), 300)
      assert.deepEqual(await sweepList((page) => store.products.pendingProjects('optimize', page)), [SITE])
    }
  },
  {
    title: 'of concurrent saves of a product one succeeds, and claims stay unique',
    run: async ({ store }) => {
      const batches = Array.from({ length: 8 }, () =>
        Array.from({ length: 5 }, (_, at) => fresh(buildProduct({ externalId: `x-${at}` })))
      )
      const outcomes = (await Promise.all(batches.map((writes) => store.products.saveMany(writes)))).flat()
      assert.equal(outcomes.filter((outcome) => outcome === 'saved').length, 5)
      assert.equal(outcomes.filter((outcome) => outcome === 'conflict').length, 35)
      const rivals = await Promise.all(
        Array.from({ length: 8 }, () => store.products.saveMany([fresh(buildProduct({ claims: ['one'] }))]))
      )
      assert.deepEqual(
        rivals.flat().filter((outcome) => outcome === 'saved'),
        ['saved']
      )
      assert.equal((await productsListed(store)).total, 6)
    }
  },
  {
    title: 'products with exactly the same title are listed by id within a project, up to twenty',
    run: async ({ store }) => {
      const many = await addProducts(
        store,
        Array.from({ length: 23 }, (_, at) => ({ title: 'Cup', sku: null, attributes: { size: String(at) } }))
      )
      const [one] = await addProducts(store, [
        { title: 'Tea\u0000 “pot”', attributes: {} },
        { title: 'cup' },
        { title: 'Cup ' },
        { title: 'Cup', projectId: 'shop' },
        { title: 'Cup', accountId: 'zeta' }
      ])
      assert.ok(one)
      const found = await store.products.findByTitles(SITE, [one.title, 'Cup', 'Nothing'])
      const cups = found.filter(({ title }) => title === 'Cup')
      assert.deepEqual(
        cups,
        byId(many)
          .slice(0, 20)
          .map(({ id, title, sku, attributes }) => ({ id, title, sku, attributes }))
      )
      assert.deepEqual(
        found.filter(({ title }) => title !== 'Cup'),
        [{ id: one.id, title: one.title, sku: one.sku, attributes: {} }]
      )
      const large = await addProducts(
        store,
        [1, 2, 3, 4, 5, 6].map(() => ({ title: 'Large', attributes: { size: 'x'.repeat(TITLED_BYTES / 4) } }))
      )
      const largest = (await store.products.findByTitles(SITE, ['Large'])).map(({ id }) => id)
      assert.ok(largest.length >= 2 && largest.length < 6)
      assert.deepEqual(
        largest,
        byId(large)
          .map(({ id }) => id)
          .slice(0, largest.length)
      )
      const [first] = many
      await store.products.saveMany([changing(first as NonNullable<typeof first>, { title: 'Mug' })])
      assert.equal((await store.products.findByTitles(SITE, ['Mug'])).length, 1)
    }
  },
  {
    title: 'existsInProject returns whether a project has a product',
    run: async ({ store }) => {
      const [product] = await addProducts(store, [{}])
      assert.equal(await store.products.existsInProject(SITE), true)
      assert.equal(await store.products.existsInProject({ ...SITE, projectId: 'shop' }), false)
      assert.equal(await store.products.existsInProject({ ...SITE, accountId: 'zeta' }), false)
      await store.products.delete({ accountId: 'acme', id: product?.id ?? '', ifVersion: 1 })
      assert.equal(await store.products.existsInProject(SITE), false)
    }
  },
  {
    title: 'products survive reopening the store',
    run: async ({ store, reopen }) => {
      const product = buildProduct({ claims: ['a'], terms: ['teapot'], eventPendingSince: minute(2) })
      await store.products.saveMany([fresh(product)])
      await store.products.markOptimizePending(SITE, { externalIds: null, at: minute(9), force: false })
      const again = await reopen()
      assert.deepEqual(await again.products.find('acme', product.id), {
        ...product,
        version: 2,
        status: 'pending',
        optimizePendingSince: minute(9)
      })
      assert.deepEqual(await again.products.findClaimOwners(SITE, ['a']), [
        { claim: 'a', productId: product.id, groupId: null }
      ])
      assert.equal((await productsListed(again, { terms: ['tea'] })).total, 1)
    }
  }
]
