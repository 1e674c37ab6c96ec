import { randomUUID } from 'node:crypto'
import type { Collection } from 'mongodb'
import type { ImportStatus } from '../../../schemas/product-import.ts'
import { IMPORT_ERRORS_BYTES } from '../port.ts'
import type { ImportErrorRecord, ImportRecord, ImportStep, ImportStore } from '../port.ts'
import { commandSizesOf } from './command-sizes.ts'
import type { Database } from './database.ts'
import { deleteInParts } from './deletions.ts'
import { readOldestFirst, visibleTo } from './documents.ts'
import { movePendingEvents, pendingUpdate, type PendingEvents } from './events/pending.ts'
import { readUpTo } from './slices.ts'

const IN_PROGRESS: ImportStatus[] = ['queued', 'running']

export interface ImportDocument extends Omit<ImportRecord, 'id' | 'mapping'>, PendingEvents {
  _id: string
  /** Pairs, because column names may be invalid as MongoDB field names. */
  mapping: [string, string][] | null
  /**
   * The step whose errors are not published yet. A crash may have interrupted their publication.
   */
  pendingErrorStep?: string
  /** The import is being deleted and no longer visible. */
  deleting?: true
}

/**
 * A failed row. It becomes visible when the import's document names its step. Later steps have
 * greater `step` values.
 */
export interface ImportErrorDocument extends ImportErrorRecord {
  _id: string
  step: string
  visible?: true
}

export const NOT_DELETING = { deleting: { $exists: false } } as const

export const importCollection = (database: Database): Collection<ImportDocument> =>
  database.collection<ImportDocument>('imports')
export const importErrorCollection = (database: Database): Collection<ImportErrorDocument> =>
  database.collection<ImportErrorDocument>('import_errors')

export function toImportDocument({ id, mapping, ...rest }: ImportRecord): ImportDocument {
  return { _id: id, ...rest, mapping: mapping === null ? null : Object.entries(mapping) }
}

export function toImportRecord({
  _id,
  mapping,
  pendingErrorStep,
  deleting,
  pendingEvents,
  eventsPendingSince,
  ...rest
}: ImportDocument): ImportRecord {
  return { id: _id, ...rest, mapping: mapping === null ? null : Object.fromEntries(mapping) }
}

/** The stored fields of a change. An undefined field stays as it is stored. */
function toChangedFields({ mapping, ...rest }: ImportStep['change']): Partial<ImportDocument> {
  const fields = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  if (mapping === undefined) return fields
  return { ...fields, mapping: mapping === null ? null : Object.entries(mapping) }
}

type ImportId = Pick<ImportDocument, '_id'> & { accountId: string }
const ID_FIELDS = { _id: 1, accountId: 1 } as const
const toIds = (found: ImportId[]) => found.map(({ _id, accountId }) => ({ accountId, id: _id }))

