import { randomUUID } from 'node:crypto'
import type { Document } from 'mongodb'
import t from 'tap'
import { createBlogs } from '../../../../ports/store/mongodb/blogs/index.ts'
import { openDatabase } from '../../../../ports/store/mongodb/database.ts'
import { migrate } from '../../../../ports/store/mongodb/migrate.ts'
import { MAX_TRANSLATIONS } from '../../../../ports/store/port.ts'
import { buildBlog } from '../../../contracts/store/fixtures/content.ts'
import { observeClients } from '../../../fixtures/mongodb/command-counts.ts'
import { MONGODB_URL } from '../../../profile.ts'

const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}
const SITE = { accountId: 'acme', projectId: 'site' }
/** Blogs of a group by its key. The keys are not in the order of JavaScript. */
const GROUPS = { a: 2, b: 101, c: 250, d: 60, e: 410, f: 3, '\u{10000}': 2, '\u{ffff}': 120 }

/** Codes for private use: none is an alias of another one. */
function toLocale(at: number): string {
  const letter = (code: number) => String.fromCharCode(97 + code)
  return `q${letter(Math.floor(at / 26))}${letter(at % 26)}`
}

t.test('of groups of any size, so many translations are read as are returned', skip, async (t) => {
  const returned: number[] = []
  observeClients((client) =>
    client.on('commandSucceeded', ({ commandName, reply }) => {
      if (commandName === 'find') returned.push(((reply as Document).cursor as { firstBatch: [] }).firstBatch.length)
    })
  )
  const database = await openDatabase(
    `${MONGODB_URL}translations_${randomUUID().replaceAll('-', '')}?monitorCommands=true`
  )
  t.teardown(async () => {
    await database.db.dropDatabase()
    await database.close()
  })
  await migrate(database)
  const blogs = createBlogs(database)
  const made = Object.entries(GROUPS).flatMap(([translationKey, count]) =>
    Array.from({ length: count }, (_, at) => buildBlog({ translationKey, locale: toLocale(at) }))
  )
  for (let from = 0; from < made.length; from += 200) {
    await blogs.addMany(made.slice(from, from + 200).map((blog) => ({ blog, events: [] })))
  }
  const idsOf = (key: string) =>
    made
      .filter(({ translationKey }) => translationKey === key)
      .map(({ id }) => id)
      .sort()
      .slice(0, MAX_TRANSLATIONS)

  const find = async (keys: string[]) => {
    returned.length = 0
    const found = Map.groupBy(await blogs.findTranslations(SITE, keys), ({ translationKey }) => translationKey)
    return Object.fromEntries(found.entries().map(([key, refs]) => [key, refs.map(({ id }) => id)]))
  }
  const all = Object.keys(GROUPS)
  t.same(await find(all), Object.fromEntries(all.map((key) => [key, idsOf(key)])))
  for (const keys of [['e'], ['none', 'd', 'e', 'e'], ['f', 'c', 'b'], ['a', 'f']]) {
    const known = keys.filter((key) => key !== 'none')
    t.same(await find(keys), Object.fromEntries(known.map((key) => [key, idsOf(key)])))
    const read = returned.reduce((sum, count) => sum + count, 0)
    t.ok(read <= 4 * MAX_TRANSLATIONS, `${keys.join()}: ${returned.join()}`)
  }
  t.equal(returned.length, 1, 'one command for small groups')
})
