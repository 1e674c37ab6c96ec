import t, { type Test } from 'tap'
import type { Store } from '../../../../ports/store/port.ts'
import { openDatabase, type Database } from '../../../../ports/store/sqlite/database.ts'
import { durableStore } from '../../../../ports/store/sqlite/durable-store.ts'
import { createSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { STORE_CONTRACT } from '../../../contracts/store.contract.ts'
import type { StoreCase } from '../../../contracts/store/case.ts'

/** Where something is written while no method is known to write: it does not wait for checkpoints. */
const unexpected = new Set<string>()

/** Writes for a long time, so that nothing waits for its end. */
const EXPECTED = 'mergePartitions'

function openStore(path: string): Store {
  // As `openSqliteStore` does.
  const db = openDatabase(path, { hasThread: process.platform !== 'win32' })
  let writing = 0
  const watch = (): void => {
    if (writing > 0) return
    const { stack } = new Error('Written outside of a method that writes')
    if (!stack!.includes(EXPECTED)) unexpected.add(stack!)
  }
  const watched = (transaction: Database['transaction']): Database['transaction'] => {
    return (work) => {
      watch()
      return transaction(work)
    }
  }
  const watchedDb: Database = {
    ...db,
    transaction: watched(db.transaction),
    relaxedTransaction: watched(db.relaxedTransaction),
    deferredTransaction: watched(db.deferredTransaction),
    run(...parameters) {
      watch()
      return db.run(...parameters)
    },
    async write(method) {
      writing += 1
      try {
        return await db.write(method)
      } finally {
        writing -= 1
      }
    }
  }
  return durableStore(createSqliteStore(watchedDb), watchedDb)
}

async function keeps(t: Test, contractCase: StoreCase): Promise<void> {
  const path = `${t.testdir()}/store.db`
  let store = openStore(path)
  t.teardown(() => store.close())
  const reopen = async () => {
    await store.close()
    store = openStore(path)
    return store
  }
  await contractCase.run({ store, reopen })
  t.pass()
}

for (const [collection, cases] of Object.entries(STORE_CONTRACT)) {
  t.test(collection, async (t) => {
    for (const contractCase of cases) await t.test(contractCase.title, (t) => keeps(t, contractCase))
  })
}

t.test('all methods that write are known to write', async (t) => {
  t.same([...unexpected], [])
})
