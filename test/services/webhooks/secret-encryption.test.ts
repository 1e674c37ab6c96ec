import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createSecretCipher } from '../../../services/webhooks/secret-encryption.ts'

const SECRET = `whsec_${randomBytes(32).toString('base64')}`

t.test('an encrypted secret can be decrypted, and discloses nothing', async (t) => {
  const cipher = createSecretCipher([randomBytes(32)])
  const encrypted = cipher.encrypt('w1', SECRET)
  t.equal(cipher.decrypt('w1', encrypted), SECRET)
  t.match(encrypted, /^v1\.[\w-]{16}\.[\w-]+$/)
  t.notOk(encrypted.includes(SECRET.slice(6, 20)))
  t.not(cipher.encrypt('w1', SECRET), encrypted, 'twice the same secret is not twice the same text')
})

t.test('an encrypted secret cannot be decrypted with another key, or for another webhook', async (t) => {
  const key = randomBytes(32)
  const encrypted = createSecretCipher([key]).encrypt('w1', SECRET)
  t.equal(
    createSecretCipher([Buffer.from(key)]).decrypt('w1', encrypted),
    SECRET,
    'the same key opens it in another process'
  )
  t.throws(() => createSecretCipher([key]).decrypt('w2', encrypted), 'at another webhook')
  t.throws(() => createSecretCipher([randomBytes(32)]).decrypt('w1', encrypted), 'under another key')
  t.throws(() => createSecretCipher([key]).decrypt('w1', encrypted.replace('v1', 'v2')), 'in a form that is not known')
  const bytes = Buffer.from(encrypted.split('.')[2]!, 'base64url')
  for (const at of [0, 20, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    t.throws(
      () =>
        createSecretCipher([key]).decrypt(
          'w1',
          [...encrypted.split('.').slice(0, 2), changed.toString('base64url')].join('.')
        ),
      `with a changed bit of byte ${at}`
    )
  }
  t.throws(() => createSecretCipher([key]).decrypt('w1', encrypted.slice(0, -8)), 'cut short')
  t.throws(() => createSecretCipher([key]).decrypt('w1', ''), 'empty')
})

t.test(
  'while a key is being changed, what the old one encrypted is opened and what is new is encrypted by the new one',
  async (t) => {
    const [before, after] = [randomBytes(32), randomBytes(32)]
    const old = createSecretCipher([before]).encrypt('w1', SECRET)
    const both = createSecretCipher([after, before])
    t.equal(both.decrypt('w1', old), SECRET)
    t.equal(both.isCurrent('w1', old), false)
    const fresh = both.encrypt('w1', SECRET)
    t.equal(createSecretCipher([after]).decrypt('w1', fresh), SECRET, 'the new key is enough for it')
    t.equal(both.isCurrent('w1', fresh), true)
    t.throws(() => createSecretCipher([before]).decrypt('w1', fresh))
    t.throws(
      () => both.decrypt('w1', createSecretCipher([randomBytes(32)]).encrypt('w1', SECRET)),
      'a key that is neither of them'
    )
    t.throws(() => createSecretCipher([]), RangeError)
  }
)
