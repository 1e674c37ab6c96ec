import { createCsvSplitter } from './csv-splitter.ts'
import { lineEndByte } from './header.ts'
import { createLineSplitter, MORE_BYTES, RECORD_BYTES, type Marks, type Splitter } from './splitter.ts'
import { columnIndexes, type Columns } from './dialects/columns.ts'
import { shopifyVariantColumns } from './dialects/shopify.ts'
import { isVariable } from './dialects/woocommerce.ts'
import type { Layout } from './layout.ts'

/** Records that are visited between two steps. */
const RECORDS_PER_STEP = 64
/** Number of bytes kept of an overlong record. */
export const MAX_EXCERPT_BYTES = 2000

/** The position of a record in the file: byte offset, and line from 1. */
export interface RecordPosition {
  byte: number
  line: number
}
/**
 * Work in steps, between which the caller may serve others. It makes progress only while the caller
 * takes its steps: call `next` until it is done.
 */
export type Steps = Generator<void, void>
/**
 * Called for every record. The record extends from `start` in `bytes` to the end stored in the
 * marks of the splitter. What it returns is done before the next record.
 */
export type RecordVisitor = (bytes: Buffer, start: number, position: RecordPosition) => Steps | void

/**
 * Passes chunks of any size through a splitter. At most one unfinished record is buffered. If it is
 * found to be invalid, its lines are records of their own: a chunk, or the end, may complete hundreds
 * of thousands of records. For an overlong record, the rest of its line is skipped and the visitor
 * receives its beginning.
 * `position` is the position of the first chunk; it is updated while reading.
 */
export function createRecordReader(
  { splitter, lineEndByte, position }: { splitter: Splitter; lineEndByte: number; position: RecordPosition },
  visit: RecordVisitor
) {
  const { marks } = splitter
  let pending: Buffer[] = []
  let pendingBytes = 0
  let requiredBytes = 0
  let excerpt: Buffer | null = null

  function* drain(bytes: Buffer, final: boolean): Steps {
    let start = 0
    let visited = 0
    while (start < bytes.length) {
      const next = splitter.next(bytes, start, final)
      if (next === MORE_BYTES) break
      const { breaks } = marks
      yield* visit(bytes, start, position) ?? []
      position.byte += next - start
      position.line += 1 + breaks
      start = next
      visited++
      if (visited % RECORDS_PER_STEP === 0) yield
    }
    splitter.shift(start)
    const rest = bytes.subarray(start)
    pending = rest.length === 0 ? [] : [rest]
    pendingBytes = rest.length
    // An unfinished record is examined again only when its size has doubled, so that the total time
    // stays linear.
    requiredBytes = 2 * rest.length
    if (rest.length > RECORD_BYTES + 1) skipOversized(rest)
  }

  /**
   * The splitter requests more bytes only while the record has a single line, so that the overlong
   * part is that line.
   */
  function skipOversized(rest: Buffer): void {
    excerpt = Buffer.from(rest.subarray(0, MAX_EXCERPT_BYTES))
    skipped = rest.length
    pending = []
    pendingBytes = requiredBytes = 0
  }
  let skipped = 0

  function* endOversized(bytes: number): Steps {
    Object.assign(marks, { end: excerpt!.length, breaks: 0, nonAscii: true, fault: 'too_long', cells: 0 })
    yield* visit(excerpt!, 0, position) ?? []
    splitter.shift(skipped + bytes)
    position.byte += skipped + bytes
    position.line++
    excerpt = null
  }

  return {
    *push(chunk: Buffer): Steps {
      let rest = chunk
      if (excerpt !== null) {
        const found = chunk.indexOf(lineEndByte)
        if (found === -1) {
          skipped += chunk.length
          return
        }
        yield* endOversized(found + 1)
        rest = chunk.subarray(found + 1)
      }
      pending.push(rest)
      pendingBytes += rest.length
      if (pendingBytes >= requiredBytes) yield* drain(pending.length === 1 ? rest : Buffer.concat(pending), false)
    },
    /** Ends the input. */
    *end(): Steps {
      if (excerpt !== null) yield* endOversized(0)
      yield* drain(Buffer.concat(pending), true)
    }
  }
}

/**
 * A `row`; a `part`, which only contributes to other rows; or `empty`. An unreadable record is a
 * row, so that its error is reported.
 */
export type RecordKind = 'row' | 'part' | 'empty'

/**
 * Classifies the record that was split last. Counting and reading share this function, so that they
 * agree.
 */
export function createRecordClassifier(
  { file, columns }: Layout,
  marks: Marks
): (bytes: Buffer, start: number) => RecordKind {
  if (file.format === 'ndjson') {
    return (bytes, start) => (marks.fault !== null || hasText(bytes, start, marks.end) ? 'row' : 'empty')
  }
  const isPart =
    file.dialect === 'shopify'
      ? shopifyPart(columns, marks)
      : file.dialect === 'woocommerce'
        ? woocommercePart(columns, marks)
        : null
  return (bytes) => {
    if (marks.fault !== null) return 'row'
    if (isBlank(bytes, marks)) return 'empty'
    return isPart !== null && marks.cells === columns.length && isPart(bytes) ? 'part' : 'row'
  }
}

/** A row with only an additional image. */
function shopifyPart(columns: Columns, marks: Marks): (bytes: Buffer) => boolean {
  const variantColumns = shopifyVariantColumns(columns)
  return (bytes) => !variantColumns.some((column) => hasText(bytes, marks.starts[column]!, marks.ends[column]!))
}

/** A variable product: its variations are the products. */
function woocommercePart(columns: Columns, marks: Marks): (bytes: Buffer) => boolean {
  const type = columnIndexes(columns).one('type')
  return (bytes) => isVariable(bytes.toString('latin1', marks.starts[type], marks.ends[type]))
}

function isBlank(bytes: Buffer, { cells, starts, ends }: Marks): boolean {
  for (let column = 0; column < cells; column++) {
    // Cells beyond the header have no marks.
    if (column >= starts.length || hasText(bytes, starts[column]!, ends[column]!)) return false
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
