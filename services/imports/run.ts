import { Readable } from 'node:stream'
import { ApiError } from '../../errors.ts'
import { createYielder } from '../../lib/async.ts'
import type { Files } from '../../ports/files/port.ts'
import type { Queue, RunResult } from '../../ports/queue/port.ts'
import type { ImportRecord, ImportStep, NewEvent, Store } from '../../ports/store/port.ts'
import { MAX_STORED_FAILED_ROWS, type ImportStatus } from '../../schemas/product-import.ts'
import { newEvent } from '../events/envelope.ts'
import { projectKey } from '../products/follow-up-jobs.ts'
import { batchSizes, createPacer } from '../pacing.ts'
import { validateRow, type SchemaValidator, type ValidatedRow } from '../products/input.ts'
import type { ProductWriter } from '../products/write.ts'
import type { Projects } from '../projects.ts'
import { layoutKey, uploadKey } from './files.ts'
import type { Layout } from './rows/layout.ts'
import type { Row } from './rows/row.ts'
import { storedFailedRows } from './response.ts'
import { readBatches, type RowBatch } from './rows/batches.ts'

/** Bytes that inherited cells add to the stored failed rows of a batch, and of an import. */
const MAX_INHERITED_BYTES = { batch: 1024 * 1024, import: 32 * 1024 * 1024 }
/** Rows per batch. */
const BATCH_ROWS = { local: { min: 25, max: 500 }, remote: { min: 50, max: 1_000, first: 250 } }

interface Dependencies {
  store: Store
  files: Files
  queue: Queue
  projects: Projects
  writer: ProductWriter
  check: SchemaValidator
}

/**
 * Runs imports batch by batch. Each batch is committed before the next one, so that an interrupted
 * import resumes after the last committed batch.
 */
