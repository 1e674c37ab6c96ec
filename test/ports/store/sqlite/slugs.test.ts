import t from 'tap'
import { ACME, buildBlog, minute, tombstoneOf } from '../../../contracts/store/fixtures/content.ts'
import { openDatabase } from '../../../../ports/store/sqlite/database.ts'
import { createSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { openWatchedStore, sorts } from '../../../fixtures/sqlite/query-plans.ts'

t.test('a slug that many blogs gave up resolves without reading all of them', async (t) => {
  const db = openDatabase(`${t.testdir()}/store.db`)
  t.teardown(db.close)
  let rows: number[] = []
  const store = createSqliteStore({
    ...db,
    all: <Row>(...call: Parameters<typeof db.all>) => {
      const found = db.all<Row>(...call)
      rows.push(found.length)
      return found
    }
  })
  for (const projectId of ['a', 'b']) {
    for (let n = 0; n < 1_100; n++) {
      const blog = buildBlog({ id: `${projectId}-${n}`, projectId, slug: 'old' })
      await store.blogs.add(blog)
      await store.blogs.delete(tombstoneOf(blog, { deletedAt: minute(n), wasPublic: true }), 1)
    }
  }
  for (const [projectId, slug] of [
    ['a', 'other'],
    ['b', 'old'],
    ['b', 'other'],
    ['c', 'old']
  ] as const) {
    const formerSlugs = [{ slug, leftAt: minute(projectId === 'b' ? 2_000 : 1) }]
    await store.blogs.add(buildBlog({ projectId, slug: `${projectId}-${slug}`, formerSlugs }))
  }
  rows = []
  const resolve = async (projectId: string) => {
    const found = await store.blogs.resolveSlug({ ...ACME, projectId }, 'old')
    return [found?.kind, found?.blog.id ?? null, found?.blog.slug]
  }
  t.strictSame(await resolve('a'), ['gone', 'a-1099', 'old'])
  t.equal((await resolve('b'))[2], 'b-old')
  t.equal((await store.blogs.resolveSlug(ACME, 'old'))?.blog.slug, 'b-old', 'the last of all projects')
  t.ok(Math.max(...rows) <= 1, 'rows that a statement returns')
  rows = []
  t.strictSame(
    (await store.blogs.redirects(ACME)).map(({ projectId, from }) => [from, projectId]),
    [
      ['old', 'b'],
      ['old', 'c'],
      ['other', 'a'],
      ['other', 'b']
    ]
  )
  t.ok(Math.max(...rows) <= 1_000, 'rows that a step of redirects reads')
})

t.test('the last blog that gave up a slug is found by an index', async (t) => {
  const { store, executed, plans } = openWatchedStore(t)
  const blog = buildBlog({ slug: 'old' })
  await store.blogs.add(blog)
  await store.blogs.delete(tombstoneOf(blog, { wasPublic: true }), 1)
  executed.clear()
  t.equal((await store.blogs.resolveSlug(ACME, 'old'))?.kind, 'gone')
  await store.blogs.redirects(ACME)
  const former = plans().filter(({ sql }) => sql.includes('former_slugs'))
  const steps = former.flatMap((plan) => plan.steps)
  t.strictSame(steps, [
    'SEARCH former_slugs USING COVERING INDEX former_slugs_by_project (account_id=? AND slug=? AND project_id>?)',
    'SEARCH former_slugs USING COVERING INDEX former_slugs_by_project (account_id=? AND (slug,project_id)>(?,?))'
  ])
  t.strictSame(sorts(steps), [])
})
