import {
  createMarks,
  DOUBLED,
  MORE_BYTES,
  PLAIN,
  QUOTED,
  RECORD_BYTES,
  type RecordFault,
  type Splitter
} from './splitter.ts'

const QUOTE = 0x22
const CR = 0x0d
const TAB = 0x09
const SPACE = 0x20

/**
 * Splits CSV (RFC 4180) into records and cells. All its signs are ASCII, and in UTF-8 and
 * Windows-1252 no other character has an ASCII byte, so that it
 * reads bytes and is right for both. More lenient than the RFC: blanks may follow a closing quote,
 * and a quote within an unquoted cell is text.
 *
 * A quote that is not closed would swallow the rows after it. So where a record of several lines
 * turns out wrong (text after a closing quote, longer
 * than a record may be, or the end of the file within quotes), only its first line is taken for a
 * broken record, and reading goes on at the second.
 * What a record is depends on nothing but the bytes from its beginning on, so that reading can be
 * taken up at every record.
 */
export function createCsvSplitter({
  delimiter,
  lineEndByte,
  columns
}: {
  delimiter: number
  lineEndByte: number
  columns: number
}): Splitter {
  const marks = createMarks(columns)
  const { starts, ends, kinds } = marks
  /**
   * What is known of the way through quoted line ends that was gone last, so that many broken lines
   * are not each read to the far end of it: a record that
   * is within quotes at one of the line ends from `from` to `to` goes the same way, and that
   * `failed`, or has not ended at `reach` yet.
   */
  const knownPath = { from: 0, to: -1, reach: 0, failed: false }
  let firstBreak = -1
  let lastBreak = -1
  let breaks = 0
  let high = 0
  let kind = PLAIN

  /**
   * From the first byte within quotes to the closing quote; the number of bytes when it is not
   * among them, and a negative one when the way is known to be wrong.
   */
  function closingQuote(bytes: Buffer, start: number, from: number): number {
    const length = bytes.length
    let i = from
    for (; i < length; i++) {
      const byte = bytes[i]!
      if (byte === QUOTE) {
        if (bytes[i + 1] !== QUOTE) return i
        kind = DOUBLED
        i++
      } else if (byte === lineEndByte) {
        breaks++
        lastBreak = i
        if (firstBreak === -1 && isKnownWrong(i, start)) return -1
      } else high |= byte
    }
    return length
  }

  /**
   * Notes the first line end of the record, and says whether the way from there is known to be
   * wrong.
   */
  function isKnownWrong(at: number, start: number): boolean {
    firstBreak = at
    return at >= knownPath.from && at < knownPath.to && (knownPath.failed || knownPath.reach - start > RECORD_BYTES + 1)
  }

  /** The end of a cell that is not quoted. */
  function plainEnd(bytes: Buffer, from: number): number {
    const length = bytes.length
    let seen = 0
    let i = from
    for (; i < length; i++) {
      const byte = bytes[i]!
      if (byte === delimiter || byte === lineEndByte) break
      seen |= byte
    }
    high |= seen
    return i
  }

  function remember(reach: number, failed: boolean): void {
    if (firstBreak === -1) return
    knownPath.from = firstBreak
    knownPath.to = lastBreak + 1
    knownPath.reach = reach
    knownPath.failed = failed
  }

  /** Ends the record at the line end at `stop`. */
  function end(bytes: Buffer, start: number, stop: number): number {
    marks.end = stop > start && stop < bytes.length && bytes[stop - 1] === CR ? stop - 1 : stop
    marks.nonAscii = high > 0x7f
    return Math.min(stop + 1, bytes.length)
  }

  /** Takes what stands before `stop`, its first line, for a broken record. */
  function broken(
    bytes: Buffer,
    start: number,
    { fault = 'unclosed_quote', stop = firstBreak }: { fault?: RecordFault; stop?: number } = {}
  ): number {
    const next = end(bytes, start, stop)
    marks.fault = marks.end - start > RECORD_BYTES ? 'too_long' : fault
    marks.breaks = 0
    marks.nonAscii = true
    marks.cells = Math.min(marks.cells, columns)
    while (marks.cells > 0 && ends[marks.cells - 1]! > stop) marks.cells--
    return next
  }

  /** The bytes end before the record does. */
  function unfinished(bytes: Buffer, start: number, final: boolean): number {
    const { length } = bytes
    const tooLong = length - start > RECORD_BYTES + 1
    remember(length, final)
    if (firstBreak !== -1 && (final || tooLong)) return broken(bytes, start)
    return final ? broken(bytes, start, { stop: length }) : MORE_BYTES
  }

  /** Text follows a closing quote at `at`. */
  function textAfterQuote(bytes: Buffer, start: number, { at, final }: { at: number; final: boolean }): number {
    if (firstBreak !== -1) {
      remember(at, true)
      return broken(bytes, start)
    }
    const stop = bytes.indexOf(lineEndByte, at)
    if (stop === -1 && !final) return MORE_BYTES
    return broken(bytes, start, { fault: 'text_after_quote', stop: stop === -1 ? bytes.length : stop })
  }

  /** The record ends well at `stop`. */
  function finished(bytes: Buffer, start: number, stop: number): number {
    const next = end(bytes, start, stop)
    if (marks.end - start <= RECORD_BYTES) {
      marks.breaks = breaks
      return next
    }
    remember(stop, false)
    return broken(bytes, start, firstBreak === -1 ? { stop } : {})
  }

  function next(bytes: Buffer, start: number, final: boolean): number {
    const { length } = bytes
    firstBreak = lastBreak = -1
    breaks = high = 0
    marks.fault = null
    marks.cells = 0
    let i = start
    for (;;) {
      let from = i
      let to = i
      kind = PLAIN
      if (i < length && bytes[i] === QUOTE) {
        kind = QUOTED
        from = i + 1
        to = closingQuote(bytes, start, from)
        if (to === -1) return broken(bytes, start)
        if (to === length) return unfinished(bytes, start, final)
        i = afterBlanks(bytes, to + 1)
        if (i < length && bytes[i] !== delimiter && bytes[i] !== lineEndByte) {
          return textAfterQuote(bytes, start, { at: i, final })
        }
      } else {
        to = i = plainEnd(bytes, i)
      }
      if (i >= length && !final) return unfinished(bytes, start, final)
      const cell = marks.cells++
      if (cell < columns) {
        starts[cell] = from
        ends[cell] = to
        kinds[cell] = kind
      }
      if (i >= length || bytes[i] !== delimiter) return finished(bytes, start, i)
      i++
    }
  }

  function afterBlanks(bytes: Buffer, from: number): number {
    let i = from
    while (
      i < bytes.length &&
      bytes[i] !== delimiter &&
      bytes[i] !== lineEndByte &&
      (bytes[i] === SPACE || bytes[i] === TAB || bytes[i] === CR)
    ) {
      i++
    }
    return i
  }

  return {
    marks,
    next,
    moved(by) {
      knownPath.from -= by
      knownPath.to -= by
      knownPath.reach -= by
    }
  }
}
