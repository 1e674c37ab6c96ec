import t, { type Test } from 'tap'
import { openSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { STORE_CONTRACT } from '../../../contracts/store.contract.ts'
import type { StoreCase } from '../../../contracts/store/case.ts'

async function keeps(t: Test, contractCase: StoreCase): Promise<void> {
  const path = `${t.testdir()}/store.db`
  let store = await openSqliteStore({ path })
  t.teardown(() => store.close())
  const reopen = async () => {
    await store.close()
    store = await openSqliteStore({ path })
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
