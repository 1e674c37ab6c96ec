import t from 'tap'
import { createRecordReader } from '../../../../services/imports/rows/record-reader.ts'
import { createCsvSplitter } from '../../../../services/imports/rows/csv-splitter.ts'
import { createLineSplitter } from '../../../../services/imports/rows/splitter.ts'

const LF = 0x0a
const MIB = 1024 * 1024

t.test('a line without end takes no more memory than the longest that is allowed', async (t) => {
  const kinds = [
    ['NDJSON', createLineSplitter(LF), 'x'],
    ['CSV', createCsvSplitter({ delimiter: 0x2c, lineEndByte: LF, columns: 2 }), 'x'],
    ['CSV within quotes', createCsvSplitter({ delimiter: 0x2c, lineEndByte: LF, columns: 2 }), '"']
  ] as const
  for (const [name, splitter, first] of kinds) {
    let mostBytes = 0
    const next: typeof splitter.next = (bytes, start, final) => {
      mostBytes = Math.max(mostBytes, bytes.length)
      return splitter.next(bytes, start, final)
    }
    const seen: (string | number | null)[][] = []
    const place = { byte: 0, line: 1 }
    const feed = createRecordReader(
      { splitter: { ...splitter, next }, lineEndByte: LF, place },
      (bytes, start, { byte, line }) => {
        seen.push([
          splitter.marks.fault,
          byte,
          line,
          bytes.toString('latin1', start, Math.min(splitter.marks.end, start + 3))
        ])
      }
    )
    feed.push(Buffer.from(`a,b\n${first}`))
    for (let i = 0; i < 640; i++) feed.push(Buffer.alloc(64 * 1024, 'x'))
    feed.push(Buffer.from('\nc,d'))
    feed.end()
    const begin = 4 + 1 + 40 * MIB + 1
    t.strictSame(
      seen,
      [
        [null, 0, 1, 'a,b'],
        ['too_long', 4, 2, `${first}xx`],
        [null, begin, 3, 'c,d']
      ],
      name
    )
    t.ok(mostBytes < 4 * MIB, `${mostBytes} bytes at once`)
    t.strictSame(place, { byte: begin + 3, line: 4 })
  }
})
