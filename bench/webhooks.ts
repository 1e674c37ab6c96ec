/**
 * Deliveries a second against raw posts: `node bench/webhooks.ts`.
 *
 * Raw: undici posts the same bytes, with as many connections, and reads the answers; nothing else. Deliveries: what waits in the embedded store is taken, signed twice, sent through the guarded door,
 * and written down with its attempt. Both go to the same receiver in a process of its own, in turn, several rounds; medians and their ratio.
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
import { openInProcessQueue } from '../ports/queue/in-process.ts'
import { openStore } from '../ports/store/open.ts'
import type { NewEvent } from '../ports/store/port.ts'
import { newId } from '../services/ids.ts'
import { createWebhooks } from '../services/webhooks/index.ts'

const ROUNDS = 5
const IN_FLIGHT = 10
const ACCOUNT = 'bench'
const DATA = JSON.stringify({ products: Array.from({ length: 4 }, (_, i) => ({ id: `sku-${i}`, handle: `a-handle-${i}`, page_title: 'A page title that says what it is', meta_title: 'The same for a search engine', meta_description: 'x'.repeat(150), product_title: 'A product', product_description: 'y'.repeat(120) })) })

function anEvent (): NewEvent {
  const id = newId()
  const timestamp = new Date().toISOString()
  return { id, accountId: ACCOUNT, projectId: 'p', type: 'products.optimized', timestamp, head: `{"id":"${id}","type":"products.optimized","apiVersion":"2026-11-01","timestamp":"${timestamp}","sequence":`, tail: `,"data":${DATA}}` }
}

/** A server that answers 200 to everything, in the child. */
function receive (): void {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => { response.end('{"received":true}') })
  })
  server.listen(0, '127.0.0.1', () => { process.send!((server.address() as AddressInfo).port) })
}

async function rawPerSecond (origin: string, connections: number, count: number): Promise<number> {
  const pool = new Pool(origin, { connections })
  const event = anEvent()
  const body = Buffer.from(`${event.head}1${event.tail}`)
  let left = count
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, async () => {
    while (left-- > 0) {
      const answer = await pool.request({ path: '/hook', method: 'POST', headers: { 'content-type': 'application/json' }, body })
      await answer.body.arrayBuffer()
    }
  }))
  const seconds = (performance.now() - start) / 1000
  await pool.close()
  return count / seconds
}

async function deliveriesPerSecond (origin: string, webhookCount: number, count: number): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-webhooks-'))
  const store = await openStore({ dataDir })
  const queue = openInProcessQueue()
  const outbound = await openOutbound({ allow: '127.0.0.1' })
  const webhooks = createWebhooks({ store, queue, outbound }, { secretsKey: randomBytes(32), brand: 'svc', speed: 1 })
  const signal = new AbortController().signal
  const ids: string[] = []
  for (let i = 0; i < webhookCount; i++) ids.push((await webhooks.create(ACCOUNT, { url: `${origin}/hook` })).id)
  await store.events.add(Array.from({ length: count / webhookCount }, anEvent))
  await webhooks.fanOut(ACCOUNT, signal)

  const start = performance.now()
  await Promise.all(ids.map(async (id) => { while (await store.deliveries.nextDueAt(id) !== null) await webhooks.deliver(ACCOUNT, id, signal) }))
  const seconds = (performance.now() - start) / 1000
  for (const webhookId of ids) {
    const { totalCount } = await store.deliveries.list({ accountId: ACCOUNT, webhookId, status: 'delivered' }, { page: 1, pageSize: 1 })
    if (totalCount !== count / webhookCount) throw new Error(`${totalCount} of ${count / webhookCount} were delivered`)
  }
  await queue.close()
  await outbound.close()
  await store.close()
  rmSync(dataDir, { recursive: true })
  return count / seconds
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

async function measure (): Promise<void> {
  const child = fork(import.meta.filename, ['receive'])
  const [port] = await once(child, 'message') as [number]
  const origin = `http://127.0.0.1:${port}`
  for (const [webhookCount, count] of [[1, 6000], [20, 12_000]] as const) {
    const raw: number[] = []
    const delivered: number[] = []
    await rawPerSecond(origin, webhookCount * IN_FLIGHT, count) // Warm.
    await deliveriesPerSecond(origin, webhookCount, count)
    for (let round = 0; round < ROUNDS; round++) {
      raw.push(await rawPerSecond(origin, webhookCount * IN_FLIGHT, count))
      delivered.push(await deliveriesPerSecond(origin, webhookCount, count))
    }
    console.log(`${webhookCount} webhook${webhookCount === 1 ? '' : 's'}, ${IN_FLIGHT} in flight each: ${median(delivered).toFixed(0)} deliveries/s, raw ${median(raw).toFixed(0)}/s, ratio ${(median(delivered) / median(raw)).toFixed(2)}`)
  }
  child.kill()
}

if (process.argv[2] === 'receive') receive()
else await measure()
