import { problem } from '../../errors.ts'
import type { Store, WebhookRecord } from '../../ports/store/port.ts'

/** The webhook. Throws `webhook_not_found`. */
export async function findWebhook(store: Store, accountId: string, id: string): Promise<WebhookRecord> {
  const webhook = await store.webhooks.find(accountId, id)
  if (webhook === null) throw problem('webhook_not_found', `There is no webhook ${id} in this account.`)
  return webhook
}

/** The webhook, which is enabled. Throws `webhook_not_found` and `webhook_disabled`. */
export async function findEnabledWebhook(store: Store, accountId: string, id: string): Promise<WebhookRecord> {
  const webhook = await findWebhook(store, accountId, id)
  if (webhook.disabledBy !== null) {
    throw problem('webhook_disabled', `The webhook ${id} is disabled, so nothing is sent to it.`)
  }
  return webhook
}
