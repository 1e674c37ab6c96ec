import t from 'tap'
import { readFile } from './read-file.ts'

/** A deterministic random number generator (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Encoding = 'utf-8' | 'utf-8-bom' | 'windows-1252'
const COLUMNS = ['externalId', 'title', 'description', 'brand', 'attributes.note']
const PIECES = [
  'a',
  'Anchor',
  ' ',
  '"',
  '""',
  ',',
  ';',
  '\t',
  '|',
  '\n',
  '\r\n',
  'ü',
  '€',
  'é',
  '5"',
  "'",
  '\\',
  '0',
  'x'.repeat(40)
]
const BEYOND_WINDOWS = ['東', '😀', 'ł']
const HIGH = new Map([['€', 0x80]])

function randomCell(below: (n: number) => number, encoding: Encoding): string {
  const pieces = encoding === 'windows-1252' ? PIECES : [...PIECES, ...BEYOND_WINDOWS]
  return Array.from({ length: below(6) }, () => pieces[below(pieces.length)]!)
    .join('')
    .trim()
}

function encoded(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text)
  if (encoding === 'utf-8-bom') return Buffer.from('\uFEFF' + text)
  return Buffer.from(Array.from(text, (character) => HIGH.get(character) ?? character.charCodeAt(0)))
}

function randomTable(seed: number) {
  const below = createRandom(seed)
  const one = <T>(of: readonly T[]): T => of[below(of.length)]!
  const encoding = one(['utf-8', 'utf-8-bom', 'windows-1252'] as const)
  const delimiter = one([',', ';', '\t', '|'])
  const end = one(['\n', '\r\n', '\r'])
  const rows = Array.from({ length: below(12) + 1 }, (_, i) => [
    `id${i}`,
    `ü${randomCell(below, encoding)}`,
    ...COLUMNS.slice(2).map(() => randomCell(below, encoding))
  ])
  const mustQuote = (cell: string) => cell.startsWith('"') || cell.includes(delimiter) || /[\r\n]/.test(cell)
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"${one(['', '', ' '])}`
  const write = (cell: string) => (mustQuote(cell) || below(3) === 0 ? quoted(cell) : one(['', ' ']) + cell)
  const lines = rows.flatMap((row) => [row.map(write).join(delimiter), ...(below(5) === 0 ? [''] : [])])
  const text = [COLUMNS.join(delimiter), ...lines].join(end) + one(['', end])
  return {
    bytes: encoded(text, encoding),
    rows,
    size: below(4) + 1,
    chunkBytes: [1, below(30) + 2],
    encoding,
    delimiter,
    text
  }
}

t.test('random CSV is read back unchanged, in chunks of any size and from the end of every batch', async (t) => {
  for (let seed = 1; seed <= 400; seed++) {
    const { bytes, rows, size, chunkBytes, encoding, delimiter, text } = randomTable(seed)
    const read = await readFile(bytes, { size, chunkBytes })
    const values = read.rows.map(({ value }) => value as Record<string, string> & { attributes?: { note: string } })
    const cells = values.map((value) => [
      value.externalId,
      value.title,
      value.description ?? '',
      value.brand ?? '',
      value.attributes?.note ?? ''
    ])
    const same = t.strictSame(
      { cells, encoding: read.layout.file.encoding, delimiter: read.layout.file.delimiter },
      { cells: rows, encoding, delimiter },
      `table ${seed}`
    )
    if (!same) t.comment(JSON.stringify(text))
  }
})

t.test('random bytes are counted as they are read, and reading can resume after every batch', async (t) => {
  const TOKENS = ['a', '"', '"', ',', '\n', '\n', '""', ' ', '\r\n', 'id,t', '\xfc']
  for (let seed = 1; seed <= 300; seed++) {
    const below = createRandom(seed)
    const input = Array.from({ length: below(120) }, () => TOKENS[below(TOKENS.length)]!).join('')
    const { rows } = await readFile(Buffer.from(`externalId,title\n${input}`, below(2) === 0 ? 'utf8' : 'latin1'), {
      size: 1,
      chunkBytes: [1, below(9) + 2]
    })
    t.ok(
      rows.every(({ line }, i) => i === 0 || line > rows[i - 1]!.line),
      `input ${seed}`
    )
  }
})
