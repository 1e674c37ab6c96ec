import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { openDatabase } from '../../../../ports/store/mongodb/database.ts'
import { openMongodbStore } from '../../../../ports/store/mongodb/index.ts'
import { migrate } from '../../../../ports/store/mongodb/migrate.ts'
import { STORE_CONTRACT } from '../../../contracts/store.contract.ts'
import type { StoreCase } from '../../../contracts/store/case.ts'
import { MONGODB_URL } from '../../../profile.ts'

/**
 * The store contract over MongoDB. All cases use one database, which is emptied before each case.
 */
t.test(
  'the store in MongoDB',
  { skip: MONGODB_URL === undefined ? 'TEST_MONGODB_URL is not set' : false, timeout: 600_000 },
  async (t) => {
    const url = `${MONGODB_URL!}contract_${randomUUID().replaceAll('-', '')}`
    const database = await openDatabase(url)
    await migrate(database)
    t.teardown(async () => {
      await database.db.dropDatabase()
      await database.close()
    })

    async function empty(): Promise<void> {
      for (const { name } of await database.db.listCollections({}, { nameOnly: true }).toArray()) {
        if (name !== 'meta') await database.collection(name).deleteMany({})
      }
    }

    async function keeps(t: Test, contractCase: StoreCase): Promise<void> {
      await empty()
      let store = await openMongodbStore({ url })
      t.teardown(() => store.close())
      const reopen = async () => {
        await store.close()
        store = await openMongodbStore({ url })
        return store
      }
      await contractCase.run({ store, reopen })
      t.pass()
    }

    for (const [collection, cases] of Object.entries(STORE_CONTRACT)) {
      await t.test(collection, async (t) => {
        for (const contractCase of cases) await t.test(contractCase.title, (t) => keeps(t, contractCase))
      })
    }
  }
)
