import t from 'tap'
import { parseTimestamp, toTimestamp, toUtc } from '../../schemas/formats.ts'

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
