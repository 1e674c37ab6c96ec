import { createHash, randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { openOutbound } from '../../../ports/outbound/open.ts'
import type { JobListener } from '../../../ports/queue/port.ts'
import type { NewEvent } from '../../../ports/store/port.ts'
import { EVENT_API_VERSION } from '../../../schemas/event.ts'
import { createAudit } from '../../../services/audit.ts'
import { createCounters } from '../../../services/counters.ts'
import { createStorageQuota } from '../../../services/storage.ts'
import type { EventLogOptions } from '../../../services/webhooks/event-trimmer.ts'
import { createWebhooks } from '../../../services/webhooks/index.ts'
import { openTestQueue, openTestStore, temporaryFolder } from '../../helper.ts'

export const ACCOUNT = 'acme'
const POLICY = { concurrency: 100, attempts: 3, backoffMs: [200], timeoutMs: 90_000 }

/**
 * The services over the store and the queue of the profile and the real door, with their work being
 * done unless `idle`.
 */
export async function startRig(
  t: Test,
  { speed = 1, idle = false, brand = 'svc', dataDir = temporaryFolder(t), eventLog = {} as EventLogOptions } = {}
) {
  const store = await openTestStore(dataDir)
  const failures: unknown[] = []
  const listener: JobListener = {
    failed: (_job, error) => {
      failures.push(error)
    }
  }
  const queue = await openTestQueue(dataDir, listener)
  const outbound = await openOutbound({ allow: '127.0.0.1' })
  const audit = createAudit({
    store,
    settings: { retentionDays: 90, entriesPerAccount: 1000 },
    onLost: (entry) => failures.push(entry),
    onError: (error) => failures.push(error)
  })
  const storage = createStorageQuota({ store, defaultPlan: 'starter' })
  const counters = createCounters()
  const webhooks = createWebhooks(
    { store, queue, outbound, audit, storage },
    { secretsKeys: [randomBytes(32)], brand, timeScale: speed, counters, eventLog }
  )
  if (!idle) {
    queue.work('fan-out-events', POLICY, async ({ payload, signal }) => {
      await webhooks.fanOut(payload.accountId, signal)
    })
    queue.work('deliver-webhooks', POLICY, async ({ payload, signal }) => {
      await webhooks.deliver(payload.accountId, payload.webhookId, signal)
    })
    queue.work('recover-deliveries', POLICY, async ({ payload, signal }) => {
      await webhooks.runRecovery(payload.accountId, payload.recoveryId, { signal })
    })
  }
  t.teardown(async () => {
    await queue.close()
    await outbound.close()
    await store.close()
    if (failures.length > 0) throw new AggregateError(failures, 'Jobs failed')
  })

  const signal = new AbortController().signal
  return {
    store,
    queue,
    outbound,
    audit,
    storage,
    counters,
    webhooks,
    signal,
    /** Writes events down and makes deliveries of them. */
    async happen(...events: NewEvent[]) {
      await store.events.add(events)
      await webhooks.fanOut(ACCOUNT, signal)
    },
    /** Everything that is known of the webhook's deliveries, the oldest first. */
    async deliveries(webhookId: string) {
      const { deliveries } = await store.deliveries.list(
        { accountId: ACCOUNT, webhookId },
        { page: 1, pageSize: 100_000 }
      )
      return deliveries.reverse()
    }
  }
}

export type Rig = Awaited<ReturnType<typeof startRig>>

let made = 0

/** An event of the account, of a kind of its own by default. */
export function anEvent(
  change: Partial<Pick<NewEvent, 'id' | 'type' | 'projectId' | 'timestamp' | 'accountId'>> & { data?: unknown } = {}
): NewEvent {
  made += 1
  const { data = { number: made }, ...fields } = change
  const event = {
    id: idOf(`event ${made}`),
    accountId: ACCOUNT,
    projectId: 'site',
    type: 'blog.published' as const,
    timestamp: new Date().toISOString(),
    ...fields
  }
  const head = { id: event.id, type: event.type, apiVersion: EVENT_API_VERSION, timestamp: event.timestamp }
  return {
    ...event,
    head: `${JSON.stringify(head).slice(0, -1)},"sequence":`,
    tail: `,"data":${JSON.stringify(data)}}`
  }
}

export function events(count: number): NewEvent[] {
  return Array.from({ length: count }, () => anEvent())
}

function idOf(text: string): string {
  const hex = createHash('sha256').update(`${process.pid} ${text}`).digest('hex')
  return `01946f00-${hex.slice(0, 4)}-7${hex.slice(4, 7)}-8${hex.slice(7, 10)}-${hex.slice(10, 22)}`
}

/** Resolves when it is so; looks often. Fails by the test's own time limit when it never is. */
export async function until<T>(
  look: () => Promise<T | false | null | undefined> | T | false | null | undefined
): Promise<T> {
  for (;;) {
    const seen = await look()
    if (seen !== false && seen !== null && seen !== undefined) return seen
    await new Promise((resolve) => {
      setTimeout(resolve, 10)
    })
  }
}
