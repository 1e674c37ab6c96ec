import { lineEndByteOf } from './header.ts'
import type { Layout } from './layout.ts'
import { createRecordFeed } from './record-feed.ts'
import { createKindOf } from './record-kind.ts'
import { createSplitter } from './splitter.ts'

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
  const kindOf = createKindOf(layout, splitter.marks)
  const place = { byte: layout.firstByte, line: layout.firstLine }
  let rows = 0
  let before = layout.firstByte
  const feed = createRecordFeed(
    { splitter, lineEndByte: lineEndByteOf(layout.file.lineEnd), place },
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
