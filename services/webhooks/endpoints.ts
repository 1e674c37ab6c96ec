import { timingSafeEqual } from 'node:crypto'
import { allowHint } from '../../lib/address-policy/allow-hint.ts'
import { createAccountSlots } from '../../lib/account-slots.ts'
import { problem } from '../../errors.ts'
import type { Outbound } from '../../ports/outbound/port.ts'
import type { Store, WebhookRecord } from '../../ports/store/port.ts'
import { EVENT_API_VERSION } from '../../schemas/event.ts'
import {
  MAX_WEBHOOKS,
  type PingResult,
  type Webhook,
  type WebhookInput,
  type WebhookPatch
} from '../../schemas/webhook.ts'
import { newId, newOperation, type Operation } from '../ids.ts'
import type { AttemptSender } from './attempt.ts'
import { disable, enable, initialHealth } from './health.ts'
import type { DeliveryJobs } from './jobs.ts'
import type { SecretCipher } from './secret-encryption.ts'
import { bodySignature } from './signing.ts'
import { createDecryptedSecrets, newSecret, overlapEndsAt, rotateSecret } from './secrets.ts'

/** A change is repeated this often when concurrent changes win. */
const MAX_CONFLICTS = 50
/**
 * Pings of an account that are in progress. A receiver may respond to all of them at the same moment, and each
 * response occupies the event loop.
 */
const MAX_PINGS = 8
/** Bytes of a response to a ping that are returned. */
const PING_RESPONSE_BYTES = 1024

export interface EndpointOptions {
  store: Store
  outbound: Outbound
  cipher: SecretCipher
  jobs: DeliveryJobs
  attemptSender: AttemptSender
}

/** Throws `webhook_not_found`. */
export async function findWebhook(store: Store, accountId: string, id: string): Promise<WebhookRecord> {
  const webhook = await store.webhooks.find(accountId, id)
  if (webhook === null) throw webhookNotFound(id)
  return webhook
}

/** Throws `webhook_not_found` and `webhook_disabled`. */
export async function findEnabledWebhook(store: Store, accountId: string, id: string): Promise<WebhookRecord> {
  const webhook = await findWebhook(store, accountId, id)
  if (webhook.disabledBy !== null) {
    throw problem('webhook_disabled', `The webhook ${id} is disabled. Enable it before sending deliveries.`)
  }
  return webhook
}

