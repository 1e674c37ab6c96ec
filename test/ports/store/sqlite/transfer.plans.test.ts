import t, { type Test } from 'tap'
import { readAll, fill, KINDS } from '../../../contracts/store/fixtures/transfer.ts'
import { openWatchedStore, sorts } from '../../../fixtures/sqlite/query-plans.ts'

/** A filled store that notes which statements it uses. */
async function filled(t: Test) {
  const watched = openWatchedStore(t)
  await fill(watched.store)
  return watched
}

const flaws = (steps: string[]) => [
  ...steps.filter((step) => step.startsWith('SCAN ') && !/^SCAN (json_each|\(subquery|\d|CONSTANT)/.test(step)),
  ...sorts(steps)
]

t.test('every page of an export is read from an index in order', async (t) => {
  const { store, executed, plans } = await filled(t)
  for (const kind of KINDS) {
    const { next } = await store.transfer.page(kind, { after: null, limit: 1 })
    executed.clear()
    await store.transfer.page(kind, { after: next, limit: 1 })
    t.ok(executed.size > 0, kind)
    for (const { sql, steps } of plans()) t.strictSame(flaws(steps), [], `${kind}: ${sql}`)
  }
})

t.test('the existence of a record is looked up in an index', async (t) => {
  const { store, executed, plans } = await filled(t)
  const everything = await readAll(store)
  for (const kind of KINDS) {
    executed.clear()
    await store.transfer.put(kind, everything[kind] as never)
    // What is found is put in the order of nothing: it is one record, or a few.
    for (const { sql, steps } of plans()) {
      t.strictSame(
        flaws(steps).filter((step) => step.startsWith('SCAN ')),
        [],
        `${kind}: ${sql}`
      )
    }
  }
})
