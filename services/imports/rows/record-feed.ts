import { MORE_BYTES, RECORD_BYTES, type Splitter } from './records.ts'

/** How much of a record that is too long is kept, in bytes. */
export const EXCERPT_BYTES = 2000

/** Where a record begins in the file: its first byte, and its line from 1. */
export interface Place {
  byte: number
  line: number
}
/**
 * Told of every record; it lies in `bytes` from `start` to the end that the splitter's marks name.
 */
export type RecordVisitor = (bytes: Buffer, start: number, place: Place) => void

/**
 * Passes bytes, in pieces of any size, through a splitter. Holds one unfinished record at most:
 * where it would be longer than a record may be, the rest
 * of its line is passed over and the visitor gets its beginning. `place` is where the bytes begin;
 * it moves along.
 */
export function createRecordFeed(
  { splitter, lineEndByte, place }: { splitter: Splitter; lineEndByte: number; place: Place },
  visit: RecordVisitor
) {
  const { marks } = splitter
  let held: Buffer[] = []
  let heldBytes = 0
  let wantedBytes = 0
  let passedOver: Buffer | null = null

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
    held = rest.length === 0 ? [] : [rest]
    heldBytes = rest.length
    // A record that goes on is looked at again when there is twice as much of it, so that reading
    // stays linear.
    wantedBytes = 2 * rest.length
    if (rest.length > RECORD_BYTES + 1) passOver(rest)
  }

  /**
   * The splitter asks for more of a record only while it has one line: what is over-long is that
   * line.
   */
  function passOver(rest: Buffer): void {
    passedOver = Buffer.from(rest.subarray(0, EXCERPT_BYTES))
    skipped = rest.length
    held = []
    heldBytes = wantedBytes = 0
  }
  let skipped = 0

  function passedOverEnds(bytes: number): void {
    Object.assign(marks, { end: passedOver!.length, breaks: 0, nonAscii: true, fault: 'too_long', cells: 0 })
    visit(passedOver!, 0, place)
    splitter.moved(skipped + bytes)
    place.byte += skipped + bytes
    place.line++
    passedOver = null
  }

  return {
    push(chunk: Buffer): void {
      let rest = chunk
      if (passedOver !== null) {
        const found = chunk.indexOf(lineEndByte)
        if (found === -1) {
          skipped += chunk.length
          return
        }
        passedOverEnds(found + 1)
        rest = chunk.subarray(found + 1)
      }
      held.push(rest)
      heldBytes += rest.length
      if (heldBytes >= wantedBytes) drain(held.length === 1 ? rest : Buffer.concat(held), false)
    },
    /** There are no more bytes. */
    end(): void {
      if (passedOver !== null) passedOverEnds(0)
      drain(Buffer.concat(held), true)
    }
  }
}
