import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import type { ProjectRecord } from '../../../ports/store/port.ts'
import { DEFAULT_ARTICLE_STYLE } from '../../../schemas/default-article-style.ts'
import { MAX_READ_LENGTH } from '../../../schemas/product.ts'
import { processLoad } from '../../../services/account-load.ts'
import { createProducts } from '../../../services/products/index.ts'
import { createProductWriter, type ValidRow } from '../../../services/products/write.ts'
import { startApp } from '../../helper.ts'

const PROJECT: ProjectRecord = {
  id: 'shop',
  accountId: 'acme',
  name: 'shop',
  siteUrl: null,
  blogPath: '/blog',
  brandName: null,
  optimize: 'manual',
  ...DEFAULT_ARTICLE_STYLE,
  locale: null,
  createdAt: '2026-11-21T00:00:00.000Z',
  updatedAt: '2026-11-21T00:00:00.000Z'
}

/**
 * Rows of an import batch: `a` is new and occurs four times, `b` exists and changes, `c` exists and
 * does not change.
 */
const ROWS: ValidRow[] = [
  { line: 10, externalId: 'a', change: { title: 'A' } },
  { line: 11, externalId: 'b', change: { title: 'B changed' } },
  { line: 12, externalId: 'a', change: { title: 'A' } },
  { line: 13, externalId: 'a', change: { title: 'A', brand: 'Harbor' } },
  { line: 14, externalId: 'c', change: { title: 'C' } },
  { line: 15, externalId: 'b', change: { title: 'B again' } },
  { line: 16, externalId: 'a', change: { mpn: 'M-1' } },
  { line: 17, externalId: 'a', change: { mpn: 'M-1' } },
  { line: 18, externalId: 'b', change: { mpn: 'M-2' } }
]

t.test('rows that an import writes again after a crash are counted as the first time', async (t) => {
  const { store, queue, services } = await startApp(t)
  const writer = createProductWriter({ store, queue, storage: services.storage })
  await writer.write(
    [
      { line: 1, externalId: 'b', change: { title: 'B' } },
      { line: 2, externalId: 'c', change: { title: 'C' } }
    ],
    { project: PROJECT }
  )
  const write = async (importId: string) =>
    (await writer.write(ROWS, { project: PROJECT, importId })).map(({ result }) => result)
  const stored = async () =>
    (await store.products.findByExternalIds({ accountId: 'acme', projectId: 'shop' }, ['a', 'b', 'c']))
      .map(({ externalId, title, brand, mpn }) => ({ externalId, title, brand, mpn }))
      .sort((x, y) => (x.externalId < y.externalId ? -1 : 1))

  const first = await write('one')
  t.same(first, [
    'created',
    'updated',
    'unchanged',
    'updated',
    'unchanged',
    'updated',
    'updated',
    'unchanged',
    'updated'
  ])
  const table = await stored()
  t.same(await write('one'), first)
  t.same(await write('one'), first, 'a second crash')
  t.same(await stored(), table)
  t.same(
    await write('two'),
    ['unchanged', 'updated', 'unchanged', 'unchanged', 'unchanged', 'updated', 'unchanged', 'unchanged', 'unchanged'],
    'another import is counted separately'
  )
})

t.test('rows of a later batch of the same import are counted separately', async (t) => {
  const { store, queue, services } = await startApp(t)
  const writer = createProductWriter({ store, queue, storage: services.storage })
  const write = async (rows: ValidRow[]) =>
    (await writer.write(rows, { project: PROJECT, importId: 'one' })).map(({ result }) => result)
  t.same(await write([{ line: 1, externalId: 'a', change: { title: 'A' } }]), ['created'])
  t.same(
    await write([
      { line: 600, externalId: 'a', change: { title: 'A' } },
      { line: 601, externalId: 'a', change: { title: 'Other' } }
    ]),
    ['unchanged', 'updated']
  )
})

t.test('the counts of an import do not depend on the size of its batches, also after a crash', async (t) => {
  const counted = async (sizes: number[], { crash = false } = {}) => {
    const { store, queue, services, close } = await startApp(t)
    const writer = createProductWriter({ store, queue, storage: services.storage })
    await writer.write([{ line: 1, externalId: 'b', change: { title: 'B' } }], { project: PROJECT })
    if (crash) await writer.write(ROWS, { project: PROJECT, importId: 'one' })
    const counts: [number, string, boolean][] = []
    let start = 0
    for (const size of sizes) {
      const rows = await writer.write(ROWS.slice(start, start + size), { project: PROJECT, importId: 'one' })
      counts.push(...rows.map(({ line, result, repeated }): [number, string, boolean] => [line, result, repeated]))
      start += size
    }
    await close()
    return counts
  }
  const expected = await counted([ROWS.length])
  t.same(
    expected.filter(([, , repeated]) => repeated).map(([line]) => line),
    [12, 13, 15, 16, 17, 18],
    'rows for a product that an earlier row changed'
  )
  for (const sizes of [[1, 8], [4, 5], [7, 2], Array.from(ROWS, () => 1)]) {
    t.same(await counted(sizes), expected, `batches of ${sizes.join(', ')} rows`)
    t.same(await counted(sizes, { crash: true }), expected, `repeated in batches of ${sizes.join(', ')} rows`)
  }
})

