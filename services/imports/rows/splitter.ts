import { lineEndByteOf } from './header.ts'
import type { Layout } from './layout.ts'
import type { Splitter } from './records.ts'
import { createCsvSplitter } from './split-csv.ts'
import { createLineSplitter } from './split-lines.ts'

/** What finds the records of a file. */
export function createSplitter({ file, columns }: Layout): Splitter {
  const lineEndByte = lineEndByteOf(file.lineEnd)
  if (file.format === 'ndjson') return createLineSplitter(lineEndByte)
  return createCsvSplitter({ delimiter: file.delimiter!.charCodeAt(0), lineEndByte, columns: columns.length })
}
