import t, { type Test } from 'tap'
import type { Database } from '../../../../ports/store/mongodb/database.ts'
import { createEvents } from '../../../../ports/store/mongodb/events/index.ts'
import { createVisualChecks } from '../../../../ports/store/mongodb/visual-checks.ts'
import type { Store } from '../../../../ports/store/port.ts'
import { buildVisualCheck, buildOutcome } from '../../../contracts/store/fixtures/visual-checks.ts'
import { minute } from '../../../contracts/store/fixtures/content.ts'
import { buildEvent } from '../../../contracts/store/fixtures/webhooks.ts'
import { killedAfter, killedEverywhere, survived } from '../../../fixtures/mongodb/faults.ts'
import { createTestDatabase } from '../../../fixtures/mongodb/test-database.ts'
import { indexesFor, recordQueries } from '../../../fixtures/mongodb/query-plans.ts'
import { MONGODB_URL } from '../../../profile.ts'

type Part = Pick<Store, 'visualChecks' | 'events'>
const storeOf = (database: Database): Part => ({
  visualChecks: createVisualChecks(database),
  events: createEvents(database)
})
const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}

async function setUp(t: Test) {
  const own = await createTestDatabase(t)
  const [one, other] = [await own.open(), await own.open()]
  return { ...own, one, store: storeOf(one), others: storeOf(other) }
}

const eventsOf = async ({ events }: Part) => (await events.list('acme', { after: 0, limit: 100 })).map(({ id }) => id)
/** Ages all slots by a minute, so that slots without owners count as abandoned. */
const advanceOneMinute = async (database: Database) =>
  await database
    .collection<{ _id: string; slots: object[] }>('slots')
    .updateMany({}, { $set: { 'slots.$[].takenAt': Date.now() - 61_000 } })

t.test(
  'concurrent requests and crashes never exceed the number of unfinished checks of an account',
  skip,
  async (t) => {
    const { one, store, others, empty } = await setUp(t)
    const added = await Promise.all(
      Array.from(
        { length: 20 },
        async (_, at) => await (at % 2 === 0 ? store : others).visualChecks.add(buildVisualCheck(), 4)
      )
    )
    t.equal(added.filter(Boolean).length, 4)
    await killedEverywhere(async (calls) => {
      await empty()
      const check = buildVisualCheck()
      const done = await survived(storeOf(killedAfter(one, calls)).visualChecks.add(check, 1))
      t.strictSame(await others.visualChecks.find('acme', check.id), done ? check : null, `killed after ${calls}`)
      await advanceOneMinute(one)
      t.equal(await others.visualChecks.add(buildVisualCheck(), 1), !done)
      return done
    })
  }
)

t.test(
  'a check that crashes while it finishes is running, or finished with its event and without its slot',
  skip,
  async (t) => {
    const { one, store, others, empty } = await setUp(t)
    const kills = await killedEverywhere(async (calls) => {
      await empty()
      const [check, event] = [buildVisualCheck(), buildEvent()]
      await store.visualChecks.add(check, 1)
      await store.visualChecks.start({ accountId: 'acme', id: check.id, at: minute(1), staleBefore: minute(0) })
      const done = await survived(
        storeOf(killedAfter(one, calls)).visualChecks.finish(
          { accountId: 'acme', id: check.id, attempt: 1 },
          buildOutcome(),
          [event]
        )
      )
      const after = (await others.visualChecks.find('acme', check.id))!
      t.match(after, calls === 0 ? { status: 'running', result: null } : buildOutcome(), `killed after ${calls}`)
      t.strictSame(await eventsOf(others), calls === 0 ? [] : [event.id])
      await advanceOneMinute(one)
      t.equal(await others.visualChecks.add(buildVisualCheck(), 1), calls > 0)
      return done
    })
    t.ok(kills > 1)
  }
)

t.test('every query for visual checks has an index', skip, async (t) => {
  const { one, store } = await setUp(t)
  const check = buildVisualCheck()
  const run = { accountId: 'acme', id: check.id, attempt: 1 }
  await store.visualChecks.add(check, 1)
  const operations: Record<string, (part: Part) => Promise<unknown>> = {
    find: async ({ visualChecks }) => await visualChecks.find('acme', check.id),
    list: async ({ visualChecks }) =>
      await visualChecks.list({ accountId: 'acme', blogId: check.blogId }, { page: 2, pageSize: 3 }),
    'the one before': async ({ visualChecks }) => await visualChecks.findPrevious(check),
    unfinished: async ({ visualChecks }) => await visualChecks.unfinished(minute(5), { after: null, limit: 10 }),
    'long ended': async ({ visualChecks }) => await visualChecks.finishedBefore(minute(5), 10),
    run: async ({ visualChecks }) => [
      await visualChecks.start({ ...run, at: minute(1), staleBefore: minute(0) }),
      await visualChecks.release(run),
      await visualChecks.start({ ...run, at: minute(1), staleBefore: minute(0) }),
      await visualChecks.finish({ ...run, attempt: 2 }, buildOutcome(), [buildEvent()])
    ],
    add: async ({ visualChecks }) => await visualChecks.add(buildVisualCheck(), 1),
    remove: async ({ visualChecks }) => {
      await visualChecks.delete('acme', check.id)
    }
  }
  for (const [name, operation] of Object.entries(operations)) {
    const queries = await recordQueries(one, async (database) => await operation(storeOf(database)))
    t.ok(queries.length > 0, name)
    for (const query of queries) t.not(indexesFor(query).length, 0, `${name}: ${JSON.stringify(query)}`)
  }
})

t.test('a count of the checks of a blog names an index', skip, async (t) => {
  const { one } = await setUp(t)
  const lists: [object, string][] = [
    [{}, 'list'],
    [{ url: 'https://tea.example/a' }, 'of_url']
  ]
  for (const [filter, index] of lists) {
    const queries = await recordQueries(one, async (database) => {
      const query = { accountId: 'acme', blogId: 'a', ...filter }
      await createVisualChecks(database).list(query, { page: 1, pageSize: 5 })
    })
    const count = queries.find(({ hint }) => hint !== undefined)
    t.equal(count?.hint, index, JSON.stringify(filter))
    t.ok(indexesFor({ ...count!, sort: {} }).includes(index), JSON.stringify(filter))
  }
})
