import { blogCollection } from '../ports/store/mongodb/blogs/documents.ts'
import { createBlogs } from '../ports/store/mongodb/blogs/index.ts'
import { foldChanges } from '../ports/store/mongodb/blogs/totals/fold.ts'
import { blogTotalsOf } from '../ports/store/mongodb/blogs/totals/read.ts'
import { openDatabase, type Database } from '../ports/store/mongodb/database.ts'
import { migrate } from '../ports/store/mongodb/migrate.ts'
import { NOT_HIDDEN, productCollection } from '../ports/store/mongodb/products/documents.ts'
import { createProducts } from '../ports/store/mongodb/products/index.ts'
import { foldProducts } from '../ports/store/mongodb/products/totals/fold.ts'
import { productTotalsOf } from '../ports/store/mongodb/products/totals/read.ts'
import { createStorage } from '../ports/store/mongodb/storage.ts'
import { storedBytes } from '../ports/store/mongodb/totals/sizes.ts'
import { buildBlog } from '../test/contracts/store/fixtures/content.ts'
import { buildProduct, fresh } from '../test/contracts/store/fixtures/products.ts'
import type { Bench, BenchRow } from './harness/bench.ts'

/** All sizes. `--scale 1` ends at 10,000. */
const SIZES = [300, 3_000, 10_000, 30_000, 100_000]
const LARGEST = 10_000
const ADDED_AT_ONCE = 200
/** Reads of one measurement. */
const READS = 10
const SCOPE = { accountId: 'acme', projectIds: null }
const PUBLISHED = { ...SCOPE, status: 'published' } as const

/** A short post. */
const createBlog = (index: number) =>
  buildBlog({
    slug: `post-${index}`,
    category: `category ${index % 24}`,
    tags: [`subject ${Math.floor(index / 50)}`, `tag ${index % 7}`],
    locale: ['en', 'de', 'fr'][index % 3]!,
    authors: [{ name: `Author ${index % 5}`, url: null }],
    publishedAt: new Date(Date.UTC(2005, 0, 1) + index * 600_000).toISOString()
  })

const createProduct = (index: number) => buildProduct({ category: `Kitchen > Part ${index % 24}`, claims: [] })

/** The bytes of all records, added up by the server. */
async function addUpBytes(database: Database): Promise<number> {
  const { accountId } = SCOPE
  const sizes = await Promise.all(
    [
      { name: 'blogs', filter: { deleted: false } },
      { name: 'products', filter: NOT_HIDDEN }
    ].map(async ({ name, filter }) => {
      const bytes = { $sum: storedBytes(accountId, ['response']) }
      const stages = [{ $match: { accountId, ...filter } }, { $group: { _id: null, bytes } }]
      const [found] = await database.collection(name).aggregate<{ bytes: number }>(stages).toArray()
      return found!.bytes
    })
  )
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

async function measure(read: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  for (let at = 0; at < READS; at++) await read()
  return (performance.now() - start) / READS
}

export const bench: Bench = {
  summary:
    'Totals of blogs and products, and their storage, over MongoDB: stored, with 40 changes since then, ' +
    'compared with a count by the server.',
  async run({ rounds, scale }) {
    const url = process.env.MONGODB_URL
    if (url === undefined) throw new Error('MONGODB_URL is not set')
    const database = await openDatabase(`${url}bench_totals_${process.pid}`)
    const [blogs, totals] = [createBlogs(database), blogTotalsOf(database)]
    const [products, productTotals] = [createProducts(database), productTotalsOf(database)]
    const storage = createStorage(database)
    const results: BenchRow[] = []
    try {
      await migrate(database)
      let added = 0
      const add = async (count: number): Promise<void> => {
        const indexes = Array.from({ length: count }, () => added++)
        await blogs.addMany(indexes.map((index) => ({ blog: createBlog(index), events: [] })))
        await products.saveMany(indexes.map((index) => fresh(createProduct(index))))
      }
      for (const size of SIZES.filter((one) => one <= LARGEST * scale)) {
        for (let missing = size - added; missing > 0; missing = size - added) {
          await add(Math.min(ADDED_AT_ONCE, missing))
        }
        while ((await foldChanges(database, SCOPE.accountId)) > 0);
        while ((await foldProducts(database, SCOPE.accountId)) > 0);
        await add(40)
        const acts: Record<string, { stored: () => Promise<unknown>; counted: () => Promise<unknown> }> = {
          'total of all': {
            stored: async () => await totals.count(PUBLISHED),
            counted: async () =>
              await blogCollection(database).countDocuments(
                { accountId: SCOPE.accountId, 'metadata.status': 'published' },
                { hint: 'list_by_date' }
              )
          },
          'total of a tag': {
            stored: async () => await totals.count({ ...PUBLISHED, tag: 'tag 3' }),
            counted: async () =>
              await blogCollection(database).countDocuments(
                { accountId: SCOPE.accountId, 'metadata.status': 'published', 'keys.tags': 'tag 3' },
                { hint: 'list_of_tag' }
              )
          },
          'total of all products': {
            stored: async () => await productTotals.count(SCOPE),
            counted: async () =>
              await productCollection(database).countDocuments({ accountId: SCOPE.accountId }, { hint: 'list' })
          },
          storage: {
            stored: async () => (await storage.measure(SCOPE.accountId)).bytes,
            counted: async () => await addUpBytes(database)
          }
        }
        for (const [name, { stored, counted }] of Object.entries(acts)) {
          if ((await stored()) !== (await counted())) throw new Error(`${name} differs from the count`)
          const values: [number[], number[]] = [[], []]
          for (let round = 0; round < rounds; round++) {
            values[0].push(await measure(stored))
            values[1].push(await measure(counted))
          }
          const baseline = { name: 'counted', values: values[1] }
          results.push({ name: `${name}, ${size} blogs and products`, unit: 'ms', values: values[0], baseline })
        }
      }
    } finally {
      await Promise.all([totals.close(), productTotals.close()])
      await database.db.dropDatabase()
      await database.close()
    }
    return results
  }
}
