import path from 'node:path'
import t, { type Test } from 'tap'
import { openDatabase } from '../../../../ports/store/sqlite/database.ts'
import { createSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { MergedKeys } from '../../../../ports/store/sqlite/products/merged-keys.ts'
import { buildProduct } from '../../../contracts/store/fixtures/products.ts'
import { createChoices, seedNote } from '../../../data/seed.ts'
import { temporaryFolder } from '../../../helper.ts'

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** The merged keys of products with these external ids, by project, and the number of statements that were run. */
async function openKeys(t: Test, keysByProject: string[][]) {
  const db = openDatabase(path.join(temporaryFolder(t), 'store.db'))
  const store = createSqliteStore(db)
  t.teardown(() => store.close())
  const products = keysByProject.flatMap((keys, i) =>
    keys.map((externalId) => buildProduct({ projectId: `p${i}`, externalId }))
  )
  for (let at = 0; at < products.length; at += 1_000) {
    await store.products.saveMany(products.slice(at, at + 1_000).map((product) => ({ product, ifVersion: null })))
  }
  let statements = 0
  const projectNs = db.all<{ n: number }>('SELECT n FROM product_projects').map(({ n }) => n)
  const { all } = db
  db.all = (sql, ...values) => {
    statements++
    return all(sql, ...values)
  }
  return { keys: new MergedKeys(db, projectNs), statements: () => statements }
}

t.test('the keys of several projects have one order, and equal ones are passed together', async (t) => {
  const { index, pick } = createChoices('merged keys')
  const letters = ['a', 'b', 'ab', 'z', '\uE000', '\uFF5E', '𝒜', '🎉', '0']
  const random = () => Array.from({ length: 1 + index(3) }, () => pick(letters)).join('')
  const projects = Array.from({ length: 12 }, () => [...new Set(Array.from({ length: index(60) }, random))])
  const { keys } = await openKeys(t, projects)
  const all = projects.flat().sort(byBytes)
  for (const count of [1, 3, 10]) {
    let [after, before, steps]: [string | null, number, number] = [null, 0, 0]
    for (;;) {
      const upTo = keys.advance(after, count)
      if (upTo === null) break
      const end = all.lastIndexOf(upTo) + 1
      const expected = all[before + count - 1]
      if (upTo !== expected) t.equal(upTo, expected, `${seedNote}, step ${steps} of ${count}`)
      ;[after, before] = [upTo, end]
      steps++
    }
    t.ok(all.length - before < count && steps > 0, `${steps} steps, ${all.length - before} of ${all.length} left`)
  }
  const middle = all[Math.floor(all.length / 2)]!
  t.equal(keys.advance(middle, 2), all[all.lastIndexOf(middle) + 2], 'from any key')
})

t.test('a large project beside many small ones takes few statements', async (t) => {
  const large = Array.from({ length: 4_000 }, (_, i) => `a${String(i).padStart(5, '0')}`)
  const { keys, statements } = await openKeys(t, [large, ...Array.from({ length: 300 }, (_, i) => [`z${i}`])])
  t.equal(keys.advance(null, 1_000), large[999])
  t.equal(keys.advance(large[999]!, 2_500), large[3_499])
  t.ok(statements() < 30, `${statements()} statements`)
  t.equal(keys.advance(large[3_499]!, 900), null)
})
