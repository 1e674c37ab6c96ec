import t from 'tap'
import type { ApiError } from '../../../../errors.ts'
import { detectLayout } from '../../../../services/imports/rows/layout.ts'
import { errorsOf, readFile, valuesOf } from './read-file.ts'

const two = [
  { externalId: 'a', title: 'Anchor' },
  { externalId: 'b', title: 'Buoy' }
]

t.test('the delimiter, the line ends and the encoding of a file are detected', async (t) => {
  for (const [delimiter, name] of [
    [',', ','],
    [';', ';'],
    ['\t', '\t'],
    ['|', '|']
  ] as const) {
    for (const [end, lineEnd] of [
      ['\n', 'lf'],
      ['\r\n', 'crlf'],
      ['\r', 'cr']
    ] as const) {
      const text = [
        ['externalId', 'title'],
        ['a', 'Anchor'],
        ['b', 'Buoy']
      ]
        .map((row) => row.join(delimiter))
        .join(end)
      for (const file of [text, text + end]) {
        t.strictSame(await valuesOf(file), two, JSON.stringify(file))
        const { file: found } = (await readFile(file)).layout
        t.match(found, { delimiter: name, lineEnd, encoding: 'utf-8', dialect: 'own', ignoredColumns: [] })
      }
    }
  }
  const umlauts = 'externalId,title\nä1,Süßes – 5 €\n'
  t.strictSame(await valuesOf(umlauts), [{ externalId: 'ä1', title: 'Süßes – 5 €' }])
  t.equal((await readFile(umlauts)).layout.file.encoding, 'utf-8')
  t.strictSame(await valuesOf('\uFEFF' + umlauts), [{ externalId: 'ä1', title: 'Süßes – 5 €' }])
  t.equal((await readFile('\uFEFF' + umlauts)).layout.file.encoding, 'utf-8-bom')
  const windows = Buffer.from('externalId,title,brand\n\xe41,S\xfc\xdfes \x96 5 \x80,\x8cuvre \x9e\n', 'latin1')
  t.strictSame(await valuesOf(windows), [{ externalId: 'ä1', title: 'Süßes – 5 €', brand: 'Œuvre ž' }])
  t.equal((await readFile(windows)).layout.file.encoding, 'windows-1252')
})

t.test('a line that declares the delimiter is skipped, and empty lines are not rows', async (t) => {
  const { rows, layout } = await readFile(
    'sep=;\r\n\r\nexternalId;title\r\n\r\na;Anchor\r\n;\r\n" ";\r\n\r\nb;Buoy\r\n\r\n'
  )
  t.strictSame(
    rows.map(({ value, line }) => ({ ...(value as object), line })),
    [
      { ...two[0], line: 5 },
      { ...two[1], line: 9 }
    ]
  )
  t.equal(layout.firstLine, 4)
})

t.test('quoted cells may contain delimiters, line ends and quotes, and line numbers refer to the file', async (t) => {
  const { rows } = await readFile(
    'externalId,title,description\r\na,"An ""old"" anchor, rusty","line 1\r\nline 2\r\n"\r\n' +
      'b,Buoy 5" wide,"" \r\n"c", "no quotes" ,x\r\n'
  )
  t.strictSame(
    rows.map(({ value }) => value),
    [
      { externalId: 'a', title: 'An "old" anchor, rusty', description: 'line 1\r\nline 2' },
      { externalId: 'b', title: 'Buoy 5" wide' },
      { externalId: 'c', title: '"no quotes"', description: 'x' }
    ]
  )
  t.strictSame(
    rows.map(({ line }) => line),
    [2, 5, 6]
  )
  t.equal(rows[0]!.raw, 'a,"An ""old"" anchor, rusty","line 1\r\nline 2\r\n"')
})

