import t from 'tap'
import { runRules } from './fixtures.ts'

t.test('a handle consists of the lower-case words of the title', async (t) => {
  const cases: [Parameters<typeof runRules>[0], string][] = [
    [{ title: 'Oak Table' }, 'oak-table'],
    [{ title: 'Größe über alles', locale: 'de' }, 'groesse-ueber-alles'],
    [{ title: 'Crème brûlée' }, 'creme-brulee'],
    [{ title: 'Лампа настольная', locale: 'ru' }, 'lampa-nastolnaya'],
    [{ title: '1984' }, '1984'],
    [{ title: 'iPhone 17 発売' }, 'iphone-17'],
    [{ title: '東京の浴衣 2', sku: 'Yukata 5' }, 'yukata-5'],
    [{ title: 'قميص', sku: null, externalId: 'A_1' }, 'a-1'],
    [{ title: 'Blog' }, 'blog']
  ]
  for (const [product, handle] of cases) t.equal(runRules(product).handle[0], handle, product.title)
  t.match(runRules({ title: '浴衣', externalId: '東京' }).handle[0], /^product-\d+$/)
})

t.test('a conflicting handle is extended with attributes, the sku or a number', async (t) => {
  t.same(runRules({ title: 'Mug', sku: 'T-1', attributes: { Color: 'Red' } }, {}, 6).handle, [
    'mug',
    'mug-red',
    'mug-t-1',
    'mug-ext-1',
    'mug-2',
    'mug-3'
  ])
})

t.test('a handle has at most 80 characters and keeps its distinguishing suffix', async (t) => {
  for (const title of ['word '.repeat(60), 'x'.repeat(400)]) {
    for (const handle of runRules({ title, sku: 'SKU-1'.repeat(40) }, {}, 20).handle) {
      t.match(handle, /^[a-z0-9]+(-[a-z0-9]+)*$/)
      t.ok(handle.length <= 80, handle)
    }
    t.match(runRules({ title, sku: 'SKU-1' }, {}, 2).handle[1], /-sku-1$/)
  }
})
