import { AssertionError } from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { openSqliteStore } from '../../ports/store/sqlite/index.ts'
import type { Store } from '../../ports/store/port.ts'
import { STORE_CONTRACT } from '../contracts/store.contract.ts'
import type { StoreCase } from '../contracts/store/case.ts'
import { SABOTAGES, type Sabotage } from '../contracts/store/sabotages.ts'

/** Why the sabotaged store fails this case; null when it passes. */
async function failure (contractCase: StoreCase, { wrap }: Sabotage): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'store-'))
  const path = join(folder, 'store.db')
  let store: Store = wrap(await openSqliteStore({ path }))
  const reopen = async () => {
    await store.close()
    store = wrap(await openSqliteStore({ path }))
    return store
  }
  try {
    await contractCase.run({ store, reopen })
    return null
  } catch (error) {
    return error
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
}

t.test('the contract tells a store that breaks one promise from one that keeps them', async (t) => {
  for (const sabotage of SABOTAGES) {
    const noticed: string[] = []
    for (const contractCase of STORE_CONTRACT[sabotage.noun]) {
      const error = await failure(contractCase, sabotage)
      // Any other error than a failed comparison would be a flaw of the sabotage, or of the case.
      if (error !== null && !(error instanceof AssertionError)) throw error
      if (error !== null) noticed.push(contractCase.title)
      if (noticed.length > 0) break
    }
    t.equal(noticed.length, 1, `noticed that ${sabotage.title}${noticed.map((title) => `: ${title}`).join('')}`)
  }
})
