import t from 'tap'
import { formatFailedRow, failedRowsHeader } from '../../../../services/imports/rows/failed-rows.ts'
import { readFile, valuesOf, type Options } from './read-file.ts'

/** The failed-rows file for a file. */
async function failedOf(file: string | Buffer, options: Options = {}): Promise<string> {
  const { layout, rows } = await readFile(file, options)
  return (
    failedRowsHeader(layout) +
    rows
      .filter(({ errors }) => errors.length > 0)
      .map(({ raw, errors, line }) => formatFailedRow(layout, { row: raw, errors, line }))
      .join('')
  )
}

t.test('failed CSV rows are returned with their error in front, and can be corrected and uploaded again', async (t) => {
  const bad = ['a;Anker;"1.299,00"', 'b;Boje', 'c;Klampe;5;6', 'd;"Seil "dick"";7', 'e;"offen;8']
  const file = Buffer.from('\uFEFFexternalId;title;price\r\ngut;Gut;1\r\n' + bad.join('\r\n') + '\r\n')
  const failed = await failedOf(file)
  t.equal(failed.split('\r\n')[0], '\uFEFFimport_error;externalId;title;price')
  t.match(
    failed.split('\r\n')[1],
    /^"line 3: price must be a plain decimal number: write 1299\.00, .*";a;Anker;"1\.299,00"$/
  )
  t.equal(failed.split('\r\n').length, 7)
  t.strictSame(
    (await readFile(failed)).rows.map(({ errors }) => errors[0]?.code),
    ['locale_price', 'cell_count', 'cell_count', 'text_after_quote', 'unclosed_quote'],
    'without corrections the rows fail again'
  )
  const corrected = failed
    .replace('"1.299,00"', '1299.00')
    .replace('b;Boje', 'b;Boje;4')
    .replace('5;6', '5')
    .replace('"Seil "dick""', 'Seil dick')
    .replace('"offen', 'offen')
  t.strictSame(await valuesOf(corrected), [
    { externalId: 'a', title: 'Anker', price: 1299 },
    { externalId: 'b', title: 'Boje', price: 4 },
    { externalId: 'c', title: 'Klampe', price: 5 },
    { externalId: 'd', title: 'Seil dick', price: 7 },
    { externalId: 'e', title: 'offen', price: 8 }
  ])
})

t.test('rows that fail again have a single error column', async (t) => {
  const first = await failedOf('externalId,title,price\na,"An ""anchor"",\nold","1,5"\n')
  const second = await failedOf(first)
  t.equal(second, first)
  t.equal(second.split('import_error').length, 2)
  t.ok(second.endsWith('a,"An ""anchor"",\nold","1,5"\n'))
})

t.test('failed rows in another encoding are returned as UTF-8 with a byte order mark', async (t) => {
  const failed = await failedOf(Buffer.from('externalId,title,price\nS\xfc\xdf,5 \x80,x\n', 'latin1'))
  t.match(failed, /^\uFEFFimport_error,externalId,title,price\n".*",Süß,5 €,x\n$/)
})

t.test('failed variants are returned with their inherited cells', async (t) => {
  const file = [
    'Handle,Title,Vendor,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src',
    'jumper,Jumper,Harbor,Size,S,J-S,5.00,https://x.example/1.jpg',
    'jumper,,,,M,J-M,"5,00",https://x.example/2.jpg',
    'jumper,,,,,,,https://x.example/3.jpg',
    ''
  ].join('\n')
  const failed = await failedOf(file)
  t.strictSame(await valuesOf(failed.replace('"5,00"', '5.00')), [
    {
      externalId: 'J-M',
      sku: 'J-M',
      title: 'Jumper',
      brand: 'Harbor',
      price: 5,
      groupId: 'jumper',
      seo: { handle: 'jumper' },
      attributes: { Size: 'M' },
      imageUrl: 'https://x.example/1.jpg',
      images: ['https://x.example/2.jpg', 'https://x.example/3.jpg']
    }
  ])
  t.match(
    await failedOf(failed),
    /^import_error,Handle,Title,Vendor[^\n]*\n"line 2: [^"]*",jumper,Jumper,Harbor,Size,M,J-M,"5,00",[^\n]*\n$/
  )
})

t.test('failed NDJSON lines are returned as objects with _error and their original numbers', async (t) => {
  const file =
    '{"externalId":"a","title":"x","price":9999999999.99999}\n{"externalId":"b",\n[1]\n' +
    '{"externalId":"c","price":9999999999.99998,"__proto__":{"x":1.50},"_error":"old"}\n'
  const failed = (await failedOf(file, { format: 'ndjson' })).split('\n')
  t.equal(failed.length, 5)
  t.match(
    failed[0],
    new RegExp(
      String.raw`^\{"externalId":"a","title":"x","price":9999999999\.99999,` +
        String.raw`"_error":\{"line":1,"errors":\[\{"pointer":"/price","code":"price_digits"`
    )
  )
  t.match(JSON.parse(failed[1]!), { _raw: '{"externalId":"b",', _error: { line: 2, errors: [{ code: 'not_json' }] } })
  t.match(JSON.parse(failed[2]!), { _raw: '[1]' })
  t.match(failed[3], /"price":9999999999\.99998,"__proto__":\{"x":1\.50\},"_error":\{"line":4/)
  t.strictSame(
    (await failedOf('7\n"x"\nnull\n', { format: 'ndjson' }))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)._raw),
    ['7', '"x"', 'null']
  )
  t.strictSame(await valuesOf(failed[0]!.replace('9999999999.99999', '1.10') + '\n', { format: 'ndjson' }), [
    { externalId: 'a', title: 'x', price: 1.1 }
  ])
})
