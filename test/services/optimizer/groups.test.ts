import t from 'tap'
import type { ProductRecord } from '../../../ports/store/port.ts'
import { createOptimizer } from '../../../services/optimizer/index.ts'
import { createProductEditor } from '../../../services/products/edit.ts'
import type { ProductChange } from '../../../services/products/input.ts'
import { createProductWriter } from '../../../services/products/write.ts'
import { createStorageQuota } from '../../../services/storage.ts'
import { addProducts, buildProduct, openTestShop, PROJECT, updateProduct } from './fixtures.ts'

const ACME = { accountId: 'acme', projectIds: null }
const signal = () => new AbortController().signal
const TEXT = 'The mug holds 300 ml and sits well in both hands. Its glaze survives the dishwasher.'

const mug = (color: string, fields: Parameters<typeof buildProduct>[0] | object = {}) =>
  buildProduct({
    externalId: color.toLowerCase(),
    title: `Stoneware Mug – ${color}`,
    description: TEXT,
    attributes: { Color: color },
    groupId: 'mug',
    ...fields
  })

async function texts(shop: Awaited<ReturnType<typeof openTestShop>>) {
  const products = await shop.all()
  return Object.fromEntries(
    products.map(({ externalId, seo }) => [
      externalId,
      {
        pageTitle: seo.pageTitle?.value,
        metaTitle: seo.metaTitle?.value,
        metaDescription: seo.metaDescription?.value,
        pageDescription: seo.pageDescription?.value,
        handle: seo.handle?.value
      }
    ])
  )
}

t.test('the variants of a group share the texts of one page, and are no duplicates', async (t) => {
  const shop = await openTestShop(
    t,
    ['Red', 'Blue', 'Green'].map((color) => mug(color))
  )
  await createOptimizer({ ...shop, provider: null }).optimizeProject(PROJECT, signal())
  const page = {
    pageTitle: 'Stoneware Mug',
    metaTitle: 'Stoneware Mug | Acme',
    metaDescription: TEXT,
    pageDescription: TEXT,
    handle: 'stoneware-mug'
  }
  t.same(await texts(shop), { red: page, blue: page, green: page })
  t.ok((await shop.all()).every(({ quality }) => quality.length === 0))
})

t.test('a variant with a page of its own has its own meta title', async (t) => {
  const url = (path: string) => `https://shop.example/${path}`
  const shop = await openTestShop(t, [
    mug('Red', { url: url('mug-red') }),
    mug('Blue', { url: url('mug-blue') }),
    mug('Green', { url: url('mug-red?variant=green') })
  ])
  await createOptimizer({ ...shop, provider: null }).optimizeProject(PROJECT, signal())
  const { red, blue, green } = await texts(shop)
  t.equal(red?.metaTitle, 'Stoneware Mug | Acme')
  t.equal(blue?.metaTitle, 'Stoneware Mug – Blue | Acme')
  t.equal(green?.metaTitle, 'Stoneware Mug | Acme')
  t.equal(blue?.handle, 'stoneware-mug')
})

t.test('a later variant and a changed first variant keep the group together', async (t) => {
  const shop = await openTestShop(t, [mug('Red')])
  const optimizer = createOptimizer({ ...shop, provider: null })
  await optimizer.optimizeProject(PROJECT, signal())
  await addProducts(shop.store, [mug('Blue')])
  await optimizer.optimizeProject(PROJECT, signal())
  t.same((await texts(shop)).blue, (await texts(shop)).red)
  const [red] = await shop.store.products.findByExternalIds(PROJECT, ['red'])
  await updateProduct(shop.store, red!, {
    title: 'Porcelain Mug – Red',
    optimizePendingSince: '2026-06-01T00:00:00.000Z'
  })
  await optimizer.optimizeProject(PROJECT, signal())
  const { red: first, blue: second } = await texts(shop)
  t.equal(second?.pageTitle, 'Porcelain Mug')
  t.same(second, first)
  t.equal(first?.handle, 'stoneware-mug', 'the address of the page does not change')
})

t.test('products of other groups do not get the handle of a group', async (t) => {
  const shop = await openTestShop(t, [
    mug('Red'),
    mug('Blue'),
    mug('Black', { groupId: 'other' }),
    mug('White', { groupId: null })
  ])
  await createOptimizer({ ...shop, provider: null }).optimizeProject(PROJECT, signal())
  const { red, blue, black, white } = await texts(shop)
  t.equal(red?.handle, blue?.handle)
  t.equal(new Set([red?.handle, black?.handle, white?.handle]).size, 3)
})

