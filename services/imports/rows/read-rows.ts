import { createFlatAssembler, googleSetter } from './dialects/flat.ts'
import { createShopifyAssembler } from './dialects/shopify.ts'
import { createWoocommerceAssembler } from './dialects/woocommerce.ts'
import type { Layout } from './layout.ts'
import { cellSetter } from './cells.ts'
import type { Assembler, Row } from './row.ts'
import { createCsvDecoder } from './csv-decoder.ts'
import { lineEndByte } from './header.ts'
import { jsonRow } from './json-row.ts'
import {
  createRecordClassifier,
  createRecordReader,
  createSplitter,
  type RecordPosition,
  type Steps
} from './record-reader.ts'

/** Creates the assembler that builds rows from CSV records, by dialect. */
export function createAssembler({ file, columns }: Layout, emit: (row: Row) => void): Assembler {
  const delimiter = file.delimiter!
  switch (file.dialect) {
    case 'shopify':
      return createShopifyAssembler({ columns, delimiter }, emit)
    case 'woocommerce':
      return createWoocommerceAssembler({ columns, delimiter }, emit)
    case 'google':
      return createFlatAssembler(columns, googleSetter, emit)
    default:
      return createFlatAssembler(columns, cellSetter, emit)
  }
}

export interface ChunkReader {
  push: (chunk: Buffer) => Steps
  end: () => Steps
}
/** Receives every row, and the position before each row that does not depend on earlier ones. */
export interface RowListener {
  row: (row: Row) => void
  pause: (position: RecordPosition) => void
}
export interface RowReading {
  /** Reads rows. The chunks begin at `position`, which is updated while reading. */
  rows: (position: RecordPosition, listener: RowListener) => ChunkReader
  /**
   * Reads only the data that later rows inherit from earlier ones; null if the dialect does not
   * need that.
   */
  recall: ((position: RecordPosition) => ChunkReader) | null
}

/** Creates the reader for the rows of a file. */
export function createRowReading(layout: Layout): RowReading {
  return layout.file.format === 'ndjson'
    ? { rows: (position, listener) => readLines(layout, position, listener), recall: null }
    : createCsvReading(layout)
}

function readLines(layout: Layout, position: RecordPosition, { row, pause }: RowListener): ChunkReader {
  const splitter = createSplitter(layout)
  const { marks } = splitter
  const classify = createRecordClassifier(layout, marks)
  return createRecordReader({ splitter, lineEndByte: lineEndByte(layout.file.lineEnd), position }, (bytes, start) => {
    if (classify(bytes, start) === 'empty') return
    pause(position)
    row(jsonRow(bytes, start, { marks, position }))
  })
}

function createCsvReading(layout: Layout): RowReading {
  let listener: RowListener
  const assembler = createAssembler(layout, (row) => listener.row(row))
  const { recall } = assembler

  function read(position: RecordPosition, recalling: boolean): ChunkReader {
    const splitter = createSplitter(layout)
    const classify = createRecordClassifier(layout, splitter.marks)
    const decode = createCsvDecoder({ columns: layout.columns, encoding: layout.file.encoding }, splitter.marks)
    function* visit(bytes: Buffer, start: number): Steps {
      const kind = classify(bytes, start)
      if (kind === 'empty' || (recalling && kind === 'row')) return
      const record = decode(bytes, start, { line: position.line, isRow: kind === 'row' })
      if (recalling) return recall!(record)
      if (assembler.canResumeAt(record)) {
        yield* assembler.end()
        listener.pause(position)
      }
      assembler.take(record)
    }
    return createRecordReader({ splitter, lineEndByte: lineEndByte(layout.file.lineEnd), position }, visit)
  }

  return {
    rows(position, rowListener) {
      listener = rowListener
      const { push, end } = read(position, false)
      return {
        push,
        *end() {
          yield* end()
          yield* assembler.end()
        }
      }
    },
    recall: recall === undefined ? null : (position) => read(position, true)
  }
}

/**
 * Counts the rows of a stream without reading their values. The count always equals the number of
 * rows that reading produces.
 */
export interface RowCounter extends ChunkReader {
  /** Adds the next chunk; the first chunk begins at the first byte of the file. */
  push: (chunk: Buffer) => Steps
  /** The number of rows. Call it after `end`. */
  total: () => number
}

export function createRowCounter(layout: Layout): RowCounter {
  const splitter = createSplitter(layout)
  const classify = createRecordClassifier(layout, splitter.marks)
  const position = { byte: layout.firstByte, line: layout.firstLine }
  let rows = 0
  let toSkip = layout.firstByte
  const reader = createRecordReader(
    { splitter, lineEndByte: lineEndByte(layout.file.lineEnd), position },
    (bytes, start) => {
      if (classify(bytes, start) === 'row') rows++
    }
  )
  return {
    *push(chunk) {
      const skipped = Math.min(toSkip, chunk.length)
      toSkip -= skipped
      if (skipped < chunk.length) yield* reader.push(chunk.subarray(skipped))
    },
    end: reader.end,
    total: () => rows
  }
}
