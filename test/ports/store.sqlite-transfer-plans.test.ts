import t, { type Test } from 'tap'
import { openDatabase, type Database } from '../../ports/store/sqlite/database.ts'
import { createSqliteStore } from '../../ports/store/sqlite/index.ts'
import { everythingIn, fill, KINDS } from '../contracts/store/transfer-given.ts'

/** A filled store, and the query plans of the statements that it has used since `asked` was cleared, by statement. */
async function filled (t: Test) {
  const db = openDatabase(`${t.testdir()}/store.db`)
  t.teardown(db.close)
  const asked = new Map<string, Parameters<Database['all']>>()
  const note = (...call: Parameters<Database['all']>) => asked.set(call[0], call)
  const store = createSqliteStore({
    ...db,
    one: (...call) => note(...call) && db.one(...call),
    all: (...call) => note(...call) && db.all(...call),
    run: (...call) => note(...call) && db.run(...call)
  })
  await fill(store)
  const plans = () => [...asked.values()].map(([sql, ...values]) => ({ sql, steps: db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => detail) }))
  return { store, asked, plans }
}

const flaws = (steps: string[]) => steps.filter((step) => (step.startsWith('SCAN ') && !/^SCAN (json_each|\(subquery|\d|CONSTANT)/.test(step)) || /TEMP B-TREE/.test(step))

t.test('however much there is to move, a page of it is found by an index, in its order', async (t) => {
  const { store, asked, plans } = await filled(t)
  for (const kind of KINDS) {
    const { next } = await store.transfer.page(kind, { after: null, limit: 1 })
    asked.clear()
    await store.transfer.page(kind, { after: next, limit: 1 })
    t.ok(asked.size > 0, kind)
    for (const { sql, steps } of plans()) t.strictSame(flaws(steps), [], `${kind}: ${sql}`)
  }
})

t.test('whether a record is there is found by an index', async (t) => {
  const { store, asked, plans } = await filled(t)
  const everything = await everythingIn(store)
  for (const kind of KINDS) {
    asked.clear()
    await store.transfer.put(kind, everything[kind] as never)
    // What is found is put in the order of nothing: it is one record, or a few.
    for (const { sql, steps } of plans()) t.strictSame(flaws(steps).filter((step) => step.startsWith('SCAN ')), [], `${kind}: ${sql}`)
  }
})
