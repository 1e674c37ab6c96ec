import t, { type Test } from 'tap'
import type { ProductFilter, Store } from '../../../../ports/store/port.ts'
import { ACME, minute } from '../../../contracts/store/fixtures/content.ts'
import {
  addProducts,
  buildImport,
  buildImportError,
  buildImportStep,
  changing,
  SITE
} from '../../../contracts/store/fixtures/products.ts'
import { STEP_SIZES } from '../../../../ports/store/sqlite/steps.ts'
import { openWatchedStore, plansAfter, sorts } from '../../../fixtures/sqlite/query-plans.ts'

/** The query plans of the statements that the store uses for this act, a line for each step. */
const plansOf = async (t: Test, act: (store: Store) => Promise<unknown>): Promise<string[]> =>
  await plansAfter(
    t,
    async (store) => {
      await addProducts(
        store,
        Array.from({ length: 30 }, (_, at) => ({ externalId: `p-${at}`, claims: [`c-${at}`] }))
      )
      return store
    },
    act
  )

/**
 * Steps that read all products or imports, or a whole index of them. Lists of a query's own values
 * are no tables, `pp` are the projects, and few imports are unfinished.
 */
const wholeReads = (plan: string[]) =>
  plan.filter(
    (step) =>
      step.startsWith('SCAN ') &&
      !/^SCAN (json_each|product_search|pp$|found$|CONSTANT|imports USING INDEX imports_unfinished$)/.test(step)
  )
/** Steps that go through all products of a place. */
const placeReads = (plan: string[]) => plan.filter((step) => /^SEARCH p .*\(project_n=\?\)$/.test(step))
const list = (filter: Partial<ProductFilter>) => async (store: Store) =>
  await store.products.list({ ...ACME, ...filter }, { page: 2, pageSize: 5 })

t.test('a product list is read from an index in order', async (t) => {
  for (const filter of [{}, { projectId: 'site' }, { projectIds: ['site'] }]) {
    const plan = await plansOf(t, list(filter))
    t.strictSame([...wholeReads(plan), ...sorts(plan)], [])
    t.ok(
      plan.includes('SEARCH p USING COVERING INDEX products_by_external_id (project_n=? AND external_id>?)'),
      plan.join('; ')
    )
  }
})

t.test('a filtered product list only reads matching products', async (t) => {
  const lists: Record<string, [Partial<ProductFilter>, RegExp]> = {
    status: [{ status: 'optimized' }, /COVERING INDEX products_by_status \(project_n=\? AND status=\?\)/],
    sku: [{ sku: 'K1' }, /COVERING INDEX products_by_sku \(project_n=\? AND sku=\?\)/],
    externalId: [{ externalId: 'p-1' }, /COVERING INDEX products_by_external_id \(project_n=\? AND external_id=\?\)/],
    category: [
      { category: 'Kitchen' },
      /COVERING INDEX products_by_category \(project_n=\? AND category>\? AND category<\?\)/
    ],
    updatedSince: [{ updatedSince: minute(0) }, /COVERING INDEX products_by_update \(project_n=\? AND updated_at>\?\)/],
    terms: [{ terms: ['kettle'] }, /SEARCH p USING INTEGER PRIMARY KEY \(rowid=\?\)/]
  }
  for (const [name, [filter, expected]] of Object.entries(lists)) {
    const plan = await plansOf(t, list(filter))
    t.strictSame([...wholeReads(plan), ...placeReads(plan)], [], name)
    t.match(plan.join('; '), expected, name)
  }
})

t.test(
  'each step of a filter begins where the one before ended, also among many products with one value',
  async (t) => {
    const { store, plans } = openWatchedStore(t, { ...STEP_SIZES, rows: 3, entries: 3 })
    const categories = ['A', ...Array.from({ length: 10 }, () => 'A > B'), 'A > C', 'A > D', 'A > E', 'A > F', 'B']
    await addProducts(
      store,
      categories.map((category, at) => ({ externalId: `p-${at}`, category, status: 'optimized' }))
    )
    const { totalCount } = await store.products.list(
      { ...ACME, category: 'A', status: 'optimized' },
      { page: 1, pageSize: 5 }
    )
    t.equal(totalCount, 15)
    const counts = plans().filter(({ sql }) => /count\(\*\).*products_by_category/.test(sql))
    t.strictSame(
      counts.flatMap(({ steps }) => steps.map((step) => step.replace(/.*products_by_category /, ''))).sort(),
      [
        '(project_n=? AND category=? AND rowid>? AND rowid<?)',
        '(project_n=? AND category=? AND rowid>?)',
        '(project_n=? AND category>? AND category<?)',
        '(project_n=? AND category>? AND category<?)'
      ]
    )
  }
)

t.test('pending products are read in order from an index that only contains them', async (t) => {
  const page = { after: null, limit: 10 }
  for (const [act, index] of [
    [async (store: Store) => await store.products.pending(SITE, 'optimize', 10), 'products_optimize_pending'],
    [async (store: Store) => await store.products.pending(SITE, 'imageCheck', 10), 'products_image_check_pending'],
    [async (store: Store) => await store.products.hasPending(SITE, 'imageCheck'), 'products_image_check_pending'],
    [async (store: Store) => await store.products.pendingEvents(SITE, 10), 'products_event_pending'],
    [async (store: Store) => await store.products.pendingProjects('optimize', page), 'products_optimize_pending'],
    [async (store: Store) => await store.products.pendingProjects('imageCheck', page), 'products_image_check_pending'],
    [async (store: Store) => await store.products.pendingProjects('publish', page), 'products_event_pending']
  ] as const) {
    const plan = await plansOf(t, act)
    const reads = wholeReads(plan).filter((step) => step !== 'SCAN pending')
    t.strictSame([...reads, ...sorts(plan), ...placeReads(plan)], [])
    const searches = plan.filter((step) => /^SEARCH (p|d|products) /.test(step))
    t.ok(searches.length > 0)
    for (const step of searches) t.match(step, index)
  }
})

