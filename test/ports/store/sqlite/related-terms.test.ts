import { statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import type { IndexedBlog, RelatedGroup, Store } from '../../../../ports/store/port.ts'
import { openSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { COUNTED_AT_ONCE } from '../../../../ports/store/sqlite/related-terms.ts'
import { undoRelatedTerms } from '../../../fixtures/sqlite/migrations.ts'
import { temporaryFolder } from '../../../helper.ts'

const GROUP: RelatedGroup = { accountId: 'acme', projectId: 'site', language: 'en' }
/** As many terms as a long blog has. */
const TERMS = 200
const VOCABULARY = 20_000
/** A term of every entry, and one of every third. */
const [COMMON, THIRD] = [-7, -3]

/** Terms of one entry are everywhere in the vocabulary. */
function entry(number: number): IndexedBlog {
  const others = Array.from({ length: TERMS }, (_, at) => (number * 7919 + at * 104_729 + at * at * 31) % VOCABULARY)
  const terms = [...new Set([COMMON, ...(number % 3 === 0 ? [THIRD] : []), ...others])]
  return {
    id: `id-${String(number).padStart(6, '0')}`,
    group: GROUP,
    locale: 'en',
    publishedAt: '2030-01-01T00:00:00.000Z',
    terms: Int32Array.from(terms).sort(),
    weights: Uint16Array.from(terms, () => 100)
  }
}
const entries = (first: number, count: number) => Array.from({ length: count }, (_, at) => entry(first + at))
const put = async ({ relatedIndex }: Store, blogs: IndexedBlog[]) =>
  await relatedIndex.put('acme', { put: blogs, remove: [] })
const counts = async ({ relatedIndex }: Store, ...terms: number[]) => [
  ...(await relatedIndex.countTerms(GROUP, Int32Array.from(terms)))
]
const newest = async ({ relatedIndex }: Store, terms: number[], limit: number) =>
  (await relatedIndex.candidates(GROUP, { terms: Int32Array.from(terms), limit })).map(({ id }) => id).sort()

t.test('terms are counted exactly while and after many entries are added, changed and removed', async (t) => {
  const file = path.join(temporaryFolder(t), 'store.db')
  let store = await openSqliteStore({ path: file })
  t.teardown(async () => await store.close())
  const before = COUNTED_AT_ONCE - 10
  await put(store, entries(0, before))
  t.same(await counts(store, COMMON, THIRD, 123_456), [before, Math.ceil(before / 3), 0])
  await put(store, entries(before, 60))
  const all = before + 60
  t.same(await counts(store, COMMON, THIRD), [all, Math.ceil(all / 3)], 'once they are in the table')
  await put(store, entries(all, 3))
  await put(store, [
    { ...entry(0), terms: Int32Array.of(COMMON, 5), weights: Uint16Array.of(1, 1) },
    { ...entry(all), terms: Int32Array.of(5), weights: Uint16Array.of(1) }
  ])
  await store.relatedIndex.put('acme', { put: [], remove: [entry(3).id, entry(all + 1).id] })
  const third = Array.from({ length: all + 3 }, (_, n) => n).filter(
    (n) => n % 3 === 0 && ![0, 3, all, all + 1].includes(n)
  ).length
  const expected = [all + 3 - 3, third]
  t.same(await counts(store, COMMON, THIRD), expected)
  t.same(await newest(store, [COMMON], 2), [entry(all - 1).id, entry(all + 2).id])
  await store.close()
  store = await openSqliteStore({ path: file })
  t.same(await counts(store, COMMON, THIRD), expected, 'and after a restart')
})

t.test('an entry writes few pages, however many terms and entries there are', async (t) => {
  const file = path.join(temporaryFolder(t), 'store.db')
  const store = await openSqliteStore({ path: file })
  t.teardown(async () => await store.close())
  for (let first = 0; first < 1500; first += 50) await put(store, entries(first, 50))
  // Closing writes the log to the file.
  await store.close()
  const reopened = await openSqliteStore({ path: file })
  t.teardown(async () => await reopened.close())
  await put(reopened, entries(2000, 8))
  const bytes = statSync(`${file}-wal`).size / 8
  // A row for each term took 650,000 bytes.
  t.ok(bytes < 60_000, `${bytes} bytes`)
})

t.test('the index of an earlier version is read', async (t) => {
  const file = path.join(temporaryFolder(t), 'store.db')
  const filled = await openSqliteStore({ path: file })
  await put(filled, entries(0, 5))
  await filled.close()
  const db = new DatabaseSync(file)
  undoRelatedTerms(db)
  db.close()
  const store = await openSqliteStore({ path: file })
  t.teardown(async () => await store.close())
  t.same(await counts(store, COMMON, THIRD), [5, 2])
  t.same(await newest(store, [THIRD], 9), [entry(0).id, entry(3).id])
  await store.relatedIndex.put('acme', { put: [entry(6)], remove: [entry(0).id] })
  t.same(await counts(store, COMMON, THIRD), [5, 2])
  t.same(await newest(store, [THIRD], 9), [entry(3).id, entry(6).id])
})
