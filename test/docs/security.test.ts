import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'

const FILE = path.resolve(import.meta.dirname, '../../docs/security.md')
const page = readFileSync(FILE, 'utf8')
const linked = (text: string): string[] => [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => link!)
/** The rows of the tables with the column "tests", without their heads. */
const rows = page
  .split(/^## /m)
  .filter((section) => /^\|.*\| tests \|$/m.test(section))
  .flatMap((section) => [...section.matchAll(/^\|.*\|$/gm)].map(([row]) => row).slice(2))

t.test('every row of the threat model names tests that exist', async (t) => {
  t.ok(rows.length >= 17, `${rows.length} rows`)
  for (const row of rows) {
    const tests = linked(row.split(' | ').at(-1)!)
    t.ok(tests.length > 0, row)
    for (const link of tests) {
      t.match(link, /\.test\.ts$/)
      t.ok(existsSync(path.resolve(path.dirname(FILE), link)), link)
    }
  }
  for (const link of linked(page)) t.ok(existsSync(path.resolve(path.dirname(FILE), link)), link)
})

t.test('the threat model has every risk of the OWASP API Security Top 10', async (t) => {
  for (let number = 1; number <= 10; number++) {
    t.equal(rows.filter((row) => row.startsWith(`| API${number} `)).length, 1)
  }
})