t.test('a list of imports skips to its page in an index alone', async (t) => {
  for (const filter of [{}, { projectId: 'site' }, { projectIds: ['site', 'shop'] }]) {
    const plan = await plansAfter(
      t,
      async (store) => {
        await store.imports.add(buildImport())
        return store
      },
      async (store) => await store.imports.list({ ...ACME, ...filter }, { page: 1, pageSize: 5 })
    )
    const reads = plan.filter((step) => /^SEARCH imports /.test(step))
    t.ok(reads.length >= 2)
    for (const step of reads) t.match(step, /USING COVERING INDEX imports_of_|USING PRIMARY KEY \(id=\?\)$/)
  }
})

t.test('no query scans all products or imports, or all products of a project', async (t) => {
  const questions: Record<string, (store: Store) => Promise<unknown>> = {
    'by name': async (store) => [
      await store.products.find('acme', 'x'),
      await store.products.findByExternalIds(SITE, ['p-1', 'p-2'])
    ],
    'same title': async (store) => await store.products.findByTitles(SITE, ['Kettle']),
    claims: async (store) => await store.products.findClaimOwners(SITE, ['c-1', 'x']),
    'marking some': async (store) =>
      await store.products.markOptimizePending(SITE, { externalIds: ['p-1'], at: minute(1), force: true }),
    writes: async (store) => {
      const [product] = await store.products.findByExternalIds(SITE, ['p-1'])
      if (product === undefined) throw new Error('there is no such product')
      const write = changing(product, { claims: ['new'], terms: ['new'], title: 'New' })
      await store.products.saveMany([write])
      await store.products.delete({ accountId: 'acme', id: product.id, ifVersion: 2 })
    },
    imports: async (store) => {
      const queued = buildImport()
      await store.imports.add(queued)
      await store.imports.advance(buildImportStep(queued, { errors: [buildImportError(queued, 1)] }))
      for (const filter of [{}, { projectId: 'site' }, { projectIds: ['a', 'b'] }]) {
        await store.imports.list({ ...ACME, ...filter }, { page: 1, pageSize: 5 })
      }
      await store.imports.errors(queued.id, { afterLine: 0, limit: 10 })
      await store.imports.delete('acme', queued.id)
    },
    'imports of all': async (store) => [
      await store.imports.unfinished({ after: null, limit: 5 }),
      await store.imports.finishedBefore(minute(1), 5)
    ]
  }
  for (const [name, question] of Object.entries(questions)) {
    const plan = await plansOf(t, question)
    t.strictSame([...wholeReads(plan), ...placeReads(plan)], [], name)
    t.ok(plan.length > 0, name)
  }
  t.strictSame(sorts(await plansOf(t, questions.imports as NonNullable<typeof questions.imports>)), [])
  t.strictSame(sorts(await plansOf(t, questions['imports of all'] as NonNullable<typeof questions.imports>)), [])
})

t.test('the products of a group are found page by page in the order of their index', async (t) => {
  const mark = { externalIds: null, groupIds: ['tees'], at: minute(9), force: true }
  const plan = await plansOf(t, (store) => store.products.markOptimizePending(SITE, mark))
  t.strictSame([...wholeReads(plan), ...sorts(plan)], [])
  const index = 'SEARCH products USING COVERING INDEX products_by_group (project_n=? AND group_id=? AND id>?)'
  t.ok(plan.includes(index), plan.join('; '))
})

t.test('what is read by the id of a product reads the project of that product only', async (t) => {
  const find = await plansOf(t, (store) => store.products.find('acme', 'first'))
  const remove = await plansOf(t, (store) => store.products.delete({ accountId: 'acme', id: 'first', ifVersion: 1 }))
  t.match(find[0], /^SEARCH p USING INDEX sqlite_autoindex_products_1 \(id=\?\)$/)
  for (const plan of [find, remove]) {
    t.notOk(
      plan.some((step) => step.includes('product_projects_by_id (account_id=?)')),
      plan.join('; ')
    )
  }
})

t.test('the steps of a list find their ends in the order of an index', async (t) => {
  const { store, plans } = openWatchedStore(t)
  await addProducts(store, [{ groupId: 'g', sku: 'k', status: 'optimized', category: 'A' }])
  const filters = [
    { groupId: 'g' },
    { groupId: 'g', updatedSince: minute(0) },
    { sku: 'k', status: 'optimized' },
    { category: 'A', status: 'optimized' },
    { updatedSince: minute(0) }
  ] as const
  for (const filter of filters) await store.products.list({ ...ACME, ...filter }, { page: 1, pageSize: 10 })
  const ends = plans().filter(({ sql }) => sql.includes('LIMIT 1 OFFSET ?'))
  t.ok(ends.length >= 4)
  for (const { sql, steps } of ends) t.strictSame(sorts(steps), [], sql)
})

t.test('the number of products of a category reads only its counts', async (t) => {
  const { store, plans } = openWatchedStore(t)
  await addProducts(store, [{ category: 'A > B' }])
  await store.products.list({ ...ACME, category: 'A' }, { page: 1, pageSize: 10 })
  const reads = plans().flatMap(({ steps }) => steps.filter((step) => step.includes(' c ')))
  t.ok(reads.length > 1)
  for (const read of reads) t.match(read, /\(project_n=\? AND kind=\? AND value(=\?|>\? AND value<\?)\)/)
})
