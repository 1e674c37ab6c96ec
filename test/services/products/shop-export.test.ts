import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import type { Store } from '../../../ports/store/port.ts'
import { processLoad } from '../../../services/account-load.ts'
import { shopCsv } from '../../../services/products/shop-export.ts'
import { buildProduct, fresh, SITE } from '../../contracts/store/fixtures/products.ts'
import { startApp } from '../../helper.ts'

const idOf = (number: number): string => `p${String(number).padStart(4, '0')}`
const product = (externalId: string) => {
  const built = buildProduct({ externalId, claims: [] })
  return fresh({ ...built, seo: { ...built.seo, handle: { value: externalId, source: 'rule' } } })
}

t.test('an export of several pages neither repeats nor misses products when others change meanwhile', async (t) => {
  const { store } = await startApp(t)
  const ids = Array.from({ length: 250 }, (_, number) => idOf(number))
  await store.products.saveMany(ids.map(product))
  const options = { accountId: SITE.accountId, projectIds: null, projectId: SITE.projectId } as const
  const lines: string[] = []
  let chunks = 0
  for await (const chunk of shopCsv(store, { ...options, format: 'shopify', seoPlugin: 'yoast' })) {
    chunks += 1
    lines.push(...chunk.trimEnd().split('\r\n'))
    // The header and the first page have been sent: the products before a position become more, then fewer.
    if (chunks !== 2) continue
    await store.products.saveMany(Array.from({ length: 30 }, (_, number) => product(`a${number}`)))
    for (const { id } of await store.products.findByExternalIds(SITE, ids.slice(0, 60))) {
      await store.products.delete({ accountId: SITE.accountId, id, ifVersion: 1 })
    }
  }
  t.ok(chunks > 3, `${chunks} chunks`)
  t.same(
    lines.slice(1).map((line) => line.split(',')[0]),
    ids
  )
})

t.test('between two pages, an export waits for the request of another account', async (t) => {
  const { store } = await startApp(t)
  await store.products.saveMany(Array.from({ length: 250 }, (_, number) => product(idOf(number))))
  let reads = 0
  const counted: Store = {
    ...store,
    products: {
      ...store.products,
      listAfter: async (...of) => {
        reads += 1
        return await store.products.listAfter(...of)
      }
    }
  }
  const options = { accountId: SITE.accountId, projectIds: null, projectId: SITE.projectId } as const
  const chunks = shopCsv(counted, { ...options, format: 'shopify', seoPlugin: 'yoast' })
  await chunks.next()
  await chunks.next()
  t.equal(reads, 1)
  const end = processLoad.begin('other')
  const next = chunks.next()
  await setImmediate()
  t.equal(reads, 1, 'the next page is not read while the request is in progress')
  end()
  await next
  t.equal(reads, 2)
})
