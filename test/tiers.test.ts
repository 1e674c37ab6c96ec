import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { deadPatterns, runsOf, TIERS, tierOf, type Tier } from './tiers.ts'

const filesOf = (tier: Tier): string[] => runsOf(tier).flatMap(({ files }) => files)
const ROOT = path.resolve(import.meta.dirname, '..')

t.test('the suffix of a test file selects its tier', async (t) => {
  t.equal(tierOf('test/routes/api/keys.test.ts'), 'fast')
  t.equal(tierOf('test/ports/limits/redis.scaled.test.ts'), 'scaled')
  t.equal(tierOf('test/ports/browser/pool.browser.test.ts'), 'browser')
  t.equal(tierOf('test/stress/fuzz.stress.test.ts'), 'stress')
  for (const tier of TIERS) t.ok(filesOf(tier).length > 0, `${tier} has tests`)
})

t.test('every pattern of tests that depend on the profile matches a file', async (t) => {
  t.strictSame(deadPatterns(), [])
})

t.test('the fast, scaled and browser tiers read nothing outside of the repository', async (t) => {
  for (const tier of ['fast', 'scaled', 'browser'] as const) {
    for (const file of filesOf(tier)) {
      const source = readFileSync(path.join(ROOT, file), 'utf8')
      t.notMatch(source, /data\/real\.ts|shared\/data['/]/, file)
    }
  }
})
