import t from 'tap'
import { detectEncoding } from '../../../../services/imports/rows/encoding.ts'

const TEXT = 'Äpfel €, 漢字 und 🍐'
const bytesOf = (text: string, ...end: number[]): Buffer => Buffer.concat([Buffer.from(text), Buffer.from(end)])

t.test('a text that ends within a character is UTF-8, unless it is complete', async (t) => {
  const bytes = Buffer.from(TEXT)
  for (let length = 1; length <= bytes.length; length++) {
    t.equal(detectEncoding(bytes.subarray(0, length), false), 'utf-8', `${length} bytes`)
  }
  t.equal(detectEncoding(bytesOf('apple', 0xe2, 0x82), false), 'utf-8')
  t.equal(detectEncoding(bytesOf('apple', 0xe2, 0x82), true), 'windows-1252')
})

t.test('bytes that begin no character are not UTF-8, also at the end', async (t) => {
  for (const byte of [0x80, 0xbf, 0xc0, 0xc1, 0xf5, 0xff]) {
    for (const isComplete of [true, false]) {
      t.equal(detectEncoding(bytesOf('apple', byte), isComplete), 'windows-1252', byte.toString(16))
      t.equal(detectEncoding(bytesOf('apple', byte, 0xe2, 0x82), false), 'windows-1252', byte.toString(16))
    }
  }
  t.equal(detectEncoding(bytesOf('apple', 0xe9, 0x20, 0xe4), false), 'windows-1252')
})

t.test('a few invalid bytes do not make a text of another encoding', async (t) => {
  t.equal(detectEncoding(bytesOf(TEXT, 0xff, 0x20), true), 'utf-8')
})
