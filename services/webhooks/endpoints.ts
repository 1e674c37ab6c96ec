import { problem } from '../../errors.ts'
import type { Outbound } from '../../ports/outbound/port.ts'
import type { Store, WebhookRecord } from '../../ports/store/port.ts'
import { MAX_WEBHOOKS, type Webhook, type WebhookInput, type WebhookPatch } from '../../schemas/webhook.ts'
import { newId } from '../ids.ts'
import type { DeliveryJobs } from './delivery-jobs.ts'
import { findWebhook } from './find-webhook.ts'
import { disable, enable, initialHealth } from './health.ts'
import type { SecretCipher } from './seal.ts'
import { newSecret, rotateSecret } from './secrets.ts'
import { toWebhookResponse } from './shown.ts'

/** A change is made again so often when somebody else was faster. */
const MOST_CONFLICTS = 50

/** The webhooks of an account. */
export function createEndpoints({
  store,
  outbound,
  seal,
  jobs
}: {
  store: Store
  outbound: Outbound
  seal: SecretCipher
  jobs: DeliveryJobs
}) {
  function check(url: string): void {
    const reason = outbound.blockedReason(url)
    if (reason !== null) {
      throw problem('webhook_address_refused', reason, {
        errors: [{ pointer: '/url', code: 'address', message: 'must be an address that events may be sent to' }]
      })
    }
  }

  /**
   * Writes down a change of the webhook as it stands; deliveries to it may change it at the same
   * time.
   */
  async function change(
    accountId: string,
    id: string,
    edit: (webhook: WebhookRecord) => WebhookRecord
  ): Promise<WebhookRecord> {
    for (let tries = 0; tries < MOST_CONFLICTS; tries++) {
      const stored = await findWebhook(store, accountId, id)
      const next = { ...edit(stored), version: stored.version + 1 }
      if (await store.webhooks.save(next, stored.version)) return next
    }
    throw problem('edit_conflict', `The webhook ${id} was changed by others all the time.`)
  }

  return {
    /**
     * Makes a webhook and tells its secret, for the only time. Throws `webhook_address_refused`,
     * and `too_many_webhooks` past 50.
     */
    async create(
      accountId: string,
      { url, events = null, projectIds = null, description = '' }: WebhookInput
    ): Promise<Webhook & { secret: string }> {
      check(url)
      const id = newId()
      const { text, record: kept } = newSecret(seal, id)
      const now = new Date().toISOString()
      const webhook: WebhookRecord = {
        id,
        accountId,
        version: 1,
        url,
        events,
        projectIds,
        description,
        secrets: [kept],
        lastAcceptedSecretId: kept.id,
        disabledBy: null,
        disabledReason: null,
        disabledAt: null,
        health: initialHealth(),
        createdAt: now,
        updatedAt: now
      }
      if (!(await store.webhooks.add(webhook, MAX_WEBHOOKS))) {
        throw problem('too_many_webhooks', `An account may have ${MAX_WEBHOOKS} webhooks.`)
      }
      return { ...toWebhookResponse(webhook), secret: text }
    },

    async list(accountId: string): Promise<Webhook[]> {
      return (await store.webhooks.list(accountId)).map(toWebhookResponse)
    },

    async read(accountId: string, id: string): Promise<Webhook> {
      return toWebhookResponse(await findWebhook(store, accountId, id))
    },

    /**
     * Changes the fields that are there. A new address starts without the pause and the failures of
     * the old one. Throws `webhook_address_refused`.
     */
    async patch(accountId: string, id: string, patch: WebhookPatch): Promise<Webhook> {
      if (patch.url !== undefined) check(patch.url)
      const webhook = await change(accountId, id, (stored) => patched(stored, patch))
      if (webhook.disabledBy === null) await jobs.now({ accountId, webhookId: id })
      return toWebhookResponse(webhook)
    },

    /** Removes the webhook with its deliveries. */
    async remove(accountId: string, id: string): Promise<void> {
      if (!(await store.webhooks.delete(accountId, id))) {
        throw problem('webhook_not_found', `There is no webhook ${id} in this account.`)
      }
    },

    /** Enables it, whoever disabled it, and ends its pause: what waits is sent. */
    async enable(accountId: string, id: string): Promise<Webhook> {
      const webhook = await change(accountId, id, enable)
      await jobs.now({ accountId, webhookId: id })
      return toWebhookResponse(webhook)
    },

    /**
     * Gives the webhook a new secret and tells it, for the only time. The old one stays good for
     * `overlapHours`.
     */
    async rotateSecret(
      accountId: string,
      id: string,
      { overlapHours }: { overlapHours: number }
    ): Promise<Webhook & { secret: string }> {
      const { text, record: kept } = newSecret(seal, id)
      const webhook = await change(accountId, id, (stored) => ({
        ...rotateSecret(stored, kept, overlapHours),
        updatedAt: new Date().toISOString()
      }))
      return { ...toWebhookResponse(webhook), secret: text }
    }
  }
}

function patched(stored: WebhookRecord, { enabled: isEnabled, ...fields }: WebhookPatch): WebhookRecord {
  const next = { ...stored, ...fields, updatedAt: new Date().toISOString() }
  if (isEnabled === false) {
    return stored.disabledBy === null ? disable(next, { by: 'person', reason: 'A person disabled it.' }) : next
  }
  if (isEnabled === true && stored.disabledBy !== null) return enable(next)
  return next.url === stored.url
    ? next
    : { ...next, health: { ...initialHealth(), lastSuccessAt: stored.health.lastSuccessAt } }
}
