/**
 * Compares webhook deliveries with raw requests: `node bench/webhooks.ts`.
 *
 * Raw: undici sends the same bytes and headers, signed once, over as many connections, and reads the
 * responses. Deliveries: pending deliveries of the embedded store are claimed, signed twice, sent by
 * the outbound port and recorded with their attempts. Both use the same receiver in another process,
 * in alternating rounds after a warm-up. Prints medians and their ratio, and the CPU time in the
 * sender, which is more reliable than the rate on a busy machine.
 */
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { openOutbound } from '../ports/outbound/open.ts'
import { openInProcessQueue } from '../ports/queue/in-process/index.ts'
import { openStore } from '../ports/store/open.ts'
import type { NewEvent } from '../ports/store/port.ts'
import { newId } from '../services/ids.ts'
import { createWebhooks } from '../services/webhooks/index.ts'
import { headerNames, requestHeaders, toSigningSecret } from '../services/webhooks/signing.ts'

const ROUNDS = 5
const IN_FLIGHT = 10
const ACCOUNT = 'bench'
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

/** Runs in the child process: a server that responds with 200 to every request. */
function runReceiver(): void {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      response.end('{"received":true}')
    })
  })
  server.listen(0, '127.0.0.1', () => {
    process.send!((server.address() as AddressInfo).port)
  })
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
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-webhooks-'))
  const store = await openStore({ dataDir })
  const queue = openInProcessQueue()
  const outbound = await openOutbound({ allow: '127.0.0.1' })
  const webhooks = createWebhooks(
    { store, queue, outbound, audit: { record: async () => {} } },
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
  const result = await measureWork(count, async () => {
    await Promise.all(ids.map(deliver))
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
  await store.close()
  rmSync(dataDir, { recursive: true })
  return result
}

function median(all: Measurement[], field: keyof Measurement): number {
  return all.map((one) => one[field]).toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!
}

async function measure(): Promise<void> {
  const child = fork(import.meta.filename, ['receiver'])
  const [port] = (await once(child, 'message')) as [number]
  const origin = `http://127.0.0.1:${port}`
  for (const [webhookCount, count] of [
    [1, 6000],
    [20, 12_000]
  ] as const) {
    const posted: Measurement[] = []
    const delivered: Measurement[] = []
    await measureRaw(origin, webhookCount * IN_FLIGHT, count) // Warm-up.
    await measureDeliveries(origin, webhookCount, count)
    for (let round = 0; round < ROUNDS; round++) {
      posted.push(await measureRaw(origin, webhookCount * IN_FLIGHT, count))
      delivered.push(await measureDeliveries(origin, webhookCount, count))
    }
    const ratio = (median(delivered, 'perSecond') / median(posted, 'perSecond')).toFixed(2)
    const format = (all: Measurement[]): string =>
      `${median(all, 'perSecond').toFixed(0)}/s (${median(all, 'cpuUs').toFixed(0)} µs CPU each)`
    console.log(
      `${webhookCount} webhook${webhookCount === 1 ? '' : 's'}, ${IN_FLIGHT} in flight each: ` +
        `deliveries ${format(delivered)}, raw ${format(posted)}, ratio ${ratio}`
    )
  }
  child.kill()
}

if (process.argv[2] === 'receiver') runReceiver()
else await measure()
