import { createHmac, randomBytes } from 'node:crypto'
import t from 'tap'
import { hmacSha256, toHmacKey } from '../../../services/webhooks/hmac.ts'

const KEY_BYTES = [0, 1, 32, 50, 63, 64, 65, 200]
/** Around the sizes of a block and of the largest message that is copied. */
const BODY_BYTES = [0, 1, 63, 64, 2000, 16_380, 16_384, 16_385, 100_000]
const HEADS = ['', '019c0000-0000-7000-8000-000000000000.1790000000.', 'é☃.']

t.test('keys, heads and bodies of any length have the same HMAC as in node:crypto', async (t) => {
  for (const keyBytes of KEY_BYTES) {
    const secret = randomBytes(keyBytes)
    const key = toHmacKey(secret)
    for (const bodyBytes of BODY_BYTES) {
      const body = randomBytes(bodyBytes)
      for (const head of HEADS) {
        for (const encoding of ['hex', 'base64'] as const) {
          const expected = createHmac('sha256', secret).update(head).update(body).digest(encoding)
          const label = `${encoding}: key of ${keyBytes}, head of ${head.length}, body of ${bodyBytes}`
          t.equal(hmacSha256(key, { head, body }, encoding), expected, label)
        }
      }
    }
  }
})

t.test('a key signs several messages, and keys do not affect each other', async (t) => {
  const secrets = [randomBytes(32), randomBytes(50)]
  const keys = secrets.map(toHmacKey)
  for (const length of [2000, 3, 0, 500]) {
    const body = randomBytes(length)
    const expected = secrets.map((secret) => createHmac('sha256', secret).update(body).digest('hex'))
    t.same(
      keys.map((key) => hmacSha256(key, { body }, 'hex')),
      expected
    )
  }
})
