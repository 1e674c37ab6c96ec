import t from 'tap'
import { generateNaughtyStrings, generateXssPayloads } from '../../../data/generate/hostile-strings.ts'
import { seedNote } from '../../../data/seed.ts'
import { small } from '../../../profile.ts'
import { hostileTextProblems } from './checks.ts'

const COUNT = small ? 2_000 : 6_500
const payloads = generateXssPayloads(COUNT)

t.test('no payload bypasses the allow-list of elements, attributes and URLs', async (t) => {
  t.equal(payloads.length, COUNT)
  t.same(payloads.flatMap(hostileTextProblems).slice(0, 10), [], seedNote)
})

t.test('combined payloads are as harmless as single ones', async (t) => {
  for (let from = 0; from < payloads.length; from += 400) {
    t.same(hostileTextProblems(payloads.slice(from, from + 400).join('\n')), [], seedNote)
  }
})

t.test('strings that break other software are rendered safely', async (t) => {
  const strings = generateNaughtyStrings(1_000, { malformed: true })
  t.same(strings.flatMap(hostileTextProblems), [], seedNote)
})
