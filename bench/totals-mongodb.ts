import { blogCollection } from '../ports/store/mongodb/blogs/documents.ts'
import { createBlogs } from '../ports/store/mongodb/blogs/index.ts'
import { foldChanges } from '../ports/store/mongodb/blogs/totals/fold.ts'
import { blogTotalsOf } from '../ports/store/mongodb/blogs/totals/read.ts'
import { openDatabase } from '../ports/store/mongodb/database.ts'
import { migrate } from '../ports/store/mongodb/migrate.ts'
import { buildBlog } from '../test/contracts/store/fixtures/content.ts'
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

async function measure(read: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  for (let at = 0; at < READS; at++) await read()
  return (performance.now() - start) / READS
}

export const bench: Bench = {
  summary: 'Totals of blogs over MongoDB: stored, with 40 changes since then, compared with a count by the server.',
  async run({ rounds, scale }) {
    const url = process.env.MONGODB_URL
    if (url === undefined) throw new Error('MONGODB_URL is not set')
    const database = await openDatabase(`${url}bench_totals_${process.pid}`)
    const [blogs, totals] = [createBlogs(database), blogTotalsOf(database)]
    const results: BenchRow[] = []
    try {
      await migrate(database)
      let added = 0
      const add = async (count: number): Promise<void> => {
        const made = Array.from({ length: count }, () => ({ blog: createBlog(added++), events: [] }))
        await blogs.addMany(made)
      }
      for (const size of SIZES.filter((one) => one <= LARGEST * scale)) {
        for (let missing = size - added; missing > 0; missing = size - added) {
          await add(Math.min(ADDED_AT_ONCE, missing))
        }
        while ((await foldChanges(database, SCOPE.accountId)) > 0);
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
          results.push({ name: `${name}, ${size} blogs`, unit: 'ms', values: values[0], baseline })
        }
      }
    } finally {
      await totals.close()
      await database.db.dropDatabase()
      await database.close()
    }
    return results
  }
}