t.test('the texts of a deleted variant pass to one other product, however many there are', async (t) => {
  const url = (path: string) => `https://shop.example/${path}`
  const colors = Array.from({ length: 120 }, (_, n) => `Color ${n}`)
  const shop = await openTestShop(t, [
    mug('Red', { url: url('red') }),
    mug('Blue', { url: url('blue') }),
    mug('Green', { url: url('green') }),
    ...colors.map((color) => mug(color)),
    mug('Green', { externalId: 'twin', url: url('twin') }),
    mug('Tin', { title: 'Tin Mug', groupId: null })
  ])
  const optimizer = createOptimizer({ ...shop, provider: null })
  const editor = createProductEditor({ store: shop.store, queue: shop.queue })
  const find = async (externalId: string) => (await shop.store.products.findByExternalIds(PROJECT, [externalId]))[0]!
  const update = async (externalId: string, fields: object) => {
    await updateProduct(shop.store, await find(externalId), {
      ...fields,
      optimizePendingSince: '2026-06-01T00:00:00.000Z'
    })
  }
  await optimizer.optimizeProject(PROJECT, signal())
  const remove = async (externalId: string) => {
    const { id } = await find(externalId)
    await editor.remove({ reader: ACME, id })
    return (await shop.store.products.pending(PROJECT, 'optimize', 500)).map((product) => product.externalId)
  }
  const before = await texts(shop)
  t.equal(before.green?.metaTitle, before.twin?.metaTitle)
  t.strictSame(await remove('color 7'), [], 'a product that holds nothing')
  t.strictSame(await remove('green'), ['twin'], 'a meta title that one other has')
  await optimizer.optimizeProject(PROJECT, signal())
  t.strictSame(await remove('red'), ['blue', 'color 0'], 'the first product: the next, and one with its meta title')
  await optimizer.optimizeProject(PROJECT, signal())
  const after = await texts(shop)
  t.equal(after.blue?.handle, before.red?.handle)
  // Another product cannot get the texts of the group.
  await update('tin', { title: 'Stoneware Mug', description: TEXT, attributes: {} })
  await optimizer.optimizeProject(PROJECT, signal())
  const all = await texts(shop)
  const { tin, ...group } = all
  for (const [externalId, member] of Object.entries(group)) {
    for (const field of ['pageTitle', 'metaTitle', 'handle'] as const) {
      t.not(member[field], tin?.[field], `${field} of ${externalId}`)
    }
  }
})

t.test('a deletion marks what a worker may be about to save with the texts of the deleted product', async (t) => {
  const url = (path: string) => `https://shop.example/${path}`
  const shop = await openTestShop(t, [
    mug('Red', { url: url('red') }),
    mug('Blue', { url: url('blue') }),
    ...['one', 'two', 'three'].map((twin) => mug('Green', { externalId: twin, url: url(twin) }))
  ])
  const optimizer = createOptimizer({ ...shop, provider: null })
  const editor = createProductEditor({ store: shop.store, queue: shop.queue })
  const find = async (externalId: string) => (await shop.store.products.findByExternalIds(PROJECT, [externalId]))[0]!
  const remove = async (externalId: string) => {
    await editor.remove({ reader: ACME, id: (await find(externalId)).id })
    return (await shop.store.products.pending(PROJECT, 'optimize', 500)).map((product) => product.externalId).sort()
  }
  await optimizer.optimizeProject(PROJECT, signal())
  await addProducts(shop.store, [mug('Late')])
  t.strictSame(await remove('one'), ['late', 'two'])
  t.equal((await find('late')).version, 2, 'its save would be a conflict')
  t.strictSame(await remove('two'), ['late', 'red', 'three'], 'it may have been about to take any of its texts')
  await optimizer.optimizeProject(PROJECT, signal())
  await updateProduct(shop.store, await find('blue'), { optimizePendingSince: '2026-06-01T00:00:00.000Z' })
  t.strictSame(await remove('red'), ['blue', 'late'], 'a new leader that is pending: the optimizer compares its group')
  await updateProduct(shop.store, await find('blue'), { title: 'Porcelain Mug – Blue' })
  await optimizer.optimizeProject(PROJECT, signal())
  t.equal((await find('three')).seo.pageTitle?.value, (await find('blue')).seo.pageTitle?.value)
})

/** A shop with an optimized group, and functions that change it like requests. */
async function openGroup(t: Parameters<typeof openTestShop>[0]) {
  const shop = await openTestShop(t, [mug('Red'), mug('Blue'), mug('Green')])
  const optimizer = createOptimizer({ ...shop, provider: null })
  const editor = createProductEditor({ store: shop.store, queue: shop.queue })
  const storage = createStorageQuota({ store: shop.store, defaultPlan: 'starter' })
  const writer = createProductWriter({ store: shop.store, queue: shop.queue, storage })
  const optimize = async () => await optimizer.optimizeProject(PROJECT, signal())
  await optimize()
  return {
    ...shop,
    optimize,
    texts: async () => await texts(shop),
    patch: async (externalId: string, patch: Parameters<typeof editor.patch>[1]) => {
      const [product] = await shop.store.products.findByExternalIds(PROJECT, [externalId])
      await editor.patch({ reader: ACME, id: product!.id }, patch)
    },
    write: async (changes: Record<string, ProductChange>) => {
      const project = (await shop.store.projects.find(PROJECT.accountId, PROJECT.projectId))!
      const rows = Object.entries(changes).map(([externalId, change], line) => ({ line, externalId, change }))
      await writer.write(rows, { project })
    },
    add: async (product: ProductRecord) => {
      await addProducts(shop.store, [product])
      await optimize()
    },
    pending: async () =>
      (await shop.store.products.pending(PROJECT, 'optimize', 500)).map(({ externalId }) => externalId).sort()
  }
}

