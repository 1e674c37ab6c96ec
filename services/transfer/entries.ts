import type { TransferKind, TransferRecord } from '../../ports/store/port.ts'

/** The form of an export; it grows when an older `svc import` could not read a newer file. */
export const EXPORT_VERSION = 1

/** The first line of an export. */
export interface ExportHeader {
  kind: 'export'
  version: number
  madeAt: string
  /**
   * Which SECRETS_KEY the signing secrets are encrypted by: the first 8 hexadecimal digits of the
   * SHA-256 of its 32 bytes.
   */
  secretsKey: string
  /**
   * Whether the signing secrets are as they are stored, encrypted, or can be read by whoever has
   * the file.
   */
  secrets: 'sealed' | 'readable'
}

export interface RecordEntry<Kind extends TransferKind = TransferKind> {
  kind: Kind
  record: TransferRecord<Kind>
}
/** A file; as many `bytes` follow as it has. */
export interface FileEntry {
  kind: 'file'
  key: string
  size: number
  sha256: string
}
export interface BytesEntry {
  kind: 'bytes' /** In base64. */
  data: string
}
/** A line between the first and the last one. */
export type Entry = RecordEntry | FileEntry | BytesEntry

/** The last line: without it the export was broken off. */
export interface ExportEnd {
  kind: 'end' /** Lines of each kind. */
  counts: Record<string, number> /** Of all lines before this one, with their line breaks, in hexadecimal digits. */
  sha256: string
}

/**
 * Every kind of record, in the order in which they are moved, with how many are read and written at
 * once: few of those that may be large.
 */
export const RECORDS_AT_ONCE: { [Kind in TransferKind]: number } = {
  account: 500,
  project: 500,
  apiKey: 500,
  blog: 20,
  tombstone: 500,
  pendingRelated: 500,
  related: 500,
  image: 500,
  product: 200,
  import: 200,
  importError: 50,
  visualCheck: 50,
  event: 200,
  eventCounter: 500,
  webhook: 200,
  delivery: 200,
  deliveryCounter: 500,
  recovery: 500,
  idempotency: 50,
  usage: 500
}
export const TRANSFER_KINDS = Object.keys(RECORDS_AT_ONCE) as TransferKind[]

export const isRecordEntry = (entry: { kind: string }): entry is RecordEntry =>
  Object.hasOwn(RECORDS_AT_ONCE, entry.kind)
