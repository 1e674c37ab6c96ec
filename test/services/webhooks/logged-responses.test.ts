import t from 'tap'
import { createLoggedResponses, firstJsonBytes } from '../../../services/webhooks/logged-responses.ts'
import { buildAttempt } from '../../contracts/store/fixtures/webhooks.ts'

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

t.test('a text is cut where its JSON reaches the limit, not within a character', (t) => {
  for (const [text, bytes] of [
    ['abc', 1],
    ['\u0001', 6],
    ['"', 2],
    ['é', 2],
    ['😀', 4]
  ] as const) {
    const count = Math.ceil(3000 / bytes)
    for (const max of [0, 1, 999, 1000, 1001, 1002, 1003, 3000]) {
      const first = firstJsonBytes(text.repeat(count), max)
      t.ok(text.repeat(count).startsWith(first))
      t.ok(first.isWellFormed())
      const length = jsonBytes(first) - 2
      t.ok(length <= max && length > max - 6, `${JSON.stringify(text)}: ${length} of ${max}`)
    }
  }
  t.equal(firstJsonBytes('short', 1000), 'short')
  t.end()
})

t.test('a failed attempt stores 16 KiB of the response, and a delivered one 1 KiB', (t) => {
  const responses = createLoggedResponses()
  const headers = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x-${at}`, '"'.repeat(100)]))
  for (const response of ['x'.repeat(16_384), '\u0001'.repeat(16_384)]) {
    const attempt = buildAttempt(1, { response, responseHeaders: headers })
    const failed = responses.limit('acme', attempt)
    t.match(failed, { ...attempt, response: String, responseHeaders: {} })
    t.ok(jsonBytes(failed.response) > 16_000 && jsonBytes(failed.response) <= 16_386)
    t.ok(jsonBytes(failed.responseHeaders) > 3500 && jsonBytes(failed.responseHeaders) <= 4096)
    const delivered = responses.limit('acme', { ...attempt, status: 200, error: null })
    t.ok(jsonBytes(delivered.response) > 1000 && jsonBytes(delivered.response) <= 1026)
    t.ok(jsonBytes(delivered.responseHeaders) <= 1024)
  }
  const short = buildAttempt(1)
  t.equal(responses.limit('acme', short), short, 'the usual attempt is not copied')
  t.end()
})

t.test('an account that stored 4 MiB of long responses in an hour stores short ones until the next hour', (t) => {
  let now = 0
  const responses = createLoggedResponses(() => now)
  const attempt = buildAttempt(1, { response: 'x'.repeat(16_384) })
  let stored = 0
  for (let count = 0; count < 1000; count++) stored += responses.limit('acme', attempt).response.length
  t.ok(stored > 4_000_000 && stored < 4 * 2 ** 20 + 1000 * 1024, `${stored}`)
  t.equal(responses.limit('acme', attempt).response.length, 1024)
  t.equal(responses.limit('other', attempt).response.length, 16_384)
  now = 3_600_000
  t.equal(responses.limit('acme', attempt).response.length, 16_384)
  t.end()
})
