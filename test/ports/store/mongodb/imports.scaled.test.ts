import assert from 'node:assert/strict'
import t, { type Test } from 'tap'
import type { Database } from '../../../../ports/store/mongodb/database.ts'
import { createEvents } from '../../../../ports/store/mongodb/events/index.ts'
import { createImports, importErrorCollection, importCollection } from '../../../../ports/store/mongodb/imports.ts'
import type { ImportRecord, Store } from '../../../../ports/store/port.ts'
import { minute } from '../../../contracts/store/fixtures/content.ts'
import { buildImport, buildImportError, buildImportStep } from '../../../contracts/store/fixtures/products.ts'
import { buildEvent } from '../../../contracts/store/fixtures/webhooks.ts'
import { killedAfter, killedEverywhere, survived } from '../../../fixtures/mongodb/faults.ts'
import { indexesFor, recordQueries } from '../../../fixtures/mongodb/query-plans.ts'
import { createTestDatabase } from '../../../fixtures/mongodb/test-database.ts'
import { MONGODB_URL } from '../../../profile.ts'

type Part = Pick<Store, 'imports' | 'events'>
const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}
const storeOf = (database: Database): Part => ({ imports: createImports(database), events: createEvents(database) })
const EVERY = { afterLine: 0, limit: 10_000 }

async function setUp(t: Test) {
  const own = await createTestDatabase(t)
  const [one, other] = [await own.open(), await own.open()]
  return { ...own, one, other, store: storeOf(one), others: storeOf(other) }
}

/** The visible state of the import: its position, failed lines and number of events. */
async function stateOf({ imports, events }: Part, { id }: ImportRecord) {
  return {
    nextByte: (await imports.find('acme', id))?.nextByte,
    lines: (await imports.errors(id, EVERY)).map(({ line }) => line),
    events: (await events.list('acme', { after: 0, limit: 10 })).length
  }
}

t.test(
  'a crash at any point leaves a step of an import with its errors and events, or nothing of it',
  skip,
  async (t) => {
    const { one, empty, store, others } = await setUp(t)
    const kills = await killedEverywhere(async (calls) => {
      await empty()
      const queued = buildImport()
      await store.imports.add(queued)
      const first = await store.imports.advance(buildImportStep(queued, { errors: [buildImportError(queued, 1)] }))
      const step = buildImportStep(first!, {
        errors: [buildImportError(queued, 7), buildImportError(queued, 5)],
        events: [buildEvent()]
      })
      const done = await survived(storeOf(killedAfter(one, calls)).imports.advance(step))
      const before = { nextByte: 100, lines: [1], events: 0 }
      const after = { nextByte: 200, lines: [1, 5, 7], events: 1 }
      const left = await stateOf(others, queued)
      t.strictSame(left, left.nextByte === 100 ? before : after, `after ${calls} calls`)
      if (left.nextByte === 100) t.equal((await others.imports.advance(step))?.nextByte, 200)
      else t.equal(await others.imports.advance(step), null)
      t.strictSame(await stateOf(store, queued), after, 'a repeated step is applied once')
      return done
    })
    t.ok(kills >= 8, `killed ${kills} times`)
  }
)

t.test('a step after a crash continues and publishes the errors of both steps', skip, async (t) => {
  const { one, empty, store, others } = await setUp(t)
  await killedEverywhere(async (calls) => {
    await empty()
    const queued = buildImport()
    await store.imports.add(queued)
    const step = buildImportStep(queued, {
      errors: [buildImportError(queued, 1), buildImportError(queued, 2, { externalId: 'old' })]
    })
    const done = await survived(storeOf(killedAfter(one, calls)).imports.advance(step))
    const standing = await others.imports.find('acme', queued.id)
    if (standing?.nextByte === 100) {
      await others.imports.advance(
        buildImportStep(standing, {
          errors: [buildImportError(queued, 2, { externalId: 'new' }), buildImportError(queued, 3)]
        })
      )
      t.strictSame(
        (await others.imports.errors(queued.id, EVERY)).map(({ line, externalId }) => `${line} ${externalId}`),
        ['1 p', '2 new', '3 p']
      )
    }
    return done
  })
})

