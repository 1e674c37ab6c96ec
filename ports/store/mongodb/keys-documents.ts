import type { Collection } from 'mongodb'
import type { ApiKeyRecord } from '../port.ts'
import type { Database } from './database.ts'

export interface KeyDocument extends ApiKeyRecord {
  _id: string
  /**
   * The seat that the key has while it is active, of an id that is never used again: whoever frees
   * it frees no other's. An expired key may still name its last one.
   */
  seat: string | null
  /** Grows with every change that may have to do with seats. */
  revision: number
}

export const keysOf = (database: Database): Collection<KeyDocument> => database.collection<KeyDocument>('keys')

/** So that a reader gets the record alone. */
export const RECORD_ALONE = { _id: 0, seat: 0, revision: 0 } as const

/** Neither disabled nor expired; a key expires at the instant that is named. */
export function isActive({ disabled, expiresAt }: Pick<ApiKeyRecord, 'disabled' | 'expiresAt'>, at: string): boolean {
  return !disabled && (expiresAt === null || expiresAt > at)
}