/** A product of no group, with the title of the group. */
const single = () =>
  mug('Tin', {
    title: 'Stoneware Mug',
    description: 'Two of these stand in a box of gray board, wrapped in paper and ready to be given to somebody.',
    groupId: null,
    attributes: {}
  })

t.test('a product that moves out of a group leaves its texts to the group', async (t) => {
  const move = {
    patch: async ({ patch }: Awaited<ReturnType<typeof openGroup>>) => await patch('red', { groupId: null }),
    batch: async ({ write }: Awaited<ReturnType<typeof openGroup>>) => await write({ red: { groupId: 'other' } })
  }
  for (const [name, run] of Object.entries(move)) {
    const shop = await openGroup(t)
    const before = await shop.texts()
    await run(shop)
    t.strictSame(await shop.pending(), ['blue', 'red'], `${name}: the product, and the new leader of the group`)
    await shop.optimize()
    await shop.add(single())
    const { red, blue, green, tin } = await shop.texts()
    t.equal(blue?.handle, before.blue?.handle, name)
    t.same(green, blue, name)
    for (const field of ['pageTitle', 'metaTitle'] as const) {
      const used = [red?.[field], blue?.[field], tin?.[field]]
      t.equal(new Set(used).size, 3, `${name}: ${field} of three pages: ${used.join(', ')}`)
    }
    t.not(tin?.handle, blue?.handle, name)
    const duplicates = (await shop.all()).filter(({ quality }) => quality.includes('duplicate'))
    t.strictSame(
      duplicates.map(({ externalId }) => externalId),
      ['red'],
      `${name}: an existing handle stays, and is reported`
    )
  }
})

t.test('a group that is renamed as a whole does not change', async (t) => {
  const shop = await openGroup(t)
  const before = await shop.texts()
  await shop.write({ red: { groupId: 'new' }, blue: { groupId: 'new' }, green: { groupId: 'new' } })
  await shop.optimize()
  t.same(await shop.texts(), before)
  t.ok((await shop.all()).every(({ quality }) => !quality.includes('duplicate')))
  await shop.add(single())
  const { red, tin } = await shop.texts()
  for (const field of ['pageTitle', 'metaTitle', 'handle'] as const) t.not(tin?.[field], red?.[field], field)
})

t.test('the variants get the texts of an older product that joins their group', async (t) => {
  const shop = await openTestShop(t, [
    mug('Old', { title: 'Porcelain Cup', groupId: null, attributes: {} }),
    mug('Red'),
    mug('Blue')
  ])
  const optimizer = createOptimizer({ ...shop, provider: null })
  const editor = createProductEditor({ store: shop.store, queue: shop.queue })
  await optimizer.optimizeProject(PROJECT, signal())
  const [old] = await shop.store.products.findByExternalIds(PROJECT, ['old'])
  await editor.patch({ reader: ACME, id: old!.id }, { groupId: 'mug' })
  await optimizer.optimizeProject(PROJECT, signal())
  const all = await texts(shop)
  for (const field of ['pageTitle', 'metaTitle', 'pageDescription', 'metaDescription'] as const) {
    t.equal(all.red?.[field], all.old?.[field], field)
    t.equal(all.blue?.[field], all.old?.[field], field)
  }
})

t.test('manual texts of the leader reach its variants, and its former texts stay theirs', async (t) => {
  const shop = await openGroup(t)
  await shop.patch('red', { seo: { handle: 'my-mug', pageTitle: 'My mug' } })
  t.strictSame(await shop.pending(), ['blue', 'red'], 'one that takes the handle, and the leader')
  await shop.optimize()
  await shop.add(single())
  const { blue, green, tin } = await shop.texts()
  t.equal(blue?.pageTitle, 'My mug')
  t.equal(blue?.handle, 'stoneware-mug', 'the address of the page does not change')
  t.same(green, blue)
  t.not(tin?.handle, blue?.handle)
  await shop.patch('green', { seo: { pageTitle: 'Green mug' } })
  await shop.optimize()
  t.equal((await shop.texts()).blue?.pageTitle, 'My mug', 'not those of another variant')
})

