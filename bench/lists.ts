import { rmSync } from 'node:fs'
import path from 'node:path'
import type { Store } from '../ports/store/port.ts'
import { openSqliteStore } from '../ports/store/sqlite/index.ts'
import { buildBlog } from '../test/contracts/store/fixtures/content.ts'
import type { Bench, BenchRow } from './harness/bench.ts'
import { median } from './harness/statistics.ts'
import { temporaryFolder } from './harness/temporary-folder.ts'

/** All sizes. `--scale 1` ends at 10,000, and `--scale 10` at 100,000. */
const SIZES = [300, 10_000, 100_000]
const LARGEST = 10_000
/** Blogs that are added by one call. */
const ADDED_AT_ONCE = 160
/** Calls of one measurement. */
const CALLS = 20
const FIRST_PUBLISHED = Date.UTC(2005, 0, 1)
const FIRST_UPDATED = Date.UTC(2026, 0, 1)
const SCOPE = { accountId: 'acme', projectIds: null }

/** A short post: other benchmarks measure what content costs. */
const createBlog = (index: number) =>
  buildBlog({
    slug: `post-${index}`,
    category: `category ${index % 24}`,
    tags: [`subject ${Math.floor(index / 50)}`, `tag ${index % 7}`],
    locale: ['en', 'de', 'fr'][index % 3]!,
    authors: [{ name: `Author ${index % 5}`, url: null }],
    publishedAt: new Date(FIRST_PUBLISHED + index * 600_000).toISOString(),
    updatedAt: new Date(FIRST_UPDATED + index * 100).toISOString()
  })

type Act = () => Promise<unknown>

/** Lists as requests read them, none of which is in a cache. */
function actsOf(store: Store, size: number): Record<string, Act> {
  const list =
    (filter: object, page = 1): Act =>
    async () =>
      await store.blogResponses.list({ ...SCOPE, ...filter }, { page, pageSize: 20, withBody: false })
  const counts =
    (by: 'category' | 'author', scope = {}): Act =>
    async () =>
      await store.blogs.countByLabel(by, { ...SCOPE, ...scope })
  const half = {
    updatedSince: new Date(FIRST_UPDATED + size * 50).toISOString(),
    published: new Date(FIRST_PUBLISHED + size * 300_000).toISOString()
  }
  return {
    'no filter': list({}),
    'page at a third': list({}, Math.ceil(size / 60)),
    'last page': list({}, Math.ceil(size / 20)),
    projectId: list({ projectId: 'site' }),
    category: list({ category: 'category 3' }),
    'category and locale': list({ category: 'category 3', locale: 'en' }),
    'tag of 50 blogs': list({ tag: 'subject 2' }),
    'tag of a seventh': list({ tag: 'tag 3' }),
    'author of a fifth': list({ author: 'Author 2' }),
    locale: list({ locale: 'de' }),
    language: list({ language: 'de' }),
    'updatedSince, half': list({ updatedSince: half.updatedSince }),
    'updatedSince of a project': list({ updatedSince: half.updatedSince, projectId: 'site' }),
    'updatedSince by title': list({ updatedSince: half.updatedSince, sort: 'title' }),
    'publishedAfter, half': list({ publishedAfter: half.published }),
    'publishedBefore, half': list({ publishedBefore: half.published }),
    'by title': list({ sort: 'title' }),
    'category and updatedSince': list({ category: 'category 3', updatedSince: half.updatedSince }),
    'category and tag': list({ category: 'category 3', tag: 'tag 3' }),
    'tag and author': list({ tag: 'tag 3', author: 'Author 2' }),
    'category and publishedAfter': list({ category: 'category 3', publishedAfter: half.published }),
    'locale and updatedSince': list({ locale: 'de', updatedSince: half.updatedSince }),
    'language and updatedSince': list({ language: 'de', updatedSince: half.updatedSince }),
    'page at a third of a locale': list({ locale: 'de' }, Math.ceil(size / 180)),
    'tag and updatedSince': list({ tag: 'tag 3', updatedSince: half.updatedSince }),
    'author and publishedAfter': list({ author: 'Author 2', publishedAfter: half.published }),
    'updatedSince and publishedAfter': list({ updatedSince: half.updatedSince, publishedAfter: half.published }),
    categories: counts('category'),
    'categories of a locale': counts('category', { locale: 'de' }),
    authors: counts('author')
  }
}

async function measure(act: Act, rounds: number): Promise<number[]> {
  await act()
  const values: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    for (let call = 0; call < CALLS; call++) await act()
    const { user, system } = process.cpuUsage(before)
    values.push((user + system) / 1000 / CALLS)
  }
  return values
}

export const bench: Bench = {
  summary:
    'What lists cost in the embedded store with 10,000 blogs: CPU time, compared with the same list of 300 blogs.',
  async run({ rounds, scale }) {
    const folder = temporaryFolder('bench-lists')
    const store = await openSqliteStore({ path: path.join(folder, 'store.db') })
    const sizes = SIZES.filter((size) => size <= LARGEST * scale)
    const results: Map<string, number[]>[] = []
    try {
      let added = 0
      for (const size of sizes) {
        while (added < size) {
          const blogs = Array.from({ length: Math.min(ADDED_AT_ONCE, size - added) }, () => createBlog(added++))
          await store.blogs.addMany(blogs.map((blog) => ({ blog, events: [] })))
        }
        const measured = new Map<string, number[]>()
        for (const [name, act] of Object.entries(actsOf(store, size))) measured.set(name, await measure(act, rounds))
        results.push(measured)
      }
    } finally {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    }
    return [...results[0]!].map(
      ([name, values]): BenchRow => ({
        name,
        unit: 'ms CPU per list',
        values: results.at(-1)!.get(name)!,
        baseline: { name: `${sizes[0]} blogs`, values },
        extra: Object.fromEntries(results.map((of, at) => [`${sizes[at]}`, median(of.get(name)!).toFixed(3)]))
      })
    )
  }
}
