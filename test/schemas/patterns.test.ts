import { readFileSync } from 'node:fs'
import t from 'tap'
import { patternMessage } from '../../schemas/patterns.ts'

/** All patterns of the API, which a request may not match. */
function patternsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'pattern' && typeof inner === 'string' ? [inner] : patternsOf(inner)
  )
}

t.test('errors say in words what every pattern of the API requires', async (t) => {
  const document: unknown = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
  const patterns = new Set(patternsOf(document))
  t.ok(patterns.size > 15)
  for (const pattern of patterns) {
    t.match(patternMessage(pattern), /^must (?:be|not be|not contain) /, pattern)
    t.notMatch(patternMessage(pattern), /must match|\\S|\^/, pattern)
  }
})

t.test('messages continue the name of a field', async (t) => {
  t.equal(patternMessage('\\S'), 'must not be blank')
  t.equal(patternMessage('^[A-Z]{3}$'), 'must be three capital letters, such as EUR')
  t.equal(
    patternMessage('^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$'),
    'must be a BCP 47 language tag, such as en or de-CH'
  )
  t.equal(patternMessage('^x$'), 'must match ^x$', 'a pattern without words is named')
})
