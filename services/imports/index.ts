import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { problem } from '../../errors.ts'
import { createYielder } from '../../lib/async.ts'
import type { Files } from '../../ports/files/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { ImportRecord, Store } from '../../ports/store/port.ts'
import type { Page } from '../../schemas/page.ts'
import type { ProductBatch } from '../../schemas/product.ts'
import type { ImportFormat } from '../../schemas/product-import.ts'
import { assertProjectAllowed } from '../blogs/writing.ts'
import { newOperation, type Operation } from '../ids.ts'
import type { ProductReader } from '../products/edit.ts'
import { stringifyWithPrices } from '../products/price.ts'
import type { SchemaValidator } from '../products/input.ts'
import type { ProductWriter } from '../products/write.ts'
import type { Projects } from '../projects.ts'
import type { StorageQuota } from '../storage.ts'
import { readSweepPages } from '../sweep-pages.ts'
import { importFolder, layoutKey, uploadKey, createOrphanSweep } from './files.ts'
import { formatFailedRow, failedRowsHeader } from './rows/failed-rows.ts'
import type { Layout } from './rows/layout.ts'
import { createImportRunner } from './run.ts'
import { storedFailedRows, toImportResponse } from './response.ts'
import { receiveUpload } from './upload.ts'

export type Imports = ReturnType<typeof createImports>
export interface ImportUpload {
  projectId: string
  format: ImportFormat
  mapping: Record<string, string> | null
  body: Readable
}

const ERRORS_PAGE = 50
/** Characters of rows that are passed on at once. Each chunk takes dozens of callbacks on its way to the file. */
const CHUNK_LENGTH = 32_768
const SWEEP_BATCH = 100
/** How long finished imports and their failed rows are kept. */
const RETENTION_MS = 30 * 24 * 3_600_000

interface Dependencies {
  store: Store
  files: Files
  queue: Queue
  projects: Projects
  writer: ProductWriter
  storage: StorageQuota
  check: SchemaValidator
}

/** The rows of a batch request as NDJSON, made in slices. */
async function* toLines(products: readonly unknown[]): AsyncGenerator<Buffer> {
  const pause = createYielder()
  let lines = ''
  for (const product of products) {
    lines += `${stringifyWithPrices(product)}\n`
    if (lines.length >= CHUNK_LENGTH) {
      yield Buffer.from(lines)
      lines = ''
    }
    await pause()
  }
  if (lines !== '') yield Buffer.from(lines)
}

