import { randomBytes } from 'node:crypto'
import type { EncryptedSecret, WebhookRecord } from '../../ports/store/port.ts'
import { newId } from '../ids.ts'
import type { SecretCipher } from './secret-encryption.ts'
import { SECRET_PREFIX, type SigningSecret, toSigningSecret } from './signing.ts'

/**
 * Valid secrets of a webhook at the same time: the new one, the previous one, and the one that the
 * receiver is known to accept.
 */
export const MAX_SECRETS = 3
const HOUR_MS = 3_600_000

/** Creates a signing secret: `whsec_` and 32 random bytes in base64, and the record to store. */
export function newSecret(cipher: SecretCipher, webhookId: string): { text: string; record: EncryptedSecret } {
  const text = SECRET_PREFIX + randomBytes(32).toString('base64')
  const ciphertext = cipher.encrypt(webhookId, text)
  return { text, record: { id: newId(), ciphertext, createdAt: new Date().toISOString(), expiresAt: null } }
}

/** The secrets that have not expired, the newest first. */
export function validSecrets(webhook: Pick<WebhookRecord, 'secrets'>, nowMs = Date.now()): EncryptedSecret[] {
  return webhook.secrets.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > nowMs)
}

/**
 * The valid secrets in the order of attempts, for a receiver that knows only one of them: first the
 * secret of the last 2xx response, then the newest.
 */
export function secretsForAttempts(
  webhook: Pick<WebhookRecord, 'secrets' | 'lastAcceptedSecretId'>,
  nowMs = Date.now()
): EncryptedSecret[] {
  const valid = validSecrets(webhook, nowMs)
  const accepted = valid.find(({ id }) => id === webhook.lastAcceptedSecretId)
  return accepted === undefined ? valid : [accepted, ...valid.filter((secret) => secret !== accepted)]
}

/**
 * Adds a secret to the webhook. The older ones stay valid for `overlapHours`, but never longer than
 * they were before.
 */
export function rotateSecret(webhook: WebhookRecord, secret: EncryptedSecret, overlapHours: number): WebhookRecord {
  const nowMs = Date.now()
  const until = new Date(nowMs + overlapHours * HOUR_MS).toISOString()
  const limited = validSecrets(webhook, nowMs).map((old) =>
    old.expiresAt !== null && old.expiresAt < until ? old : { ...old, expiresAt: until }
  )
  const valid = validSecrets({ secrets: limited }, nowMs)
  const accepted = valid.find(({ id }) => id === webhook.lastAcceptedSecretId)
  const secrets = [secret, ...valid.filter((old, index) => index < MAX_SECRETS - 2 || old === accepted)]
  return { ...webhook, secrets, lastAcceptedSecretId: accepted?.id ?? secret.id }
}

/** The webhook without its expired secrets. */
export function withoutExpired(webhook: WebhookRecord): WebhookRecord {
  const secrets = validSecrets(webhook)
  if (secrets.length === webhook.secrets.length) return webhook
  const isValid = secrets.some(({ id }) => id === webhook.lastAcceptedSecretId)
  return { ...webhook, secrets, lastAcceptedSecretId: isValid ? webhook.lastAcceptedSecretId : secrets[0]!.id }
}

/** When the last of the older secrets expires; null when there is only one secret. */
export function overlapEndsAt(webhook: Pick<WebhookRecord, 'secrets'>): string | null {
  const ends = validSecrets(webhook)
    .map(({ expiresAt }) => expiresAt)
    .filter((end) => end !== null)
  return ends.sort().at(-1) ?? null
}

/** How many secrets are valid. Without a list, because it is called for every delivery. */
export function countValidSecrets({ secrets }: Pick<WebhookRecord, 'secrets'>, nowMs: number): number {
  let count = 0
  for (const { expiresAt } of secrets) if (expiresAt === null || Date.parse(expiresAt) > nowMs) count += 1
  return count
}

export type DecryptedSecrets = ReturnType<typeof createDecryptedSecrets>

/** A cache of the decrypted secrets of one webhook. Do not keep it longer than one delivery run. */
export function createDecryptedSecrets(cipher: SecretCipher) {
  const cache = new Map<string, SigningSecret>()
  /** The secrets of this webhook, none of which expires. */
  let latest: { webhook: WebhookRecord; secrets: SigningSecret[] } | null = null

  function decrypt(webhook: WebhookRecord): SigningSecret[] {
    return secretsForAttempts(webhook).map(({ id, ciphertext }) => {
      const secret = cache.get(id) ?? toSigningSecret(id, cipher.decrypt(webhook.id, ciphertext))
      cache.set(id, secret)
      return secret
    })
  }

  return {
    /** The valid secrets in the order of attempts. */
    forAttempts(webhook: WebhookRecord): SigningSecret[] {
      if (latest?.webhook === webhook) return latest.secrets
      const secrets = decrypt(webhook)
      latest = webhook.secrets.every(({ expiresAt }) => expiresAt === null) ? { webhook, secrets } : null
      return secrets
    }
  }
}
