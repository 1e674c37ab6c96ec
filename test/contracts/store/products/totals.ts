import assert from 'node:assert/strict'
import type { ProductFilter, ProductRecord, Store } from '../../../../ports/store/port.ts'
import { QUALITY_CODES } from '../../../../schemas/product.ts'
import { createRandomChoices } from '../../../fixtures/random-choices.ts'
import { SEED } from '../../../seed.ts'
import type { StoreCase } from '../case.ts'
import { buildProduct, changing, fresh } from '../fixtures/products.ts'

const { chance, choose, shuffle } = createRandomChoices(SEED)

const PROJECTS = ['site', 'shop']
const STATES = ['pending', 'optimized', 'failed'] as const
const CATEGORIES = ['A', 'A > B', 'A > B > C', 'AB', 'A >!']

const randomContent = () => ({
  status: choose(STATES),
  category: choose([null, ...CATEGORIES]),
  quality: shuffle(QUALITY_CODES)
    .slice(0, choose([0, 0, 1, 4]))
    .sort()
})
const randomProduct = () => buildProduct({ projectId: choose(PROJECTS), claims: [], ...randomContent() })

function matches(product: ProductRecord, { projectIds, status, category, quality }: ProductFilter): boolean {
  return (
    (projectIds?.includes(product.projectId) ?? true) &&
    (status === undefined || product.status === status) &&
    (category === undefined || product.category === category || !!product.category?.startsWith(`${category} > `)) &&
    (quality === undefined || product.quality.includes(quality))
  )
}

async function check(store: Store, stored: ProductRecord[]): Promise<void> {
  const byExternalId = (a: ProductRecord, b: ProductRecord) => (a.externalId < b.externalId ? -1 : 1)
  const filters: Partial<ProductFilter>[] = [
    {},
    ...STATES.map((status) => ({ status })),
    ...[...CATEGORIES, 'none'].map((category) => ({ category })),
    ...QUALITY_CODES.map((quality) => ({ quality })),
    { status: 'pending', category: 'A' },
    { quality: 'thin', status: 'optimized' }
  ]
  for (const filter of filters) {
    const scoped = { accountId: 'acme', projectIds: choose([null, ['site'], ['site', 'shop'], ['other']]), ...filter }
    const expected = stored.filter((product) => matches(product, scoped)).sort(byExternalId)
    const [page, pageSize] = [choose([1, 2, 3]), choose([0, 1, 4])]
    const listed = await store.products.list(scoped, { page, pageSize })
    const message = `page ${page} of ${pageSize}, ${JSON.stringify(scoped)}`
    assert.equal(listed.totalCount, expected.length, message)
    const ids = expected.slice((page - 1) * pageSize, page * pageSize).map(({ externalId }) => externalId)
    assert.deepEqual(
      listed.products.map(({ externalId }) => externalId),
      ids,
      message
    )
  }
}

export const productTotalCases: StoreCase[] = [
  {
    title: 'totals are exact after any sequence of changes',
    run: async ({ store }) => {
      let stored: ProductRecord[] = []
      const replace = (product: ProductRecord) => {
        stored = [...stored.filter(({ id }) => id !== product.id), product]
      }
      const acts: Record<string, () => Promise<void>> = {
        add: async () => {
          const products = Array.from({ length: 4 }, randomProduct)
          // Not added: another product has its external id.
          const { projectId, externalId } = products[0]!
          const taken = { ...randomProduct(), projectId, externalId }
          await store.products.saveMany([...products, taken].map(fresh))
          for (const product of products) replace(product)
        },
        'add all or none': async () => {
          const products = Array.from({ length: 2 }, randomProduct)
          const { projectId, externalId } = stored[0] ?? products[0]!
          const fails = stored.length > 0 && chance(0.5)
          const last = fails ? [{ ...randomProduct(), projectId, externalId }] : []
          assert.equal(await store.products.saveAll([...products, ...last].map(fresh)), !fails)
          if (!fails) for (const product of products) replace(product)
        },
        save: async () => {
          const some = shuffle(stored).slice(0, 3)
          const writes = some.map((product) => changing(product, chance(0.8) ? randomContent() : {}))
          await store.products.saveMany(writes)
          for (const { product } of writes) replace(product)
        },
        import: async () => {
          const product = randomProduct()
          await store.transfer.put('product', [product])
          replace(product)
        },
        delete: async () => {
          const product = choose(stored)
          const { accountId, id, version } = product
          assert.ok(await store.products.delete({ accountId, id, ifVersion: version }))
          stored = stored.filter((other) => other !== product)
        }
      }
      for (let at = 0; at < 3; at++) await acts.add!()
      for (let round = 0; round < 6; round++) {
        for (let act = 0; act < 6; act++) await acts[choose(Object.keys(acts))]!()
        await check(store, stored)
      }
      while (stored.length > 0) await acts.delete!()
      await check(store, [])
    }
  }
]
