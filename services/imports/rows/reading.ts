import { createAssembler } from './assembler.ts'
import { createCsvDecoder } from './decode.ts'
import { lineEndByteOf } from './header.ts'
import { jsonRow } from './json-row.ts'
import type { Layout } from './layout.ts'
import { createRecordFeed, type Place } from './record-feed.ts'
import { createKindOf } from './record-kind.ts'
import type { Row } from './row.ts'
import { createSplitter } from './splitter.ts'

export interface Reader {
  push: (chunk: Buffer) => void
  end: () => void
}
/**
 * What is told while reading: every row, and, before rows that do not depend on earlier ones, where
 * these begin.
 */
export interface Listener {
  row: (row: Row) => void
  pause: (place: Place) => void
}
export interface Reading {
  /** Reads rows; the pieces begin at `place`, which moves along. */
  rows: (place: Place, listener: Listener) => Reader
  /**
   * Reads only what later rows take over from earlier ones; null for a file whose rows do not, or
   * not from afar.
   */
  recall: ((place: Place) => Reader) | null
}

/** Reads the records of a file as rows. */
export function createReading(layout: Layout): Reading {
  return layout.file.format === 'ndjson'
    ? { rows: (place, listener) => readLines(layout, place, listener), recall: null }
    : readingOfCsv(layout)
}

function readLines(layout: Layout, place: Place, { row, pause }: Listener): Reader {
  const splitter = createSplitter(layout)
  const { marks } = splitter
  const kindOf = createKindOf(layout, marks)
  return createRecordFeed({ splitter, lineEndByte: lineEndByteOf(layout.file.lineEnd), place }, (bytes, start) => {
    if (kindOf(bytes, start) === 'nothing') return
    pause(place)
    row(jsonRow(bytes, start, { marks, place }))
  })
}

function readingOfCsv(layout: Layout): Reading {
  let listener: Listener
  const assembler = createAssembler(layout, (row) => listener.row(row))
  const { recall } = assembler

  function read(place: Place, recalling: boolean): Reader {
    const splitter = createSplitter(layout)
    const kindOf = createKindOf(layout, splitter.marks)
    const decode = createCsvDecoder({ columns: layout.columns, encoding: layout.file.encoding }, splitter.marks)
    return createRecordFeed({ splitter, lineEndByte: lineEndByteOf(layout.file.lineEnd), place }, (bytes, start) => {
      const kind = kindOf(bytes, start)
      if (kind === 'nothing' || (recalling && kind === 'row')) return
      const record = decode(bytes, start, { line: place.line, isRow: kind === 'row' })
      if (recalling) return recall!(record)
      if (assembler.mayBegin(record)) {
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
