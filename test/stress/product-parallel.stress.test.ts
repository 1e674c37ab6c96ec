import t, { type Test } from 'tap'
import { createSeededRandom } from '../fixtures/seeded-random.ts'
import { eventually } from '../fixtures/webhooks/receiver.ts'
import { temporaryFolder } from '../helper.ts'
import { small } from '../profile.ts'
import { SEED } from '../seed.ts'
import { startServer, createSvc } from '../processes.ts'

const CLIENTS = small ? 8 : 50
const BATCHES = small ? 3 : 20
const PRODUCTS = small ? 100 : 1000
/** Rows of the file that is imported several times at once. */
const ROWS = small ? 120 : 2000
/** The maximum number of rows in a batch. */
const MAX_ROWS = small ? 45 : 100

interface Result {
  created: number
  updated: number
  unchanged: number
  failed: number
  errors: { index: number }[]
}
interface Listed {
  id: string
  externalId: string
  title: string
  sku: string
  brand: string
  description: string
  price: number
  tags: string[]
  attributes: Record<string, string>
}

/** All fields of a row carry its mark, so that one that is made of two rows is seen. */
const row = (n: number, mark: number) => ({
  externalId: `p-${n}`,
  title: `Product ${n} of ${mark}`,
  sku: `S-${mark}`,
  brand: `Brand ${mark}`,
  description: `Words ${mark}.`,
  price: mark,
  tags: [`tag-${mark}`],
  attributes: { mark: String(mark) }
})
const isWhole = ({ externalId, title, sku, brand, description, price, tags, attributes }: Listed) =>
  JSON.stringify(row(Number(externalId.slice(2)), price)) ===
  JSON.stringify({ externalId, title, sku, brand, description, price, tags, attributes })

async function open(t: Test) {
  const data = temporaryFolder(t)
  const key = (await createSvc(data)('keys', 'create', '--name', 'Stress', '--account', 'acme')).out.trim()
  await createSvc(data)('account', 'set-limits', 'acme', '--requests-per-hour', '1000000')
  const server = await startServer(t, data)
  const call = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(server.url + path, { ...init, headers: { 'x-api-key': key, ...init.headers } })
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any }
  }
  const list = async () => {
    const all: Listed[] = []
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { body } = await call(`/api/v1/products?pageSize=100&page=${page}`)
      pages = body.totalPages
      all.push(...body.products)
    }
    return all
  }
  return { server, call, list }
}

t.test(
  `${CLIENTS} clients with ${BATCHES} batches each of ${PRODUCTS} products create every product once`,
  { timeout: 280_000 },
  async (t) => {
    const { server, call, list } = await open(t)
    const statuses = new Map<number, number>()
    const sent = new Map<string, Set<number>>()
    const wrong: unknown[] = []
    let created = 0
    let mark = 0

    async function send(random: () => number): Promise<void> {
      const count = 20 + Math.floor(random() * (MAX_ROWS - 20))
      const from = Math.floor(random() * PRODUCTS)
      // A slice of the products, every tenth batch with one of them twice, in an order of its own,
      // and a broken row.
      const numbers = Array.from({ length: count }, (_, i) => (from + i) % PRODUCTS).sort(() => random() - 0.5)
      if (random() < 0.1) numbers.push(numbers[0]!)
      const products: object[] = numbers.map((n) => row(n, ++mark))
      const broken = Math.floor(random() * products.length)
      products.splice(broken, 0, { externalId: `p-${from}`, title: 'Broken', price: -1 })
      for (const { externalId, price } of products as { externalId: string; price: number }[]) {
        sent.set(externalId, (sent.get(externalId) ?? new Set()).add(price))
      }
      const { status, body } = await call('/api/v1/products/batch', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ projectId: 'shop', products })
      })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const result = body as Result
      if (
        result.created + result.updated + result.failed !== products.length ||
        result.failed !== 1 ||
        result.errors[0]?.index !== broken
      ) {
        wrong.push({ products: products.length, ...body })
      }
      created += result.created
    }
    async function client(n: number): Promise<void> {
      const random = createSeededRandom(SEED + n)
      for (let batch = 0; batch < BATCHES; batch++) await send(random)
    }
    await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)))

    t.comment(`seed ${SEED}; ${mark} rows in ${CLIENTS * BATCHES} batches`)
    t.same([...statuses], [[200, CLIENTS * BATCHES]], 'each batch is answered 200')
    t.same(wrong.slice(0, 3), [], 'the counts of each batch add up')
    const all = await list()
    t.equal(all.length, PRODUCTS)
    t.equal(new Set(all.map(({ id }) => id)).size, PRODUCTS, 'no id is there twice')
    t.equal(new Set(all.map(({ externalId }) => externalId)).size, PRODUCTS, 'no externalId is there twice')
    t.equal(created, PRODUCTS, 'each was created once')
    t.same(
      all.filter((product) => !isWhole(product) || !sent.get(product.externalId)!.has(product.price)).slice(0, 3),
      [],
      'each product is one of the rows that were sent, whole'
    )
    t.equal(server.err(), '')
  }
)

t.test(
  'concurrent imports and batches of the same products create every product once',
  { timeout: 280_000 },
  async (t) => {
    const { server, call, list } = await open(t)
    const file = Array.from({ length: ROWS }, (_, n) => JSON.stringify(row(n, 7))).join('\n')
    const places = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { status, headers } = await call('/api/v1/products/imports?projectId=shop', {
          method: 'POST',
          headers: { 'content-type': 'application/x-ndjson' },
          body: file
        })
        t.equal(status, 202)
        return headers.get('location')!
      })
    )
    const batch = async (from: number) =>
      await call('/api/v1/products/batch', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          projectId: 'shop',
          products: Array.from({ length: ROWS / 4 }, (_, i) => row(from + i, 7)).reverse()
        })
      })
    const batches = await Promise.all([0, 1, 2, 3].map(async (quarter) => await batch((quarter * ROWS) / 4)))
    const counts: Result[] = batches.map(({ body }) => body)
    t.ok(batches.every(({ status }) => status === 200))
    for (const place of places) {
      await eventually(async () => (await call(place)).body.status === 'done', 'the end of the import', 200_000)
      const record = (await call(place)).body
      t.match(record, { processed: ROWS, failed: 0, repeated: 0 })
      t.equal(record.created + record.updated, ROWS)
      counts.push(record)
    }
    const sum = (name: 'created' | 'updated' | 'unchanged') => counts.reduce((all, result) => all + result[name], 0)
    t.equal(sum('created'), ROWS, 'each was created once')
    t.equal(sum('updated'), 4 * ROWS)
    t.equal(sum('unchanged'), 4 * ROWS, 'and changed by none')
    const all = await list()
    t.equal(all.length, ROWS)
    t.equal(new Set(all.map(({ id }) => id)).size, ROWS)
    t.ok(all.every(isWhole))
    t.equal(server.err(), '')
  }
)
