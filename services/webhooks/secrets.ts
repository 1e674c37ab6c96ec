import { randomBytes } from 'node:crypto'
import type { SealedSecret, WebhookRecord } from '../../ports/store/port.ts'
import { newId } from '../ids.ts'
import type { Seal } from './seal.ts'
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
export function newSecret(seal: Seal, webhookId: string): { text: string; kept: SealedSecret } {
  const text = SECRET_PREFIX + randomBytes(32).toString('base64')
  return {
    text,
    kept: { id: newId(), sealed: seal.seal(webhookId, text), createdAt: new Date().toISOString(), expiresAt: null }
  }
}

/** The secrets that are good at this time, the newest first. */
export function goodSecrets(webhook: Pick<WebhookRecord, 'secrets'>, nowMs = Date.now()): SealedSecret[] {
  return webhook.secrets.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > nowMs)
}

/**
 * The good secrets in the order in which a receiver that knows one only is tried: the one that last
 * earned a 2xx, then the newest.
 */
export function secretsToTry(
  webhook: Pick<WebhookRecord, 'secrets' | 'provenSecret'>,
  nowMs = Date.now()
): SealedSecret[] {
  const good = goodSecrets(webhook, nowMs)
  const proven = good.find(({ id }) => id === webhook.provenSecret)
  return proven === undefined ? good : [proven, ...good.filter((secret) => secret !== proven)]
}

/**
 * The webhook with a new secret; those of before are good for `overlapHours` more, but for no
 * longer than they were.
 */
export function rotated(webhook: WebhookRecord, fresh: SealedSecret, overlapHours: number): WebhookRecord {
  const nowMs = Date.now()
  const until = new Date(nowMs + overlapHours * HOUR_MS).toISOString()
  const olds = goodSecrets(webhook, nowMs).map((secret) =>
    secret.expiresAt !== null && secret.expiresAt < until ? secret : { ...secret, expiresAt: until }
  )
  const kept = goodSecrets({ secrets: olds }, nowMs)
  const proven = kept.find(({ id }) => id === webhook.provenSecret)
  const secrets = [fresh, ...kept.filter((secret, index) => index < MAX_SECRETS - 2 || secret === proven)]
  return { ...webhook, secrets, provenSecret: proven?.id ?? fresh.id }
}

/** The webhook without the secrets that have ended. */
export function withoutEnded(webhook: WebhookRecord): WebhookRecord {
  const secrets = goodSecrets(webhook)
  if (secrets.length === webhook.secrets.length) return webhook
  const proven = secrets.some(({ id }) => id === webhook.provenSecret) ? webhook.provenSecret : secrets[0]!.id
  return { ...webhook, secrets, provenSecret: proven }
}

/** When the last of the older secrets ends; null while there is one secret only. */
export function overlapEnd(webhook: Pick<WebhookRecord, 'secrets'>): string | null {
  const ends = goodSecrets(webhook)
    .map(({ expiresAt }) => expiresAt)
    .filter((end) => end !== null)
  return ends.sort().at(-1) ?? null
}