export function createImportRunner({ store, files, queue, projects, writer, check }: Dependencies) {
  /** Imports that this process is running. A second job for the same import returns immediately. */
  const running = new Set<string>()
  /** The number of rows that the last run took at once, with which the next slice begins. */
  let batchRows: number | undefined

  /** Commits a step. Returns null if another process took over, or the import has ended. */
  const advance = (record: ImportRecord, step: Pick<ImportStep, 'change'> & Partial<ImportStep>) =>
    store.imports.advance({
      accountId: record.accountId,
      id: record.id,
      fromByte: record.nextByte,
      errors: [],
      events: [],
      ...step
    })

  async function importBatch(
    record: ImportRecord,
    { rows, nextByte, nextLine }: RowBatch
  ): Promise<ImportRecord | null> {
    const pause = createYielder()
    const checked: { row: (typeof rows)[number]; checked: ValidatedRow }[] = []
    for (const row of rows) {
      checked.push({ row, checked: validateRow(row, { projectId: record.projectId, check }) })
      await pause()
    }
    const validRows = checked.flatMap(({ checked: { valid } }) => valid ?? [])
    const project = await projects.resolveForWrite(record.accountId, record.projectId)
    const written = await writer.write(validRows, { project, importId: record.id })
    const count = (result: string) => written.filter((row) => row.result === result).length
    const [created, unchanged] = [count('created'), count('unchanged')]
    const updated = count('updated') + unchanged
    const invalid = checked.filter(({ checked: { valid } }) => valid === null)
    if (created + updated + invalid.length !== rows.length) {
      throw new Error(`The row counts of import ${record.id} are inconsistent before line ${nextLine}.`)
    }
    const failedRows = await toFailedRows(record, invalid.slice(0, MAX_STORED_FAILED_ROWS - storedFailedRows(record)))
    return await advance(record, {
      change: {
        nextByte,
        nextLine,
        processed: record.processed + rows.length,
        created: record.created + created,
        updated: record.updated + updated,
        unchanged: record.unchanged + unchanged,
        failed: record.failed + invalid.length,
        failedBytes: (record.failedBytes ?? 0) + failedRows.reduce((sum, { row }) => sum + Buffer.byteLength(row), 0),
        repeated: record.repeated + written.filter(({ repeated }) => repeated).length
      },
      errors: failedRows
    })
  }

  /**
   * Inherited cells are filled in within limits: a description of 50 KB may belong to 3,000 variants. The
   * other rows follow one of the same handle, from which they inherit when they are uploaded again.
   */
  async function toFailedRows(
    { id, failedBytes = 0 }: ImportRecord,
    failed: { row: Row; checked: ValidatedRow }[]
  ): Promise<ImportStep['errors']> {
    const pause = createYielder()
    const stored: ImportStep['errors'] = []
    let inheritedBytes = Math.min(MAX_INHERITED_BYTES.batch, MAX_INHERITED_BYTES.import - failedBytes)
    for (const { row, checked } of failed) {
      const { line, externalId, errors } = checked
      let text = row.record
      if (inheritedBytes > 0) {
        text = row.raw
        inheritedBytes -= Buffer.byteLength(text) - Buffer.byteLength(row.record)
      }
      stored.push({ importId: id, line, externalId, row: text, errors })
      await pause()
    }
    return stored
  }

  async function finish(record: ImportRecord, status: ImportStatus, reason: string | null = null): Promise<void> {
    const finishedAt = new Date().toISOString()
    const change = { status, reason, finishedAt, ...(status === 'done' ? { total: record.processed } : {}) }
    const ended = await advance(record, { change, events: [completedEvent({ ...record, ...change })] })
    if (ended === null) return
    await files.remove(uploadKey(record.id))
    const { accountId, projectId } = record
    await queue.add('optimize-products', { accountId, projectId }, { key: projectKey(record) })
    await queue.add('check-product-images', { accountId, projectId }, { key: projectKey(record) })
    await queue.add('fan-out-events', { accountId }, { key: accountId })
  }

  async function resume(
    record: ImportRecord,
    { signal, isSliceOver }: { signal: AbortSignal; isSliceOver: () => boolean }
  ): Promise<RunResult> {
    const layout = await files.read(layoutKey(record.id))
    if (layout === null || (await files.size(uploadKey(record.id))) === null) {
      return await finish(record, 'failed', 'The uploaded file no longer exists. Upload the file again.')
    }
    // An import interrupted after its last row has nothing left to read and only needs to finish.
    const open = async (fromByte: number) =>
      fromByte >= record.file.bytes
        ? Readable.from([])
        : (await files.stream(
            uploadKey(record.id),
            fromByte === 0 ? undefined : { start: fromByte, end: record.file.bytes - 1 }
          ))!
    const pacer = createPacer({ accountId: record.accountId, ...batchSizes(store, BATCH_ROWS, batchRows) })
    const from = { byte: record.nextByte, line: record.nextLine, size: pacer.size }
    let current: ImportRecord | null = record
    // Reading from the middle of a WooCommerce export starts with its beginning. A run lasts at least
    // twice as long as that takes, so that most of the time is spent on new rows.
    const openedAt = performance.now()
    let openingMs: number | undefined
    for await (const next of readBatches(open, JSON.parse(layout.toString()) as Layout, from)) {
      if (signal.aborted) return
      openingMs ??= performance.now() - openedAt
      if (current.cancelRequested) return await finish(current, 'cancelled')
      const before: ImportRecord = current
      try {
        current = await importBatch(before, next)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.code === 'storage_quota_exceeded') return await finish(before, 'failed', error.message)
        if (error.code !== 'project_not_found') throw error
        return await finish(
          before,
          'failed',
          'The project was deleted, and the account does not create projects automatically.'
        )
      }
      if (current === null) return
      await pacer.rest()
      batchRows = pacer.size()
      if (isSliceOver() && performance.now() - openedAt >= 2 * openingMs) return 'continue'
    }
    await finish(current, current.cancelRequested ? 'cancelled' : 'done')
  }

  return {
    /**
     * Resumes an import until it ends, the slice is over (`continue`) or the signal is aborted. Does
     * nothing if the import has ended or another process runs it.
     */
    async run(
      accountId: string,
      id: string,
      { signal, isSliceOver = () => false }: { signal: AbortSignal; isSliceOver?: () => boolean }
    ): Promise<RunResult> {
      const record = await store.imports.find(accountId, id)
      if (record === null || !['queued', 'running'].includes(record.status) || running.has(id)) return
      running.add(id)
      try {
        const started =
          record.status === 'running'
            ? record
            : await advance(record, { change: { status: 'running', startedAt: new Date().toISOString() } })
        return started === null ? undefined : await resume(started, { signal, isSliceOver })
      } finally {
        running.delete(id)
      }
    }
  }
}

function completedEvent({
  id,
  accountId,
  projectId,
  status,
  reason,
  total,
  processed,
  created,
  updated,
  unchanged,
  failed,
  finishedAt
}: ImportRecord): NewEvent {
  return newEvent({
    accountId,
    projectId,
    type: 'products.import.completed',
    key: id,
    timestamp: finishedAt!,
    data: { importId: id, projectId, status, reason, total, processed, created, updated, unchanged, failed }
  })
}