t.test('one of twenty concurrent attempts at a step succeeds, and the others store no errors', skip, async (t) => {
  const { one, store, others } = await setUp(t)
  const queued = buildImport()
  await store.imports.add(queued)
  const done = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      (at % 2 === 0 ? store : others).imports.advance(
        buildImportStep(queued, {
          change: { nextByte: 100, created: at },
          errors: [buildImportError(queued, 100 + at), buildImportError(queued, 200 + at)]
        })
      )
    )
  )
  const winners = done.flatMap((each, at) => (each === null ? [] : [at]))
  t.equal(winners.length, 1)
  t.equal((await store.imports.find('acme', queued.id))?.created, winners[0])
  t.strictSame(
    (await others.imports.errors(queued.id, EVERY)).map(({ line }) => line),
    [100 + winners[0]!, 200 + winners[0]!]
  )
  t.equal(await importErrorCollection(one).countDocuments({}), 2)
})

t.test('a deleted import disappears at once, and after a crash only its events remain', skip, async (t) => {
  const { one, empty, store, others } = await setUp(t)
  const kills = await killedEverywhere(async (calls) => {
    await empty()
    const queued = buildImport()
    await store.imports.add(queued)
    // The process crashes before it moves the event.
    await survived(
      storeOf(killedAfter(one, 4)).imports.advance(
        buildImportStep(queued, {
          change: { status: 'done', finishedAt: minute(1) },
          errors: [buildImportError(queued, 1)],
          events: [buildEvent()]
        })
      )
    )
    const done = await survived(storeOf(killedAfter(one, calls)).imports.delete('acme', queued.id))
    if (calls > 0) {
      t.equal(await others.imports.find('acme', queued.id), null)
      t.equal(
        (await others.imports.list({ accountId: 'acme', projectIds: null }, { page: 1, pageSize: 5 })).totalCount,
        0
      )
      t.strictSame(await others.imports.errors(queued.id, EVERY), [])
      t.equal(await others.imports.requestCancel('acme', queued.id), null)
    }
    for (const { accountId, id } of await others.imports.finishedBefore(minute(2), 5)) {
      await others.imports.delete(accountId, id)
    }
    t.equal((await importCollection(one).countDocuments({})) + (await importErrorCollection(one).countDocuments({})), 0)
    t.equal((await store.events.list('acme', { after: 0, limit: 5 })).length, 1)
    return done
  })
  t.ok(kills >= 4)
})

t.test('column names may contain any characters', skip, async (t) => {
  const { store } = await setUp(t)
  const mapping = JSON.parse('{"Preis (€)":"price","a.b":"title","$inc":"sku","__proto__":"brand","":"mpn"}') as Record<
    string,
    string
  >
  const queued = buildImport({ mapping })
  await store.imports.add(queued)
  assert.deepEqual(await store.imports.find('acme', queued.id), queued)
  assert.deepEqual(await store.imports.advance(buildImportStep(queued)), {
    ...queued,
    status: 'running',
    nextByte: 100
  })
})

t.test('the errors of a step may exceed the size of one message', skip, async (t) => {
  const { store, others } = await setUp(t)
  const queued = buildImport()
  await store.imports.add(queued)
  const errors = Array.from({ length: 60 }, (_, at) => buildImportError(queued, at + 1, { row: 'x'.repeat(1_000_000) }))
  t.ok(await store.imports.advance(buildImportStep(queued, { errors })))
  for (const line of [59, 60]) {
    const page = await others.imports.errors(queued.id, { afterLine: line - 1, limit: 5 })
    t.strictSame(
      page.map((error) => [error.line, error.row.length]),
      [[line, 1_000_000]]
    )
  }
  t.strictSame(await others.imports.errors(queued.id, { afterLine: 60, limit: 5 }), [])
})

t.test('a count of imports names an index', skip, async (t) => {
  const { one } = await setUp(t)
  const lists: [object, string][] = [
    [{ projectIds: null }, 'list'],
    [{ projectIds: null, projectId: 'shop' }, 'list_by_project'],
    [{ projectIds: ['a', 'b'] }, 'list_by_project']
  ]
  for (const [scope, index] of lists) {
    const queries = await recordQueries(one, async (database) => {
      const filter = { accountId: 'acme', projectIds: null, ...scope }
      await createImports(database).list(filter, { page: 1, pageSize: 5 })
    })
    const count = queries.find(({ hint }) => hint !== undefined)
    t.equal(count?.hint, index, JSON.stringify(scope))
    t.ok(indexesFor({ ...count!, sort: {} }).includes(index), JSON.stringify(scope))
  }
})
