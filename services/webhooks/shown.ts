import type { DeliveryRecord, WebhookRecord } from '../../ports/store/port.ts'
import type { Delivery, Webhook } from '../../schemas/webhook.ts'
import { overlapEndsAt } from './secrets.ts'

/** A webhook as its account sees it: without its secrets. */
export function toWebhookResponse(webhook: WebhookRecord): Webhook {
  const {
    accountId: _account,
    version: _version,
    secrets: _secrets,
    lastAcceptedSecretId: _proven,
    health,
    ...rest
  } = webhook
  const { pausedUntil, lastSuccessAt } = health
  const isPaused = pausedUntil !== null && Date.parse(pausedUntil) > Date.now()
  return {
    ...rest,
    status: webhook.disabledBy === null ? 'enabled' : 'disabled',
    pausedUntil: isPaused ? pausedUntil : null,
    secretExpiresAt: overlapEndsAt(webhook),
    lastSuccessAt
  }
}

/** A delivery as its account sees it. */
export function toDeliveryResponse({
  accountId: _account,
  eventAt: _at,
  round: _round,
  leasedUntil: _lease,
  ...delivery
}: DeliveryRecord): Delivery {
  return delivery
}