/** Imports of product files: received as a stream, processed in the background. */
export function createImports(parts: Dependencies) {
  const { store, files, queue, projects, storage } = parts
  const runner = createImportRunner(parts)
  const sweepOrphans = createOrphanSweep({ store, files })
  const start = ({ accountId, id }: { accountId: string; id: string }) =>
    queue.add('import-products', { accountId, importId: id }, { key: id })

  async function read({ accountId, projectIds }: ProductReader, id: string): Promise<ImportRecord> {
    const record = await store.imports.find(accountId, id)
    if (record === null || (projectIds !== null && !projectIds.includes(record.projectId))) {
      throw problem('import_not_found', `There is no import ${id} in this account.`)
    }
    return record
  }

  /**
   * Keeps the upload and a record of it, and queues it. Throws `malformed_import`,
   * `unknown_columns`, `payload_too_large`, `storage_quota_exceeded`, `request_timeout`,
   * `project_not_found`; then nothing is unfinished of it. A retry reads the upload and returns the
   * stored record.
   */
  async function receive(
    reader: ProductReader,
    { projectId, ...upload }: ImportUpload,
    { id, isRetry }: Operation = newOperation()
  ): Promise<ImportRecord> {
    assertProjectAllowed(reader, projectId)
    const { accountId } = reader
    const received = isRetry ? await store.imports.find(accountId, id) : null
    if (received !== null) {
      await finished(upload.body.resume())
      if (received.finishedAt === null) await start(received)
      return received
    }
    // A rejected upload must not create a project, and an unknown project must be reported before
    // the upload is read.
    await projects.resolveForDryRun(accountId, projectId)
    const record = await storeUpload({ id, accountId, projectId }, upload).catch(async (error: unknown) => {
      // Cleanup is best effort; the original error is more useful.
      await files.removeAll(importFolder(id)).catch(() => {})
      throw error
    })
    await start(record)
    return record
  }

  async function storeUpload(
    { id, accountId, projectId }: Pick<ImportRecord, 'id' | 'accountId' | 'projectId'>,
    upload: Omit<ImportUpload, 'projectId'>
  ): Promise<ImportRecord> {
    const check = await storage.uploadLimit(accountId)
    const { layout, bytes, total } = await receiveUpload(files, uploadKey(id), { ...upload, check })
    await storage.reserve(accountId, { bytes })
    await files.put(layoutKey(id), Buffer.from(JSON.stringify(layout)))
    await projects.resolveForWrite(accountId, projectId)
    const record: ImportRecord = {
      id,
      accountId,
      projectId,
      status: 'queued',
      file: { ...layout.file, bytes },
      mapping: upload.mapping,
      cancelRequested: false,
      total,
      processed: 0,
      nextByte: layout.firstByte,
      nextLine: layout.firstLine,
      created: 0,
      updated: 0,
      unchanged: 0,
      failed: 0,
      repeated: 0,
      reason: null,
      createdAt: new Date().toISOString(),
      startedAt: null,
      finishedAt: null
    }
    await store.imports.add(record)
    return record
  }

  return {
    read,
    run: runner.run,
    toResponse: toImportResponse,

    /** Creates an import from the rows of a batch request. */
    async receiveRows(
      reader: ProductReader,
      { projectId, products }: ProductBatch,
      operation?: Operation
    ): Promise<ImportRecord> {
      const body = Readable.from(toLines(products))
      return await receive(reader, { projectId, format: 'ndjson', mapping: null, body }, operation)
    },

    receive,

    async list(reader: ProductReader, { projectId, page, pageSize }: Page & { projectId?: string }) {
      assertProjectAllowed(reader, projectId)
      const { imports, totalCount } = await store.imports.list(
        { ...reader, ...(projectId === undefined ? {} : { projectId }) },
        { page, pageSize }
      )
      return { imports: imports.map(toImportResponse), totalCount, page, totalPages: Math.ceil(totalCount / pageSize) }
    },

    /**
     * Requests cancellation; committed rows stay. Repeating the request has no effect. Throws
     * `import_finished` if the import has ended in another way.
     */
    async cancel(reader: ProductReader, id: string): Promise<ImportRecord> {
      const { accountId } = await read(reader, id)
      const record = await store.imports.requestCancel(accountId, id)
      if (record === null || !['queued', 'running', 'cancelled'].includes(record.status)) {
        throw problem(
          'import_finished',
          `The import cannot be cancelled: it ended at ${record?.finishedAt ?? 'an earlier time'}.`
        )
      }
      if (record.status !== 'cancelled') await start(record)
      return record
    },

    /** The number of failed rows that are not in `failedRows` and `report`. */
    omittedFailedRows: (record: ImportRecord): number => record.failed - storedFailedRows(record),

    /**
     * The stored failed rows in their original format, each with its errors, so that they can be corrected
     * and uploaded again.
     */
    async *failedRows(record: ImportRecord): AsyncGenerator<string> {
      const layout = JSON.parse((await files.read(layoutKey(record.id)))!.toString()) as Layout
      yield failedRowsHeader(layout)
      for await (const failed of failures(record)) yield formatFailedRow(layout, failed)
    },

    /** The errors of each failed line, as NDJSON. */
    async *report(record: ImportRecord): AsyncGenerator<string> {
      for await (const { line, externalId, errors } of failures(record)) {
        yield `${JSON.stringify({ line, externalId, errors })}\n`
      }
    },

    /** Queues unfinished imports and deletes expired ones. */
    async sweep(signal: AbortSignal): Promise<void> {
      for await (const unfinished of readSweepPages(store.imports.unfinished, signal)) await start(unfinished)
      while (!signal.aborted) {
        const old = await store.imports.finishedBefore(new Date(Date.now() - RETENTION_MS).toISOString(), SWEEP_BATCH)
        for (const { accountId, id } of old) {
          await files.removeAll(importFolder(id))
          await store.imports.delete(accountId, id)
        }
        if (old.length < SWEEP_BATCH) break
      }
      await sweepOrphans(Date.now(), signal)
    }
  }

  async function* failures({ id }: ImportRecord) {
    let afterLine = 0
    const pause = createYielder()
    while (true) {
      const errors = await store.imports.errors(id, { afterLine, limit: ERRORS_PAGE })
      for (const failed of errors) {
        yield failed
        await pause()
      }
      if (errors.length === 0) return
      afterLine = errors.at(-1)!.line
    }
  }
}
