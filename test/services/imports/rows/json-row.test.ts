import t from 'tap'
import { formatFailedRow } from '../../../../services/imports/rows/failed-rows.ts'
import { errorsOf, readFile, valuesOf } from './read-file.ts'

const ndjson = { format: 'ndjson' } as const

t.test('each line is a product, and empty lines are skipped, with any line ends', async (t) => {
  for (const end of ['\n', '\r\n', '\r']) {
    for (const bom of ['', '\uFEFF']) {
      const file =
        bom + ['{"externalId":"a","title":"Anker für Söhne"}', '', '  ', '{"externalId":"b", "title":"Buoy"}'].join(end)
      for (const text of [file, file + end]) {
        const { rows } = await readFile(text, ndjson)
        t.strictSame(
          rows.map(({ line, externalId, value }) => [line, externalId, value]),
          [
            [1, 'a', { externalId: 'a', title: 'Anker für Söhne' }],
            [4, 'b', { externalId: 'b', title: 'Buoy' }]
          ]
        )
      }
    }
  }
})

t.test('a price keeps its original digits', async (t) => {
  const cases: [string, string | null][] = [
    ['{"price":9.90}', '9.90'],
    ['{"price": 1299 }', '1299'],
    ['{"price":1e2}', '100'],
    ['{"price":0.1}', '0.1'],
    ['{"price":-0}', '0'],
    ['{"price":9999999999.9999}', '9999999999.9999'],
    ['{"price":1.10,"attributes":{"price":"5"}}', '1.10'],
    ['{"attributes":{"price":5.50},"price":5.5}', '5.5'],
    ['{"attributes":{"price":5.50}}', null],
    ['{"price":1.10,"price":2.20}', '2.20'],
    ['{"title":"\\"price\\":3.30","price":4.40}', '4.40'],
    ['{"title":"price","price" :\t4.40}', '4.40'],
    ['{"pr\\u0069ce":7.70}', '7.70'],
    ['{"attributes":{"price":5.50},"pr\\u0069ce":7.70}', '7.70'],
    ['{"price":null}', null],
    ['{"price":"9.90"}', null]
  ]
  for (const [line, price] of cases) {
    const {
      rows: [row]
    } = await readFile(line + '\n', ndjson)
    t.strictSame([row!.price, row!.errors], [price, []], line)
  }
})

t.test('a price with too many digits is an error; a price out of range is left to the schema', async (t) => {
  t.strictSame(await errorsOf('{"price":1.23456}\n{"price":9999999999.99999}\n{"price":1e-9}\n', ndjson), [
    '2 price_digits /price'
  ])
  const { rows } = await readFile('{"price":-5}\n{"price":10000000000}\n{"price":1e400}\n', ndjson)
  t.strictSame(
    rows.map(({ price, errors, value }) => [price, errors.length, (value as { price: number }).price]),
    [
      [null, 0, -5],
      [null, 0, 10000000000],
      [null, 0, Infinity]
    ]
  )
})

t.test('a line that is not a JSON object is an error of that line', async (t) => {
  const lines = [
    '{"externalId":"a"',
    'null',
    '[1]',
    '"x"',
    '5',
    '{"a":1}{"b":2}',
    'externalId',
    '{"externalId":"z"}',
    '['.repeat(300_000),
    '{"price":1,"a":' + '['.repeat(100_000)
  ]
  t.strictSame(await errorsOf(lines.join('\n'), { ...ndjson, chunkBytes: [1000] }), [
    '1 not_json',
    '2 not_an_object',
    '3 not_an_object',
    '4 not_an_object',
    '5 not_an_object',
    '6 not_json',
    '7 not_json',
    '9 too_complex',
    '10 too_complex'
  ])
  const { rows } = await readFile('{"externalId":}\n', ndjson)
  t.match(rows[0], { value: null, raw: '{"externalId":}', errors: [{ message: /^the line is not valid JSON/ }] })
})

t.test('deeply nested JSON with two prices is read', async (t) => {
  const { rows } = await readFile(
    `{"price":1.50,"a":${'['.repeat(200_000)}{"price":2}${']'.repeat(200_000)}}\n{"externalId":"b"}\n`,
    { ...ndjson, chunkBytes: [] }
  )
  t.equal(rows.length, 2)
})

t.test('invalid UTF-8 is an error of its line', async (t) => {
  const file = Buffer.concat([
    Buffer.from('{"title":"Süß"}\n{"title":"S'),
    Buffer.from([0xfc, 0xdf]),
    Buffer.from('"}\n{"title":"Süß"}\n')
  ])
  t.strictSame(await errorsOf(file, ndjson), ['2 invalid_encoding'])
})

t.test('a line longer than 1 MiB is an error of that line', async (t) => {
  const long = (length: number) => `{"title":"${'x'.repeat(length)}"}`
  const file = [long(5), long(1024 * 1024), long(3_000_000), long(1024 * 1024 - 12), long(7)].join('\n')
  const { rows } = await readFile(file, { ...ndjson, chunkBytes: [3000, 1_000_000] })
  t.strictSame(
    rows.map(({ errors }) => errors[0]?.code),
    [undefined, 'too_long', 'too_long', undefined, undefined]
  )
  t.ok(rows[2]!.raw.length <= 2000)
})

t.test('a member _error is ignored, so that failed rows can be uploaded again', async (t) => {
  t.strictSame(await valuesOf('{"_error":{"line":3},"externalId":"a","title":"Anchor"}\n', ndjson), [
    { externalId: 'a', title: 'Anchor' }
  ])
})

t.test('a line with too many values or levels is an invalid row, which is returned as text', async (t) => {
  const members = Array.from({ length: 70_000 }, (_, i) => `"a${i}":"b"`).join()
  const lists = Array.from({ length: 200 }, () => `[${'1,'.repeat(40)}1]`).join()
  const cases: [string, string][] = [
    [`{"externalId":"a","title":${'['.repeat(400_000)}${']'.repeat(400_000)}}`, 'is nested deeper than 20 levels'],
    [`{"externalId":"a",${members}}`, 'has more than 5,000 values'],
    [`{"externalId":"a","tags":[${lists}]}`, 'has more than 5,000 values']
  ]
  for (const [line, excess] of cases) {
    const { rows, layout } = await readFile(`${line}\n{"externalId":"b","title":"B"}\n`, {
      ...ndjson,
      chunkBytes: [64 * 1024]
    })
    t.match(rows, [
      { value: null, errors: [{ pointer: '', code: 'too_complex', message: `the line ${excess}` }] },
      { value: { externalId: 'b' }, errors: [] }
    ])
    const { errors } = rows[0]!
    t.same(JSON.parse(formatFailedRow(layout, { row: line, errors, line: 1 })), {
      _error: { line: 1, errors },
      _raw: line
    })
  }
  const attributes = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`a${i}`, 'x'.repeat(100)]))
  const images = Array.from({ length: 50 }, (_, i) => `https://x.example/${i}.png`)
  t.same(await errorsOf(JSON.stringify({ externalId: 'a', title: 'A', attributes, images }), ndjson), [])
})
