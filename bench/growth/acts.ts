import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { categoryOf, createPost, createProduct, searchTermsOf, slugOf } from './content.ts'
import { BLOG_PROJECT, differenceOf, PRODUCT_PROJECT, type GrowthService } from './protocol.ts'
import { median, percentile } from '../harness/statistics.ts'

/** What one act costs at one size of the store. */
export interface ActResult {
  act: string
  /** What the numbers are for: one request, one product or one delivery. */
  per: string
  /** Elapsed time as a client sees it. Null for background work. */
  p50Ms: number | null
  p99Ms: number | null
  /** CPU time of the service, which depends less on other programs of the machine. */
  cpuMs: number
  /** Bytes that the service gave to the disk. Null where the system does not count them. */
  writtenBytes: number | null
  /** Commands that the service sent to MongoDB. Null without MongoDB. */
  commands: number | null
}

type Usage = Pick<ActResult, 'cpuMs' | 'writtenBytes' | 'commands'>

/** How long the service is observed while it does nothing, in milliseconds. Over MongoDB, it looks for work. */
const IDLE_MS = 5_000
/** It is observed for at most so many periods, until one of them takes more than this share of the CPU time before. */
const MAX_IDLE_PERIODS = 12
const STEADY = 0.8
/** Requests of each read and write in one round. They are sent one after another. */
const READS_OF_ROUND = 12
const WRITES_OF_ROUND = 3
/**
 * Publications before the measured ones. The first ones after a start take up to 350 ms of CPU time more in all,
 * probably for rendering threads that start and compile their code.
 */
const PUBLISH_WARM_UPS = 8
const PRODUCTS = 500
const IMPORTED = 200
const PAGE_SIZE = 20

/**
 * Measures all acts on an account with `posts` posts. New posts and products get indexes from
 * `next`, so that they exist in no earlier measurement.
 */
