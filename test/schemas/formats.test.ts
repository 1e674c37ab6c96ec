import t from 'tap'
import { cpuMs } from '../fixtures/cpu-time.ts'
import { formats, hasLongHost, parseTimestamp, toTimestamp, toUtc } from '../../schemas/formats.ts'

t.test('a time is converted to UTC with milliseconds', async (t) => {
  for (const [text, utc] of [
    ['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.000Z'],
    ['2026-01-31t09:00:00.123456789z', '2026-01-31T09:00:00.123Z'],
    ['2026-01-31T00:30:00+05:45', '2026-01-30T18:45:00.000Z'],
    ['0000-12-31T23:59:00-00:01', '0001-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0004-02-29T00:00:00Z', '0004-02-29T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59+00:01', '9999-12-31T23:58:59.000Z']
  ] as const) {
    t.equal(parseTimestamp(text), utc, text)
    t.equal(toUtc(text), utc, text)
  }
})

t.test('a time outside the years 0001 to 9999 in UTC is rejected, whatever its offset', async (t) => {
  for (const text of [
    '0000-01-01T00:00:00+23:59',
    '0000-06-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '0001-01-01T23:58:59+23:59',
    '9999-12-31T23:59:59-00:01',
    '9999-12-31T00:01:00-23:59',
    '+010000-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z'
  ]) {
    t.equal(parseTimestamp(text), null, text)
    t.throws(() => toUtc(text), RangeError, text)
  }
})

t.test('dates that do not exist and other texts are rejected', async (t) => {
  for (const text of [
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T25:00:00Z',
    '2026-01-31T09:00:60Z',
    '2026-01-31T09:00:00+24:00',
    '2026-01-31T09:00:00+00:60',
    '2026-01-31T09:00:00',
    '2026-01-31',
    '2026-01-31 09:00:00Z',
    ''
  ]) {
    t.equal(parseTimestamp(text), null, text)
  }
  for (const ms of [NaN, Infinity, -8.64e15, 8.64e15]) t.equal(toTimestamp(ms), null, String(ms))
})

t.test('an impossible host is rejected before it is parsed', async (t) => {
  const letters = (count: number) => Array.from({ length: count }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('')
  const isUrl = formats['http-url']!
  const hostile = ['https://', 'http:', 'https:///', 'https:\\'].flatMap((start) => [
    `${start}${letters(20_000)}`,
    `${start}${letters(1900)}/x`
  ])
  let accepted: string[] = []
  const ms = cpuMs(() => {
    accepted = hostile.filter(isUrl)
  })
  t.same(accepted, [])
  t.ok(ms < 50, `${ms.toFixed(0)} ms`)
  for (const url of [...hostile, ' //' + letters(300), 'h\tttps://' + letters(300)]) t.ok(hasLongHost(url))
  for (const url of ['/' + 'a'.repeat(300), `https://x.example/${letters(300)}`, `mailto:${'a'.repeat(300)}`, '#a']) {
    t.notOk(hasLongHost(url), url.slice(0, 30))
  }
  t.ok(isUrl('https://例え.テスト:8080/パス'))
  t.ok(isUrl(`https://${'a'.repeat(49)}.${'b'.repeat(49)}.example/${'c'.repeat(1800)}`))
})
