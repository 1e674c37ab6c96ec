import type { Layout } from './layout.ts'
import { createRowReading, type RowReading } from './read-rows.ts'
import type { RecordPosition } from './record-reader.ts'
import type { Row } from './row.ts'

/** Rows that belong together, and where the next ones begin. */
export interface RowBatch {
  rows: Row[]
  nextByte: number
  nextLine: number
}
/** Gives a file from a byte on. */
export type OpenFile = (fromByte: number) => Promise<AsyncIterable<Buffer>>

/** A portion of long rows ends before it has `size` of them. */
const BATCH_BYTES = 4 * 1024 * 1024

/**
 * Reads rows from a place where one begins (`nextByte` and `nextLine` of a portion, or the layout's
 * first), in portions of about `size`, cut only where
 * reading can be taken up again with the same rows to come. Whatever the file, memory is that of a
 * portion and the longest record; of a Shopify export also
 * of the rows of one handle, of a WooCommerce export also of parents, up to the limits of these
 * dialects. Taking up a WooCommerce export reads what
 * comes before once more, for the parents.
 */
export async function* readBatches(
  open: OpenFile,
  layout: Layout,
  { byte, line, size }: RecordPosition & { size: number }
): AsyncGenerator<RowBatch> {
  const reading = createRowReading(layout)
  if (reading.recall !== null && byte > layout.firstByte) {
    await readParents(open, layout, { recall: reading.recall, byte })
  }
  const batches: RowBatch[] = []
  let rows: Row[] = []
  let batchStart = byte
  const place = { byte, line }
  const cut = () => {
    if (rows.length > 0) batches.push({ rows, nextByte: place.byte, nextLine: place.line })
    rows = []
    batchStart = place.byte
  }
  const reader = reading.rows(place, {
    row: (row) => {
      rows.push(row)
    },
    pause: () => {
      if (rows.length >= size || place.byte - batchStart >= BATCH_BYTES) cut()
    }
  })
  for await (const chunk of await open(byte)) {
    reader.push(chunk)
    yield* batches.splice(0)
  }
  reader.end()
  cut()
  yield* batches
}

async function readParents(
  open: OpenFile,
  layout: Layout,
  { recall, byte }: { recall: NonNullable<RowReading['recall']>; byte: number }
): Promise<void> {
  const reader = recall({ byte: layout.firstByte, line: layout.firstLine })
  let left = byte - layout.firstByte
  for await (const chunk of await open(layout.firstByte)) {
    reader.push(chunk.subarray(0, left))
    left -= Math.min(left, chunk.length)
    if (left === 0) break
  }
  reader.end()
}
