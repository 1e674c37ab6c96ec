import t from 'tap'
import { createRecordReader, type Steps } from '../../../../services/imports/rows/record-reader.ts'
import { createCsvSplitter } from '../../../../services/imports/rows/csv-splitter.ts'
import { createLineSplitter } from '../../../../services/imports/rows/splitter.ts'

const LF = 0x0a
const MIB = 1024 * 1024

/** Takes all steps, and returns their number. */
const takeAll = (steps: Steps): number => [...steps].length

t.test('many records that a chunk completes are visited in steps', async (t) => {
  const splitter = createCsvSplitter({ delimiter: 0x2c, lineEndByte: LF, columns: 2 })
  const position = { byte: 0, line: 1 }
  let visited = 0
  let most = 0
  const reader = createRecordReader({ splitter, lineEndByte: LF, position }, () => {
    visited++
  })
  // A quote that is never closed: each line is a record when the file ends.
  takeAll(reader.push(Buffer.from(`1,"${'""a\n'.repeat(50_000)}`)))
  t.equal(visited, 0)
  const steps = reader.end()
  for (let before = 0; steps.next().done !== true; before = visited) most = Math.max(most, visited - before)
  t.equal(visited, 50_000)
  t.ok(most <= 100, `${most} records in a step`)
})

t.test('an endless line needs no more memory than the longest valid line', async (t) => {
  const kinds = [
    ['NDJSON', createLineSplitter(LF), 'x'],
    ['CSV', createCsvSplitter({ delimiter: 0x2c, lineEndByte: LF, columns: 2 }), 'x'],
    ['CSV within quotes', createCsvSplitter({ delimiter: 0x2c, lineEndByte: LF, columns: 2 }), '"']
  ] as const
  for (const [name, splitter, first] of kinds) {
    let maxBytes = 0
    const next: typeof splitter.next = (bytes, start, final) => {
      maxBytes = Math.max(maxBytes, bytes.length)
      return splitter.next(bytes, start, final)
    }
    const seen: (string | number | null)[][] = []
    const position = { byte: 0, line: 1 }
    const reader = createRecordReader(
      { splitter: { ...splitter, next }, lineEndByte: LF, position },
      (bytes, start, { byte, line }) => {
        seen.push([
          splitter.marks.fault,
          byte,
          line,
          bytes.toString('latin1', start, Math.min(splitter.marks.end, start + 3))
        ])
      }
    )
    takeAll(reader.push(Buffer.from(`a,b\n${first}`)))
    for (let i = 0; i < 640; i++) takeAll(reader.push(Buffer.alloc(64 * 1024, 'x')))
    takeAll(reader.push(Buffer.from('\nc,d')))
    takeAll(reader.end())
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
    t.ok(maxBytes < 4 * MIB, `${maxBytes} bytes at once`)
    t.strictSame(position, { byte: begin + 3, line: 4 })
  }
})