export async function measureActs(
  service: GrowthService,
  { posts, next, rounds }: { posts: number; next: number; rounds: number }
): Promise<ActResult[]> {
  const [requests, writes] = [READS_OF_ROUND * rounds, WRITES_OF_ROUND * rounds]
  const pool = new Pool(service.url, { connections: 1 })
  const headers = { 'x-api-key': service.key, 'content-type': 'application/json' }
  /** What the service uses in a second without requests: an act may take many seconds on a slow server. */
  let whileIdle: Partial<Usage> = {}
  let observed: Partial<Usage> = {}

  /** Returns what the service uses for each of `count` until the result is called. */
  async function startUsage(count: number): Promise<() => Promise<Usage>> {
    const [before, start] = [await service.send({ name: 'usage' }), performance.now()]
    return async () => {
      // With the work that follows in the background, such as related posts and optimization.
      await service.send({ name: 'idle' })
      const [after, seconds] = [await service.send({ name: 'usage' }), (performance.now() - start) / 1000]
      const perUnit = (value: keyof Usage): number | null => {
        const used = differenceOf(after[value], before[value])
        return used === null ? null : Math.max(0, used - seconds * (whileIdle[value] ?? 0)) / count
      }
      return { cpuMs: perUnit('cpuMs')!, writtenBytes: perUnit('writtenBytes'), commands: perUnit('commands') }
    }
  }
  const results: ActResult[] = []

  /** Observes the service until it uses no less than before: after a start, it has work of its own. */
  async function observeIdle(): Promise<void> {
    for (let [period, leastMs] = [0, Infinity]; period < MAX_IDLE_PERIODS; period++) {
      const [end, start] = [await startUsage(1), performance.now()]
      await wait(IDLE_MS)
      const used = await end()
      if (used.commands === null) return
      // Longer than the period: the end waits for the work in progress.
      const seconds = (performance.now() - start) / 1000
      const cpuMs = used.cpuMs / seconds
      if (cpuMs > STEADY * leastMs) break
      leastMs = cpuMs
      observed = { cpuMs, commands: used.commands / seconds, writtenBytes: (used.writtenBytes ?? 0) / seconds }
    }
    whileIdle = observed
  }

  async function request(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<unknown> {
    const response = await pool.request({
      method,
      path,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.body.text()
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }

  async function measure(act: string, count: number, run: (i: number) => Promise<unknown>): Promise<void> {
    const times: number[] = []
    try {
      await run(count) // Warm-up, with an input of its own.
    } catch (error) {
      // Such as a stand-in for MongoDB that takes too long to answer.
      console.error(`${act} was not measured: ${(error as Error).message}`)
      results.push({ act, per: 'request', p50Ms: null, p99Ms: null, cpuMs: NaN, writtenBytes: null, commands: null })
      return
    }
    await service.send({ name: 'idle' })
    const used = await startUsage(count)
    for (let i = 0; i < count; i++) {
      const start = performance.now()
      await run(i)
      times.push(performance.now() - start)
    }
    results.push({ act, per: 'request', p50Ms: median(times), p99Ms: percentile(times, 0.99), ...(await used()) })
  }

  /** Spread over all posts; another post for each act, so that nothing is cached. */
  const pick = (i: number, act: number): number => Math.floor(((i + 0.5) / (requests + 1)) * posts + act) % posts
  const lastPage = Math.ceil(posts / PAGE_SIZE)
  const get = async (path: string): Promise<unknown> => await request('GET', `/api/v1/blogs${path}`)
  // A query that no earlier request had: the response is not cached.
  const size = (i: number): string => `pageSize=${PAGE_SIZE + (i % 60)}`

  try {
    await observeIdle()
    await measure('by slug, cold', requests, async (i) => await get(`/${slugOf(pick(i, 1))}`))
    await measure('list, first page', requests, async (i) => await get(`?${size(i)}`))
    await measure('list, deep page', requests, async (i) => await get(`?page=${Math.ceil(lastPage / 3)}&${size(i)}`))
    const deep: string[] = []
    for (let i = 0; i <= requests; i++) {
      const page = (await get(`?page=${Math.ceil(posts / 400)}&${size(i)}`)) as { nextCursor: string }
      deep.push(page.nextCursor)
    }
    await measure('list, by cursor', requests, async (i) => await get(`?cursor=${deep[i]}&${size(i)}`))
    await measure(
      'list of a category',
      requests,
      async (i) => await get(`?category=${encodeURIComponent(categoryOf(i))}&${size(i)}`)
    )
    await measure(
      'list since an hour',
      requests,
      async (i) => await get(`?updatedSince=${new Date(Date.now() - 3_600_000 + i).toISOString()}&${size(i)}`)
    )
    await measure(
      'list of a category since an hour',
      requests,
      async (i) =>
        await get(
          `?category=${encodeURIComponent(categoryOf(i))}&${size(i)}` +
            `&updatedSince=${new Date(Date.now() - 3_600_000 + i).toISOString()}`
        )
    )
    await measure('search', requests, async (i) => await get(`?q=${searchTermsOf(pick(i, 2))}&${size(i)}`))
    await measure('related', requests, async (i) => await get(`/${slugOf(pick(i, 3))}/related?limit=5`))
    await measure(
      'categories',
      5,
      async (i) => await get(`/categories?locale=${['en', 'de', 'fr', 'es', 'it', 'pt'][i]}`)
    )

    const publish = async (i: number): Promise<unknown> =>
      await request('POST', '/api/v1/blogs', { ...createPost(next + i, BLOG_PROJECT), publishedAt: undefined })
    for (let warmUp = 1; warmUp < PUBLISH_WARM_UPS; warmUp++) await publish(writes + warmUp)
    await measure('publish', writes, publish)
    await measureImport()
    await measure('products, batch of 100', writes, async (i) => {
      const products = Array.from({ length: 100 }, (_, n) => createProduct(next + i * 100 + n))
      await request('POST', '/api/v1/products/batch', { projectId: PRODUCT_PROJECT, products })
    })
    await measureFanOut(10)
    await measureFanOut(50)
  } finally {
    await pool.close()
  }
  return results

  /** Posts that are imported in batches, with the related posts that are computed at the end. */
  async function measureImport(): Promise<void> {
    const used = await startUsage(IMPORTED)
    await service.send({ name: 'importPosts', first: next + writes + PUBLISH_WARM_UPS, count: IMPORTED })
    results.push({ act: 'import of posts', per: 'post', p50Ms: null, p99Ms: null, ...(await used()) })
  }

  /** Products that change while `count` webhooks exist: events, fan-out and deliveries. */
  async function measureFanOut(count: number): Promise<void> {
    const receiver = createServer((incoming, response) => {
      incoming.resume()
      incoming.on('end', () => response.end('{}'))
    })
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const { port } = receiver.address() as AddressInfo
    await service.send({ name: 'addWebhooks', count, origin: `http://127.0.0.1:${port}` })
    const products = Array.from({ length: PRODUCTS }, (_, n) => ({
      ...createProduct(next + n),
      title: `Changed ${count} ${n} ${next}`
    }))
    const used = await startUsage(PRODUCTS)
    await request('POST', '/api/v1/products/batch', { projectId: PRODUCT_PROJECT, products })
    results.push({ act: `report to ${count} webhooks`, per: 'product', p50Ms: null, p99Ms: null, ...(await used()) })
    await service.send({ name: 'removeWebhooks' })
    receiver.close()
  }
}
