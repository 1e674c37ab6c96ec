/**
 * Measures product imports: `node bench/import.ts [rows] [rounds]`. Defaults: 100,000 rows, 3 rounds.
 *
 * Each round measures three runs with the same rows, each on its own data folder: a raw bulk upsert
 * (prebuilt records saved in batches of the importer's size), and imports of NDJSON and CSV from the
 * first byte of the upload to the status `done`. The ratio is the raw time ÷ the import time.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buildApp } from '../app.ts'
import type { ProductRecord } from '../ports/store/port.ts'
import { manyRows } from '../test/fixtures/products/catalog.ts'
import { productFile } from '../test/fixtures/products/files.ts'

const ROWS = Number(process.argv[2] ?? 100_000)
const ROUNDS = Number(process.argv[3] ?? 3)
const BATCH_SIZE = 500
const READER = { accountId: 'bench', projectIds: null }

async function withNewFolder(measure: (app: Awaited<ReturnType<typeof buildApp>>) => Promise<number>): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-import-'))
  const app = await buildApp({
    DATA_DIR: folder,
    DEMO_CONTENT: 'off',
    LOG_LEVEL: 'silent',
    SESSION_SECRET: 'a secret for benchmarks, long enough'
  })
  try {
    await app.services.accounts.ensure(READER.accountId)
    return await measure(app)
  } finally {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Records as the importer creates them: the first rows are imported, then copied with new ids. */
async function prebuildRecords(): Promise<ProductRecord[]> {
  const samples: ProductRecord[] = []
  await withNewFolder(async (app) => {
    await app.services.projects.create(READER.accountId, { id: 'shop', optimize: 'manual' })
    const products = [...manyRows(500)]
    await app.services.products.batch(READER, { projectId: 'shop', products }, {})
    samples.push(
      ...(await app.store.products.findByExternalIds(
        { accountId: READER.accountId, projectId: 'shop' },
        products.map(({ externalId }) => externalId)
      ))
    )
    return 0
  })
  return Array.from({ length: ROWS }, (_, i) => ({
    ...samples[i % samples.length]!,
    id: `01990000-0000-7000-8000-${String(i).padStart(12, '0')}`,
    externalId: `prebuilt-${i}`
  }))
}

const measureRaw = async (records: ProductRecord[]) =>
  await withNewFolder(async ({ store }) => {
    const start = performance.now()
    for (let i = 0; i < records.length; i += BATCH_SIZE) {
      await store.products.saveMany(records.slice(i, i + BATCH_SIZE).map((product) => ({ product, ifVersion: null })))
    }
    return performance.now() - start
  })

const measureImport = async (format: 'ndjson' | 'csv', text: Buffer) =>
  await withNewFolder(async ({ services }) => {
    await services.projects.create(READER.accountId, { id: 'shop', optimize: 'manual' })
    const chunks = Array.from({ length: Math.ceil(text.length / 65_536) }, (_, i) =>
      text.subarray(i * 65_536, (i + 1) * 65_536)
    )
    const start = performance.now()
    const { id } = await services.imports.receive(READER, {
      projectId: 'shop',
      format,
      mapping: null,
      body: Readable.from(chunks)
    })
    let record = await services.imports.read(READER, id)
    while (['queued', 'running'].includes(record.status)) {
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
      record = await services.imports.read(READER, id)
    }
    if (record.status !== 'done' || record.processed !== ROWS) {
      throw new Error(`The import has the status ${record.status} after ${record.processed} rows.`)
    }
    return performance.now() - start
  })

const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!
const records = await prebuildRecords()
const files = { ndjson: Buffer.from(productFile('ndjson', ROWS).text), csv: Buffer.from(productFile('csv', ROWS).text) }
const times: Record<'raw' | 'ndjson' | 'csv', number[]> = { raw: [], ndjson: [], csv: [] }
for (let round = 0; round < ROUNDS; round++) {
  times.raw.push(await measureRaw(records))
  times.ndjson.push(await measureImport('ndjson', files.ndjson))
  times.csv.push(await measureImport('csv', files.csv))
}
for (const [name, all] of Object.entries(times)) {
  const ms = median(all)
  console.log(
    `${name.padEnd(6)} ${(ms / 1000).toFixed(2)} s  ${Math.round((ROWS / ms) * 1000)} rows/s  ` +
      `${(median(times.raw) / ms).toFixed(2)} of raw  (${all.map((one) => (one / 1000).toFixed(2)).join(', ')})`
  )
}
