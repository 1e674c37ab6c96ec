import type { Collection } from 'mongodb'
import type { ImportStatus } from '../../../schemas/product-import.ts'
import type { ImportErrorRecord, ImportRecord, ImportStep } from '../port.ts'
import type { Database } from './database.ts'
import type { PendingEvents } from './events-pending.ts'

export const IN_PROGRESS: ImportStatus[] = ['queued', 'running']

export interface ImportDocument extends Omit<ImportRecord, 'id' | 'mapping'>, PendingEvents {
  _id: string
  /** Pairs, because names of columns are free, and MongoDB's are not. */
  mapping: [string, string][] | null
  /** The step whose errors are still to be shown: it was made, and a crash may have come then. */
  showing?: string
  /** It is being removed, which takes a while: nobody sees it any more. */
  removed?: true
}

/**
 * A row that failed, put down by a step; it is seen when that step was made. `step` is the later,
 * the greater it is.
 */
export interface ImportErrorDocument extends ImportErrorRecord {
  _id: string
  step: string
  shown?: true
}

/** Not one that is being removed. */
export const THERE = { removed: { $exists: false } } as const

export const imports = (database: Database): Collection<ImportDocument> =>
  database.collection<ImportDocument>('imports')
export const importErrors = (database: Database): Collection<ImportErrorDocument> =>
  database.collection<ImportErrorDocument>('import_errors')

export function documentOf({ id, mapping, ...rest }: ImportRecord): ImportDocument {
  return { _id: id, ...rest, mapping: mapping === null ? null : Object.entries(mapping) }
}

/** The fields that a change sets; what is undefined in it is kept. */
export function changeOf({ mapping, ...rest }: ImportStep['change']): Partial<ImportDocument> {
  const set = mapping === undefined ? {} : { mapping: mapping === null ? null : Object.entries(mapping) }
  return { ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)), ...set }
}

export function importOf({
  _id,
  mapping,
  showing,
  removed,
  pendingEvents,
  pendingAt,
  ...rest
}: ImportDocument): ImportRecord {
  return { id: _id, ...rest, mapping: mapping === null ? null : Object.fromEntries(mapping) }
}