/** Manages the webhooks of accounts. */
export function createEndpoints({ store, outbound, cipher, jobs, attemptSender }: EndpointOptions) {
  const pings = createAccountSlots({ running: MAX_PINGS, waiting: 0 })

  function checkUrl(url: string): void {
    const reason = outbound.blockedReason(url)
    if (reason !== null) {
      const hint = allowHint(url, 'a receiver')
      throw problem('webhook_address_refused', hint === null ? reason : `${reason} ${hint}`, {
        errors: [{ pointer: '/url', code: 'address', message: 'must be a URL that events may be sent to' }]
      })
    }
  }

  /** Changes the stored webhook. Delivery runs may change the webhook at the same time. */
  async function change(
    accountId: string,
    id: string,
    edit: (webhook: WebhookRecord) => WebhookRecord
  ): Promise<WebhookRecord> {
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
      const stored = await findWebhook(store, accountId, id)
      const next = { ...edit(stored), version: stored.version + 1 }
      if (await store.webhooks.save(next, stored.version)) return next
    }
    throw problem('edit_conflict', `The webhook ${id} was changed by too many concurrent requests. Try again.`)
  }

  return {
    /**
     * Creates a webhook and returns its secret, which is never returned again. A retry replaces the
     * secret of the webhook that an earlier attempt created. Throws
     * `webhook_address_refused`, and `too_many_webhooks` for more than 50 webhooks.
     */
    async create(
      accountId: string,
      { url, events = null, projectIds = null, description = '' }: WebhookInput,
      { id, isRetry }: Operation = newOperation()
    ): Promise<Webhook & { secret: string }> {
      checkUrl(url)
      const { text, record } = newSecret(cipher, id)
      if (isRetry && (await store.webhooks.find(accountId, id)) !== null) {
        const created = await change(accountId, id, (stored) => ({
          ...stored,
          secrets: [record],
          lastAcceptedSecretId: record.id
        }))
        return { ...toWebhookResponse(created), secret: text }
      }
      const now = new Date().toISOString()
      const webhook: WebhookRecord = {
        id,
        accountId,
        version: 1,
        url,
        events,
        projectIds,
        description,
        secrets: [record],
        lastAcceptedSecretId: record.id,
        disabledBy: null,
        disabledReason: null,
        disabledAt: null,
        health: initialHealth(),
        createdAt: now,
        updatedAt: now
      }
      if (!(await store.webhooks.add(webhook, MAX_WEBHOOKS))) {
        throw problem('too_many_webhooks', `An account may have at most ${MAX_WEBHOOKS} webhooks.`)
      }
      return { ...toWebhookResponse(webhook), secret: text }
    },

    async list(accountId: string): Promise<Webhook[]> {
      return (await store.webhooks.list(accountId)).map(toWebhookResponse)
    },

    async read(accountId: string, id: string): Promise<Webhook> {
      return toWebhookResponse(await findWebhook(store, accountId, id))
    },

    /** Changes the given fields. A new URL resets the pause and the failures. Throws `webhook_address_refused`. */
    async patch(accountId: string, id: string, patch: WebhookPatch): Promise<Webhook> {
      if (patch.url !== undefined) checkUrl(patch.url)
      const webhook = await change(accountId, id, (stored) => applyPatch(stored, patch))
      if (webhook.disabledBy === null) await jobs.enqueue({ accountId, webhookId: id })
      return toWebhookResponse(webhook)
    },

    /** Deletes the webhook and its deliveries. Returns the webhook. */
    async remove(accountId: string, id: string): Promise<Webhook> {
      const webhook = await findWebhook(store, accountId, id)
      if (!(await store.webhooks.delete(accountId, id))) throw webhookNotFound(id)
      return toWebhookResponse(webhook)
    },

    /** Enables a disabled webhook, and ends its pause. Pending deliveries are sent. */
    async enable(accountId: string, id: string): Promise<Webhook> {
      const webhook = await change(accountId, id, enable)
      await jobs.enqueue({ accountId, webhookId: id })
      return toWebhookResponse(webhook)
    },

    /**
     * Creates a new secret and returns it; it is never returned again. The previous secret stays
     * valid for `overlapHours`.
     */
    async rotateSecret(
      accountId: string,
      id: string,
      { overlapHours }: { overlapHours: number }
    ): Promise<Webhook & { secret: string }> {
      const { text, record } = newSecret(cipher, id)
      const webhook = await change(accountId, id, (stored) => ({
        ...rotateSecret(stored, record, overlapHours),
        updatedAt: new Date().toISOString()
      }))
      return { ...toWebhookResponse(webhook), secret: text }
    },

    /**
     * Whether a body carries the signature of a valid secret of the webhook in its header `X-Svc-Signature`,
     * as a receiver verifies it. False for an unknown webhook.
     */
    async isSigned(
      accountId: string,
      webhookId: string,
      { body, signature }: { body: Buffer; signature: string }
    ): Promise<boolean> {
      const webhook = await store.webhooks.find(accountId, webhookId)
      if (webhook === null) return false
      const given = Buffer.from(signature)
      return createDecryptedSecrets(cipher)
        .forAttempts(webhook)
        .map((secret) => Buffer.from(bodySignature(body, secret)))
        .some((expected) => expected.length === given.length && timingSafeEqual(expected, given))
    },

    /**
     * Sends a signed event of type `ping` with sequence 0 now, even if the webhook is disabled or
     * paused. Nothing is stored. A retry has the same event id. Throws `webhook_not_found`, and `busy` if the
     * account has eight pings in progress.
     */
    async ping(accountId: string, webhookId: string, operation: Operation = newOperation()): Promise<PingResult> {
      const slot = pings(accountId)
      if (slot === null) {
        throw problem('busy', `${MAX_PINGS} pings of this account are in progress. Try again when one has ended.`, {
          headers: { 'Retry-After': '1' }
        })
      }
      try {
        return await sendPing(accountId, webhookId, operation)
      } finally {
        slot.release()
      }
    }
  }

  async function sendPing(accountId: string, webhookId: string, { id: eventId }: Operation): Promise<PingResult> {
    const webhook = await findWebhook(store, accountId, webhookId)
    const body = {
      id: eventId,
      type: 'ping',
      apiVersion: EVENT_API_VERSION,
      timestamp: new Date().toISOString(),
      sequence: 0,
      data: { webhookId }
    }
    const message = { eventId, deliveryId: newId(), type: 'ping', body: Buffer.from(JSON.stringify(body)) }
    const { attempts, outcome } = await attemptSender.send(message, {
      url: webhook.url,
      secrets: createDecryptedSecrets(cipher).forAttempts(webhook),
      number: 1,
      maxResponseBytes: PING_RESPONSE_BYTES
    })
    const { status, error, detail, durationMs, response } = attempts.at(-1)!
    return { delivered: outcome.delivered, status, error, detail, durationMs, response }
  }
}

/** A webhook as the API returns it: without its secrets. */
function toWebhookResponse(webhook: WebhookRecord): Webhook {
  const {
    accountId: _account,
    version: _version,
    secrets: _secrets,
    lastAcceptedSecretId: _accepted,
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

function applyPatch(stored: WebhookRecord, { enabled: isEnabled, ...fields }: WebhookPatch): WebhookRecord {
  const next = { ...stored, ...fields, updatedAt: new Date().toISOString() }
  if (isEnabled === false) {
    return stored.disabledBy === null
      ? disable(next, { by: 'person', reason: 'The webhook was disabled manually.' })
      : next
  }
  if (isEnabled === true && stored.disabledBy !== null) return enable(next)
  return next.url === stored.url
    ? next
    : { ...next, health: { ...initialHealth(), lastSuccessAt: stored.health.lastSuccessAt } }
}

const webhookNotFound = (id: string) => problem('webhook_not_found', `There is no webhook ${id} in this account.`)
