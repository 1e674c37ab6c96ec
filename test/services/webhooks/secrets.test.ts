import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import type { WebhookRecord } from '../../../ports/store/port.ts'
import { createSecretCipher } from '../../../services/webhooks/secret-encryption.ts'
import {
  countValidSecrets,
  createDecryptedSecrets,
  newSecret,
  overlapEndsAt,
  rotateSecret,
  secretsForAttempts,
  withoutExpired
} from '../../../services/webhooks/secrets.ts'

const cipher = createSecretCipher([randomBytes(32)])
const fresh = () => newSecret(cipher, 'w').record
const HOUR = 3_600_000

function aWebhook(): WebhookRecord {
  const first = fresh()
  return { secrets: [first], lastAcceptedSecretId: first.id } as WebhookRecord
}

t.test('a secret is 32 random bytes', async (t) => {
  const { text, record: stored } = newSecret(cipher, 'w')
  t.match(text, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.equal(cipher.decrypt('w', stored.ciphertext), text)
  t.not(newSecret(cipher, 'w').text, text)
})

t.test('the old secret stays good for the overlap, and is tried first until the new one is known', async (t) => {
  const before = aWebhook()
  const next = fresh()
  const webhook = rotateSecret(before, next, 24)
  const old = before.secrets[0]!
  t.same(
    secretsForAttempts(webhook).map(({ id }) => id),
    [old.id, next.id]
  )
  t.same(
    secretsForAttempts({ ...webhook, lastAcceptedSecretId: next.id }).map(({ id }) => id),
    [next.id, old.id]
  )
  t.ok(Math.abs(Date.parse(overlapEndsAt(webhook)!) - Date.now() - 24 * HOUR) < 60_000)
  t.same(
    secretsForAttempts(webhook, Date.now() + 25 * HOUR).map(({ id }) => id),
    [next.id],
    'after it, only the new one'
  )
  const ended = {
    ...webhook,
    secrets: webhook.secrets.map((secret) =>
      secret.id === old.id ? { ...secret, expiresAt: new Date(Date.now() - 1).toISOString() } : secret
    )
  }
  t.same(
    withoutExpired(ended).secrets.map(({ id }) => id),
    [next.id],
    'and the old one is dropped'
  )
  t.equal(withoutExpired(ended).lastAcceptedSecretId, next.id)
  t.equal(overlapEndsAt(ended), null)
})

t.test('without an overlap the old secret ends at once', async (t) => {
  const next = fresh()
  const webhook = rotateSecret(aWebhook(), next, 0)
  t.same(
    webhook.secrets.map(({ id }) => id),
    [next.id]
  )
  t.equal(webhook.lastAcceptedSecretId, next.id)
})

t.test('however often a secret is rotated, the one that the receiver knows is kept for its time', async (t) => {
  const before = aWebhook()
  const known = before.lastAcceptedSecretId
  let webhook = before
  for (let i = 0; i < 10; i++) webhook = rotateSecret(webhook, fresh(), 24 + i)
  t.equal(webhook.secrets.length, 3)
  t.equal(secretsForAttempts(webhook)[0]!.id, known)
  t.ok(
    Date.parse(secretsForAttempts(webhook)[0]!.expiresAt!) < Date.now() + 24.1 * HOUR,
    'for no longer than was said at first'
  )
})

t.test('an attempt after a secret has expired is not signed with it', async (t) => {
  const [first, second] = [newSecret(cipher, 'w'), newSecret(cipher, 'w')]
  const expiresAt = new Date(Date.now() + 50).toISOString()
  const webhook = {
    id: 'w',
    secrets: [first.record, { ...second.record, expiresAt }],
    lastAcceptedSecretId: second.record.id
  } as WebhookRecord
  const secrets = createDecryptedSecrets(cipher)
  const ids = (of: WebhookRecord) => secrets.forAttempts(of).map(({ id }) => id)
  t.same(ids(webhook), [second.record.id, first.record.id])
  t.equal(countValidSecrets(webhook, Date.now()), 2)
  await wait(60)
  t.same(ids(webhook), [first.record.id])
  t.equal(countValidSecrets(webhook, Date.now()), 1)
  const rotated = { ...webhook, secrets: [first.record] }
  t.same(ids(rotated), [first.record.id])
  t.same(ids({ ...rotated, secrets: [second.record, first.record] }), [second.record.id, first.record.id])
})
