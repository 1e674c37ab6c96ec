import assert from 'node:assert/strict'
import type { IndexedBlog, IndexedNeighbors, RelatedGroup, Store } from '../../../ports/store/port.ts'
import type { StoreCase } from './case.ts'
import { addBlogs, idOf } from './fixtures/content.ts'
import { sweepList } from './fixtures/sweeps.ts'

const GROUP: RelatedGroup = { accountId: 'acme', projectId: 'site', language: 'en' }
const OTHER_GROUP: RelatedGroup = { accountId: 'acme', projectId: 'si', language: 'ten' }
const THEIRS: RelatedGroup = { accountId: 'zeta', projectId: 'site', language: 'en' }

const entry = (number: number, terms: number[], change: Partial<IndexedBlog> = {}): IndexedBlog => ({
  id: idOf(number),
  group: GROUP,
  locale: 'en-gb',
  publishedAt: '2030-01-01T00:00:00.000Z',
  terms: Int32Array.from(terms).sort(),
  weights: Uint16Array.from(terms, (_, at) => 65_535 - at),
  ...change
})
const put = async (store: Store, ...blogs: IndexedBlog[]) =>
  await store.relatedIndex.put(blogs[0]!.group.accountId, { put: blogs, remove: [] })

const NEW = { length: 0, neighbors: [], cosines: [], threshold: 0, computedAt: 0 }
const neighborsOf = (number: number, change: Partial<IndexedNeighbors> = {}) => ({
  id: idOf(number),
  length: 1.5,
  neighbors: [idOf(0x77), 'gone'],
  cosines: [0.75, 0.1],
  threshold: 0.1,
  computedAt: 7,
  ...change
})
const plain = <T extends { terms: Int32Array; weights: Uint16Array }>({ terms, weights, ...rest }: T) => ({
  ...rest,
  terms: [...terms],
  weights: [...weights]
})
const byId = <T extends { id: string }>(list: T[]) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1))
const counts = async (store: Store, group: RelatedGroup, ...terms: number[]) => [
  ...(await store.relatedIndex.countTerms(group, Int32Array.from(terms)))
]
const candidates = async (store: Store, terms: number[], limit = 10) =>
  byId(await store.relatedIndex.candidates(GROUP, { terms: Int32Array.from(terms), limit })).map(({ id }) => id)
const ids = (...numbers: number[]) => numbers.map(idOf)

