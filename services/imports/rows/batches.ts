import { createYielder, takeSteps } from '../../../lib/async.ts'
import type { Layout } from './layout.ts'
import { createRowReading, type RowReading } from './read-rows.ts'
import type { RecordPosition, Steps } from './record-reader.ts'
import type { Row } from './row.ts'

/** A batch of rows, and the position where the next batch begins. */
export interface RowBatch {
  rows: Row[]
  nextByte: number
  nextLine: number
}
/** Opens a file at a byte offset. */
export type OpenFile = (fromByte: number) => Promise<AsyncIterable<Buffer>>

/** A batch of long rows ends at this size even if it has fewer than `size()` rows. */
const BATCH_BYTES = 512 * 1024
/** Bytes that are split into rows at once: they may contain some thousand rows of three bytes. */
const PIECE_BYTES = 8 * 1024

/**
 * Reads rows in batches of about `size()`, starting at a batch boundary (`nextByte` and `nextLine` of
 * a batch, or the start of the layout). Batches end only where reading can resume with the same
 * remaining rows.
 * Memory is bounded by one batch and the longest record, plus the rows of one handle for a Shopify
 * export and the parents for a WooCommerce export, up to the limits of these dialects. Resuming a
 * WooCommerce export reads the preceding rows again to collect the parents.
 */
export async function* readBatches(
  open: OpenFile,
  layout: Layout,
  { byte, line, size }: RecordPosition & { size: () => number }
): AsyncGenerator<RowBatch> {
  const reading = createRowReading(layout)
  if (reading.recall !== null && byte > layout.firstByte) {
    await readParents(open, layout, { recall: reading.recall, byte })
  }
  const batches: RowBatch[] = []
  let rows: Row[] = []
  let batchStart = byte
  const position = { byte, line }
  const cut = () => {
    if (rows.length > 0) batches.push({ rows, nextByte: position.byte, nextLine: position.line })
    rows = []
    batchStart = position.byte
  }
  const reader = reading.rows(position, {
    row: (row) => {
      rows.push(row)
    },
    pause: () => {
      if (rows.length >= size() || position.byte - batchStart >= BATCH_BYTES) cut()
    }
  })
  const pause = createYielder()
  async function* read(steps: Steps): AsyncGenerator<RowBatch> {
    for (let isDone = false; !isDone; ) {
      isDone = steps.next().done === true
      yield* batches.splice(0)
      await pause()
    }
  }
  for await (const chunk of await open(byte)) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      yield* read(reader.push(chunk.subarray(at, at + PIECE_BYTES)))
    }
  }
  yield* read(reader.end())
  cut()
  yield* batches
}

async function readParents(
  open: OpenFile,
  layout: Layout,
  { recall, byte }: { recall: NonNullable<RowReading['recall']>; byte: number }
): Promise<void> {
  const reader = recall({ byte: layout.firstByte, line: layout.firstLine })
  const pause = createYielder()
  let remaining = byte - layout.firstByte
  for await (const chunk of await open(layout.firstByte)) {
    await takeSteps(reader.push(chunk.subarray(0, remaining)), pause)
    remaining -= Math.min(remaining, chunk.length)
    if (remaining === 0) break
  }
  await takeSteps(reader.end(), pause)
}
