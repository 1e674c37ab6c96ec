import type { DeliveryAttempt } from '../../../schemas/webhook.ts'
import type {
  DeliveryUpdate,
  DeliveryRecord,
  NewDelivery,
  NewEvent,
  ProductRecord,
  RecoveryRecord,
  Store,
  WebhookRecord
} from '../../../ports/store/port.ts'
import { idOf, minute } from './given.ts'

let made = 1_000_000

export function anEvent(change: Partial<NewEvent> = {}): NewEvent {
  made += 1
  const id = idOf(made)
  return {
    id,
    accountId: 'acme',
    projectId: 'site',
    type: 'blog.updated',
    timestamp: minute(1),
    head: `{"id":"${id}","sequence":`,
    tail: ',"data":{"title":"Zoë 😀 \\u0000"}}',
    ...change
  }
}

export function aWebhook(change: Partial<WebhookRecord> = {}): WebhookRecord {
  made += 1
  return {
    id: idOf(made),
    accountId: 'acme',
    version: 1,
    url: 'https://shop.example/hook',
    events: ['blog.updated'],
    projectIds: null,
    description: 'Shop',
    secrets: [{ id: 's1', ciphertext: 'c2VhbGVk', createdAt: minute(0), expiresAt: null }],
    lastAcceptedSecretId: 's1',
    disabledBy: null,
    disabledReason: null,
    disabledAt: null,
    health: {
      lastSuccessAt: null,
      failures: 2,
      firstFailed: { eventId: 'e', at: minute(0) },
      lastFailed: null,
      minutes: [{ minute: 5, ok: 1, failed: 2 }],
      pausedUntil: null,
      pausedFor: null,
      pauseMs: null
    },
    createdAt: minute(0),
    updatedAt: minute(0),
    ...change
  }
}

/** A delivery of this event to this webhook, due since the event happened. */
export function aDelivery(webhook: WebhookRecord, event: NewEvent, change: Partial<NewDelivery> = {}): NewDelivery {
  made += 1
  const { id: eventId, accountId, type, timestamp } = event
  return {
    id: idOf(made),
    accountId,
    webhookId: webhook.id,
    eventId,
    event: type,
    eventAt: timestamp,
    createdAt: timestamp,
    nextAttemptAt: timestamp,
    status: 'pending',
    ...change
  }
}

/** A delivery that was just added, as it reads. */
export function newly(delivery: NewDelivery, sequence: number): DeliveryRecord {
  return {
    ...delivery,
    sequence,
    attempts: 0,
    round: 0,
    leasedUntil: null,
    lastStatus: null,
    lastError: null,
    deliveredAt: null
  }
}

export function anAttempt(number: number, change: Partial<DeliveryAttempt> = {}): DeliveryAttempt {
  return {
    number,
    at: minute(number),
    durationMs: 12,
    status: 500,
    error: 'http_5xx',
    detail: null,
    address: '203.0.113.5',
    requestHeaders: { 'x-svc-event': 'blog.updated' },
    responseHeaders: { server: 'x' },
    response: 'Oh “no”',
    ...change
  }
}

/**
 * What becomes of a delivery by its attempt of this number: it failed, and is tried again ten
 * minutes later.
 */
export function aChange(
  { id, webhookId }: Pick<DeliveryRecord, 'id' | 'webhookId'>,
  number: number,
  change: Partial<DeliveryUpdate> = {}
): DeliveryUpdate {
  return {
    id,
    webhookId,
    status: 'pending',
    attempts: number,
    round: number,
    nextAttemptAt: minute(number + 10),
    lastStatus: 500,
    lastError: 'http_5xx',
    deliveredAt: null,
    attempt: anAttempt(number),
    ...change
  }
}

/** What a success is. */
export const DELIVERED = {
  status: 'delivered',
  nextAttemptAt: null,
  lastStatus: 200,
  lastError: null,
  deliveredAt: minute(9)
} as const

export function aRecovery(webhook: WebhookRecord, change: Partial<RecoveryRecord> = {}): RecoveryRecord {
  made += 1
  return {
    id: idOf(made),
    accountId: webhook.accountId,
    webhookId: webhook.id,
    status: 'running',
    since: minute(0),
    until: minute(99),
    statuses: ['failed', 'skipped'],
    afterSequence: 0,
    examined: 0,
    requeued: 0,
    createdAt: minute(0),
    finishedAt: null,
    ...change
  }
}

/** A product with outputs that were not told yet. */
export function anUntoldProduct(change: Partial<ProductRecord> = {}): ProductRecord {
  made += 1
  return {
    id: idOf(made),
    accountId: 'acme',
    projectId: 'site',
    externalId: `p-${made}`,
    version: 1,
    status: 'optimized',
    title: 'Kettle',
    sku: null,
    description: null,
    price: '9.90',
    category: null,
    url: null,
    imageUrl: null,
    images: [],
    brand: null,
    gtin: null,
    mpn: null,
    currency: null,
    availability: null,
    locale: null,
    attributes: {},
    tags: [],
    seo: { seoTitle: null, seoDescription: null } as unknown as ProductRecord['seo'],
    claims: [],
    terms: ['kettle'],
    optimizedFromDigest: 'aa',
    optimizePendingSince: null,
    imageCheckPendingSince: null,
    imageCheck: null,
    publishedDigest: null,
    eventPendingSince: minute(1),
    lastImport: null,
    createdAt: minute(0),
    updatedAt: minute(0),
    ...change
  }
}

/**
 * A webhook and so many events with a delivery each to it; the first event happened in minute 1,
 * the next in minute 2, …
 */
export async function deliveriesTo(store: Store, webhook: WebhookRecord, count: number): Promise<NewDelivery[]> {
  await store.webhooks.add(webhook, 50)
  const events = Array.from({ length: count }, (_, at) =>
    anEvent({ accountId: webhook.accountId, timestamp: minute(at + 1) })
  )
  await store.events.add(events)
  const deliveries = events.map((event) => aDelivery(webhook, event))
  await store.deliveries.add(deliveries)
  return deliveries
}

/** The webhook's deliveries as a list tells them: their sequences, newest first. */
export async function sequencesOf(store: Store, webhook: WebhookRecord): Promise<number[]> {
  const { deliveries } = await store.deliveries.list(
    { accountId: webhook.accountId, webhookId: webhook.id },
    { page: 1, pageSize: 100 }
  )
  return deliveries.map(({ sequence }) => sequence)
}

/** Takes in minute `now` for five minutes; the sequences that were got. */
export async function takeAt(
  store: Store,
  webhook: WebhookRecord,
  now: number,
  most: { limit?: number; maxInFlight?: number } = {}
): Promise<number[]> {
  const taken = await store.deliveries.claim(webhook.id, {
    now: minute(now),
    leaseUntil: minute(now + 5),
    limit: 100,
    maxInFlight: 100,
    ...most
  })
  return taken.map(({ delivery }) => delivery.sequence)
}
