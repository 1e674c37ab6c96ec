import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openDatabase, type Database } from '../../../../ports/store/mongodb/database.ts'
import { migrate } from '../../../../ports/store/mongodb/migrate.ts'
import { productCollection } from '../../../../ports/store/mongodb/products/documents.ts'
import { createProducts } from '../../../../ports/store/mongodb/products/index.ts'
import { COUNTED_PRODUCTS } from '../../../../ports/store/mongodb/products/totals/documents.ts'
import { foldProducts } from '../../../../ports/store/mongodb/products/totals/fold.ts'
import { productTotalsOf } from '../../../../ports/store/mongodb/products/totals/read.ts'
import { createStorage } from '../../../../ports/store/mongodb/storage.ts'
import { totalsMark } from '../../../../ports/store/mongodb/totals/documents.ts'
import { holdCounts } from '../../../../ports/store/mongodb/totals/holds.ts'
import { readUsage, type SizedTotals, type UsageSizes } from '../../../../ports/store/mongodb/totals/usage.ts'
import { fresh } from '../../../contracts/store/fixtures/products.ts'
import { observeClients } from '../../../fixtures/mongodb/command-counts.ts'
import { interruptedAlways, killedAfter, killedEverywhere, survived } from '../../../fixtures/mongodb/faults.ts'
import { bytesOf, productAt } from '../../../fixtures/mongodb/product-totals.ts'
import { MONGODB_URL } from '../../../profile.ts'

const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}
const MARKED = 60
const SIZES: UsageSizes = { part: 6, withoutHold: 20 }
/** Changes that are added to the counts at a time. */
const FOLDED = { changes: 5, bytes: 2 ** 20 }

interface Reply {
  cursor?: { firstBatch?: object[]; nextBatch?: object[] }
}

/** The numbers of records of each reply to a query that computes sizes. */
const replies: number[] = []

function isSize(document: object): boolean {
  return Object.keys(document).sort().join() === 'bytes,records'
}

observeClients((client) => {
  client.on('commandSucceeded', ({ reply }) => {
    const { firstBatch, nextBatch = [] } = (reply as Reply).cursor ?? {}
    const found = (firstBatch ?? nextBatch).filter(isSize)
    if (found.length > 0) replies.push(found.length)
  })
})

async function setUp(t: Test) {
  const url = `${MONGODB_URL}usage_${randomUUID().replaceAll('-', '')}?monitorCommands=true`
  const one = await openDatabase(url)
  const other = await openDatabase(url)
  t.teardown(async () => {
    await productTotalsOf(one).close()
    await one.db.dropDatabase()
    await one.close()
    await other.close()
  })
  await migrate(one)
  const products = productCollection(one)
  await createProducts(one).saveMany(Array.from({ length: MARKED }, (_, at) => fresh(productAt(at))))
  const stored = await products.find({ accountId: 'acme' }).toArray()
  const expected = { records: MARKED, bytes: stored.reduce((bytes, product) => bytes + bytesOf(product), 0) }
  const marked = async () => await products.countDocuments({ totalsMark: { $gt: '' } })
  const markAll = async () => await products.updateMany({ accountId: 'acme' }, { $set: totalsMark('acme') })
  return { one, other, products, expected, marked, markAll }
}

const fold = async (database: Database) => await foldProducts(database, 'acme', FOLDED)

async function measure(database: Database, sizes = SIZES) {
  replies.length = 0
  return await readUsage<SizedTotals>(database, {
    ...{ counted: COUNTED_PRODUCTS, accountId: 'acme', uncounted: ['pending'], sizes },
    fold: async () => await fold(database)
  })
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)

t.test('many changed products are read in parts, and once, while another process counts them', skip, async (t) => {
  const { one, other, expected, marked, markAll } = await setUp(t)
  const counting = interruptedAlways(other, async () => await fold(one))
  t.match(await measure(counting), expected)
  t.ok(Math.max(...replies) <= SIZES.part, replies.join())
  const read = sum(replies)
  t.ok(read > SIZES.withoutHold && read <= MARKED + SIZES.withoutHold + SIZES.part, `${read} products were read`)
  await markAll()
  while ((await marked()) > 0) t.ok((await fold(one)) > 0, 'the counts are not held any more')
  t.match(await measure(other), { ...expected, marked: 0 })
})

t.test('fewer changed products are read twice at most, while another process counts them', skip, async (t) => {
  const { one, other, expected } = await setUp(t)
  const sizes = { ...SIZES, withoutHold: MARKED }
  t.match(
    await measure(
      interruptedAlways(other, async () => await fold(one)),
      sizes
    ),
    expected
  )
  const read = sum(replies)
  t.ok(read > 0 && read <= 2 * MARKED, `${read} products were read`)
})

t.test('storage is exact while other processes mark products, count and measure', skip, async (t) => {
  const { one, other, products, expected, markAll } = await setUp(t)
  for (let round = 0; round < 6; round++) {
    await markAll()
    const ending = new AbortController()
    const working = (async () => {
      for (let step = 0; !ending.signal.aborted; step++) {
        await fold(one)
        if (step % 3 === round % 3) await products.updateMany({ projectId: 'shop' }, { $set: totalsMark('acme') })
        await sleep(round)
      }
    })()
    for (const found of await Promise.all(Array.from({ length: 3 }, () => measure(other)))) {
      t.match(found, expected, `round ${round}`)
    }
    ending.abort()
    await working
  }
})

t.test('counts that a killed process held are changed again after a time', skip, async (t) => {
  const { one, other, expected, markAll } = await setUp(t)
  await killedEverywhere(async (calls) => {
    await markAll()
    const completed = await survived(measure(killedAfter(other, calls)))
    t.match(await measure(one), expected, `killed after ${calls} calls`)
    t.ok((await fold(one)) > 0, `killed after ${calls} calls, and measured`)
    return completed
  })
  await markAll()
  const last = await productCollection(one).findOne({ generation: { $gt: 0 } } as object)
  const { generation } = last as unknown as { generation: number }
  const hold = await holdCounts(one, COUNTED_PRODUCTS, { accountId: 'acme' })
  t.equal(await fold(other), 0, 'held')
  t.equal(await hold!.renew(generation), true)
  await hold!.release()
  const short = await holdCounts(one, COUNTED_PRODUCTS, { accountId: 'acme', holdMs: 1 })
  await sleep(5)
  t.equal(await short!.renew(generation), true)
  await sleep(5)
  t.ok((await fold(other)) > 0, 'not held any more')
  t.equal(await short!.renew(generation), false, 'the counts have changed')
  await short!.release()
  t.equal(await holdCounts(one, COUNTED_PRODUCTS, { accountId: 'other' }), null, 'there are no counts')
})

t.test('a measurement of many changed products is followed by adding them to the counts', skip, async (t) => {
  const { one, expected, marked } = await setUp(t)
  const { products, bytes } = await createStorage(one).measure('acme')
  t.same({ records: products, bytes }, expected)
  for (let waits = 0; waits < 100 && (await marked()) > 0; waits++) await sleep(50)
  t.equal(await marked(), 0)
})
