import assert from 'node:assert/strict'
import t, { type Test } from 'tap'
import type { Database } from '../../../../ports/store/mongodb/database.ts'
import { createEvents } from '../../../../ports/store/mongodb/events/index.ts'
import { createImports, importErrorCollection, importCollection } from '../../../../ports/store/mongodb/imports.ts'
import type { ImportRecord, Store } from '../../../../ports/store/port.ts'
import { minute } from '../../../contracts/store/given.ts'
import { anImport, anImportError, aStep } from '../../../contracts/store/product-given.ts'
import { anEvent } from '../../../contracts/store/webhook-given.ts'
import { killedAfter, killedEverywhere, survived } from '../../../fixtures/mongodb/faults.ts'
import { createTestDatabase } from '../../../fixtures/mongodb/test-database.ts'
import { MONGODB_URL } from '../../../profile.ts'

type Part = Pick<Store, 'imports' | 'events'>
const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}
const storeOf = (database: Database): Part => ({ imports: createImports(database), events: createEvents(database) })
const EVERY = { afterLine: 0, limit: 10_000 }

async function given(t: Test) {
  const own = await createTestDatabase(t)
  const [one, other] = [await own.open(), await own.open()]
  return { ...own, one, other, store: storeOf(one), others: storeOf(other) }
}

/** What the store tells of the import: how far it is, the lines that failed and the events. */
async function told({ imports, events }: Part, { id }: ImportRecord) {
  return {
    nextByte: (await imports.find('acme', id))?.nextByte,
    lines: (await imports.errors(id, EVERY)).map(({ line }) => line),
    events: (await events.list('acme', { after: 0, limit: 10 })).length
  }
}

t.test(
  'a step of an import is done with its errors and events or not at all, wherever the process dies, whoever asks first',
  skip,
  async (t) => {
    const { one, empty, store, others } = await given(t)
    const kills = await killedEverywhere(async (calls) => {
      await empty()
      const queued = anImport()
      await store.imports.add(queued)
      const first = await store.imports.advance(aStep(queued, { errors: [anImportError(queued, 1)] }))
      const step = aStep(first!, { errors: [anImportError(queued, 7), anImportError(queued, 5)], events: [anEvent()] })
      const done = await survived(storeOf(killedAfter(one, calls)).imports.advance(step))
      const before = { nextByte: 100, lines: [1], events: 0 }
      const after = { nextByte: 200, lines: [1, 5, 7], events: 1 }
      const left = await told(others, queued)
      t.strictSame(left, left.nextByte === 100 ? before : after, `after ${calls} calls`)
      if (left.nextByte === 100) t.equal((await others.imports.advance(step))?.nextByte, 200)
      else t.equal(await others.imports.advance(step), null)
      t.strictSame(await told(store, queued), after, 'and it is done once when it is done again')
      return done
    })
    t.ok(kills >= 8, `killed ${kills} times`)
  }
)

t.test('a step goes on where a process died after the step before, and shows the errors of both', skip, async (t) => {
  const { one, empty, store, others } = await given(t)
  await killedEverywhere(async (calls) => {
    await empty()
    const queued = anImport()
    await store.imports.add(queued)
    const step = aStep(queued, { errors: [anImportError(queued, 1), anImportError(queued, 2, { externalId: 'old' })] })
    const done = await survived(storeOf(killedAfter(one, calls)).imports.advance(step))
    const standing = await others.imports.find('acme', queued.id)
    if (standing?.nextByte === 100) {
      await others.imports.advance(
        aStep(standing, { errors: [anImportError(queued, 2, { externalId: 'new' }), anImportError(queued, 3)] })
      )
      t.strictSame(
        (await others.imports.errors(queued.id, EVERY)).map(({ line, externalId }) => `${line} ${externalId}`),
        ['1 p', '2 new', '3 p']
      )
    }
    return done
  })
})

t.test(
  'of twenty that do one step in two processes one does, and the errors of no other are seen or kept',
  skip,
  async (t) => {
    const { one, store, others } = await given(t)
    const queued = anImport()
    await store.imports.add(queued)
    const done = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 === 0 ? store : others).imports.advance(
          aStep(queued, {
            change: { nextByte: 100, created: at },
            errors: [anImportError(queued, 100 + at), anImportError(queued, 200 + at)]
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
  }
)

t.test(
  'an import that is removed is gone at once, and all of it goes in the end, wherever the process dies; what it told is told',
  skip,
  async (t) => {
    const { one, empty, store, others } = await given(t)
    const kills = await killedEverywhere(async (calls) => {
      await empty()
      const queued = anImport()
      await store.imports.add(queued)
      // Its event was not moved yet when it died.
      await survived(
        storeOf(killedAfter(one, 4)).imports.advance(
          aStep(queued, {
            change: { status: 'done', finishedAt: minute(1) },
            errors: [anImportError(queued, 1)],
            events: [anEvent()]
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
      t.equal(
        (await importCollection(one).countDocuments({})) + (await importErrorCollection(one).countDocuments({})),
        0
      )
      t.equal((await store.events.list('acme', { after: 0, limit: 5 })).length, 1)
      return done
    })
    t.ok(kills >= 4)
  }
)

t.test('columns are mapped whatever they are called', skip, async (t) => {
  const { store } = await given(t)
  const mapping = JSON.parse('{"Preis (€)":"price","a.b":"title","$inc":"sku","__proto__":"brand","":"mpn"}') as Record<
    string,
    string
  >
  const queued = anImport({ mapping })
  await store.imports.add(queued)
  assert.deepEqual(await store.imports.find('acme', queued.id), queued)
  assert.deepEqual(await store.imports.advance(aStep(queued)), { ...queued, status: 'running', nextByte: 100 })
})

t.test('a step may have errors of more bytes than one message holds', skip, async (t) => {
  const { store, others } = await given(t)
  const queued = anImport()
  await store.imports.add(queued)
  const errors = Array.from({ length: 60 }, (_, at) => anImportError(queued, at + 1, { row: 'x'.repeat(1_000_000) }))
  t.ok(await store.imports.advance(aStep(queued, { errors })))
  t.strictSame(
    (await others.imports.errors(queued.id, { afterLine: 58, limit: 5 })).map(({ line, row }) => [line, row.length]),
    [
      [59, 1_000_000],
      [60, 1_000_000]
    ]
  )
})
