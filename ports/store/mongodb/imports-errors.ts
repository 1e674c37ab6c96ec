import { randomUUID } from 'node:crypto'
import type { ImportErrorRecord } from '../port.ts'
import type { Database } from './database.ts'
import { importErrors, imports, type ImportDocument } from './imports-documents.ts'

/**
 * Puts the errors of a step down, unseen; returns what they are known by, null when there are none.
 */
export async function putErrors(
  database: Database,
  { id: importId, fromByte }: { id: string; fromByte: number },
  errors: ImportErrorRecord[]
): Promise<string | null> {
  if (errors.length === 0) return null
  const step = `${String(fromByte).padStart(16, '0')} ${new Date().toISOString()} ${randomUUID()}`
  const byLine = new Map(errors.map((error) => [error.line, error]))
  await importErrors(database).insertMany(
    [...byLine.values()].map((error) => ({ _id: `${importId} ${step} ${error.line}`, ...error, importId, step })),
    { ordered: false }
  )
  return step
}

/**
 * Shows the errors of the step that the import says is made, instead of older ones of the same
 * lines. Doing it again does nothing.
 */
export async function showErrors(
  database: Database,
  { _id, showing }: Pick<ImportDocument, '_id' | 'showing'>
): Promise<void> {
  if (showing === undefined) return
  const put = await importErrors(database)
    .find({ importId: _id, step: showing }, { projection: { line: 1 } })
    .toArray()
  await importErrors(database).deleteMany({
    importId: _id,
    shown: true,
    line: { $in: put.map(({ line }) => line) },
    step: { $lt: showing }
  })
  await importErrors(database).updateMany({ importId: _id, step: showing }, { $set: { shown: true } })
  await imports(database).updateOne({ _id, showing }, { $unset: { showing: '' } })
}

/** Removes the errors of a step that was not made, or all of the import. */
export async function dropErrors(database: Database, importId: string, step?: string): Promise<void> {
  await importErrors(database).deleteMany({ importId, ...(step === undefined ? {} : { step }) })
}

/** In order of line, those after a line. */
export async function shownErrors(
  database: Database,
  importId: string,
  { afterLine, limit }: { afterLine: number; limit: number }
): Promise<ImportErrorRecord[]> {
  return await importErrors(database)
    .find<ImportErrorRecord>(
      { importId, shown: true, line: { $gt: afterLine } },
      { projection: { _id: 0, step: 0, shown: 0 }, sort: { line: 1 }, limit }
    )
    .toArray()
}