/** Imports and their failed rows. */
export function createImports(database: Database): ImportStore {
  const imports = importCollection(database)
  const find = async (accountId: string, id: string) => await imports.findOne({ _id: id, accountId, ...NOT_DELETING })

  /**
   * Commits a step by one update of the import's document, then publishes its errors and events. Null
   * when the import is at another byte, has ended, or has errors of an earlier step to publish.
   */
  async function commitStep(
    { accountId, id, fromByte, change, events }: ImportStep,
    errorStep: string | null
  ): Promise<ImportRecord | null> {
    const { $set, ...otherOperators } = pendingUpdate(events)
    const after = await imports.findOneAndUpdate(
      {
        _id: id,
        accountId,
        nextByte: fromByte,
        status: { $in: IN_PROGRESS },
        pendingErrorStep: { $exists: false },
        ...NOT_DELETING
      },
      {
        $set: { ...toChangedFields(change), ...(errorStep === null ? {} : { pendingErrorStep: errorStep }), ...$set },
        ...otherOperators
      },
      { returnDocument: 'after' }
    )
    if (after === null) return null
    await publishErrors(database, after)
    if (events.length > 0) await movePendingEvents(database, 'imports', after._id)
    return toImportRecord(after)
  }

  return {
    add: (record) =>
      database.run(async () => {
        await imports.insertOne(toImportDocument(record))
      }),
    find: (accountId, id) =>
      database.run(async () => {
        const found = await find(accountId, id)
        return found === null ? null : toImportRecord(found)
      }),
    list: (filter, { page, pageSize }) =>
      database.run(async () => {
        const visible = { ...visibleTo(filter), ...NOT_DELETING }
        const [totalCount, found] = await Promise.all([
          // Without an order, several indexes are candidates: see `countIn` of blogs.
          imports.countDocuments(visible, { hint: visible.projectId === undefined ? 'list' : 'list_by_project' }),
          imports
            .find(visible, { projection: { pendingEvents: 0 } })
            .sort({ createdAt: -1, _id: -1 })
            .skip((page - 1) * pageSize)
            .limit(pageSize)
            .toArray()
        ])
        return { imports: found.map(toImportRecord), totalCount }
      }),
    /**
     * First inserts the errors, invisible. Then one update of the import's document commits the
     * step: it names the step whose errors to publish and carries the events. After a crash, the next
     * reader or the next step publishes them.
     */
    advance: (step) =>
      database.run(async () => {
        const { accountId, id, fromByte, errors } = step
        // Usually there are no errors, and one command is enough.
        const advanced = errors.length === 0 ? await commitStep(step, null) : null
        if (advanced !== null) return advanced
        for (;;) {
          const current = await find(accountId, id)
          if (current === null || current.nextByte !== fromByte || !IN_PROGRESS.includes(current.status)) return null
          await publishErrors(database, current)
          const errorStep = await insertPendingErrors(database, { id, fromByte }, errors)
          const after = await commitStep(step, errorStep)
          if (after !== null) return after
          if (errorStep !== null) await deleteErrors(database, id, errorStep)
        }
      }),
    requestCancel: (accountId, id) =>
      database.run(async () => {
        const cancelled = await imports.findOneAndUpdate(
          { _id: id, accountId, status: { $in: IN_PROGRESS }, ...NOT_DELETING },
          { $set: { cancelRequested: true } },
          { returnDocument: 'after' }
        )
        const found = cancelled ?? (await find(accountId, id))
        return found === null ? null : toImportRecord(found)
      }),
    errors: (id, page) =>
      database.run(async () => {
        const found = await imports.findOne({ _id: id, ...NOT_DELETING }, { projection: { pendingErrorStep: 1 } })
        if (found === null) return []
        await publishErrors(database, found)
        return await listErrors(database, id, page)
      }),
    unfinished: (page) =>
      database.run(() =>
        readOldestFirst(
          imports,
          { filter: { status: { $in: IN_PROGRESS }, ...NOT_DELETING }, field: 'createdAt' },
          page
        )
      ),
    // Includes imports whose deletion was interrupted by a crash, so that they are deleted again.
    finishedBefore: (time, limit) =>
      database.run(async () =>
        toIds(
          await imports
            .find<ImportId>(
              { finishedAt: { $lt: time } },
              { projection: ID_FIELDS, sort: { finishedAt: 1, _id: 1 }, limit }
            )
            .toArray()
        )
      ),
    delete: (accountId, id) =>
      database.run(async () => {
        const { matchedCount } = await imports.updateOne({ _id: id, accountId }, { $set: { deleting: true } })
        if (matchedCount === 0) return
        await movePendingEvents(database, 'imports', id)
        await deleteErrors(database, id)
        await imports.deleteOne({ _id: id, accountId })
      })
  }
}

/** Inserts the errors of a step, invisible. Returns the step, or null when there are no errors. */
async function insertPendingErrors(
  database: Database,
  { id: importId, fromByte }: { id: string; fromByte: number },
  errors: ImportErrorRecord[]
): Promise<string | null> {
  if (errors.length === 0) return null
  const step = `${String(fromByte).padStart(16, '0')} ${new Date().toISOString()} ${randomUUID()}`
  const byLine = new Map(errors.map((error) => [error.line, error]))
  const documents = [...byLine.values()].map((error) => ({
    _id: `${importId} ${step} ${error.line}`,
    ...error,
    importId,
    step
  }))
  await commandSizesOf(database, 'import_errors').inParts(documents, async (part) => {
    await importErrorCollection(database).insertMany(part, { ordered: false })
  })
  return step
}

/**
 * Publishes the errors of the committed step and deletes older errors of the same lines. Repeating
 * this has no effect.
 */
export async function publishErrors(
  database: Database,
  { _id, pendingErrorStep: step }: Pick<ImportDocument, '_id' | 'pendingErrorStep'>
): Promise<void> {
  if (step === undefined) return
  const errors = importErrorCollection(database)
  const inserted = await errors.find({ importId: _id, step }, { projection: { line: 1 } }).toArray()
  await errors.deleteMany({
    importId: _id,
    visible: true,
    line: { $in: inserted.map(({ line }) => line) },
    step: { $lt: step }
  })
  await errors.updateMany({ importId: _id, step }, { $set: { visible: true } })
  await importCollection(database).updateOne({ _id, pendingErrorStep: step }, { $unset: { pendingErrorStep: '' } })
}

/** Deletes the errors of a step that was not committed, or all errors of the import. */
async function deleteErrors(database: Database, importId: string, step?: string): Promise<void> {
  const filter = { importId, ...(step === undefined ? {} : { step }) }
  await deleteInParts<ImportErrorDocument>(database, 'import_errors', filter)
}

/** Visible errors after `afterLine`, ordered by line. */
async function listErrors(
  database: Database,
  importId: string,
  { afterLine, limit }: { afterLine: number; limit: number }
): Promise<ImportErrorRecord[]> {
  const found = importErrorCollection(database).find<ImportErrorRecord>(
    { importId, visible: true, line: { $gt: afterLine } },
    { projection: { _id: 0, step: 0, visible: 0 }, sort: { line: 1 }, limit }
  )
  return (await readUpTo(found, IMPORT_ERRORS_BYTES)).documents
}