t.test('variants get the manual texts of a leader that is optimized with them, and unchanged itself', async (t) => {
  const shop = await openTestShop(t, [mug('Red'), mug('Blue')])
  const optimizer = createOptimizer({ ...shop, provider: null })
  await optimizer.optimizeProject(PROJECT, signal())
  const [red] = await shop.store.products.findByExternalIds(PROJECT, ['red'])
  await updateProduct(shop.store, red!, { seo: { ...red!.seo, pageTitle: { value: 'My mug', source: 'human' } } })
  const at = '2026-06-01T00:00:00.000Z'
  await shop.store.products.markOptimizePending(PROJECT, { externalIds: null, groupIds: ['mug'], at, force: false })
  await optimizer.optimizeProject(PROJECT, signal())
  t.equal((await texts(shop)).blue?.pageTitle, 'My mug')
})

t.test('variants that are optimized before a leader that changes meanwhile get its texts afterwards', async (t) => {
  const shop = await openTestShop(t, [mug('Red'), mug('Blue')])
  await createOptimizer({ ...shop, provider: null }).optimizeProject(PROJECT, signal())
  const { products } = shop.store
  const change = async (fields: Partial<ProductRecord>) => {
    const [red] = await products.findByExternalIds(PROJECT, ['red'])
    await updateProduct(shop.store, red!, {
      seo: { ...red!.seo, pageTitle: { value: 'My mug', source: 'human' } },
      ...fields
    })
  }
  await change({})
  let isFirst = true
  const saveMany: typeof products.saveMany = async (writes) => {
    if (isFirst) await change({ optimizedFromDigest: null })
    isFirst = false
    return await products.saveMany(writes)
  }
  const at = '2026-06-01T00:00:00.000Z'
  await products.markOptimizePending(PROJECT, { externalIds: null, groupIds: ['mug'], at, force: false })
  const store = { ...shop.store, products: { ...products, saveMany } }
  await createOptimizer({ ...shop, store, provider: null }).optimizeProject(PROJECT, signal())
  t.equal((await texts(shop)).blue?.pageTitle, 'My mug')
  t.strictSame(await products.pending(PROJECT, 'optimize', 10), [])
})

t.test('the texts of a deleted variant pass to another one if the first heir is deleted meanwhile', async (t) => {
  const url = (path: string) => `https://shop.example/${path}`
  const shop = await openTestShop(t, [
    mug('Red', { url: url('red') }),
    ...['one', 'two', 'three'].map((twin) => mug('Green', { externalId: twin, url: url(twin) }))
  ])
  await createOptimizer({ ...shop, provider: null }).optimizeProject(PROJECT, signal())
  const reader = { accountId: 'acme', projectIds: null }
  const remove = async (store: typeof shop.store, externalId: string) => {
    const [product] = await store.products.findByExternalIds(PROJECT, [externalId])
    await createProductEditor({ store, queue: shop.queue }).remove({ reader, id: product!.id })
  }
  const { products } = shop.store
  let isFirst = true
  const markOptimizePending: typeof products.markOptimizePending = async (...args) => {
    if (isFirst) await remove(shop.store, 'two')
    isFirst = false
    return await products.markOptimizePending(...args)
  }
  await remove({ ...shop.store, products: { ...products, markOptimizePending } }, 'one')
  t.strictSame(
    (await products.pending(PROJECT, 'optimize', 10)).map(({ externalId }) => externalId),
    ['three']
  )
})

t.test('products whose texts do not change are optimized without reading their groups', async (t) => {
  const colors = Array.from({ length: 20 }, (_, at) => `Color ${at}`)
  const shop = await openTestShop(
    t,
    colors.map((color) => mug(color, { groupId: `group of ${color}` }))
  )
  let reads = 0
  const products: typeof shop.store.products = {
    ...shop.store.products,
    listGroup: async (...args) => {
      reads += 1
      return await shop.store.products.listGroup(...args)
    }
  }
  const optimizer = createOptimizer({ ...shop, store: { ...shop.store, products }, provider: null })
  await optimizer.optimizeProject(PROJECT, signal())
  const writer = createProductWriter({
    ...shop,
    storage: createStorageQuota({ store: shop.store, defaultPlan: 'starter' })
  })
  const project = (await shop.store.projects.find(PROJECT.accountId, PROJECT.projectId))!
  const rows = colors.map((color, at) => ({
    line: at + 1,
    externalId: color.toLowerCase(),
    change: { attributes: { Color: color, Weight: `${at} g` } }
  }))
  await writer.write(rows, { project })
  t.ok((await shop.all()).every(({ status }) => status === 'pending'))
  await optimizer.optimizeProject(PROJECT, signal())
  t.equal(reads, 0)
  t.ok((await shop.all()).every(({ status }) => status === 'optimized'))
})
