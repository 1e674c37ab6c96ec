import { AssertionError } from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import t from 'tap'
import { openDatabase } from '../../ports/store/sqlite/database.ts'
import { createSqliteStore } from '../../ports/store/sqlite/index.ts'
import type { Store } from '../../ports/store/port.ts'
import { STORE_CONTRACT } from '../contracts/store.contract.ts'
import type { StoreCase } from '../contracts/store/case.ts'
import { SABOTAGES, type Sabotage } from '../contracts/store/sabotages.ts'

const folder = t.testdir()
openDatabase(`${folder}/empty.db`).close()
let made = 0

/**
 * Opens the file without waiting for the disk, which is of no matter here and makes this many times
 * as fast.
 */
function openHastily(path: string): Store {
  const db = openDatabase(path)
  db.one('PRAGMA synchronous = OFF')
  return createSqliteStore(db)
}

/** Why the sabotaged store fails this case; null when it passes. */
async function failure(contractCase: StoreCase, { wrap }: Sabotage): Promise<unknown> {
  const path = `${folder}/${made++}.db`
  copyFileSync(`${folder}/empty.db`, path)
  let store = wrap(openHastily(path))
  const reopen = async () => {
    await store.close()
    store = wrap(openHastily(path))
    return store
  }
  try {
    await contractCase.run({ store, reopen })
    return null
  } catch (error) {
    return error
  } finally {
    await store.close()
  }
}

/** What the contract notices first of the sabotage; null when it notices nothing. */
async function noticed(sabotage: Sabotage): Promise<string | null> {
  for (const contractCase of STORE_CONTRACT[sabotage.noun]) {
    const error = await failure(contractCase, sabotage)
    // Any other error than a failed comparison would be a flaw of the sabotage, or of the case.
    if (error !== null && !(error instanceof AssertionError)) throw error
    if (error !== null) return contractCase.title
  }
  return null
}

t.test('the contract notices every broken promise', async (t) => {
  for (const sabotage of SABOTAGES) {
    const title = await noticed(sabotage)
    t.not(title, null, `${sabotage.title} → ${title}`)
  }
})

t.test('the contract finds nothing wrong with a store that is only wrapped', async (t) => {
  for (const noun of Object.keys(STORE_CONTRACT) as Sabotage['noun'][]) {
    t.equal(await noticed({ title: 'none', noun, wrap: (store) => ({ ...store }) }), null, noun)
  }
})
