import { createCsvSplitter } from './csv-splitter.ts'
import { lineEndByte } from './header.ts'
import { createLineSplitter, MORE_BYTES, RECORD_BYTES, type Marks, type Splitter } from './splitter.ts'
import { columnIndexes, type Columns } from './dialects/columns.ts'
import { shopifyVariantColumns } from './dialects/shopify.ts'
import { isVariable } from './dialects/woocommerce.ts'
import type { Layout } from './layout.ts'

/** How much of a record that is too long is kept, in bytes. */
export const MAX_EXCERPT_BYTES = 2000

/** Where a record begins in the file: its first byte, and its line from 1. */
export interface RecordPosition {
  byte: number
  line: number
}
/**
 * Told of every record; it lies in `bytes` from `start` to the end that the splitter's marks name.
 */
export type RecordVisitor = (bytes: Buffer, start: number, place: RecordPosition) => void

/**
 * Passes bytes, in pieces of any size, through a splitter. Holds one unfinished record at most:
 * where it would be longer than a record may be, the rest
 * of its line is passed over and the visitor gets its beginning. `place` is where the bytes begin;
 * it moves along.
 */
export function createRecordReader(
  { splitter, lineEndByte, place }: { splitter: Splitter; lineEndByte: number; place: RecordPosition },
  visit: RecordVisitor
) {
  const { marks } = splitter
  let pending: Buffer[] = []
  let pendingBytes = 0
  let requiredBytes = 0
  let excerpt: Buffer | null = null

  function drain(bytes: Buffer, final: boolean): void {
    let start = 0
    while (start < bytes.length) {
      const next = splitter.next(bytes, start, final)
      if (next === MORE_BYTES) break
      visit(bytes, start, place)
      place.byte += next - start
      place.line += 1 + marks.breaks
      start = next
    }
    splitter.moved(start)
    const rest = bytes.subarray(start)
    pending = rest.length === 0 ? [] : [rest]
    pendingBytes = rest.length
    // A record that goes on is looked at again when there is twice as much of it, so that reading
    // stays linear.
    requiredBytes = 2 * rest.length
    if (rest.length > RECORD_BYTES + 1) skipOversized(rest)
  }

  /**
   * The splitter asks for more of a record only while it has one line: what is over-long is that
   * line.
   */
  function skipOversized(rest: Buffer): void {
    excerpt = Buffer.from(rest.subarray(0, MAX_EXCERPT_BYTES))
    skipped = rest.length
    pending = []
    pendingBytes = requiredBytes = 0
  }
  let skipped = 0

  function endOversized(bytes: number): void {
    Object.assign(marks, { end: excerpt!.length, breaks: 0, nonAscii: true, fault: 'too_long', cells: 0 })
    visit(excerpt!, 0, place)
    splitter.moved(skipped + bytes)
    place.byte += skipped + bytes
    place.line++
    excerpt = null
  }

  return {
    push(chunk: Buffer): void {
      let rest = chunk
      if (excerpt !== null) {
        const found = chunk.indexOf(lineEndByte)
        if (found === -1) {
          skipped += chunk.length
          return
        }
        endOversized(found + 1)
        rest = chunk.subarray(found + 1)
      }
      pending.push(rest)
      pendingBytes += rest.length
      if (pendingBytes >= requiredBytes) drain(pending.length === 1 ? rest : Buffer.concat(pending), false)
    },
    /** There are no more bytes. */
    end(): void {
      if (excerpt !== null) endOversized(0)
      drain(Buffer.concat(pending), true)
    }
  }
}

/**
 * A `row` of its own; a `part`, which only tells something of other rows; or `nothing`, since it is
 * empty. What cannot be read is a row, so that it is named.
 */
export type RecordKind = 'row' | 'part' | 'nothing'

/**
 * Tells the kind of the record that was split off last. Counting and reading both ask this, so that
 * they agree.
 */
export function createRecordClassifier(
  { file, columns }: Layout,
  marks: Marks
): (bytes: Buffer, start: number) => RecordKind {
  if (file.format === 'ndjson') {
    return (bytes, start) => (marks.fault !== null || hasText(bytes, start, marks.end) ? 'row' : 'nothing')
  }
  const isPart =
    file.dialect === 'shopify'
      ? shopifyPart(columns, marks)
      : file.dialect === 'woocommerce'
        ? woocommercePart(columns, marks)
        : null
  return (bytes) => {
    if (marks.fault !== null) return 'row'
    if (isBlank(bytes, marks)) return 'nothing'
    return isPart !== null && marks.cells === columns.length && isPart(bytes) ? 'part' : 'row'
  }
}

/** A row that brings only another picture. */
function shopifyPart(columns: Columns, marks: Marks): (bytes: Buffer) => boolean {
  const places = shopifyVariantColumns(columns)
  return (bytes) => !places.some((place) => hasText(bytes, marks.starts[place]!, marks.ends[place]!))
}

/** A product whose variations are the products. */
function woocommercePart(columns: Columns, marks: Marks): (bytes: Buffer) => boolean {
  const type = columnIndexes(columns).one('type')
  return (bytes) => isVariable(bytes.toString('latin1', marks.starts[type], marks.ends[type]))
}

function isBlank(bytes: Buffer, { cells, starts, ends }: Marks): boolean {
  for (let place = 0; place < cells; place++) {
    // Those beyond the header's are not marked.
    if (place >= starts.length || hasText(bytes, starts[place]!, ends[place]!)) return false
  }
  return true
}

function hasText(bytes: Buffer, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i]! > 0x20) return true
  return false
}

/** The splitter for the format of a file. */
export function createSplitter({ file, columns }: Layout): Splitter {
  const endByte = lineEndByte(file.lineEnd)
  if (file.format === 'ndjson') return createLineSplitter(endByte)
  return createCsvSplitter({ delimiter: file.delimiter!.charCodeAt(0), lineEndByte: endByte, columns: columns.length })
}
