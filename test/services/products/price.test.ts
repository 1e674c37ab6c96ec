import t from 'tap'
import { cpuMs } from '../../fixtures/cpu-time.ts'
import {
  isRounded,
  parseWithPrices,
  priceText,
  stringifyWithPrices,
  toDecimalText
} from '../../../services/products/price.ts'

t.test('a price keeps its original digits', async (t) => {
  for (const text of ['0', '5', '9.90', '9.9', '1299.5', '0.0001', '9999999999.9999', '1.0000', '12.500']) {
    t.equal(toDecimalText(text), text)
  }
})

t.test('an exponent is resolved without loss of digits, and zero has no sign', async (t) => {
  const cases: [string, string][] = [
    ['1e2', '100'],
    ['1E+2', '100'],
    ['1.50e1', '15.0'],
    ['1.5e3', '1500'],
    ['100e-2', '1.00'],
    ['12e-1', '1.2'],
    ['5e-4', '0.0005'],
    ['1.25e-2', '0.0125'],
    ['1e0', '1'],
    ['-0', '0'],
    ['-0.00', '0.00'],
    ['0e0', '0'],
    ['0e999', '0'],
    ['007.50', '7.50'],
    ['00000000000012', '12'],
    ['0.1e1', '1']
  ]
  for (const [source, text] of cases) t.equal(toDecimalText(source), text, source)
  t.equal(toDecimalText('9007199254740993e-12'), '9007.1993', 'twelve decimals are rounded')
  t.equal(toDecimalText('9007199254740993e-6'), '9007199254.7410', 'six decimals are rounded')
  t.equal(toDecimalText('90071992547409e-4'), '9007199254.7409')
})

t.test('invalid numbers and numbers beyond the limits are rejected', async (t) => {
  for (const source of [
    '',
    ' ',
    '5 ',
    ' 5',
    '+5',
    '.5',
    '5.',
    '1,5',
    '1.299,00',
    '1,299.00',
    '€ 5',
    '5 €',
    'free',
    'NaN',
    'Infinity',
    '0x10',
    '1_000',
    '1e',
    'e5',
    '١٢',
    '--1',
    '1.2.3',
    '1e99999'
  ]) {
    t.equal(toDecimalText(source), null, JSON.stringify(source))
  }
  for (const source of ['10000000000', '1e10', '9999999999.99995', '1e400', '-5', '-0.0001']) {
    t.equal(toDecimalText(source), null, source)
  }
})

t.test('more than 4 decimals are rounded half to even', async (t) => {
  const cases: [source: string, text: string, rounded: boolean][] = [
    ['1.23456', '1.2346', true],
    ['1.00000', '1.0000', false],
    ['1e-5', '0.0000', true],
    ['1e-400', '0.0000', true],
    ['0.00000', '0.0000', false],
    ['0.00005', '0.0000', true],
    ['0.00015', '0.0002', true],
    ['0.00025', '0.0002', true],
    ['0.000250000001', '0.0003', true],
    ['9.99995', '10.0000', true],
    ['23.788099999999996', '23.7881', true]
  ]
  for (const [source, text, rounded] of cases) {
    t.equal(toDecimalText(source), text, source)
    t.equal(isRounded(source), rounded, source)
  }
})

t.test('too many digits are rejected before they are calculated with', async (t) => {
  const texts = ['7'.repeat(1_000_000) + '.55555', '0'.repeat(1_000_000) + '1.00005', '1.' + '5'.repeat(1_000_000)]
  let results: (string | null)[] = []
  const ms = cpuMs(() => {
    results = texts.map(toDecimalText)
  })
  t.same(results, [null, '1.0000', '1.5556'])
  t.ok(ms < 150, `${ms.toFixed(0)} ms`)
})

t.test('parsed prices keep their digits, wherever and however they are written', async (t) => {
  const own: [string, string][] = [
    ['{"title":"A","price":9.90}', '9.90'],
    ['{"price" \n:\t 1.50e1 ,"title":"A"}', '15.0'],
    ['{"pr\\u0069ce":7.10}', '7.10'],
    ['{"pr\\u0069ce":7.10,"sku":"price"}', '7.10'],
    ['{"price":1.10,"price":2.20}', '2.20'],
    ['{"price":2.20,"attributes":{"price":3.30}}', '2.20'],
    ['{"attributes":{"price":3.30},"price":2.20}', '2.20'],
    ['{"sku":"price","price":2.20}', '2.20'],
    ['{"description":"\\"price\\": 1.10","price":2.20}', '2.20'],
    ['{"a\\"price":1.10,"price":2.20}', '2.20'],
    ['{"caf\\u00e9":1,"price":2.20}', '2.20'],
    ['{"\\u0070rice":2.20}', '2.20'],
    ['{"pric\\u0065":2.20}', '2.20']
  ]
  for (const [text, price] of own) {
    const row = parseWithPrices(text) as { price: number }
    t.equal(priceText(row), price, text)
    t.same(row, JSON.parse(text), text)
    const again = stringifyWithPrices(row)
    t.same(JSON.parse(again), JSON.parse(text), text)
    t.equal(priceText(parseWithPrices(again) as { price: number }), price, again)
  }
  const nested = [
    '{"attributes":{"price":3.30}}',
    '[{"price":3.30},{"price":1.10}]',
    '{"a":"price","b":{"price":5.00}}'
  ]
  for (const text of nested) t.equal(stringifyWithPrices(parseWithPrices(text)), text)
  for (const text of [
    '{"price":null}',
    '{"price":"9.90"}',
    '{"title":"A"}',
    '"price"',
    '5',
    'null',
    '{"__proto__":1}'
  ]) {
    t.equal(stringifyWithPrices(parseWithPrices(text)), text)
  }
  t.throws(() => parseWithPrices('{"price":9.90'), SyntaxError)
})