t.test('the length of stored products limits dry runs, but neither imports nor other batches', async (t) => {
  const { store, queue, services } = await startApp(t)
  const writer = createProductWriter({ store, queue, storage: services.storage })
  const count = 200
  const attributes = { notes: 'x'.repeat(Math.ceil(MAX_READ_LENGTH / count)) }
  const rows = (change: ValidRow['change']): ValidRow[] =>
    Array.from({ length: count }, (_, line) => ({ line, externalId: `p${line}`, change }))
  await writer.write(rows({ title: 'Large', attributes }), { project: PROJECT })
  const write = async (options: { dryRun?: boolean; importId?: string }, brand: string) =>
    new Set((await writer.write(rows({ brand }), { project: PROJECT, ...options })).map(({ result }) => result))
  await t.rejects(write({ dryRun: true }, 'One'), { code: 'payload_too_large' })
  t.strictSame(await write({ importId: 'import' }, 'Two'), new Set(['updated']))
  t.strictSame(await write({}, 'Three'), new Set(['updated']))
})

t.test(
  'many rows of a request take turns at a server like those of a job, in small commands beside others',
  async (t) => {
    const { store, queue, services } = await startApp(t)
    const commands: { rows: number; owner: string | undefined }[] = []
    const record = (rows: number) => commands.push({ rows, owner: processLoad.currentAccount() })
    const products: typeof store.products = {
      ...store.products,
      async saveMany(writes, options) {
        record(writes.length)
        return await store.products.saveMany(writes, options)
      },
      async saveAll(writes) {
        record(writes.length)
        return await store.products.saveAll(writes)
      }
    }
    const writer = createProductWriter({
      store: { ...store, products, isRemote: true },
      queue,
      storage: services.storage
    })
    const project = { ...PROJECT, accountId: 'bulk' }
    const write = async (count: number, title: string, options = {}) => {
      commands.length = 0
      const rows = Array.from({ length: count }, (_, line) => ({ line, externalId: `p${line}`, change: { title } }))
      const written = await writer.write(rows, { project, ...options })
      t.strictSame(
        written.map(({ line }) => line),
        rows.map(({ line }) => line)
      )
      return commands.map(({ rows: size }) => size)
    }
    const isOwned = () => commands.every(({ owner }) => owner === 'bulk')

    t.strictSame(await write(1_000, 'One'), [1_000], 'one command while nobody else sends requests')
    t.ok(isOwned())
    t.strictSame(await write(500, 'Two', { atomic: true }), [500])
    t.ok(isOwned())
    t.strictSame(await write(1, 'Three'), [1])
    t.notOk(isOwned(), 'a single product does not wait')

    // More than the 100 ms that give way to nobody.
    await processLoad.run('bulk', () => wait(120))
    await processLoad.giveWay('bulk', 0)
    processLoad.begin('another account')()
    const [first, ...others] = await write(400, 'Four')
    t.equal(first, 50, 'a request of another account had precedence')
    t.ok(others.length > 1)
    t.ok(isOwned())
  }
)

t.test('rows of a request are saved in short transactions of a local store', async (t) => {
  const { store, queue, services } = await startApp(t)
  const sizes: number[] = []
  const products: typeof store.products = {
    ...store.products,
    async saveMany(writes, options) {
      sizes.push(writes.length)
      return await store.products.saveMany(writes, options)
    }
  }
  const writer = createProductWriter({
    store: { ...store, products, isRemote: false },
    queue,
    storage: services.storage
  })
  const write = async (accountId: string) => {
    sizes.length = 0
    const rows = Array.from({ length: 120 }, (_, line) => ({ line, externalId: `p${line}`, change: { title: 'Mug' } }))
    const written = await writer.write(rows, { project: { ...PROJECT, accountId } })
    t.strictSame(
      written.map(({ line }) => line),
      rows.map(({ line }) => line)
    )
    return sizes[0]
  }
  t.equal(await write('alone'), 50, 'whose products are unknown')
  // More than the 100 ms that give way to nobody.
  await processLoad.run('beside', () => wait(120))
  await processLoad.giveWay('beside', 0)
  processLoad.begin('another account')()
  t.equal(await write('beside'), 5, 'a request of another account had precedence')
})

