import t from 'tap'
import { generateXssPayloads } from '../data/generate/hostile-strings.ts'
import { readPosts } from '../data/posts.ts'
import { readNaughtyStrings, readXssPayloads, REAL_POSTS, skipWithout } from '../data/real.ts'
import { createSeededRandom } from '../fixtures/seeded-random.ts'
import { checkPost, hostileTextProblems } from '../services/blogs/content/checks.ts'

t.test('509 real posts are rendered safely, completely and repeatably', { skip: skipWithout.posts }, async (t) => {
  const checks = readPosts(REAL_POSTS).map(checkPost)
  t.same(
    checks.flatMap(({ problems }) => problems),
    []
  )
  const described = checks.filter(({ isFullyDescribed }) => isFullyDescribed).length
  t.ok(described > 490, `${described} descriptions use the available length`)
})

t.test(
  'no published payload gets an element, an attribute or a URL past the allow-list',
  { skip: skipWithout.payloads },
  async (t) => {
    const payloads = readXssPayloads()
    t.ok(payloads.length > 6000)
    t.same(payloads.flatMap(hostileTextProblems).slice(0, 10), [])
    for (let from = 0; from < payloads.length; from += 400) {
      t.same(hostileTextProblems(payloads.slice(from, from + 400).join('\n')), [], 'payloads in one text')
    }
  }
)

t.test('published naughty strings are rendered safely', { skip: skipWithout.naughtyStrings }, async (t) => {
  t.same(readNaughtyStrings().flatMap(hostileTextProblems), [])
})

t.test('payloads generated from a new seed are rendered safely', async (t) => {
  const seed = Number(process.env.SEED ?? createSeededRandom(Date.now())() * 2 ** 31) >>> 0
  t.same(generateXssPayloads(3_000, seed).flatMap(hostileTextProblems).slice(0, 10), [], `repeat with SEED=${seed}`)
})
