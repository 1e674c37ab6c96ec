import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { productFile } from '../fixtures/products/files.ts'
import { manyRows } from '../fixtures/products/catalog.ts'
import { createSeededRandom } from '../fixtures/seeded-random.ts'
import { eventually } from '../fixtures/webhooks/receiver.ts'
import { client, person, startApp, temporaryFolder } from '../helper.ts'
import { scaled, small } from '../profile.ts'
import { SEED } from '../seed.ts'
import { startServer, createSvc } from '../processes.ts'

const ROWS = small ? (scaled ? 120 : 600) : 12_000
/** Kills for each format. */
const KILLS = small ? 1 : 10
/**
 * The latest kill, as a share of the file. The few kills of the small size come early, while much is
 * left to import.
 */
const LATEST = small ? 0.4 : 1
const LONGEST_MS = 240_000

type Counts = Record<'total' | 'processed' | 'created' | 'updated' | 'unchanged' | 'failed' | 'repeated', number>
interface ImportNow extends Counts {
  status: string
}
interface Ended {
  counts: Counts
  report: string
  products: number
  table: string
}
/** Reads the answer's body. */
type Get = (path: string) => Promise<string>

/** No test looks at other people's pictures: this address is refused. */
const withoutPictures = (text: string) => text.replaceAll(/https:\/\/[\w.-]+\//g, 'https://127.0.0.1/')

/**
 * A file with broken rows, and with rows that come again: the same, changed, and with other fields,
 * near and far from where they came first.
 */
function file(format: 'ndjson' | 'csv'): string {
  const lines = withoutPictures(productFile(format, ROWS).text).trimEnd().split('\n')
  if (format === 'csv') {
    const repeated = lines.flatMap((line, i) =>
      i % 37 === 36 && !line.includes('"') ? [line, line, line.replace(',USD,', ',EUR,'), line] : [line]
    )
    return `${repeated.join('\n')}\n`
  }
  const rows = [...manyRows(ROWS)]
  const again = lines.flatMap((line, i) =>
    i % 37 === 36
      ? [
          line,
          line,
          JSON.stringify({ externalId: rows[i]!.externalId, title: rows[i]!.title, mpn: `M-${i}` }),
          JSON.stringify({ externalId: rows[i - 20]!.externalId, title: `Again ${i}` })
        ]
      : [line]
  )
  return `${again.join('\n')}\n`
}

const path = '/api/v1/products/imports?projectId=shop'
const typeOf = (format: string) => (format === 'csv' ? 'text/csv' : 'application/x-ndjson')

/** What an import came to that nothing disturbs. */
async function calmly(t: Test, { format, text }: { format: string; text: string }): Promise<Ended> {
  const app = await startApp(t)
  const call = await client(app)
  await app.services.accounts.update('acme', { requestsPerHour: 1_000_000 })
  await (await person(app, 'acme'))('POST', '/api/projects', { id: 'shop', optimize: 'manual' })
  const answer = await call('POST', path, text, { 'content-type': typeOf(format) })
  const ended = await end(async (path) => (await call('GET', path)).body, String(answer.headers.location))
  await app.close()
  return ended
}

/**
 * What is there in the end: the counts, the errors by line, and the whole table without what depends
 * on chance, on the clock or on the progress of the optimizer.
 */
async function end(get: Get, where: string): Promise<Ended> {
  await eventually(
    async () => (JSON.parse(await get(where)) as ImportNow).status === 'done',
    'the end of the import',
    LONGEST_MS
  )
  const { total, processed, created, updated, unchanged, failed, repeated } = JSON.parse(await get(where)) as ImportNow
  const table = createHash('sha256')
  let products = 0
  for await (const {
    id: _id,
    createdAt: _created,
    updatedAt: _updated,
    status: _status,
    seo: _seo,
    warnings: _warnings,
    quality: _quality,
    schemaOrgJson: _schemaOrgJson,
    ...product
  } of allProducts(get)) {
    table.update(JSON.stringify(product))
    products++
  }
  return {
    counts: { total, processed, created, updated, unchanged, failed, repeated },
    report: await get(`${where}/errors?as=report`),
    products,
    table: table.digest('hex')
  }
}

async function* allProducts(get: Get): AsyncGenerator<Record<string, any>> {
  for (let page = 1, pages = 1; page <= pages; page++) {
    const list = JSON.parse(await get(`/api/v1/products?pageSize=100&page=${page}`)) as {
      products: Record<string, any>[]
      totalPages: number
    }
    pages = list.totalPages
    yield* list.products
  }
}

for (const format of ['ndjson', 'csv'] as const) {
  t.test(
    `an import of ${ROWS.toLocaleString('en')} rows of ${format} gets the same result after ${KILLS} kills`,
    { timeout: 4 * LONGEST_MS },
    async (t) => {
      const random = createSeededRandom(SEED)
      const text = file(format)
      const expected = await calmly(t, { format, text })

      const data = temporaryFolder(t)
      const key = (await createSvc(data)('keys', 'create', '--name', 'Stress', '--account', 'acme')).out.trim()
      await createSvc(data)('account', 'set-limits', 'acme', '--requests-per-hour', '1000000')
      let server = await startServer(t, data)
      const get = async (path: string) =>
        await (await fetch(server.url + path, { headers: { 'x-api-key': key } })).text()
      const upload = await fetch(server.url + path, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': typeOf(format) },
        body: text
      })
      t.equal(upload.status, 202)
      const where = upload.headers.get('location')!
      const kills: number[] = []
      let reached = 0
      let over = false
      while (kills.length < KILLS && !over) {
        const target =
          kills.length === 0
            ? 0
            : Math.min(
                reached + (2 * random() * (expected.counts.processed - reached)) / (KILLS - kills.length + 1),
                expected.counts.processed * LATEST
              )
        await eventually(
          async () => {
            const { status, processed } = JSON.parse(await get(where)) as ImportNow
            over = status === 'done'
            reached = processed
            return over || processed >= target
          },
          'an import that goes on by itself',
          LONGEST_MS
        )
        await new Promise((resolve) => {
          setTimeout(resolve, random() * 30)
        })
        await server.end('SIGKILL')
        if (!over) kills.push(reached)
        server = await startServer(t, data)
      }
      t.comment(`seed ${SEED}; killed after this number of published rows: ${kills.join(', ')}`)
      t.ok(kills.length >= Math.min(3, KILLS), `${kills.length} kills came while it ran`)
      const ended = await end(get, where)
      t.same(ended.counts, expected.counts)
      t.equal(ended.counts.created + ended.counts.updated + ended.counts.failed, ended.counts.processed)
      t.equal(ended.counts.processed, ended.counts.total)
      t.ok(ended.counts.failed > 0 && ended.counts.repeated > 0 && ended.counts.unchanged > 0)
      t.equal(ended.products, ended.counts.created)
      t.equal(ended.report === expected.report, true, 'the same errors by line')
      t.equal(ended.table, expected.table, 'the same table')

      for (const status of ['pending', 'optimizing']) {
        await eventually(
          async () => JSON.parse(await get(`/api/v1/products?status=${status}&pageSize=1`)).totalCount === 0,
          'the optimization of all',
          LONGEST_MS
        )
      }
      const handles = new Set<string>()
      let products = 0
      for await (const { status, seo } of allProducts(get)) {
        products++
        if (status === 'optimized') handles.add(seo.handle.value)
      }
      t.equal(handles.size, products, 'each is optimized and has a handle of its own')
    }
  )
}
