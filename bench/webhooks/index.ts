import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { openOutbound } from '../../ports/outbound/open.ts'
import type { NewEvent } from '../../ports/store/port.ts'
import { newId } from '../../services/ids.ts'
import { createStorageQuota } from '../../services/storage.ts'
import { createWebhooks } from '../../services/webhooks/index.ts'
import { headerNames, requestHeaders, toSigningSecret } from '../../services/webhooks/signing.ts'
import type { Bench, BenchRow } from '../harness/bench.ts'
import { measureInTurn } from '../harness/in-turn.ts'
import { formatNumber, median } from '../harness/statistics.ts'
import { openProfile } from './profile.ts'

/** Requests in progress to each webhook. */
const IN_FLIGHT = 10
const ACCOUNT = 'bench'
/** As in workers/deliver-webhooks.ts, without its limits. */
const POLICY = { concurrency: 100, attempts: 3, backoffMs: [200], timeoutMs: 90_000 }
/** How often the scaled profile is asked whether all events are delivered. A run takes several seconds. */
const POLL_MS = 100
const SECRET = toSigningSecret('raw', `whsec_${randomBytes(32).toString('base64')}`)
const DATA = JSON.stringify({
  products: Array.from({ length: 4 }, (_, i) => ({
    id: `sku-${i}`,
    handle: `a-handle-${i}`,
    page_title: 'A page title that says what it is',
    meta_title: 'The same for a search engine',
    meta_description: 'x'.repeat(150),
    product_title: 'A product',
    product_description: 'y'.repeat(120)
  }))
})

function createEvent(): NewEvent {
  const id = newId()
  const timestamp = new Date().toISOString()
  return {
    id,
    accountId: ACCOUNT,
    projectId: 'p',
    type: 'products.optimized',
    timestamp,
    head: `{"id":"${id}","type":"products.optimized","apiVersion":"2026-11-01","timestamp":"${timestamp}","sequence":`,
    tail: `,"data":${DATA}}`
  }
}

interface Measurement {
  perSecond: number
  /** CPU time for each item, in microseconds. */
  cpuUs: number
}

/** Measures the work on `count` items. */
async function measureWork(count: number, work: () => Promise<void>): Promise<Measurement> {
  const used = process.cpuUsage()
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(used)
  return { perSecond: count / seconds, cpuUs: (user + system) / count }
}

async function measureRaw(origin: string, connections: number, count: number): Promise<Measurement> {
  const pool = new Pool(origin, { connections })
  const event = createEvent()
  const body = Buffer.from(`${event.head}1${event.tail}`)
  const { sent: headers } = requestHeaders(
    headerNames('svc'),
    { eventId: event.id, deliveryId: newId(), type: event.type, body, attempt: 1 },
    { by: SECRET, all: [SECRET] }
  )
  let remaining = count
  const post = async (): Promise<void> => {
    while (remaining-- > 0) {
      const response = await pool.request({ path: '/hook', method: 'POST', headers, body })
      await response.body.arrayBuffer()
    }
  }
  const result = await measureWork(count, async () => {
    await Promise.all(Array.from({ length: connections }, post))
  })
  await pool.close()
  return result
}

async function measureDeliveries(origin: string, webhookCount: number, count: number): Promise<Measurement> {
  const { store, queue, close } = await openProfile()
  const outbound = await openOutbound({ allow: '127.0.0.1' })
  const storage = createStorageQuota({ store, defaultPlan: 'starter' })
  const webhooks = createWebhooks(
    { store, queue, outbound, audit: { record: async () => {} }, storage },
    { secretsKeys: [randomBytes(32)], brand: 'svc', timeScale: 1 }
  )
  const signal = new AbortController().signal
  const ids: string[] = []
  for (let i = 0; i < webhookCount; i++) ids.push((await webhooks.create(ACCOUNT, { url: `${origin}/hook` })).id)
  await store.events.add(Array.from({ length: count / webhookCount }, createEvent))
  await webhooks.fanOut(ACCOUNT, signal)

  const deliver = async (id: string): Promise<void> => {
    while ((await store.deliveries.nextDueAt(id)) !== null) await webhooks.deliver(ACCOUNT, id, signal)
  }
  const deliverByJobs = async (): Promise<void> => {
    queue.work('deliver-webhooks', POLICY, async ({ payload, signal }) => {
      await webhooks.deliver(payload.accountId, payload.webhookId, signal)
    })
    for (const id of ids) while ((await store.deliveries.nextDueAt(id)) !== null) await wait(POLL_MS)
  }
  const result = await measureWork(count, async () => {
    if (store.isRemote) await deliverByJobs()
    else await Promise.all(ids.map(deliver))
  })
  for (const webhookId of ids) {
    const { totalCount } = await store.deliveries.list(
      { accountId: ACCOUNT, webhookId, status: 'delivered' },
      { page: 1, pageSize: 1 }
    )
    if (totalCount !== count / webhookCount) {
      throw new Error(`Delivered ${totalCount} of ${count / webhookCount} events`)
    }
  }
  await queue.close()
  await outbound.close()
  await close()
  return result
}

/** Webhooks, and deliveries of one measurement with `--scale 1`. */
const CASES = [
  { webhooks: 1, deliveries: 6_000 },
  { webhooks: 20, deliveries: 12_000 }
] as const

/** Measurements before the rounds. V8 goes on optimizing both sides for about six of them. */
const WARM_UPS = Number(process.env.WARM_UPS ?? 1)

/** Remembers the CPU time of each measurement, of which the first ones are warm-ups. */
function createRecorder() {
  const cpuUs: number[] = []
  return {
    async measure(work: Promise<Measurement>): Promise<number> {
      const measured = await work
      cpuUs.push(measured.cpuUs)
      return measured.perSecond
    },
    cpu: () => `${formatNumber(median(cpuUs.slice(WARM_UPS)))} µs`
  }
}

export const bench: Bench = {
  summary:
    'Webhook deliveries: claimed from the store, signed twice, sent and recorded with their attempts. ' +
    'Compared with undici sending the same bytes and headers, signed once, over as many connections to the same ' +
    'receiver in another process.',
  async run({ rounds, scale }) {
    const receiver = fork(path.join(import.meta.dirname, 'receiver.ts'))
    const [port] = (await once(receiver, 'message')) as [number]
    const origin = `http://127.0.0.1:${port}`
    const rows: BenchRow[] = []
    for (const { webhooks, deliveries } of CASES) {
      const count = Math.ceil((deliveries * scale) / webhooks) * webhooks
      const [delivered, raw] = [createRecorder(), createRecorder()]
      const values = await measureInTurn(
        [
          { name: 'raw', measure: async () => await raw.measure(measureRaw(origin, webhooks * IN_FLIGHT, count)) },
          {
            name: 'delivered',
            measure: async () => await delivered.measure(measureDeliveries(origin, webhooks, count))
          }
        ],
        rounds,
        { warmUps: WARM_UPS }
      )
      rows.push({
        name: `${webhooks} webhook${webhooks === 1 ? '' : 's'}, ${IN_FLIGHT} in progress each`,
        unit: 'deliveries/s',
        values: values.get('delivered')!,
        baseline: { name: 'raw requests', values: values.get('raw')! },
        extra: { 'CPU time': delivered.cpu(), 'CPU time of a raw request': raw.cpu() }
      })
    }
    receiver.kill()
    return rows
  }
}
