import t, { type Test } from 'tap'
import type { Store } from '../../../../ports/store/port.ts'
import { buildBlog, ACME, minute, tombstoneOf } from '../../../contracts/store/fixtures/content.ts'
import { plansAfter, sorts } from '../../../fixtures/sqlite/query-plans.ts'

/** The query plans of the statements that the store uses for this act, a line for each step. */
const plansOf = async (t: Test, act: (store: Store) => Promise<unknown>): Promise<string[]> =>
  await plansAfter(
    t,
    async (store) => {
      await store.blogs.add(buildBlog({ id: 'first' }))
      return store
    },
    act
  )

/**
 * Steps that read a whole table, or a whole index of one. Lists of a query's own values are no
 * tables.
 */
const wholeReads = (plan: string[]) =>
  plan.filter(
    (step) => step.startsWith('SCAN ') && !/^SCAN (json_each|ranked|blog_search|\(subquery|\d|CONSTANT)/.test(step)
  )

const PAGE = { page: 3, pageSize: 20, withBody: false }
const list = (filter: object) => async (store: Store) =>
  await store.blogs.list({ ...ACME, status: 'published', ...filter }, PAGE)

t.test('a blog list with one filter, or with a period of it, is read from an index in order', async (t) => {
  const lists: Record<string, [object, string]> = {
    all: [{}, 'blogs_listed'],
    drafts: [{ status: 'draft' }, 'blogs_listed'],
    'any status': [{ status: 'any' }, 'blogs_of_any_status'],
    project: [{ projectId: 'site' }, 'blogs_by_project'],
    'confined to a project': [{ projectIds: ['site'] }, 'blogs_by_project'],
    category: [{ category: 'Tea' }, 'blogs_by_category'],
    locale: [{ locale: 'en' }, 'blogs_by_locale'],
    'confined to a language': [{ projectId: 'site', language: 'en' }, 'blogs_by_project'],
    updatedAt: [{ sort: 'updatedAt' }, 'blogs_by_update'],
    '-updatedAt of a project': [{ sort: '-updatedAt', projectId: 'site' }, 'blogs_by_update'],
    '-updatedAt of any status': [{ sort: '-updatedAt', status: 'any' }, 'blogs_of_any_status_by_update'],
    title: [{ sort: 'title' }, 'blogs_by_title'],
    '-title of any status': [{ sort: '-title', status: 'any' }, 'blogs_of_any_status_by_title'],
    publishAt: [{ sort: 'publishAt', status: 'scheduled' }, 'blogs_by_schedule'],
    publishedAt: [{ sort: 'publishedAt' }, 'blogs_listed'],
    publishedAfter: [{ publishedAfter: minute(1) }, 'blogs_listed'],
    publishedBefore: [{ publishedBefore: minute(1) }, 'blogs_listed'],
    'period of a category': [{ category: 'Tea', publishedAfter: minute(1) }, 'blogs_by_category'],
    'period of a locale': [{ locale: 'en', publishedAfter: minute(1) }, 'blogs_by_locale']
  }
  for (const [name, [filter, index]] of Object.entries(lists)) {
    const plan = await plansAfter(
      t,
      async (store) => {
        for (const status of ['published', 'draft', 'scheduled'] as const) {
          await store.blogs.add(buildBlog({ status, category: 'Tea', publishedAt: minute(status === 'draft' ? 0 : 2) }))
          await store.blogs.add(buildBlog({ status, category: 'Tea', publishedAt: minute(0) }))
        }
        return store
      },
      async (store) => await store.blogs.list({ ...ACME, status: 'published', ...filter }, { ...PAGE, page: 1 })
    )
    t.strictSame([...wholeReads(plan), ...sorts(plan)], [], name)
    const counts =
      /^SEARCH blog_(counts|times) USING PRIMARY KEY .* kind=\? AND status=\? AND (label_key|category=\? AND length)=\?/
    t.ok(
      plan.some((step) => counts.test(step)),
      `the total is stored: ${name}`
    )
    const read = plan.filter((step) => /^SEARCH b USING COVERING/.test(step))
    t.ok(read.length > 0, name)
    for (const step of read) t.match(step, `SEARCH b USING COVERING INDEX ${index} `, name)
  }
})

t.test('labels are counted without reading their blogs', async (t) => {
  for (const label of ['category', 'tag', 'author'] as const) {
    for (const scope of [
      ACME,
      { ...ACME, projectId: 'site', locale: 'en' },
      { ...ACME, projectIds: ['site', 'shop'] }
    ]) {
      const plan = await plansOf(t, async (store) => await store.blogs.countByLabel(label, scope))
      t.ok(
        plan.every((step) => step.startsWith('SEARCH blog_counts USING PRIMARY KEY ') || step.startsWith('USE TEMP')),
        plan.join('; ')
      )
    }
  }
})
t.test('a blog is found by its slug alone, not among all blogs of the account', async (t) => {
  for (const scope of [ACME, { ...ACME, projectIds: ['site'] }, { ...ACME, projectIds: ['site', 'shop'] }]) {
    for (const find of [
      async (store: Store) => await store.blogs.resolveSlug(scope, 'x'),
      async (store: Store) => await store.blogs.findBySlug(scope, 'x'),
      async (store: Store) => await store.blogResponses.find(scope, { slug: 'x' })
    ]) {
      const [first] = await plansOf(t, find)
      t.match(first, /^SEARCH b USING (COVERING )?INDEX blogs_by_slug \(account_id=\? AND slug=\?/)
    }
  }
  const [first] = await plansOf(t, async (store) => await store.blogResponses.find(ACME, { id: 'x' }))
  t.match(first, /^SEARCH b USING INDEX blogs_by_id \(account_id=\? AND status=\? AND id=\?\)/)
})

t.test('translations are read by their key, not among all blogs of the account', async (t) => {
  const project = { accountId: 'acme', projectId: 'site' }
  const acts = [
    async (store: Store) => await store.blogs.findTranslations(project, ['a']),
    async (store: Store) =>
      await store.blogs.touchTranslations(project, { translationKeys: ['a'], exceptId: 'first', at: minute(1) })
  ]
  for (const act of acts) {
    const [first] = await plansOf(t, act)
    t.match(first, /INDEX blogs_by_translation \(account_id=\? AND translation_key=\? AND project_id=\?\)/)
  }
})

t.test('no query scans a whole table', async (t) => {
  const questions: Record<string, (store: Store) => Promise<unknown>> = {
    updatedSince: list({ updatedSince: minute(1) }),
    tag: list({ tag: 'a' }),
    author: list({ author: 'Ann' }),
    translations: async (store) => [
      await store.blogs.findTranslations({ accountId: 'acme', projectId: 'site' }, ['a']),
      await store.blogs.touchTranslations(
        { accountId: 'acme', projectId: 'site' },
        { translationKeys: ['a'], exceptId: 'first', at: minute(1) }
      )
    ],
    'prepared responses': async (store) => [
      await store.blogResponses.find(ACME, { slug: 'x' }),
      await store.blogResponses.find(ACME, { id: 'x' }),
      await store.blogResponses.list(ACME, PAGE),
      await store.blogResponses.save([])
    ],
    'after a position': async (store) => {
      for (const sort of ['-publishedAt', 'publishedAt', 'title', '-title', 'updatedAt', '-updatedAt'] as const) {
        const after = { value: 'x', id: 'first' }
        await store.blogResponses.list({ ...ACME, sort }, { after, limit: 20, withBody: false })
      }
    },
    'confined to projects': list({ projectIds: ['a', 'b'] }),
    search: list({ terms: ['tea', 'g'] }),
    'by slug': async (store) => [await store.blogs.resolveSlug(ACME, 'x'), await store.blogs.findBySlug(ACME, 'x')],
    'by id': async (store) => [
      await store.blogs.find('acme', 'first'),
      await store.blogs.findMetadata('acme', 'first'),
      await store.blogs.findPublished(ACME, ['first'])
    ],
    categories: async (store) => [
      await store.blogs.countByLabel('category', ACME),
      await store.blogs.countByLabel('tag', ACME),
      await store.blogs.countByLabel('author', ACME)
    ],
    removedSince: async (store) => [
      await store.blogs.removedSince(ACME, minute(1), { after: null, limit: 100 }),
      await store.blogs.removedSince({ ...ACME, projectId: 'site' }, minute(1), { after: null, limit: 100 }),
      await store.blogs.removedSince({ ...ACME, projectId: 'site' }, minute(1), {
        after: { at: minute(1), id: 'first' },
        limit: 100
      })
    ],
    redirects: async (store) => await store.blogs.redirects(ACME),
    due: async (store) => await store.blogs.dueToPublish(minute(1), { after: null, limit: 10 }),
    'stale rules': async (store) => await store.blogs.renderedByOtherRules('2', { after: null, limit: 10 }),
    'any in project': async (store) => await store.blogs.existsInProject('acme', 'site'),
    vectors: async (store) => await store.blogs.vectors('acme', { afterId: null, limit: 10 }),
    related: async (store) => [
      await store.blogs.setRelated('acme', [{ id: 'first', related: [] }]),
      await store.blogs.related('acme', 'first')
    ],
    writes: async (store) => await store.blogs.delete(tombstoneOf(buildBlog({ id: 'first' })), 1),
    keys: async (store) => [
      await store.apiKeys.findByHash('x'),
      await store.apiKeys.list('acme'),
      await store.apiKeys.recordUses([{ id: 'x', at: minute(1) }])
    ],
    images: async (store) => [
      await store.images.list('acme', 'first'),
      await store.images.find('first', 'a'),
      await store.images.delete('acme', 'first', 'a')
    ],
    idempotency: async (store) => await store.idempotency.deleteExpired(minute(1)),
    usage: async (store) => await store.usage.hours('acme', minute(1)),
    projects: async (store) => await store.projects.list('acme'),
    accounts: async (store) => await store.accounts.list({ afterId: 'a', limit: 3 })
  }
  for (const [name, question] of Object.entries(questions)) {
    const plan = await plansOf(t, question)
    t.strictSame(wholeReads(plan), [], name)
    t.ok(plan.length > 0, name)
  }
})

t.test('a list after a position is read from an index in order, from the position on', async (t) => {
  const orders = {
    '-publishedAt': 'blogs_listed (account_id=? AND status=? AND published_at>? AND (published_at,id)<(?,?))',
    publishedAt: 'blogs_listed (account_id=? AND status=? AND (published_at,id)>(?,?))',
    '-updatedAt': 'blogs_by_update (account_id=? AND status=? AND (updated_at,id)<(?,?))',
    updatedAt: 'blogs_by_update (account_id=? AND status=? AND (updated_at,id)>(?,?))',
    title: 'blogs_by_title (account_id=? AND status=? AND (title_key,id)>(?,?))',
    '-title': 'blogs_by_title (account_id=? AND status=? AND (title_key,id)<(?,?))'
  } as const
  for (const sort of Object.keys(orders) as (keyof typeof orders)[]) {
    const after = { value: 'x', id: 'first' }
    const plan = await plansOf(t, async (store) => {
      await store.blogResponses.list({ ...ACME, sort }, { after, limit: 20, withBody: false })
    })
    t.strictSame(sorts(plan), [], sort)
    t.ok(
      plan.some((step) => step.includes(orders[sort])),
      `${sort}: ${plan.join('; ')}`
    )
  }
})

t.test('pages over all blogs are read from an index in order', async (t) => {
  for (const act of [
    async (store: Store) => await store.blogs.dueToPublish(minute(1), { after: null, limit: 10 }),
    async (store: Store) => await store.blogs.renderedByOtherRules('2', { after: '["1","a"]', limit: 10 }),
    async (store: Store) => await store.blogs.vectors('acme', { afterId: 'a', limit: 10 })
  ]) {
    t.strictSame(sorts(await plansOf(t, act)), [])
  }
})

t.test('blogs of the current rules are not read to find others', async (t) => {
  const INDEX = 'blogs_by_rules '
  const boundsOf = async (after: string | null) =>
    (await plansOf(t, async (store) => await store.blogs.renderedByOtherRules('2', { after, limit: 10 })))
      .filter((step) => step.includes(INDEX))
      .map((step) => step.slice(step.indexOf(INDEX) + INDEX.length))
  const older = '((rules_version,id)>(?,?) AND rules_version<?)'
  t.strictSame(await boundsOf(null), [older, '(rules_version>?)'])
  t.strictSame(await boundsOf('["1","a"]'), [older, '(rules_version>?)'])
  t.strictSame(await boundsOf('["3","a"]'), ['((rules_version,id)>(?,?))'])
})
