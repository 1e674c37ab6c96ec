import { DEMO } from './demo.ts'
import { productExamples } from './products.ts'

const { webhookId, projectId, slug } = DEMO
const eventId = '0198e6a4-2c3d-7e4f-9a51-6b7c8d9e0f12'
const at = '2026-01-31T09:00:05.000Z'

const webhook = {
  id: webhookId,
  url: 'https://harbor-coffee.example/hooks/content',
  events: ['products.optimized', 'blog.published'],
  projectIds: null,
  description: 'The shop',
  status: 'enabled',
  disabledBy: null,
  disabledReason: null,
  disabledAt: null,
  pausedUntil: null,
  secretExpiresAt: null,
  lastSuccessAt: at,
  createdAt: '2026-01-30T08:00:00.000Z',
  updatedAt: '2026-01-30T08:00:00.000Z'
}
const withSecret = { ...webhook, secret: 'whsec_c2VjcmV0IG9mIHRoaXJ0eS10d28gYnl0ZXMgaGVyZSE=' }
const event = {
  id: eventId,
  type: 'products.optimized',
  apiVersion: '2026-11-01',
  timestamp: at,
  sequence: 42,
  data: { projectId, products: [productExamples.WebhookProduct] }
}
const imported = {
  ...event,
  type: 'products.import.completed',
  data: {
    importId: DEMO.importId,
    projectId,
    status: 'done',
    reason: null,
    total: 1000,
    processed: 1000,
    created: 940,
    updated: 58,
    unchanged: 12,
    failed: 2
  }
}
const blog = {
  ...event,
  type: 'blog.updated',
  data: {
    id: DEMO.blogId,
    projectId,
    slug,
    previousSlug: 'the-same-pour-over',
    title: 'A pour-over that tastes the same every morning',
    locale: 'en',
    category: 'Brewing',
    paths: [`/journal/${slug}`, '/journal/the-same-pour-over', '/journal'],
    contentVersion: 4,
    publishedAt: at
  }
}
const delivery = {
  id: DEMO.deliveryId,
  webhookId,
  eventId,
  event: 'products.optimized',
  sequence: 17,
  status: 'delivered',
  attempts: 1,
  nextAttemptAt: null,
  lastStatus: 200,
  lastError: null,
  createdAt: at,
  deliveredAt: '2026-01-31T09:00:05.120Z'
}
const attempt = {
  number: 1,
  at,
  durationMs: 112,
  status: 200,
  error: null,
  detail: null,
  address: '203.0.113.7',
  requestHeaders: { 'content-type': 'application/json', 'user-agent': 'blog-product-content-service' },
  responseHeaders: { 'content-type': 'application/json' },
  response: '{"received":true}'
}
const recovery = {
  id: DEMO.recoveryId,
  webhookId,
  status: 'done',
  since: '2026-01-30T00:00:00.000Z',
  until: at,
  statuses: ['failed', 'skipped'],
  examined: 310,
  requeued: 12,
  createdAt: at,
  finishedAt: '2026-01-31T09:00:06.000Z'
}

/** Webhooks, events and what became of them. */
export const webhookExamples: Readonly<Record<string, unknown>> = {
  WebhookInput: { url: webhook.url, events: webhook.events, description: 'The shop' },
  WebhookPatch: { enabled: false },
  Webhook: webhook,
  WebhookWithSecret: withSecret,
  WebhookList: { webhooks: [webhook] },
  SecretRotation: { overlapHours: 24 },
  PingResult: {
    delivered: true,
    status: 200,
    error: null,
    detail: null,
    durationMs: 87,
    response: '{"received":true}'
  },
  EventLogEntry: event,
  ProductsOptimizedEvent: event,
  ProductImportCompletedEvent: imported,
  BlogEvent: blog,
  PingEvent: { ...event, type: 'ping', sequence: 0, data: {} },
  Delivery: delivery,
  DeliveryDetail: { ...delivery, attemptLog: [attempt], body: JSON.stringify({ ...event, sequence: 17 }) },
  DeliveryList: { deliveries: [delivery], totalCount: 1, page: 1, totalPages: 1 },
  RecoveryRequest: { since: '2026-01-30T00:00:00.000Z' },
  Recovery: recovery
}
