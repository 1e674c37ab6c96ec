import { createHash } from 'node:crypto'
import { createYielder } from '../../lib/async.ts'
import { StartError } from '../../errors.ts'
import type { TransferKind, TransferRecord } from '../../ports/store/port.ts'

/** Version of the export format. Increased when an older `svc import` cannot read newer exports. */
export const EXPORT_VERSION = 2

/** The first line of an export. */
export interface ExportHeader {
  kind: 'export'
  version: number
  madeAt: string
  /** Id of the SECRETS_KEY that encrypts the signing secrets; see `secretsKeyId`. */
  secretsKey: string
  secrets: 'encrypted' | 'plaintext'
}

export interface RecordEntry<Kind extends TransferKind = TransferKind> {
  kind: Kind
  record: TransferRecord<Kind>
}

/** A file; `BytesEntry` lines with `size` bytes follow. */
export interface FileEntry {
  kind: 'file'
  key: string
  size: number
  sha256: string
}

export interface BytesEntry {
  kind: 'bytes'
  /** Base64. */
  data: string
}

/** A line between the first and the last one. */
export type Entry = RecordEntry | FileEntry | BytesEntry

/** The last line. An export without it is incomplete. */
export interface ExportEnd {
  kind: 'end'
  /** Lines by kind. */
  counts: Record<string, number>
  /** Hexadecimal digest of all previous lines, including their line breaks. */
  sha256: string
}

/** A parsed export. `end` may be called after all entries were read. */
export interface ParsedExport {
  header: ExportHeader
  entries: AsyncGenerator<Entry>
  end: () => ExportEnd
}

/** Records that are read or written at once, by kind in export order. Large records in few. */
export const BATCH_SIZES: { [Kind in TransferKind]: number } = {
  account: 500,
  project: 500,
  apiKey: 500,
  blog: 20,
  tombstone: 500,
  pendingRelated: 500,
  related: 500,
  image: 500,
  blogRevision: 20,
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
export const TRANSFER_KINDS = Object.keys(BATCH_SIZES) as TransferKind[]

export const isRecordEntry = (entry: { kind: string }): entry is RecordEntry => Object.hasOwn(BATCH_SIZES, entry.kind)

/** The lines of an export, each with its line break. */
export async function* serializeExport(header: ExportHeader, entries: AsyncIterable<Entry>): AsyncGenerator<string> {
  const digest = createHash('sha256')
  const counts: Record<string, number> = {}
  const toLine = (value: object) => `${JSON.stringify(value)}\n`
  const toHashedLine = (value: object) => {
    const line = toLine(value)
    digest.update(line)
    return line
  }
  yield toHashedLine(header)
  const pause = createYielder()
  for await (const entry of entries) {
    await pause()
    counts[entry.kind] = (counts[entry.kind] ?? 0) + 1
    yield toHashedLine(entry)
  }
  yield toLine({ kind: 'end', counts, sha256: digest.digest('hex') } satisfies ExportEnd)
}

/**
 * Parses an export from a stream. Throws a StartError as soon as it finds data of another format,
 * a newer version, a changed line or a missing end. Entries that were yielded before are not
 * reliable: read an export once to its end before you use any of it.
 */
export async function parseExport(bytes: AsyncIterable<Uint8Array>): Promise<ParsedExport> {
  const lines = splitLines(bytes)
  const digest = createHash('sha256')
  const first = await lines.next()
  const header = first.done === true ? null : parseLine(first.value)
  if (!isHeader(header)) throw new StartError('This file is not an export. Create one with "svc export".')
  if (header.version > EXPORT_VERSION) {
    throw new StartError(
      [
        `The export was made by a newer version: its format is ${header.version},`,
        `but this version supports only ${EXPORT_VERSION}. Upgrade before you import it.`
      ].join(' ')
    )
  }
  digest.update(first.value as Buffer)
  let end: ExportEnd | null = null

  async function* parseEntries(): AsyncGenerator<Entry> {
    const counts: Record<string, number> = {}
    /** Bytes of the last file that are still to come. */
    let missing = 0
    for await (const line of lines) {
      const entry = parseLine(line)
      if (entry === null || end !== null) throw damaged()
      if (isEnd(entry)) {
        if (missing > 0 || entry.sha256 !== digest.digest('hex') || !isEqual(entry.counts, counts)) throw damaged()
        end = entry
        continue
      }
      if (!isEntry(entry) || missing > 0 !== (entry.kind === 'bytes')) throw damaged()
      if (entry.kind === 'file') missing += entry.size
      if (entry.kind === 'bytes') missing -= Buffer.byteLength(entry.data, 'base64')
      if (missing < 0) throw damaged()
      digest.update(line)
      counts[entry.kind] = (counts[entry.kind] ?? 0) + 1
      yield entry
    }
    if (end === null) {
      throw new StartError('The export is not complete: its last line is missing. Export or copy it again.')
    }
  }

  return {
    header,
    entries: parseEntries(),
    end() {
      if (end === null) throw new Error('The export was not read to its end')
      return end
    }
  }
}

const LINE_BREAK = 0x0a

/** Lines with their line breaks; the last one may have none. */
async function* splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = []
  for await (const chunk of bytes) {
    let start = 0
    for (let index = chunk.indexOf(LINE_BREAK); index >= 0; index = chunk.indexOf(LINE_BREAK, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, index + 1)])
      parts = []
      start = index + 1
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  }
  if (parts.length > 0) yield Buffer.concat(parts)
}

/** Null if the line is not a JSON object with a kind. */
function parseLine(line: Buffer): { kind: string } | null {
  try {
    const value = JSON.parse(line.toString('utf8')) as unknown
    return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'
      ? (value as { kind: string })
      : null
  } catch {
    return null
  }
}

const isHeader = (entry: { kind: string } | null): entry is ExportHeader =>
  entry?.kind === 'export' && typeof (entry as ExportHeader).version === 'number'
const isEnd = (entry: { kind: string }): entry is ExportEnd => entry.kind === 'end'
const isEntry = (entry: { kind: string }): entry is Entry =>
  isRecordEntry(entry) || entry.kind === 'file' || entry.kind === 'bytes'
const isEqual = (expected: Record<string, number>, actual: Record<string, number>) =>
  Object.keys({ ...expected, ...actual }).every((kind) => expected[kind] === actual[kind])
const damaged = () =>
  new StartError('The export is damaged: its content was changed or cut off. Copy the file again, or export again.')