t.test('an unclosed quote invalidates only its own row', async (t) => {
  const good = (id: string) => `${id},Title ${id}\n`
  t.strictSame(await errorsOf(`externalId,title\n${good('a')}b,"never closed\n${good('c')}${good('d')}`), [
    '3 unclosed_quote'
  ])
  t.strictSame(await errorsOf(`externalId,title\n${good('a')}b,"never closed\n${good('c')}d,"closed"\n${good('e')}`), [
    '3 unclosed_quote'
  ])
  t.strictSame(await errorsOf('externalId,title\na,"He said "no" to it"\nb,Buoy\n'), ['2 text_after_quote'])
  t.strictSame(await errorsOf('externalId,title\na,Anchor\nb,"Buoy'), ['3 unclosed_quote'])
  const {
    rows: [first]
  } = await readFile('externalId,title\n"a\nb","c"d\ne,f\n')
  t.strictSame(
    [first!.line, first!.raw, first!.externalId],
    [2, '"a', null],
    'only the first line of an invalid row is consumed'
  )
  const many = Array.from({ length: 3000 }, (_, i) => (i % 100 === 50 ? `${i},"open ${i}\n` : good(String(i)))).join('')
  const { rows } = await readFile(`externalId,title\n${many}`, { size: 1000 })
  t.equal(rows.length, 3000)
  t.equal(rows.filter(({ errors }) => errors.length > 0).length, 30)
  t.equal(rows[50]!.externalId, '50', 'the id of an invalid row is reported if readable')
})

t.test('many lines with unclosed quotes are read in linear time', { timeout: 100_000 }, async (t) => {
  const { rows } = await readFile('externalId,title\n' + 'a","b\n'.repeat(250_000), {
    size: 100_000,
    chunkBytes: [64 * 1024]
  })
  t.equal(rows.length, 250_000)
  t.ok(rows.every(({ errors }) => errors.length === 1))
  const ended = await readFile('externalId,title\n' + 'a","b\n'.repeat(150_000) + 'a"b\nc,d\n', {
    size: 100_000,
    chunkBytes: [64 * 1024]
  })
  t.equal(ended.rows.length, 150_002)
})

t.test('a row with too many or too few cells is reported with the counts', async (t) => {
  const { rows } = await readFile('externalId,title,sku\na,Anchor\nb,Buoy,B-1,more\nc,Cleat,C-1\n')
  t.strictSame(
    rows.map(({ errors }) => errors.map(({ code, message }) => `${code}: ${message}`).join()),
    [
      'cell_count: the row has 2 cells, but the header has 3: check its delimiters and quotes',
      'cell_count: the row has 4 cells, but the header has 3: check its delimiters and quotes',
      ''
    ]
  )
  t.strictSame(
    rows.map(({ externalId, raw }) => [externalId, raw]),
    [
      ['a', 'a,Anchor'],
      ['b', 'b,Buoy,B-1,more'],
      ['c', 'c,Cleat,C-1']
    ]
  )
})

t.test(
  'a row longer than 1 MiB is an error of that row, and only its beginning is stored',
  { timeout: 100_000 },
  async (t) => {
    const long = 'x'.repeat(1024 * 1024)
    for (const bad of [`b,${long}`, `b,"${long}"`, `b,${long}${long}`, `b,"${long}`]) {
      const { rows } = await readFile(`externalId,title\na,Anchor\n${bad}\nc,Cleat\n`, {
        chunkBytes: [1000, 4_000_000]
      })
      t.strictSame(
        rows.map(({ line, errors }) => [line, errors[0]?.code]),
        [
          [2, undefined],
          [3, 'too_long'],
          [4, undefined]
        ]
      )
      t.ok(rows[1]!.raw.length <= 2000)
    }
    const fits = `b,${'x'.repeat(1024 * 1024 - 2)}`
    t.strictSame(await errorsOf(`externalId,title\r\n${fits}\r\nc,Cleat\r\n`, { chunkBytes: [1000, 100_000] }), [])
  }
)

