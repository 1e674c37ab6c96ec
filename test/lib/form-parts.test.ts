import t from 'tap'
import { createPartLimit } from '../../lib/http/form-parts.ts'

/** What is passed on of a body that arrives in chunks of so many bytes. */
function read(contentType: string, body: string, chunkBytes: number): string {
  const limit = createPartLimit(contentType)
  const bytes = Buffer.from(body)
  const read: Buffer[] = []
  for (let at = 0; at < bytes.length; at += chunkBytes) read.push(limit(bytes.subarray(at, at + chunkBytes)))
  return Buffer.concat(read).toString()
}

const partsOf = (boundary: string, parts: number): string => `--${boundary}\r\n\r\nx\r\n`.repeat(parts)
const countOf = (text: string, delimiter: string): number => text.split(delimiter).length - 1

t.test('forms with few parts are not changed, in chunks of any size', async (t) => {
  const body = `${partsOf('abc', 6)}--abc\r\n\r\n${'\r\n--ab--\r\n-'.repeat(500)}\r\n--abc--\r\n`
  for (const chunkBytes of [1, 2, 3, 5, 8, 13, 100, 65_536]) {
    t.equal(read('multipart/form-data; boundary=abc', body, chunkBytes), body, `${chunkBytes} bytes`)
    t.equal(read('multipart/form-data; boundary="abc"; charset=utf-8', body, chunkBytes), body, `${chunkBytes} bytes`)
  }
})

t.test('a form ends after many parts, in chunks of any size', async (t) => {
  for (const boundary of ['x', 'abc', '----formdata-0123']) {
    const body = partsOf(boundary, 5_000)
    for (const chunkBytes of [1, 2, 3, 5, 8, 13, 100, 65_536]) {
      const rest = read(`multipart/form-data; boundary=${boundary}`, body, chunkBytes)
      const parts = countOf(rest, `--${boundary}`)
      t.ok(parts === 32 || parts === 33, `${parts} of ${boundary} in ${chunkBytes} bytes`)
      t.ok(body.startsWith(rest))
    }
  }
})

t.test('with an unusual boundary, every line counts that begins like a delimiter', async (t) => {
  for (const contentType of [
    'multipart/form-data; boundary=other; boundary=x',
    'multipart/form-data; boundary="a\\x"',
    "multipart/form-data; boundary*=utf-8''%78",
    'multipart/form-data; boundary=ü',
    'multipart/form-data; charset="; boundary=other"; boundary=x',
    'multipart/form-data'
  ]) {
    t.equal(countOf(read(contentType, partsOf('x', 5_000), 65_536), '--'), 32, contentType)
  }
})
