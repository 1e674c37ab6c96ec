import type { Store } from '../../ports/store/port.ts'
import { EVENT_API_VERSION } from '../../schemas/event.ts'
import type { PingResult } from '../../schemas/webhook.ts'
import { newId } from '../ids.ts'
import type { AttemptSender } from './attempt.ts'
import { findWebhook } from './find-webhook.ts'
import { createDecryptedSecrets } from './open-secrets.ts'
import type { SecretCipher } from './seal.ts'

const ANSWER_BYTES = 1024

/** Tries a webhook without an event. */
export function createPing({ store, trying, seal }: { store: Store; trying: AttemptSender; seal: SecretCipher }) {
  return {
    /**
     * Sends a signed event of the type `ping` and sequence 0 now, also while the webhook is
     * disabled or paused. Nothing of it is kept.
     */
    async ping(accountId: string, webhookId: string): Promise<PingResult> {
      const webhook = await findWebhook(store, accountId, webhookId)
      const eventId = newId()
      const body = {
        id: eventId,
        type: 'ping',
        apiVersion: EVENT_API_VERSION,
        timestamp: new Date().toISOString(),
        sequence: 0,
        data: { webhookId }
      }
      const message = { eventId, deliveryId: newId(), type: 'ping', body: Buffer.from(JSON.stringify(body)) }
      const secrets = createDecryptedSecrets(seal).forAttempts(webhook)
      const { attempts, outcome } = await trying.send(message, {
        url: webhook.url,
        secrets,
        number: 1,
        maxResponseBytes: ANSWER_BYTES
      })
      const { status, error, detail, durationMs, response } = attempts.at(-1)!
      return { delivered: outcome.delivered, status, error, detail, durationMs, response }
    }
  }
}
