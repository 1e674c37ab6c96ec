import { randomBytes } from 'node:crypto'
import { openSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { createFileStream } from '../../lib/file-reads.ts'

const bytes = randomBytes(600_000)

t.test('hundreds of files are read at the same time, a few of them in a turn', async (t) => {
  const file = path.join(t.testdir(), 'file')
  writeFileSync(file, bytes)
  const turns: number[] = []
  let turn = 0
  const end = new AbortController()
  const count = async (): Promise<void> => {
    for (; !end.signal.aborted; turn++) await setImmediate()
  }
  const counting = count()
  const contents = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const stream = createFileStream(openSync(file, 'r'), undefined)
      return await buffer(stream.on('data', () => turns.push(turn)))
    })
  )
  end.abort()
  await counting
  t.ok(contents.every((content) => content.equals(bytes)))
  const inOneTurn = Math.max(...Object.values(Object.groupBy(turns, (each) => each)).map((reads) => reads!.length))
  t.ok(inOneTurn <= 32, `${inOneTurn} reads in a turn`)
})

t.test('a range is read, and streams that are destroyed give their places back', async (t) => {
  const file = path.join(t.testdir(), 'file')
  writeFileSync(file, bytes)
  const read = async (range?: { start: number; end: number }) =>
    await buffer(createFileStream(openSync(file, 'r'), range))
  for (let count = 0; count < 100; count++) {
    const stream = createFileStream(openSync(file, 'r'), undefined)
    stream.read()
    stream.destroy()
  }
  t.ok((await read({ start: 7, end: 70_000 })).equals(bytes.subarray(7, 70_001)))
  t.ok((await read()).equals(bytes))
  if (process.platform !== 'linux') return
  const open = readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === file
    } catch {
      return false
    }
  })
  t.same(open, [], 'all files are closed')
})
