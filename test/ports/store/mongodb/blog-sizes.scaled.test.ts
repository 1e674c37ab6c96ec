import t, { type Test } from 'tap'
import { blogCollection } from '../../../../ports/store/mongodb/blogs/documents.ts'
import { COUNTED_BLOGS, type BlogTotalsDocument } from '../../../../ports/store/mongodb/blogs/totals/documents.ts'
import { foldChanges } from '../../../../ports/store/mongodb/blogs/totals/fold.ts'
import { blogTotalsOf } from '../../../../ports/store/mongodb/blogs/totals/read.ts'
import type { Database } from '../../../../ports/store/mongodb/database.ts'
import { migrate } from '../../../../ports/store/mongodb/migrate.ts'
import { SCHEMA_VERSION, schemaCollection, TIMES_VERSION } from '../../../../ports/store/mongodb/schema-version.ts'
import { createStorage } from '../../../../ports/store/mongodb/storage.ts'
import { totalsCollection, totalsId } from '../../../../ports/store/mongodb/totals/documents.ts'
import { change, expectedTotals, readTotals } from '../../../fixtures/mongodb/blog-totals.ts'
import { interruptedAfter, killedAfter, killedEverywhere, survived } from '../../../fixtures/mongodb/faults.ts'
import { bytesOf } from '../../../fixtures/mongodb/product-totals.ts'
import { recordQueries } from '../../../fixtures/mongodb/query-plans.ts'
import { createTestDatabase } from '../../../fixtures/mongodb/test-database.ts'
import { MONGODB_URL } from '../../../profile.ts'

const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}

async function setUp(t: Test) {
  const own = await createTestDatabase(t)
  const [one, other] = [await own.open(), await own.open()]
  const setVersion = async (version: number) => {
    await schemaCollection(one).updateOne({ _id: 'schema' }, { $set: { version } })
  }
  return { ...own, one, other, setVersion }
}

async function foldAll(database: Database): Promise<void> {
  while ((await foldChanges(database, 'acme')) > 0);
}

/** The same database, without what the process remembers about it. */
const reopened = (database: Database): Database => ({ ...database })

/** What is stored, read from all blogs. */
async function expectedUsage(database: Database) {
  const stored = await blogCollection(database).find({ accountId: 'acme', deleted: false }).toArray()
  return { blogs: stored.length, bytes: stored.reduce((bytes, blog) => bytes + bytesOf(blog), 0) }
}

async function readUsage(database: Database) {
  const { blogs, bytes } = await createStorage(database).measure('acme')
  await blogTotalsOf(database).close()
  return { blogs, bytes }
}

async function addResponses(database: Database): Promise<void> {
  const stored = await blogCollection(database).find({ deleted: false }).limit(2).toArray()
  for (const { _id } of stored) {
    await blogCollection(database).updateOne({ _id }, { $set: { response: { etag: 'x'.repeat(900) } as never } })
  }
}

t.test('the storage of blogs is what the counts contain, and the changes beside them', skip, async (t) => {
  const { one, other } = await setUp(t)
  t.same(await readUsage(reopened(other)), { blogs: 0, bytes: 0 })
  for (let round = 0; round < 3; round++) {
    await change(one, round * 7)
    await addResponses(one)
    t.same(await readUsage(reopened(other)), await expectedUsage(one), `${round}: some changes are marked`)
    await foldAll(one)
    t.same(await readUsage(reopened(other)), await expectedUsage(one), `${round}: none is marked`)
  }
  const queries = await recordQueries(one, async (database) => await createStorage(database).measure('acme'))
  const ofAccount = queries.filter(({ collection, filter }) => collection === 'blogs' && 'accountId' in filter)
  t.same(ofAccount, [], 'no query reads all blogs of the account')
  t.ok(queries.some(({ collection, filter }) => collection === 'blogs' && 'totalsKey' in filter))
})

t.test('storage is exact while another process adds changes to the counts', skip, async (t) => {
  const { one, other, empty } = await setUp(t)
  for (let calls = 0; calls < 6; calls++) {
    await empty()
    await change(one, 0)
    await foldAll(one)
    await change(one, 7)
    const interrupted = interruptedAfter(other, calls, async () => await foldAll(one))
    t.same(await readUsage(interrupted), await expectedUsage(one), `after ${calls} calls`)
  }
})

t.test('counts that began before the migration get sizes, also after a crash', skip, async (t) => {
  const { one, other, empty, setVersion } = await setUp(t)
  const kills = await killedEverywhere(async (calls) => {
    await empty()
    await setVersion(TIMES_VERSION)
    const previous = reopened(one)
    await change(previous, 0)
    await foldAll(previous)
    await change(previous, 7)
    const stored = await totalsCollection<BlogTotalsDocument>(one, COUNTED_BLOGS).findOne({
      _id: totalsId('acme', 'counts')
    })
    t.notOk('bytes' in stored!.counts!, 'as older processes expect')
    t.same(await readUsage(reopened(other)), await expectedUsage(one), 'measured')
    t.match(await migrate(one, { cleanup: true }), { version: SCHEMA_VERSION, isComplete: true })
    const late = reopened(other)
    await setVersion(TIMES_VERSION)
    await foldChanges(late, 'acme')
    await setVersion(SCHEMA_VERSION)
    const completed = await survived(foldChanges(killedAfter(reopened(one), calls), 'acme'))
    t.same(await readUsage(reopened(other)), await expectedUsage(one), `killed after ${calls} calls`)
    // A process that does not know the migration yet continues the sizes, once they have begun.
    await change(late, 14)
    await foldAll(late)
    await foldAll(reopened(one))
    t.same(await readUsage(reopened(other)), await expectedUsage(one), `killed after ${calls} calls, then completed`)
    return completed
  })
  t.ok(kills >= 8, `${kills}`)
  t.same(await readTotals(reopened(other)), await expectedTotals(one), 'other totals are the same')
})

t.test('measuring storage lets sizes begin after the migration', skip, async (t) => {
  const { one, other, setVersion } = await setUp(t)
  await setVersion(TIMES_VERSION)
  const previous = reopened(one)
  await change(previous, 0)
  await foldAll(previous)
  await migrate(one, { cleanup: true })
  const reader = reopened(one)
  t.same(await readUsage(reader), await expectedUsage(one))
  const stored = await totalsCollection<BlogTotalsDocument>(one, COUNTED_BLOGS).findOne({
    _id: totalsId('acme', 'counts')
  })
  t.type(stored!.bytesSince, 'number')
  t.same(await readUsage(reopened(other)), await expectedUsage(one))
})
