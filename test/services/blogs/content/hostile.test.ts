import t from 'tap'
import { generateNaughtyStrings, generateXssPayloads } from '../../../data/generate/hostile-strings.ts'
import { seedNote } from '../../../data/seed.ts'
import { hostileTextProblems } from './checks.ts'

const payloads = generateXssPayloads(6_500)

t.test('no payload gets an element, an attribute or a URL past the allow-list', async (t) => {
  t.ok(payloads.length > 6000)
  t.same(payloads.flatMap(hostileTextProblems).slice(0, 10), [], seedNote)
})

t.test('payloads in one text do no more than each alone', async (t) => {
  for (let from = 0; from < payloads.length; from += 400) {
    t.same(hostileTextProblems(payloads.slice(from, from + 400).join('\n')), [], seedNote)
  }
})

t.test('strings that break other software are rendered safely', async (t) => {
  const strings = generateNaughtyStrings(1_000, { malformed: true })
  t.same(strings.flatMap(hostileTextProblems), [], seedNote)
})
