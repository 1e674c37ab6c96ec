import type { ImportRecord } from '../../ports/store/port.ts'
import { MAX_STORED_FAILED_ROWS, type ProductImport } from '../../schemas/product-import.ts'

/** The number of failed rows that are stored: the first ones. */
export const storedFailedRows = ({ failed }: Pick<ImportRecord, 'failed'>): number =>
  Math.min(failed, MAX_STORED_FAILED_ROWS)

/** The API representation of an import. */
export function toImportResponse(record: ImportRecord): ProductImport {
  const {
    id,
    projectId,
    status,
    file,
    total,
    processed,
    created,
    updated,
    unchanged,
    failed,
    repeated,
    reason,
    createdAt,
    startedAt,
    finishedAt
  } = record
  return {
    id,
    projectId,
    status,
    file,
    total,
    processed,
    created,
    updated,
    unchanged,
    failed,
    failedStored: storedFailedRows(record),
    repeated,
    reason,
    createdAt,
    startedAt,
    finishedAt,
    etaSeconds: etaSeconds(record)
  }
}

/** Estimated remaining seconds at the average speed so far; null if unknown. */
function etaSeconds({ status, startedAt, processed, total }: ImportRecord): number | null {
  if (status !== 'running' || startedAt === null || processed === 0) return null
  const elapsedMs = Date.now() - Date.parse(startedAt)
  return Math.max(0, Math.ceil((elapsedMs * (total - processed)) / processed / 1000))
}
