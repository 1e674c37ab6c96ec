/**
 * Deliveries a second against raw posts: `node bench/webhooks.ts`.
 *
 * Raw: undici posts the same bytes, headers and all but signed once and for all, with as many
 * connections, and reads the answers; nothing else. Deliveries: what waits in the embedded store is
 * taken, signed twice, sent through the guarded door,
 * and written down with its attempt. Both go to the same receiver in a process of its own, in turn,
 * several rounds; medians and their ratio. Beside it, the processor time that each takes in the
 * sender: on a machine that does other things too, it says more than the rate. Each after the first
 * rounds, which are not counted.
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
import { headerNames, requestHeaders } from '../services/webhooks/signing.ts'
import { toSigningSecret } from '../services/webhooks/signing.ts'

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

function anEvent(): NewEvent {
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

interface Measured {
  perSecond: number
  processorUs: number
}

/** What so many of something took. */
async function measured(count: number, act: () => Promise<void>): Promise<Measured> {
  const used = process.cpuUsage()
  const start = performance.now()
  await act()
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(used)
  return { perSecond: count / seconds, processorUs: (user + system) / count }
}

/** A server that answers 200 to everything, in the child. */
function receive(): void {
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

async function raw(origin: string, connections: number, count: number): Promise<Measured> {
  const pool = new Pool(origin, { connections })
  const event = anEvent()
  const body = Buffer.from(`${event.head}1${event.tail}`)
  const { sent: headers } = requestHeaders(
    headerNames('svc'),
    { eventId: event.id, deliveryId: newId(), type: event.type, body, attempt: 1 },
    { by: SECRET, all: [SECRET] }
  )
  let left = count
  const post = async (): Promise<void> => {
    while (left-- > 0) {
      const answer = await pool.request({ path: '/hook', method: 'POST', headers, body })
      await answer.body.arrayBuffer()
    }
  }
  const result = await measured(count, async () => {
    await Promise.all(Array.from({ length: connections }, post))
  })
  await pool.close()
  return result
}

async function deliveries(origin: string, webhookCount: number, count: number): Promise<Measured> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-webhooks-'))
  const store = await openStore({ dataDir })
  const queue = openInProcessQueue()
  const outbound = await openOutbound({ allow: '127.0.0.1' })
  const webhooks = createWebhooks(
    { store, queue, outbound },
    { secretsKeys: [randomBytes(32)], brand: 'svc', timeScale: 1 }
  )
  const signal = new AbortController().signal
  const ids: string[] = []
  for (let i = 0; i < webhookCount; i++) ids.push((await webhooks.create(ACCOUNT, { url: `${origin}/hook` })).id)
  await store.events.add(Array.from({ length: count / webhookCount }, anEvent))
  await webhooks.fanOut(ACCOUNT, signal)

  const deliver = async (id: string): Promise<void> => {
    while ((await store.deliveries.nextDueAt(id)) !== null) await webhooks.deliver(ACCOUNT, id, signal)
  }
  const result = await measured(count, async () => {
    await Promise.all(ids.map(deliver))
  })
  for (const webhookId of ids) {
    const { totalCount } = await store.deliveries.list(
      { accountId: ACCOUNT, webhookId, status: 'delivered' },
      { page: 1, pageSize: 1 }
    )
    if (totalCount !== count / webhookCount) throw new Error(`${totalCount} of ${count / webhookCount} were delivered`)
  }
  await queue.close()
  await outbound.close()
  await store.close()
  rmSync(dataDir, { recursive: true })
  return result
}

function median(all: Measured[], what: keyof Measured): number {
  return all.map((one) => one[what]).toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!
}

async function measure(): Promise<void> {
  const child = fork(import.meta.filename, ['receive'])
  const [port] = (await once(child, 'message')) as [number]
  const origin = `http://127.0.0.1:${port}`
  for (const [webhookCount, count] of [
    [1, 6000],
    [20, 12_000]
  ] as const) {
    const posted: Measured[] = []
    const delivered: Measured[] = []
    await raw(origin, webhookCount * IN_FLIGHT, count) // Warm.
    await deliveries(origin, webhookCount, count)
    for (let round = 0; round < ROUNDS; round++) {
      posted.push(await raw(origin, webhookCount * IN_FLIGHT, count))
      delivered.push(await deliveries(origin, webhookCount, count))
    }
    const ratio = (median(delivered, 'perSecond') / median(posted, 'perSecond')).toFixed(2)
    const formatRates = (all: Measured[]): string =>
      `${median(all, 'perSecond').toFixed(0)}/s (${median(all, 'processorUs').toFixed(0)} µs of processor each)`
    console.log(
      `${webhookCount} webhook${webhookCount === 1 ? '' : 's'}, ${IN_FLIGHT} in flight each: deliveries ${formatRates(delivered)}, raw ${formatRates(posted)}, ratio ${ratio}`
    )
  }
  child.kill()
}

if (process.argv[2] === 'receive') receive()
else await measure()
