import t, { type Test } from 'tap'
import { openInProcessQueue } from '../../../../ports/queue/in-process/index.ts'
import { openSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import type { BlogRecord, BlogVector, Store } from '../../../../ports/store/port.ts'
import { createBulkChanges } from '../../../../services/blogs/related/bulk-changes.ts'
import { allRelated, createVector } from '../../../../services/blogs/related/index.ts'
import { createRelatedBlogs } from '../../../../services/blogs/related/refresh.ts'
import { buildBlog, next, tombstoneOf, type BlogChange } from '../../../contracts/store/fixtures/content.ts'
import { sweepList } from '../../../contracts/store/fixtures/sweeps.ts'
import { buildEvent } from '../../../contracts/store/fixtures/webhooks.ts'
import { generatePosts } from '../../../data/generate/posts.ts'
import { seedNote } from '../../../data/seed.ts'

/** More blogs than a group that is computed as a whole. */
const MANY = 100

/** A store with its related blogs. `refresh` runs to the end; `bumps` counts changes that readers see. */
async function startRelated(t: Test) {
  const store = await openSqliteStore({ path: `${t.testdir()}/store.db` })
  t.teardown(() => store.close())
  const queue = openInProcessQueue()
  t.teardown(() => queue.close())
  const clock = { ms: 0 }
  const bulkChanges = createBulkChanges(() => clock.ms)
  let bumps = 0
  const limits = { bumpEpoch: async () => ++bumps } as unknown as Parameters<typeof createRelatedBlogs>[0]['limits']
  const service = createRelatedBlogs({ store, limits, queue, bulkChanges })
  return {
    store,
    service,
    queue,
    clock,
    bulkChanges,
    bumps: () => bumps,
    async refresh() {
      for (let run = 0; run < 1000; run++) if ((await service.refresh('acme')) !== 'continue') return
      throw new Error('The work does not end')
    },
    async add(...changes: BlogChange[]): Promise<BlogRecord[]> {
      const made = changes.map((change) => buildBlog(change))
      for (const blog of made) await store.blogs.add(blog, [buildEvent()])
      return made
    },
    async save(blog: BlogRecord, change: BlogChange): Promise<BlogRecord> {
      const changed = next(blog, change)
      t.equal(await store.blogs.save(changed, blog.version, [buildEvent()]), true)
      return changed
    },
    async delete(blog: BlogRecord): Promise<void> {
      t.equal(await store.blogs.delete(tombstoneOf(blog), blog.version, [buildEvent()]), true)
    }
  }
}

const about = (text: string, change: BlogChange = {}): BlogChange => ({
  title: text,
  ...change,
  body: { vector: createVector({ title: text, description: '', text, locale: change.locale ?? 'en' }) }
})

const subjects = (count: number): BlogChange[] =>
  generatePosts(count).map(({ title, description, text, publishedAt, tags }) => ({
    publishedAt,
    category: tags[0]!,
    body: { vector: createVector({ title, description, text, locale: 'en' }) }
  }))

const relatedIds = async (store: Store, id: string) => (await store.blogs.related('acme', id)).map((entry) => entry.id)

async function allVectors(store: Store): Promise<BlogVector[]> {
  return await store.blogs.vectors('acme', { afterId: null, limit: 10_000 })
}

/** The share of the exact related blogs that the stored lists contain. */
async function agreement(store: Store): Promise<number> {
  const exact = allRelated(await allVectors(store))
  const shares: number[] = []
  for (const { id, related } of exact) {
    const stored = new Set(await relatedIds(store, id))
    if (related.length > 0) shares.push(related.filter((entry) => stored.has(entry.id)).length / related.length)
  }
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

/** The share of the first three related blogs that have the same first subject. */
async function precision(store: Store, blogs: BlogRecord[]): Promise<number> {
  const categories = new Map(blogs.map(({ id, category }) => [id, category]))
  let hits = 0
  for (const { id, category } of blogs) {
    const first = (await relatedIds(store, id)).slice(0, 3)
    hits += first.filter((other) => categories.get(other) === category).length
  }
  return hits / (3 * blogs.length)
}

t.test('lists of a small group are exact after every change', async (t) => {
  const { store, refresh, add, save, delete: remove } = await startRelated(t)
  const isExact = async (message: string) => {
    await refresh()
    const exact = allRelated(await allVectors(store))
    for (const { id, related } of exact) t.same(await store.blogs.related('acme', id), related, message)
  }
  const [a, b] = (await add(about('apple trees'), about('apple pie'), about('motor boats'))) as [BlogRecord, BlogRecord]
  await isExact('after three were published')
  t.same(await relatedIds(store, a.id), [b.id])
  const edited = await save(b, about('motor oil'))
  await isExact('after an edit')
  t.same(await relatedIds(store, a.id), [])
  await add(
    about('apple jam', { locale: 'en-us' }),
    about('apple juice', { projectId: 'other' }),
    about('apple tart', { locale: 'fr' })
  )
  await isExact('blogs of other projects and languages are in groups of their own')
  t.equal((await relatedIds(store, a.id)).length, 1)
  await save(edited, { ...about('apple cider'), status: 'unpublished' })
  await isExact('after a blog was withdrawn')
  await remove(a)
  await isExact('after a deletion')
})

t.test('a change without an effect on related blogs writes no list and bumps nothing', async (t) => {
  const { store, refresh, add, save, bumps } = await startRelated(t)
  const [a] = (await add(about('apple trees'), about('apple pie'))) as [BlogRecord]
  await refresh()
  t.equal(bumps(), 1, 'once for all lists of a run')
  await save(a, { metaDescription: 'Another description', version: 2 })
  await refresh()
  t.equal(bumps(), 1)
  t.same(await store.blogs.pendingRelated('acme', 9), [])
})

t.test(
  'lists of a large group are nearly those of an exact computation, published at once or one by one',
  async (t) => {
    const bulk = await startRelated(t)
    const made = await bulk.add(...subjects(MANY))
    await bulk.refresh()
    const together = await agreement(bulk.store)
    t.ok(together > 0.9, `${together.toFixed(3)} of the entries are those of an exact computation; ${seedNote}`)
    const single = await startRelated(t)
    const blogs: BlogRecord[] = []
    for (const change of subjects(MANY)) {
      blogs.push(...(await single.add(change)))
      await single.refresh()
    }
    const oneByOne = await agreement(single.store)
    t.ok(oneByOne > 0.8, `${oneByOne.toFixed(3)} when each blog is published alone; ${seedNote}`)
    const [first, second] = [await precision(bulk.store, made), await precision(single.store, blogs)]
    t.ok(second > first - 0.03, `precision ${second.toFixed(3)} instead of ${first.toFixed(3)}; ${seedNote}`)
  }
)

t.test('in a large group, a blog enters the lists of those on its subject and leaves them', async (t) => {
  const { store, refresh, add, save, delete: remove } = await startRelated(t)
  await add(...subjects(MANY))
  const kiln = 'wood firing an anagama kiln with ash glaze'
  const [a, b] = (await add(about(kiln), about(`${kiln} again`))) as [BlogRecord, BlogRecord]
  await refresh()
  t.same(
    [await relatedIds(store, a.id), await relatedIds(store, b.id)].map(([first]) => first),
    [b.id, a.id]
  )
  const [c] = (await add(about(`${kiln} at night`))) as [BlogRecord]
  await refresh()
  t.ok((await relatedIds(store, a.id)).slice(0, 2).includes(c.id), 'a new blog enters')
  const edited = await save(b, about('sailing around the cape with a spinnaker'))
  await refresh()
  t.notOk((await relatedIds(store, a.id)).slice(0, 1).includes(b.id), 'an edited blog loses its place')
  await save(edited, { ...about(`${kiln} again`), projectId: 'other' })
  await refresh()
  t.notOk((await relatedIds(store, a.id)).includes(b.id), 'a blog that moved to another project leaves')
  await remove(c)
  await refresh()
  t.same((await relatedIds(store, a.id)).includes(c.id), false, 'a deleted blog leaves')
})

t.test('work on a large group is continued by the next run', async (t) => {
  const { store, service, refresh, add } = await startRelated(t)
  await add(...subjects(MANY))
  let runs = 1
  while ((await service.refresh('acme', () => true)) === 'continue') runs++
  t.ok(runs > 10, `${runs} runs`)
  const lists = new Map<string, string[]>()
  for (const { id } of await allVectors(store)) lists.set(id, await relatedIds(store, id))
  const whole = await startRelated(t)
  await whole.add(...subjects(MANY))
  await whole.refresh()
  const shares = [...lists.values()].map((list) => list.length)
  t.ok(Math.min(...shares) >= 11, 'every blog has a list')
  t.ok((await agreement(store)) > 0.9)
  await refresh()
  t.same(await sweepList(store.blogs.pendingRelatedAccounts), [])
})

t.test('an index of another version is built again', async (t) => {
  const { store, refresh, add } = await startRelated(t)
  const [a, b] = (await add(about('apple trees'), about('apple pie'))) as [BlogRecord, BlogRecord]
  await refresh()
  await store.relatedIndex.put('acme', { put: [], remove: [b.id] })
  await store.relatedIndex.setState('acme', { version: 99, isComplete: true, afterId: null })
  await add(about('motor boats'))
  await refresh()
  t.same(await relatedIds(store, a.id), [b.id])
  t.equal((await store.relatedIndex.find('acme', [a.id, b.id])).length, 2)
})

t.test('the changes of an import are processed when no more batches follow', async (t) => {
  const { store, service, queue, clock, bulkChanges, add } = await startRelated(t)
  await add(...subjects(10))
  bulkChanges.begin('acme')()
  bulkChanges.begin('acme')()
  clock.ms = 1_500
  t.equal(await service.refresh('acme'), undefined)
  t.equal((await store.blogs.pendingRelated('acme', 100)).length, 10, 'the changes wait')
  t.match(await queue.depth('refresh-related'), { waiting: 1, due: 0 }, 'a job is added for later')
  clock.ms = 2_001
  await service.refresh('acme')
  t.strictSame(await store.blogs.pendingRelated('acme', 100), [])
})

t.test('an import that begins during a run interrupts it', async (t) => {
  const { store, service, queue, bulkChanges, add } = await startRelated(t)
  await add(...subjects(MANY))
  let steps = 0
  const isSliceOver = (): boolean => {
    if (++steps === 1) for (let batch = 0; batch < 2; batch++) bulkChanges.begin('acme')()
    return false
  }
  t.equal(await service.refresh('acme', isSliceOver), undefined)
  t.equal(steps, 1)
  t.equal((await store.blogs.pendingRelated('acme', 1000)).length, MANY, 'the changes wait')
  t.match(await queue.depth('refresh-related'), { waiting: 1, due: 0 })
})

t.test('one batch, and an import that does not end, do not delay related blogs', async (t) => {
  const clock = { ms: 0 }
  const bulkChanges = createBulkChanges(() => clock.ms)
  bulkChanges.begin('acme')()
  t.equal(bulkChanges.isRunning('acme'), false, 'one batch')
  for (; clock.ms <= 10 * 60_000; clock.ms += 1_000) bulkChanges.begin('acme')()
  t.equal(bulkChanges.isRunning('acme'), false, 'after ten minutes')
  clock.ms += 5_000
  bulkChanges.begin('acme')()
  bulkChanges.begin('acme')()
  t.equal(bulkChanges.isRunning('acme'), true, 'the next import')
  t.equal(bulkChanges.isRunning('other'), false)
  const end = bulkChanges.begin('acme')
  clock.ms += 60_000
  t.equal(bulkChanges.isRunning('acme'), true, 'a batch that takes long')
  end()
  clock.ms += 2_001
  t.equal(bulkChanges.isRunning('acme'), false)
})