t.test('the rows of an atomic batch give way to a request of another account', async (t) => {
  const { store, queue, services } = await startApp(t)
  const order: string[] = []
  const products: typeof store.products = {
    ...store.products,
    async saveAll(writes) {
      order.push('transaction')
      return await store.products.saveAll(writes)
    }
  }
  const writer = createProductWriter({
    store: { ...store, products, isRemote: false },
    queue,
    storage: services.storage
  })
  const rows = Array.from({ length: 500 }, (_, line) => ({ line, externalId: `p${line}`, change: { title: 'Mug' } }))
  await processLoad.run('large', () => wait(300))
  const end = processLoad.begin('small')
  setTimeout(() => {
    order.push('request')
    end()
  }, 130)
  await writer.write(rows, { project: { ...PROJECT, accountId: 'large' }, atomic: true })
  t.strictSame(order, ['request', 'transaction'])
})

t.test('marking the products of a project takes turns at a server like a job', async (t) => {
  const { queue, store, services } = await startApp(t)
  const owners: (string | undefined)[] = []
  const products: typeof store.products = {
    ...store.products,
    async markOptimizePending(project, mark) {
      owners.push(processLoad.currentAccount())
      return await store.products.markOptimizePending(project, mark)
    }
  }
  const remote = { ...store, products, isRemote: true }
  const writer = createProductWriter({ store, queue, storage: services.storage })
  const reader = { accountId: 'acme', projectIds: null }
  const project = await services.projects.resolveForWrite('acme', 'shop')
  await writer.write([{ line: 1, externalId: 'a', change: { title: 'A' } }], { project })
  const { optimize } = createProducts({
    store: remote,
    queue,
    projects: services.projects,
    writer,
    check: () => []
  })
  t.equal(await optimize(reader, { projectId: 'shop' }), 1)
  t.equal(await optimize(reader, { projectId: 'shop', externalIds: ['a'] }), 1)
  t.same(owners, ['acme', undefined], 'a few products do not wait')
})

t.test('atomic batches with the same products wait for each other instead of failing', async (t) => {
  const { store, queue, services } = await startApp(t)
  let attempts = 0
  const saveAll: typeof store.products.saveAll = async (writes) => {
    attempts += 1
    return await store.products.saveAll(writes)
  }
  const writer = createProductWriter({
    store: { ...store, products: { ...store.products, saveAll } },
    queue,
    storage: services.storage
  })
  const batches = Array.from({ length: 6 }, (_, batch) =>
    ['a', 'b', `only ${batch}`].map((externalId, line) => ({ line, externalId, change: { title: `${batch}` } }))
  )
  const results = await Promise.all(batches.map((rows) => writer.write(rows, { project: PROJECT, atomic: true })))
  t.equal(attempts, batches.length)
  t.same(
    results.map((rows) => rows.map(({ result }) => result)),
    [['created', 'created', 'created'], ...Array.from({ length: 5 }, () => ['updated', 'updated', 'created'])]
  )
})

t.test('products that leave many groups in one request need few reads of groups', async (t) => {
  const { store, queue, services } = await startApp(t)
  const reads = { groups: 0, leaders: 0 }
  const products: typeof store.products = {
    ...store.products,
    listGroup: async (...args) => {
      reads.groups += 1
      return await store.products.listGroup(...args)
    },
    findGroupLeaders: async (...args) => {
      reads.leaders += 1
      return await store.products.findGroupLeaders(...args)
    }
  }
  const writer = createProductWriter({ store: { ...store, products }, queue, storage: services.storage })
  const ids = Array.from({ length: 300 }, (_, at) => `p${at}`)
  const rowsIn = (groupOf: (at: number) => string): ValidRow[] =>
    ids.map((externalId, at) => ({ line: at + 1, externalId, change: { title: `Title ${at}`, groupId: groupOf(at) } }))
  await writer.write(
    rowsIn((at) => `group ${at}`),
    { project: PROJECT }
  )
  t.same(reads, { groups: 0, leaders: 0 })
  await writer.write(
    rowsIn((at) => `shared ${at % 2}`),
    { project: PROJECT }
  )
  t.same(reads, { groups: 0, leaders: 6 }, '50 groups at a time, of which none has products')
  // Two products stay in each of the groups.
  await writer.write(
    rowsIn((at) => (at < 4 ? `shared ${at % 2}` : 'other')),
    { project: PROJECT }
  )
  t.same(reads, { groups: 2, leaders: 7 })
})
