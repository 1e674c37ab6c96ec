/**
 * How fast files of products are imported: `node bench/import.ts [rows] [rounds]`, 100,000 rows and
 * 3 rounds unless told otherwise.
 *
 * Each round measures in turn, each on a data folder of its own and with the same rows: a raw bulk
 * upsert (ready-made records given to the store in the importer's portions, nothing else),
 * and imports of NDJSON and of CSV from the first byte of the upload to `done`: reading, checking,
 * looking up, merging, saving, progress. The ratio is raw time ÷ import time.
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

async function onNewFolder(measure: (app: Awaited<ReturnType<typeof buildApp>>) => Promise<number>): Promise<number> {
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

/** Records as the importer makes them, made by it from the first rows and numbered on. */
async function readyRecords(): Promise<ProductRecord[]> {
  const samples: ProductRecord[] = []
  await onNewFolder(async (app) => {
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
    externalId: `ready-${i}`
  }))
}

const raw = async (records: ProductRecord[]) =>
  await onNewFolder(async ({ store }) => {
    const start = performance.now()
    for (let i = 0; i < records.length; i += BATCH_SIZE) {
      await store.products.saveMany(records.slice(i, i + BATCH_SIZE).map((product) => ({ product, ifVersion: null })))
    }
    return performance.now() - start
  })

const imported = async (format: 'ndjson' | 'csv', text: Buffer) =>
  await onNewFolder(async ({ services }) => {
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
      throw new Error(`The import ended ${record.status} after ${record.processed} rows.`)
    }
    return performance.now() - start
  })

const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!
const records = await readyRecords()
const files = { ndjson: Buffer.from(productFile('ndjson', ROWS).text), csv: Buffer.from(productFile('csv', ROWS).text) }
const times: Record<'raw' | 'ndjson' | 'csv', number[]> = { raw: [], ndjson: [], csv: [] }
for (let round = 0; round < ROUNDS; round++) {
  times.raw.push(await raw(records))
  times.ndjson.push(await imported('ndjson', files.ndjson))
  times.csv.push(await imported('csv', files.csv))
}
for (const [what, all] of Object.entries(times)) {
  const ms = median(all)
  console.log(
    `${what.padEnd(6)} ${(ms / 1000).toFixed(2)} s  ${Math.round((ROWS / ms) * 1000)} rows/s  ${(median(times.raw) / ms).toFixed(2)} of raw  (${all.map((one) => (one / 1000).toFixed(2)).join(', ')})`
  )
}
