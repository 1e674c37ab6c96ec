import t from 'tap'
import { createBlogs } from '../../../../ports/store/mongodb/blogs/index.ts'
import { bulkWriteInSlices, readInSlices } from '../../../../ports/store/mongodb/slices.ts'
import { buildBlog, minute } from '../../../contracts/store/fixtures/content.ts'
import { recordQueries } from '../../../fixtures/mongodb/query-plans.ts'
import { createTestDatabase } from '../../../fixtures/mongodb/test-database.ts'
import { MONGODB_URL } from '../../../profile.ts'

const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}
const ITEMS = 100
const MS_PER_ITEM = 1

interface Item {
  _id: number
}

/** Runs work for each item that takes a millisecond, and returns in how many turns of the event loop it was called. */
async function turnsOf(run: (work: <Value>(value: Value) => Value) => Promise<unknown>): Promise<number> {
  let turn = 0
  const turns = new Set<number>()
  let next = setImmediate(function count() {
    turn += 1
    next = setImmediate(count)
  })
  await run((value) => {
    turns.add(turn)
    for (const start = performance.now(); performance.now() - start < MS_PER_ITEM; );
    return value
  })
  clearImmediate(next)
  return turns.size
}

t.test('many documents are read, and many writes are made, with pauses for other requests', skip, async (t) => {
  const database = await (await createTestDatabase(t)).open()
  const collection = database.collection<Item>('items')
  const items = Array.from({ length: ITEMS }, (_, n) => ({ _id: n }))
  const writeTurns = await turnsOf((work) =>
    bulkWriteInSlices(collection, items, (item) => work({ insertOne: { document: item } }))
  )
  t.ok(writeTurns >= 4, `${ITEMS} writes were made in ${writeTurns} turns`)
  let found: Item[] = []
  const readTurns = await turnsOf(async (work) => {
    found = await readInSlices(collection.find({}).map((item) => work(item)))
  })
  t.equal(found.length, ITEMS)
  t.ok(readTurns >= 4, `${ITEMS} documents were read in ${readTurns} turns`)
})

t.test('the translations of a large group are changed by several commands, each of few blogs', skip, async (t) => {
  const database = await (await createTestDatabase(t)).open()
  const group = Array.from({ length: 250 }, (_, n) =>
    // Each has a language of its own, as two letters.
    buildBlog({ translationKey: 'group', locale: String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26)) })
  )
  const outcomes = await createBlogs(database).addMany(group.map((blog) => ({ blog, events: [] })))
  // Some pairs of letters are former codes of the same language, which a group has once.
  const added = outcomes.filter((outcome) => outcome === null).length
  t.ok(added > 220)
  let count = 0
  const queries = await recordQueries(database, async (database) => {
    const { accountId, projectId, id } = group[0]!
    count = await createBlogs(database).touchTranslations(
      { accountId, projectId },
      { translationKeys: ['group'], exceptId: id, at: minute(9) }
    )
  })
  t.equal(count, added - 1)
  const changed = queries.flatMap(({ filter }) => (filter._id as { $in?: string[] } | undefined)?.$in ?? [])
  const sizes = queries.map(({ filter }) => (filter._id as { $in?: string[] } | undefined)?.$in?.length ?? 0)
  t.equal(new Set(changed).size, added - 1)
  t.ok(Math.max(...sizes) < added - 1, `blogs of each command: ${sizes.filter((size) => size > 0).join(', ')}`)
})
