import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { StartError } from '../../../../errors.ts'
import { convertDocuments } from '../../../../ports/store/mongodb/conversion.ts'
import type { Database } from '../../../../ports/store/mongodb/database.ts'
import { createProducts } from '../../../../ports/store/mongodb/products/index.ts'
import { foldProducts } from '../../../../ports/store/mongodb/products/totals/fold.ts'
import {
  OLDEST_VERSION,
  readSchemaVersion,
  SCHEMA_VERSION,
  schemaCollection
} from '../../../../ports/store/mongodb/schema-version.ts'
import { fresh } from '../../../contracts/store/fixtures/products.ts'
import { interruptedAfter, Killed, killedAfter, killedEverywhere } from '../../../fixtures/mongodb/faults.ts'
import { change, expectedTotals, productAt, readTotals } from '../../../fixtures/mongodb/product-totals.ts'
import { createTestDatabase } from '../../../fixtures/mongodb/test-database.ts'
import { MONGODB_URL } from '../../../profile.ts'

const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}
/** How long another process waits, in milliseconds: twice as long. */
const SHORT_MS = 20
/** A lease that ends during a test. Long enough for what precedes that on a busy machine. */
const LEASE_MS = 2_000

/** A database of the oldest version of the schema, with some products, and two processes. */
async function setUp(t: Test) {
  const own = await createTestDatabase(t)
  const [one, other] = [await own.open(), await own.open()]
  async function begin() {
    await own.empty()
    await schemaCollection(one).updateOne({ _id: 'schema' }, { $set: { version: OLDEST_VERSION } })
    await createProducts(one).saveMany(Array.from({ length: 9 }, (_, at) => fresh(productAt(at))))
  }
  return { one, other, begin }
}

/** What the service does once all processes count. */
async function serve(database: Database): Promise<void> {
  await change(database, 3)
  while ((await foldProducts(database, 'acme')) > 0);
}

/** The same database, without what the process remembers about it. */
const reopened = (database: Database): Database => ({ ...database })

t.test('one process converts at a time', skip, async (t) => {
  const { one, other, begin } = await setUp(t)
  const inProgress = { message: /Another migration of this database is in progress/ }
  let interruptions = 0
  const interrupt = async () => {
    await t.rejects(convertDocuments(other, { leaseMs: SHORT_MS }), inProgress)
    interruptions++
  }
  for (let calls = 1; ; calls++) {
    await begin()
    const before = interruptions
    await convertDocuments(interruptedAfter(one, calls, interrupt))
    t.equal(await readSchemaVersion(one), SCHEMA_VERSION)
    await serve(other)
    t.same(await readTotals(reopened(other)), await expectedTotals(one), `interrupted after call ${calls}`)
    if (interruptions === before) break
  }
  t.ok(interruptions > 5, `${interruptions} interruptions`)
})

t.test('another process continues what a killed one has begun', skip, async (t) => {
  const { one, other, begin } = await setUp(t)
  const kills = await killedEverywhere(async (calls) => {
    await begin()
    const killed = await convertDocuments(killedAfter(one, calls)).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Killed) return true
        throw error
      }
    )
    // As if the time of its lease had passed.
    await other.collection('leases').updateMany({}, { $set: { until: new Date(0).toISOString() } })
    await convertDocuments(other)
    await serve(other)
    t.same(await readTotals(reopened(other)), await expectedTotals(one), `killed after call ${calls}`)
    return !killed
  })
  t.ok(kills > 5, `${kills} kills`)
})

t.test('a process that stopped for longer than its lease changes nothing afterwards', skip, async (t) => {
  const { one, other, begin } = await setUp(t)
  // Before it reads the version, and before it reads the products that it marks.
  for (const [calls, message] of [
    [1, null],
    [8, /stopped for too long/]
  ] as const) {
    await begin()
    const slow = interruptedAfter(one, calls, async () => {
      await delay(1.1 * LEASE_MS)
      await convertDocuments(other)
      await serve(other)
    })
    const ended = convertDocuments(slow, { leaseMs: LEASE_MS })
    if (message === null) await ended
    else await t.rejects(ended, { constructor: StartError, message })
    t.same(await readTotals(reopened(other)), await expectedTotals(one), `stopped after call ${calls}`)
  }
})
