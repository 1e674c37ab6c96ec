import t from 'tap'
import type { Entry, ExportHeader } from '../../../services/transfer/format.ts'
import { serializeExport, parseExport } from '../../../services/transfer/index.ts'
import { collect } from '../../fixtures/transfer/collect.ts'
import { buildAccount } from '../../contracts/store/fixtures/content.ts'

const HEADER: ExportHeader = {
  kind: 'export',
  version: 1,
  madeAt: '2030-01-01T00:00:00.000Z',
  secretsKey: '01234567',
  secrets: 'encrypted'
}
const ENTRIES: Entry[] = [
  // JSON does not escape these characters, and many parsers treat them as line breaks.
  ...['a', 'b \u2028 \u2029 \u0085 \r', '😀'].map((id) => ({ kind: 'account' as const, record: buildAccount(id) })),
  { kind: 'file', key: 'imports/x/upload', size: 5, sha256: '00' },
  { kind: 'bytes', data: Buffer.from('he').toString('base64') },
  { kind: 'bytes', data: Buffer.from('llo').toString('base64') },
  { kind: 'file', key: 'imports/y/upload', size: 0, sha256: '00' }
]

async function* each<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values
}

async function written(entries = ENTRIES): Promise<string> {
  return (await collect(serializeExport(HEADER, each(entries)))).join('')
}

async function read(text: string, size = text.length): Promise<Entry[]> {
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / Math.max(size, 1)) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size)
  )
  const { header, entries } = await parseExport(each(chunks))
  t.same(header, HEADER)
  return await collect(entries)
}

t.test('parses what was serialized, for any chunk size', async (t) => {
  const text = await written()
  for (const size of [1, 7, 100, text.length * 2]) t.same(await read(text, size), ENTRIES)
  t.same(await read(await written([])), [])
})

t.test('rejects an export that is incomplete, changed, or another file', async (t) => {
  const text = await written()
  const lines = text.trimEnd().split('\n')
  const joined = (parts: string[]) => `${parts.join('\n')}\n`
  const broken: Record<string, [text: string, sentence: RegExp]> = {
    'without its end': [joined(lines.slice(0, -1)), /not complete/],
    'cut in the middle of a line': [text.slice(0, text.length / 2), /damaged/],
    'with a changed sign': [text.replace('"starter"', '"Starter"'), /damaged/],
    'without a line': [joined(lines.toSpliced(2, 1)), /damaged/],
    'with two lines in another order': [joined([lines[0]!, lines[2]!, lines[1]!, ...lines.slice(3)]), /damaged/],
    'with a line after its end': [`${text}${lines[1]}\n`, /damaged/],
    'with bytes that belong to no file': [joined([...lines.slice(0, 2), lines[5]!, ...lines.slice(2)]), /damaged/],
    'with a kind that is not known': [text.replace('{"kind":"account"', '{"kind":"accounts"'), /damaged/],
    'that counts otherwise': [text.replace('"account":3', '"account":4'), /damaged/],
    'of a newer version': [text.replace('"version":1', '"version":3'), /newer version/],
    'that is another file': ['externalId,title\n1,Kettle\n', /not an export/],
    'that begins in the middle': [joined(lines.slice(1)), /not an export/],
    empty: ['', /not an export/]
  }
  for (const [what, [bad, sentence]] of Object.entries(broken)) {
    await t.rejects(read(bad), { name: 'StartError', message: sentence }, what)
  }
  await t.rejects(
    written(ENTRIES.slice(0, 5)).then(async (short) => await read(short)),
    /damaged/,
    'a truncated file'
  )
})