t.test('an invalid byte is an error of its row that names the byte', async (t) => {
  const file = Buffer.concat([
    Buffer.from('externalId,title\n1,Süß\n2,S'),
    Buffer.from([0xfc]),
    Buffer.from('\n3,Süß\n')
  ])
  const { rows, layout } = await readFile(file)
  t.equal(layout.file.encoding, 'utf-8', 'one invalid row does not change the detected encoding')
  t.strictSame(
    rows.map(({ errors }) => errors.map(({ code, message }) => `${code}: ${message}`).join()),
    ['', 'invalid_encoding: the byte 0xFC at position 4 of the row is not valid UTF-8: save the file as UTF-8', '']
  )
  t.equal(rows[1]!.externalId, '2')
  const windows = Buffer.concat([
    Buffer.from('externalId,title\n1,'),
    Buffer.from([0xfc, 0x0a]),
    Buffer.from('2,'),
    Buffer.from([0x81]),
    Buffer.from('\n')
  ])
  t.strictSame(await errorsOf(windows), ['3 invalid_encoding'])
})

t.test('a file without text rows is rejected with advice', async (t) => {
  const cases: [string | Buffer, 'csv' | 'ndjson', RegExp][] = [
    [Buffer.from('\uFEFFexternalId,title\n', 'utf16le'), 'csv', /UTF-16\. Save it as UTF-8/],
    [Buffer.from('externalId,title\n', 'utf16le'), 'csv', /UTF-16/],
    ['', 'csv', /empty/],
    [' \r\n \n', 'csv', /empty/],
    ['\uFEFF', 'ndjson', /empty/],
    [Buffer.from([0x50, 0x4b, 3, 4, 1, 2]), 'csv', /Save the products as CSV/],
    ['{"externalId":"a"}\n', 'csv', /application\/x-ndjson/],
    ['[{"externalId":"a"}]', 'csv', /is JSON, not CSV/],
    ['[{"externalId":"a","title":"b"}]', 'ndjson', /JSON array/],
    ['[\n{"externalId":"a","title":"b"}\n]\n', 'ndjson', /JSON array/],
    ['externalId,title\na,b\n', 'ndjson', /text\/csv/],
    ['"externalId";"title"\na;b\n', 'ndjson', /text\/csv/],
    ['externalId,title,Title\na,b,c\n', 'csv', /Two columns have the same meaning/]
  ]
  for (const [file, format, detail] of cases) {
    await t.rejects(
      detectLayout(Buffer.from(file), { format, mapping: null, isComplete: true }),
      { code: 'malformed_import', message: detail },
      String(file).slice(0, 40)
    )
  }
})

t.test('headers that are too long are rejected before their names are compared', async (t) => {
  const detect = (header: string) =>
    detectLayout(Buffer.from(`${header}\n1,Tea\n`), { format: 'csv', mapping: null, isComplete: true })
  const long = { code: 'malformed_import', message: /at most 128 KiB long/ }
  t.equal((await detect(`externalId,title,${'n'.repeat(1000)}`)).columns.length, 3)
  await t.rejects(detect(`externalId,title,${'n'.repeat(1001)}`), long)
  await t.rejects(detect(`externalId,title,"${' > '.repeat(300_000)}"`), long)
  const columns = (length: number) => Array.from({ length: 4000 }, (_, index) => `c${index}${'x'.repeat(length)}`)
  t.equal((await detect(`externalId,title,${columns(20).join()}`)).columns.length, 4002)
  await t.rejects(detect(`externalId,title,${columns(40).join()}`), long)
})

