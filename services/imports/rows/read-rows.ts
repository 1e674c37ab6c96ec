import { createFlatAssembler, googleSetter } from './dialects/flat.ts'
import { createShopifyAssembler } from './dialects/shopify.ts'
import { createWoocommerceAssembler } from './dialects/woocommerce.ts'
import type { Layout } from './layout.ts'
import { cellSetter } from './cells.ts'
import type { Assembler, Row } from './row.ts'
import { createCsvDecoder } from './csv-decoder.ts'
import { lineEndByte } from './header.ts'
import { jsonRow } from './json-row.ts'
import { createRecordClassifier, createRecordReader, createSplitter, type RecordPosition } from './record-reader.ts'

/** What makes rows of the records of a CSV, by its dialect. */
export function createAssembler({ file, columns }: Layout, give: (row: Row) => void): Assembler {
  const delimiter = file.delimiter!
  switch (file.dialect) {
    case 'shopify':
      return createShopifyAssembler({ columns, delimiter }, give)
    case 'woocommerce':
      return createWoocommerceAssembler({ columns, delimiter }, give)
    case 'google':
      return createFlatAssembler(columns, googleSetter, give)
    default:
      return createFlatAssembler(columns, cellSetter, give)
  }
}

export interface ChunkReader {
  push: (chunk: Buffer) => void
  end: () => void
}
/**
 * What is told while reading: every row, and, before rows that do not depend on earlier ones, where
 * these begin.
 */
export interface RowListener {
  row: (row: Row) => void
  pause: (place: RecordPosition) => void
}
export interface RowReading {
  /** Reads rows; the pieces begin at `place`, which moves along. */
  rows: (place: RecordPosition, listener: RowListener) => ChunkReader
  /**
   * Reads only what later rows take over from earlier ones; null for a file whose rows do not, or
   * not from afar.
   */
  recall: ((place: RecordPosition) => ChunkReader) | null
}

/** Reads the records of a file as rows. */
export function createRowReading(layout: Layout): RowReading {
  return layout.file.format === 'ndjson'
    ? { rows: (place, listener) => readLines(layout, place, listener), recall: null }
    : readingOfCsv(layout)
}

function readLines(layout: Layout, place: RecordPosition, { row, pause }: RowListener): ChunkReader {
  const splitter = createSplitter(layout)
  const { marks } = splitter
  const kindOf = createRecordClassifier(layout, marks)
  return createRecordReader({ splitter, lineEndByte: lineEndByte(layout.file.lineEnd), place }, (bytes, start) => {
    if (kindOf(bytes, start) === 'nothing') return
    pause(place)
    row(jsonRow(bytes, start, { marks, place }))
  })
}

function readingOfCsv(layout: Layout): RowReading {
  let listener: RowListener
  const assembler = createAssembler(layout, (row) => listener.row(row))
  const { recall } = assembler

  function read(place: RecordPosition, recalling: boolean): ChunkReader {
    const splitter = createSplitter(layout)
    const kindOf = createRecordClassifier(layout, splitter.marks)
    const decode = createCsvDecoder({ columns: layout.columns, encoding: layout.file.encoding }, splitter.marks)
    return createRecordReader({ splitter, lineEndByte: lineEndByte(layout.file.lineEnd), place }, (bytes, start) => {
      const kind = kindOf(bytes, start)
      if (kind === 'nothing' || (recalling && kind === 'row')) return
      const record = decode(bytes, start, { line: place.line, isRow: kind === 'row' })
      if (recalling) return recall!(record)
      if (assembler.canResumeAt(record)) {
        assembler.end()
        listener.pause(place)
      }
      assembler.take(record)
    })
  }

  return {
    rows(place, given) {
      listener = given
      const { push, end } = read(place, false)
      return {
        push,
        end() {
          end()
          assembler.end()
        }
      }
    },
    recall: recall === undefined ? null : (place) => read(place, true)
  }
}

/**
 * Counts rows while a file streams past, without reading them: the number that reading gives,
 * whatever the file and its pieces.
 */
export interface RowCounter {
  /** The next piece of the file, from its first byte on. */
  push: (chunk: Buffer) => void
  /** How many rows there are; to be asked once, after the last piece. */
  total: () => number
}

export function createRowCounter(layout: Layout): RowCounter {
  const splitter = createSplitter(layout)
  const kindOf = createRecordClassifier(layout, splitter.marks)
  const place = { byte: layout.firstByte, line: layout.firstLine }
  let rows = 0
  let before = layout.firstByte
  const feed = createRecordReader(
    { splitter, lineEndByte: lineEndByte(layout.file.lineEnd), place },
    (bytes, start) => {
      if (kindOf(bytes, start) === 'row') rows++
    }
  )
  return {
    push(chunk) {
      const passed = Math.min(before, chunk.length)
      before -= passed
      if (passed < chunk.length) feed.push(chunk.subarray(passed))
    },
    total() {
      feed.end()
      return rows
    }
  }
}
