import { AssertionError } from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { openDatabase } from '../../../ports/store/sqlite/database.ts'
import { createSqliteStore } from '../../../ports/store/sqlite/index.ts'
import type { Store } from '../../../ports/store/port.ts'
import { Detections } from '../../contracts/detections.ts'
import { STORE_CONTRACT } from '../../contracts/store.contract.ts'
import type { StoreCase } from '../../contracts/store/case.ts'
import { MUTANTS, type Mutant } from '../../contracts/store/mutants/index.ts'

const detections = new Detections(path.resolve(import.meta.dirname, '../../contracts/store/mutants/detections.json'))
t.teardown(() => detections.save())
const folder = t.testdir()
await openDatabase(`${folder}/empty.db`).close()
let made = 0

/** Opens the file without waiting for the disk, which is many times as fast. */
function openWithoutSync(file: string): Store {
  const db = openDatabase(file)
  db.one('PRAGMA synchronous = OFF')
  return createSqliteStore(db)
}

/** The error of this case with the mutant, or null when the case passes. */
async function failure(contractCase: StoreCase, { wrap }: Mutant): Promise<unknown> {
  const file = `${folder}/${made++}.db`
  copyFileSync(`${folder}/empty.db`, file)
  let store = wrap(openWithoutSync(file))
  const reopen = async () => {
    await store.close()
    store = wrap(openWithoutSync(file))
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

/** The title of the first case that detects the mutant, or null. */
async function detect(mutant: Mutant): Promise<string | null> {
  const name = `${mutant.collection}: ${mutant.title}`
  for (const contractCase of detections.order(name, STORE_CONTRACT[mutant.collection])) {
    const error = await failure(contractCase, mutant)
    // Any error other than a failed assertion is a bug in the mutant or in the case.
    if (error !== null && !(error instanceof AssertionError)) throw error
    if (error !== null) {
      detections.add(name, contractCase.title)
      return contractCase.title
    }
  }
  return null
}

t.test('the contract detects every mutant', async (t) => {
  for (const mutant of MUTANTS) {
    const title = await detect(mutant)
    t.not(title, null, `${mutant.title} → ${title}`)
  }
})

t.test('the contract passes with a store that is only wrapped', async (t) => {
  for (const collection of Object.keys(STORE_CONTRACT) as Mutant['collection'][]) {
    t.equal(await detect({ title: 'none', collection, wrap: (store) => ({ ...store }) }), null, collection)
  }
})
