import { Readable } from 'node:stream'
import type { Files } from '../ports/files/port.ts'
import type { Store, VisualCheckRecord } from '../ports/store/port.ts'
import { DEMO } from '../schemas/examples/demo.ts'
import { visualCheckExamples } from '../schemas/examples/visual-checks.ts'
import type { VisualCheck } from '../schemas/visual-check.ts'
import type { ApiKeys } from './api-keys/index.ts'
import type { DemoHistory } from './demo.ts'
import type { Imports } from './imports/index.ts'
import { getFileKey } from './visual-checks/screenshots/index.ts'
import type { Webhooks } from './webhooks/index.ts'

const { accountId, projectId, webhookId } = DEMO

interface HistoryDependencies {
  store: Store
  files: Files
  apiKeys: ApiKeys
  imports: Imports
  webhooks: Webhooks
}

/**
 * Adds the records that the sample requests of the API document read: an import, a webhook with a delivery, and a
 * visual check. The webhook is disabled, because its receiver does not exist.
 */
export function createDemoHistory({ store, files, apiKeys, imports, webhooks }: HistoryDependencies) {
  const operation = (id: string) => ({ id, isRetry: false })

  async function addWebhook(now: string): Promise<void> {
    const input = { url: 'https://harbour-coffee.example/hooks/content', description: 'The shop' }
    await webhooks.create(accountId, input, operation(webhookId))
    await webhooks.patch(accountId, webhookId, { enabled: false })
    const [event] = await store.events.list(accountId, { after: 0, limit: 1 })
    if (event === undefined) throw new Error('The demo content has no event.')
    const { deliveryId: id } = DEMO
    await store.deliveries.add([
      {
        id,
        accountId,
        webhookId,
        eventId: event.id,
        event: event.type,
        eventAt: event.timestamp,
        status: 'skipped',
        createdAt: now,
        nextAttemptAt: null
      }
    ])
    const response = { status: 200, error: null }
    await store.deliveries.recordAttempts([
      {
        id,
        webhookId,
        status: 'delivered',
        attempts: 1,
        round: 1,
        nextAttemptAt: null,
        lastStatus: response.status,
        lastError: response.error,
        deliveredAt: now,
        attempt: {
          ...response,
          number: 1,
          at: now,
          durationMs: 112,
          detail: null,
          address: '203.0.113.7',
          requestHeaders: { 'content-type': 'application/json', 'user-agent': 'blog-product-content-service' },
          responseHeaders: { 'content-type': 'application/json' },
          response: '{"received":true}'
        }
      }
    ])
    await store.recoveries.add({
      id: DEMO.recoveryId,
      accountId,
      webhookId,
      status: 'done',
      since: event.timestamp,
      until: now,
      statuses: ['failed', 'skipped'],
      afterSequence: 1,
      examined: 1,
      requeued: 0,
      createdAt: now,
      finishedAt: now
    })
  }

  async function addVisualCheck(now: string, screenshot: Buffer): Promise<void> {
    const { id, blogId, url, finalUrl, environment, trigger, status, overallScore, reason, ...example } =
      visualCheckExamples.VisualCheck as VisualCheck
    const { categories, findings, coverage, checker, timings } = example
    const check: VisualCheckRecord = {
      ...{ id, accountId, projectId, blogId, url, finalUrl, environment, trigger, status, overallScore, reason },
      viewports: ['mobile', 'desktop'],
      detail: 'thumbs',
      attempts: 1,
      createdAt: now,
      startedAt: now,
      finishedAt: now,
      result: {
        ...{ categories, findings, coverage, checker, timings },
        // The demo has no previous check.
        since: null,
        screenshots: example.screenshots.map(({ url: _url, ...stored }) => stored)
      }
    }
    await files.put(getFileKey(id, DEMO.screenshot), screenshot)
    // The limit is one of unfinished checks.
    await store.visualChecks.add(check, 0)
  }

  return async ({ priceList, screenshot }: DemoHistory): Promise<void> => {
    const now = new Date().toISOString()
    await apiKeys.create(accountId, { name: 'Website build' }, operation(DEMO.apiKeyId))
    await imports.receive(
      { accountId, projectIds: null },
      { projectId, format: 'csv', mapping: null, body: Readable.from([priceList]) },
      operation(DEMO.importId)
    )
    await addWebhook(now)
    await addVisualCheck(now, screenshot)
  }
}
