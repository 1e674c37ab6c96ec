import { createHash } from 'node:crypto'
import { StartError } from '../../errors.ts'
import { EXPORT_VERSION, isRecordEntry, type Entry, type ExportEnd, type ExportHeader } from './entries.ts'

/** An export as it was read: its header, what is in it, and, once all of it was read, the end. */
export interface ParsedExport {
  header: ExportHeader
  entries: AsyncGenerator<Entry>
  end: () => ExportEnd
}

const LINE_BREAK = 0x0a

/**
 * Reads an export while it comes in. Throws a StartError as soon as it is seen not to be one that
 * this version can read: no export, of a newer version, broken off,
 * or changed since it was made. What was yielded before that must not be relied on: an export is to
 * be read to its end once before anything is done with it.
 */
export async function parseExport(bytes: AsyncIterable<Uint8Array>): Promise<ParsedExport> {
  const lines = linesOf(bytes)
  const sum = createHash('sha256')
  const first = await lines.next()
  const header = first.done === true ? null : parsed(first.value)
  if (!isHeader(header)) throw new StartError('This is no export: make one with svc export.')
  if (header.version > EXPORT_VERSION) {
    throw new StartError(
      `The export was made by a newer version (its form is ${header.version}, this version reads ${EXPORT_VERSION}): import it with that version, or a newer one.`
    )
  }
  sum.update(first.value as Buffer)
  let end: ExportEnd | null = null

  async function* entries(): AsyncGenerator<Entry> {
    const counts: Record<string, number> = {}
    /** Bytes that still must come of the last file. */
    let missing = 0
    for await (const line of lines) {
      const entry = parsed(line)
      if (entry === null || end !== null) throw broken()
      if (isEnd(entry)) {
        if (missing > 0 || entry.sha256 !== sum.digest('hex') || !sameCounts(entry.counts, counts)) throw broken()
        end = entry
        continue
      }
      if (!isEntry(entry) || missing > 0 !== (entry.kind === 'bytes')) throw broken()
      missing +=
        entry.kind === 'file' ? entry.size : entry.kind === 'bytes' ? -Buffer.byteLength(entry.data, 'base64') : 0
      if (missing < 0) throw broken()
      sum.update(line)
      counts[entry.kind] = (counts[entry.kind] ?? 0) + 1
      yield entry
    }
    if (end === null) {
      throw new StartError('The export is not complete, its end is missing: export again, or copy the file again.')
    }
  }

  return {
    header,
    entries: entries(),
    end: () => {
      if (end === null) throw new Error('The export was not read to its end')
      return end
    }
  }
}

/** Lines with their line breaks; what follows the last line break is a line too. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = []
  for await (const chunk of bytes) {
    let from = 0
    for (let at = chunk.indexOf(LINE_BREAK); at >= 0; at = chunk.indexOf(LINE_BREAK, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, at + 1)])
      parts = []
      from = at + 1
    }
    if (from < chunk.length) parts.push(chunk.subarray(from))
  }
  if (parts.length > 0) yield Buffer.concat(parts)
}

function parsed(line: Buffer): { kind: string } | null {
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
const sameCounts = (told: Record<string, number>, counted: Record<string, number>) =>
  Object.keys({ ...told, ...counted }).every((kind) => told[kind] === counted[kind])
const broken = () =>
  new StartError('The export is damaged: it is not as it was made. Copy the file again, or export again.')