t.test('the names of a long header are compared in steps', async (t) => {
  const header = Array.from({ length: 4999 }, (_, index) => `Col_${index};Me|t\td`).join(',')
  const detecting = detectLayout(Buffer.from(`${header}\na,b\n`), { format: 'csv', mapping: null, isComplete: true })
  let turns = 0
  let isDone = false
  const countTurns = (): void => {
    turns += 1
    if (!isDone) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  await t.rejects(detecting, { code: 'unknown_columns' })
  isDone = true
  t.ok(turns > 2, `${turns} turns of the event loop`)
})

t.test('a mapped column is the first one with its name, or else with its name in another case', async (t) => {
  const layoutOf = async (header: string, column: string) =>
    await detectLayout(Buffer.from(`${header}\n1,2,3,4\n`), {
      format: 'csv',
      mapping: { [column]: 'title' },
      isComplete: true
    })
  t.strictSame((await layoutOf('externalId,NAME,Name,name', 'Name ')).columns, ['externalId', null, 'title', null])
  t.strictSame((await layoutOf('externalId,NAME,Name', 'name')).columns, ['externalId', 'title', null])
})

t.test('unknown columns are rejected, with the existing columns and the missing fields', async (t) => {
  const detect = (text: string, mapping: Record<string, string> | null = null) =>
    detectLayout(Buffer.from(text), { format: 'csv', mapping, isComplete: true })
  await t.rejects(detect('Artikel;Bezeichnung;Preis\n1;x;2\n'), {
    code: 'unknown_columns',
    message: /Artikel, Bezeichnung, Preis.*no column for externalId and title/,
    options: { members: { columns: ['Artikel', 'Bezeichnung', 'Preis'] } }
  })
  await t.rejects(detect('externalId,Name\n1,x\n'), { code: 'unknown_columns', message: /no column for title\./ })
  await t.rejects(detect('Artikel,Name\n1,x\n', { Artikel: 'externalId', Name: 'titel' }), {
    code: 'unknown_columns',
    message: /the unknown field titel/
  })
  await t.rejects(detect('Artikel,Name\n1,x\n', { Artikel: 'externalId', Nome: 'title' }), {
    code: 'unknown_columns',
    message: /the column Nome/
  })
  await t.rejects(detect('Artikel,Name\n1,x\n', { Artikel: 'externalId' }), {
    code: 'unknown_columns',
    message: /no column for title\./
  })
  await t.rejects(detectLayout(Buffer.from('{}\n'), { format: 'ndjson', mapping: {}, isComplete: true }), {
    code: 'unknown_columns'
  })
})

t.test('the columns that are named like the missing fields are proposed', async (t) => {
  const errorOf = async (header: string, mapping: Record<string, string> | null = null) => {
    try {
      await detectLayout(Buffer.from(`${header}\n1,2,3,4\n`), { format: 'csv', mapping, isComplete: true })
    } catch (error) {
      return error as ApiError
    }
    throw new Error(`no error for ${header}`)
  }
  const { message, options } = await errorOf('Title,Cost,Notes,SKU')
  t.match(message, /no column for externalId\. Rename the column that contains it, such as SKU to externalId\.$/)
  t.match(options.errors, [
    { pointer: '/externalId', code: 'missing_column', message: /parameter `map`, such as SKU:externalId$/ }
  ])
  for (const [header, suggestedMap] of [
    ['Title,Cost,Notes,SKU', ['SKU:externalId']],
    ['Title,Supplier ID,ID,Cost', ['ID:externalId']],
    ['externalId,Product Name,Cost', ['Product Name:title']],
    ['productID,productName', ['productID:externalId', 'productName:title']],
    ['Artikel;Bezeichnung;Preis', ['Artikel:externalId', 'Bezeichnung:title']],
    ['Product,Cost', ['Product:title']],
    ['Title,Cost,Notes', []],
    ['a,b,c', []]
  ] as const) {
    t.strictSame((await errorOf(header)).options.members?.suggestedMap, suggestedMap, header)
  }
  const none = await errorOf('a,b,c')
  t.match(none.message, /no column for externalId and title\. Rename the columns that contain them\.$/)
  t.match(none.options.errors, [{ message: /such as COLUMN:externalId$/ }, { message: /such as COLUMN:title$/ }])
  t.strictSame((await errorOf('Code,Label,Cost', { Label: 'title' })).options.members?.suggestedMap, [
    'Code:externalId'
  ])
})
