import type { Collection } from 'mongodb'
import type { VisualCheckMetadata, VisualCheckRecord, VisualCheckResult } from '../port.ts'
import type { Database } from './database.ts'
import type { PendingEvents } from './events-pending.ts'

export interface VisualCheckDocument extends Omit<VisualCheckMetadata, 'id'>, PendingEvents {
  _id: string
  /** As JSON, because names in what was measured are free, and MongoDB's are not. */
  result: string | null
}

export const visualChecks = (database: Database): Collection<VisualCheckDocument> =>
  database.collection<VisualCheckDocument>('visual_checks')

export function documentOf({ id, result, ...head }: VisualCheckRecord): VisualCheckDocument {
  return { _id: id, ...head, result: textOf(result) }
}

export const textOf = (result: VisualCheckResult | null): string | null =>
  result === null ? null : JSON.stringify(result)

export function headOf({ _id, result, pendingEvents, pendingAt, ...head }: VisualCheckDocument): VisualCheckMetadata {
  return { id: _id, ...head }
}

export function checkOf(document: VisualCheckDocument): VisualCheckRecord {
  return {
    ...headOf(document),
    result: document.result === null ? null : (JSON.parse(document.result) as VisualCheckResult)
  }
}
