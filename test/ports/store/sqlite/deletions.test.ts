import t from 'tap'
import { openStore } from '../../../../ports/store/open.ts'
import { openDatabase } from '../../../../ports/store/sqlite/database.ts'
import { createSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { ACME, buildBlog, buildProject, tombstoneOf } from '../../../contracts/store/fixtures/content.ts'
import { buildProduct, fresh } from '../../../contracts/store/fixtures/products.ts'
import { temporaryFolder } from '../../../helper.ts'

t.test('blogs can be deleted in any order and at any age', async (t) => {
  const store = await openStore({ dataDir: temporaryFolder(t) })
  t.teardown(() => store.close())
  const blogs = Array.from({ length: 120 }, (_, n) => buildBlog({ slug: `slug-${n}` }))
  for (const blog of blogs) await store.blogs.add(blog)
  for (const [n, blog] of blogs.entries()) {
    if (n % 2 === 0) t.equal(await store.blogs.delete(tombstoneOf(blog), blog.version), true)
  }
  t.equal(
    (await store.blogs.list({ ...ACME, status: 'any' }, { page: 1, pageSize: 1, withBody: false })).totalCount,
    60
  )
})

t.test('nothing is left of the products of deleted projects, and numbers are not used again', async (t) => {
  const db = openDatabase(`${t.testdir()}/store.db`)
  t.teardown(db.close)
  const store = createSqliteStore(db)
  const numbers = new Set<number>()
  const rows = (table: string) => db.one<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)!.count
  for (const projectId of ['a', 'b', 'c', 'd', 'e', 'f']) {
    await store.projects.insertIfAbsent(buildProject('acme', projectId))
    const product = buildProduct({ projectId, claims: [] })
    await store.products.saveMany([fresh(product)])
    numbers.add(db.one<{ n: number }>('SELECT max(n) AS n FROM product_projects')!.n)
    if (projectId === 'c') continue
    await store.products.delete({ accountId: 'acme', id: product.id, ifVersion: product.version })
    t.equal(await store.projects.delete('acme', projectId), true)
  }
  t.equal(numbers.size, 6)
  t.equal(rows('product_projects'), 2, 'the project with a product, and the last one')
  t.equal(rows('product_search_partitions'), 1)
  t.equal((await store.products.list(ACME, { page: 1, pageSize: 10 })).totalCount, 1)
})
