import { randomBytes } from 'node:crypto'
import type { EncryptedSecret, WebhookRecord } from '../../ports/store/port.ts'
import { newId } from '../ids.ts'
import type { SecretCipher } from './seal.ts'
import { SECRET_PREFIX } from './sign.ts'

/**
 * Most secrets of a webhook that are good at once: the new one, the one before, and the one that
 * the receiver is known to know.
 */
export const MAX_SECRETS = 3
const HOUR_MS = 3_600_000

/**
 * A new signing secret, `whsec_` and 32 random bytes in base64, and the form in which it is kept.
 */
export function newSecret(seal: SecretCipher, webhookId: string): { text: string; record: EncryptedSecret } {
  const text = SECRET_PREFIX + randomBytes(32).toString('base64')
  return {
    text,
    record: {
      id: newId(),
      ciphertext: seal.encrypt(webhookId, text),
      createdAt: new Date().toISOString(),
      expiresAt: null
    }
  }
}

/** The secrets that are good at this time, the newest first. */
export function validSecrets(webhook: Pick<WebhookRecord, 'secrets'>, nowMs = Date.now()): EncryptedSecret[] {
  return webhook.secrets.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > nowMs)
}

/**
 * The good secrets in the order in which a receiver that knows one only is tried: the one that last
 * earned a 2xx, then the newest.
 */
export function secretsForAttempts(
  webhook: Pick<WebhookRecord, 'secrets' | 'lastAcceptedSecretId'>,
  nowMs = Date.now()
): EncryptedSecret[] {
  const good = validSecrets(webhook, nowMs)
  const proven = good.find(({ id }) => id === webhook.lastAcceptedSecretId)
  return proven === undefined ? good : [proven, ...good.filter((secret) => secret !== proven)]
}

/**
 * The webhook with a new secret; those of before are good for `overlapHours` more, but for no
 * longer than they were.
 */
export function rotateSecret(webhook: WebhookRecord, fresh: EncryptedSecret, overlapHours: number): WebhookRecord {
  const nowMs = Date.now()
  const until = new Date(nowMs + overlapHours * HOUR_MS).toISOString()
  const olds = validSecrets(webhook, nowMs).map((secret) =>
    secret.expiresAt !== null && secret.expiresAt < until ? secret : { ...secret, expiresAt: until }
  )
  const kept = validSecrets({ secrets: olds }, nowMs)
  const proven = kept.find(({ id }) => id === webhook.lastAcceptedSecretId)
  const secrets = [fresh, ...kept.filter((secret, index) => index < MAX_SECRETS - 2 || secret === proven)]
  return { ...webhook, secrets, lastAcceptedSecretId: proven?.id ?? fresh.id }
}

/** The webhook without the secrets that have ended. */
export function withoutExpired(webhook: WebhookRecord): WebhookRecord {
  const secrets = validSecrets(webhook)
  if (secrets.length === webhook.secrets.length) return webhook
  const proven = secrets.some(({ id }) => id === webhook.lastAcceptedSecretId)
    ? webhook.lastAcceptedSecretId
    : secrets[0]!.id
  return { ...webhook, secrets, lastAcceptedSecretId: proven }
}

/** When the last of the older secrets ends; null while there is one secret only. */
export function overlapEndsAt(webhook: Pick<WebhookRecord, 'secrets'>): string | null {
  const ends = validSecrets(webhook)
    .map(({ expiresAt }) => expiresAt)
    .filter((end) => end !== null)
  return ends.sort().at(-1) ?? null
}
