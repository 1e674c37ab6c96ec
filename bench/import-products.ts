import { rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { buildApp } from '../app.ts'
import type { ProductRecord } from '../ports/store/port.ts'
import { manyRows } from '../test/fixtures/products/catalog.ts'
import { productFile } from '../test/fixtures/products/files.ts'
import type { Bench, BenchRow } from './harness/bench.ts'
import { measureInTurn, type Side } from './harness/in-turn.ts'
import { formatNumber } from './harness/statistics.ts'
import { temporaryFolder } from './harness/temporary-folder.ts'

/** Rows of an import, with `--scale 1`. */
const ROWS = 100_000
const BATCH_SIZE = 500
const READER = { accountId: 'bench', projectIds: null }

async function withNewFolder(measure: (app: Awaited<ReturnType<typeof buildApp>>) => Promise<number>): Promise<number> {
  const folder = temporaryFolder('bench-import')
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
async function prebuildRecords(count: number): Promise<ProductRecord[]> {
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
  return Array.from({ length: count }, (_, i) => ({
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

const measureImport = async (format: 'ndjson' | 'csv', { text, rows }: { text: Buffer; rows: number }) =>
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
    if (record.status !== 'done' || record.processed !== rows) {
      throw new Error(`The import has the status ${record.status} after ${record.processed} rows.`)
    }
    return performance.now() - start
  })

export const bench: Bench = {
  summary:
    'Product imports on a new embedded store, from the first byte of the upload to the status `done`. Compared with ' +
    "saving prebuilt records in batches of the importer's size to the same store.",
  defaults: { rounds: 3 },
  async run({ rounds, scale }) {
    const rows = Math.ceil(ROWS * scale)
    const records = await prebuildRecords(rows)
    const perSecond = (ms: number): number => (rows / ms) * 1000
    const importSide = (format: 'ndjson' | 'csv'): Side => {
      const text = Buffer.from(productFile(format, rows).text)
      return { name: format, measure: async () => perSecond(await measureImport(format, { text, rows })) }
    }
    const values = await measureInTurn(
      [
        { name: 'saving', measure: async () => perSecond(await measureRaw(records)) },
        importSide('ndjson'),
        importSide('csv')
      ],
      rounds
    )
    return (['ndjson', 'csv'] as const).map(
      (format): BenchRow => ({
        name: `${formatNumber(rows)} rows of ${format.toUpperCase()}`,
        unit: 'rows/s',
        values: values.get(format)!,
        baseline: { name: 'saving prebuilt records', values: values.get('saving')! }
      })
    )
  }
}