export const relatedIndexCases: StoreCase[] = [
  {
    title: 'an entry is stored with its terms and no neighbors',
    run: async ({ store, reopen }) => {
      const [a, b] = [entry(1, [-2147483648, 0, 5, 2147483647]), entry(2, [], { publishedAt: null })]
      await put(store, a, b)
      const { relatedIndex } = await reopen()
      const found = await relatedIndex.find('acme', [a.id, b.id, idOf(3)])
      assert.deepEqual(byId(found).map(plain), [
        { ...plain(a), ...NEW },
        { ...plain(b), ...NEW }
      ])
      assert.deepEqual(await relatedIndex.find('zeta', [a.id]), [])
      const { id, locale, publishedAt } = a
      assert.deepEqual(await relatedIndex.findNeighbors('acme', [id]), [{ id, locale, publishedAt, ...NEW }])
      assert.deepEqual(await relatedIndex.findNeighbors('zeta', [id]), [])
      assert.deepEqual(await relatedIndex.find('acme', []), [])
    }
  },
  {
    title: 'terms are counted by group, also after entries were replaced, moved and removed',
    run: async ({ store }) => {
      await put(store, entry(1, [1, 2]), entry(2, [2, 3]), entry(3, [2], { group: OTHER_GROUP }))
      await put(store, entry(4, [2], { group: THEIRS }))
      assert.deepEqual(await counts(store, GROUP, 1, 2, 3, 4), [1, 2, 1, 0])
      assert.deepEqual(await counts(store, OTHER_GROUP, 2, 1), [1, 0])
      assert.deepEqual(await counts(store, { ...GROUP, language: 'de' }, 2), [0])
      await put(store, entry(1, [2, 4]), entry(1 + 4, [4]))
      assert.deepEqual(await counts(store, GROUP, 1, 2, 4), [0, 2, 2])
      await put(store, entry(1, [2, 4], { group: OTHER_GROUP }))
      assert.deepEqual(await counts(store, GROUP, 2, 4), [1, 1])
      assert.deepEqual(await counts(store, OTHER_GROUP, 2, 4), [2, 1])
      await store.relatedIndex.put('acme', { put: [], remove: [idOf(2), idOf(4), 'unknown'] })
      assert.deepEqual(await counts(store, GROUP, 2, 3), [0, 0])
      assert.deepEqual(await counts(store, THEIRS, 2), [1], 'another account keeps its entry')
    }
  },
  {
    title: 'candidates share a term within the group',
    run: async ({ store }) => {
      await put(store, entry(1, [1, 2]), entry(2, [2, 3]), entry(3, [3]), entry(4, [2], { group: OTHER_GROUP }))
      await put(store, entry(5, [2], { group: THEIRS }))
      assert.deepEqual(await candidates(store, [2]), ids(1, 2))
      assert.deepEqual(await candidates(store, [1, 3]), ids(1, 2, 3))
      assert.deepEqual(await candidates(store, [9]), [])
      assert.deepEqual(await candidates(store, []), [])
      await put(store, entry(1, [3]))
      await store.relatedIndex.put('acme', { put: [], remove: [idOf(2)] })
      assert.deepEqual(await candidates(store, [1, 2]), [])
      await store.relatedIndex.saveNeighbors('acme', [neighborsOf(1)])
      const query = { terms: Int32Array.of(3), limit: 9 }
      const [first] = byId(await store.relatedIndex.candidates(GROUP, query)).map(plain)
      assert.deepEqual(first, { id: idOf(1), terms: [3], weights: [65_535], length: 1.5, threshold: 0.1 })
    }
  },
  {
    title: 'of too many candidates, the newest are returned',
    run: async ({ store }) => {
      await put(store, ...[1, 2, 3, 4, 5].map((number) => entry(number, [9, number])))
      assert.deepEqual(await candidates(store, [9], 2), ids(4, 5))
      assert.deepEqual(await candidates(store, [9, 2, 3], 3), ids(3, 4, 5))
    }
  },
  {
    title: 'neighbors are replaced, and a changed entry keeps them until then',
    run: async ({ store }) => {
      await put(store, entry(1, [1]), entry(2, [1]))
      await store.relatedIndex.saveNeighbors('acme', [
        neighborsOf(1),
        neighborsOf(2, { threshold: Infinity }),
        neighborsOf(3)
      ])
      await store.relatedIndex.saveNeighbors('zeta', [neighborsOf(1, { length: 9 })])
      const read = async (number: number) => (await store.relatedIndex.findNeighbors('acme', ids(number)))[0]
      const rest = { locale: 'en-gb', publishedAt: '2030-01-01T00:00:00.000Z' }
      assert.deepEqual(await read(1), { ...neighborsOf(1), ...rest })
      assert.equal((await read(2))?.threshold, Infinity)
      assert.equal(await read(3), undefined, 'a blog that is not in the index is skipped')
      await put(store, entry(1, [2], { locale: 'en' }))
      assert.deepEqual(await read(1), { ...neighborsOf(1), ...rest, locale: 'en', computedAt: 0 })
      await put(store, entry(1, [2], { group: OTHER_GROUP }))
      assert.deepEqual(await read(1), { id: idOf(1), ...rest, ...NEW }, 'but not in another group')
    }
  },
  {
    title: 'neighbors that were read before are read as they are after each change',
    run: async ({ store }) => {
      const { relatedIndex } = store
      const read = async () => byId(await relatedIndex.findNeighbors('acme', ids(1, 2, 3)))
      await put(store, entry(1, [1]), entry(2, [1]), entry(3, [1], { publishedAt: null }))
      assert.deepEqual(
        (await read()).map(({ length }) => length),
        [0, 0, 0]
      )
      const changed = neighborsOf(2, { length: 3, neighbors: ids(1, 3), cosines: [0.9, 0.8] })
      await relatedIndex.saveNeighbors('acme', [neighborsOf(1), changed])
      const rest = { locale: 'en-gb', publishedAt: '2030-01-01T00:00:00.000Z' }
      const third = { id: idOf(3), locale: 'en-gb', publishedAt: null, ...NEW }
      assert.deepEqual(await read(), [{ ...neighborsOf(1), ...rest }, { ...changed, ...rest }, third])
      await relatedIndex.saveNeighbors('acme', [{ ...changed, computedAt: 8 }])
      assert.deepEqual((await read())[1], { ...changed, ...rest, computedAt: 8 })
      await put(store, entry(1, [1, 2], { publishedAt: null }))
      assert.deepEqual((await read())[0], { ...neighborsOf(1), ...rest, publishedAt: null, computedAt: 0 })
      await relatedIndex.put('acme', { put: [], remove: ids(2) })
      await relatedIndex.saveNeighbors('acme', [changed])
      assert.deepEqual(
        (await read()).map(({ id }) => id),
        ids(1, 3),
        'a removed entry is not saved again'
      )
      await put(store, entry(2, [1]))
      assert.deepEqual((await read())[1], { id: idOf(2), ...rest, ...NEW })
      await relatedIndex.clear('acme')
      assert.deepEqual(await read(), [])
    }
  },
  {
    title: 'outdated entries are listed in the order of their computation',
    run: async ({ store }) => {
      await put(store, ...[1, 2, 3, 4].map((number) => entry(number, [1])), entry(5, [1], { group: OTHER_GROUP }))
      await store.relatedIndex.saveNeighbors('acme', [
        neighborsOf(1, { computedAt: 9 }),
        neighborsOf(3, { computedAt: 4 }),
        neighborsOf(2, { computedAt: 4 })
      ])
      const outdated = async (before: number, limit = 9) =>
        (await store.relatedIndex.outdated(GROUP, { before, limit })).map(({ id }) => id)
      assert.deepEqual(await outdated(10), ids(4, 2, 3, 1))
      assert.deepEqual(await outdated(9), ids(4, 2, 3))
      assert.deepEqual(await outdated(5, 2), ids(4, 2))
      assert.deepEqual(await outdated(0), [])
      const [first] = await store.relatedIndex.outdated(GROUP, { before: 1, limit: 1 })
      assert.deepEqual(plain(first!), { ...plain(entry(4, [1])), ...NEW })
    }
  },
  {
    title: 'a group is pending from a change until it is finished',
    run: async ({ store }) => {
      const pending = async (accountId = 'acme') =>
        (await store.relatedIndex.pendingGroups(accountId, 9)).toSorted((a, b) => a.blogs - b.blogs)
      assert.deepEqual(await pending(), [])
      await put(store, entry(1, [1]), entry(2, [1]), entry(3, [1], { group: OTHER_GROUP }))
      const [other, group] = await pending()
      assert.deepEqual(group, { group: GROUP, blogs: 2, changes: 2, computed: 0 })
      assert.deepEqual(other, { group: OTHER_GROUP, blogs: 1, changes: 1, computed: 0 })
      assert.deepEqual(await pending('zeta'), [])
      assert.equal((await store.relatedIndex.pendingGroups('acme', 1)).length, 1)
      assert.deepEqual(await sweepList(store.blogs.pendingRelatedAccounts), ['acme'])
      await store.relatedIndex.finish(OTHER_GROUP, 1)
      await put(store, entry(1, [2]))
      await store.relatedIndex.finish(GROUP, 2)
      assert.deepEqual(await pending(), [{ group: GROUP, blogs: 2, changes: 3, computed: 2 }])
      await store.relatedIndex.finish(GROUP, 3)
      assert.deepEqual(await pending(), [])
      assert.deepEqual(await sweepList(store.blogs.pendingRelatedAccounts), [])
      await store.relatedIndex.put('acme', { put: [], remove: ids(3) })
      assert.deepEqual(await pending(), [], 'an empty group has no work')
      await store.relatedIndex.put('acme', { put: [], remove: ids(1) })
      assert.deepEqual(await pending(), [{ group: GROUP, blogs: 1, changes: 4, computed: 3 }])
      await put(store, entry(2, [1], { group: OTHER_GROUP }))
      assert.deepEqual(await pending(), [{ group: OTHER_GROUP, blogs: 1, changes: 1, computed: 0 }])
    }
  },
  {
    title: 'the state of an index is stored, and clearing it does not affect other accounts',
    run: async ({ store, reopen }) => {
      const none = { version: 0, isComplete: false, afterId: null }
      assert.deepEqual(await store.relatedIndex.state('acme'), none)
      const state = { version: 3, isComplete: false, afterId: idOf(1) }
      await store.relatedIndex.setState('acme', { version: 3, isComplete: true, afterId: null })
      await store.relatedIndex.setState('acme', state)
      await store.relatedIndex.setState('acme-2', state)
      await put(store, entry(1, [1, 2]))
      await put(store, entry(2, [1, 2], { group: { ...GROUP, accountId: 'acme-2' } }))
      const again = await reopen()
      assert.deepEqual(await again.relatedIndex.state('acme'), state)
      await again.relatedIndex.clear('acme')
      await again.relatedIndex.clear('acme')
      assert.deepEqual(await again.relatedIndex.state('acme'), none)
      assert.deepEqual(await again.relatedIndex.find('acme', ids(1)), [])
      assert.deepEqual(await counts(again, GROUP, 1), [0])
      assert.deepEqual(await candidates(again, [1]), [])
      assert.deepEqual(await again.relatedIndex.pendingGroups('acme', 9), [])
      assert.deepEqual(await again.relatedIndex.state('acme-2'), state)
      assert.equal((await again.relatedIndex.find('acme-2', ids(2))).length, 1)
      assert.deepEqual(await counts(again, { ...GROUP, accountId: 'acme-2' }, 1), [1])
    }
  },
  {
    title: 'an entry outlives its blog until it is removed',
    run: async ({ store }) => {
      const [blog] = await addBlogs(store, [{}])
      await put(store, { ...entry(1, [1]), id: blog!.id })
      const { id, accountId, projectId, slug } = blog!
      const deletedAt = '2030-01-02T00:00:00.000Z'
      const tombstone = { id, accountId, projectId, slug, formerSlugs: [], wasPublic: true, deletedAt }
      assert.equal(await store.blogs.delete(tombstone, 1), true)
      assert.equal((await store.relatedIndex.find('acme', [id])).length, 1)
    }
  }
]
