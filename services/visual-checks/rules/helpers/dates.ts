/*
 * Dates that a page names: as a timestamp of a program, or written for readers in the language of the
 * post. A day has no time zone: it is compared with a tolerance of more than a day.
 */

import { normalize } from '../../../../lib/normalize.ts'

const DAY_MS = 86_400_000
/** Dates without a time are days of any time zone. */
const TOLERANCE_MS = 1.5 * DAY_MS
/** Years of other calendars, such as 1447 or 2569, are not compared. */
const YEAR = '(?:19|20)\\d{2}'
/** Between the parts of a written date: an ordinal, a comma, and words such as `de`, `of` or the Hebrew ב. */
const GAP = "(?:st|nd|rd|th|er|º|ª)?[\\s.,،]*(?:(?:de|del|of|d[’']|m)[\\s.]+|ב-?)?"

export interface DateRange {
  /** ISO 8601. */
  publishedAt: string
  updatedAt: string
}

/** Whether none of the readings of a date is that of the publication, of the last update, or between both. */
export const isOutside = (readingsMs: readonly number[], { publishedAt, updatedAt }: DateRange): boolean =>
  readingsMs.length > 0 &&
  readingsMs.every((ms) => ms < Date.parse(publishedAt) - TOLERANCE_MS || ms > Date.parse(updatedAt) + TOLERANCE_MS)

/** Marks of the writing direction, which may separate the parts of a date. */
const DIRECTION_MARK = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Digits of all scripts as ASCII, and letters in lower case. */
const foldDigits = (text: string): string =>
  normalize(text, 'NFKC')
    .replace(DIRECTION_MARK, '')
    .replace(/\p{Nd}/gu, (digit) => String(valueOf(digit)))
    .toLowerCase()

/** Decimal digits of a script are ten code points in a row, from zero on. */
function valueOf(digit: string): number {
  let value = 0
  while (value < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(digit.codePointAt(0)! - value - 1))) value++
  return value
}

/** Of the languages that were read last: they take milliseconds to collect. */
const cachedNames = new Map<string, Map<string, number>>()
const MAX_CACHED_LANGUAGES = 50

/** The names of one month in a locale, in lower case. Some languages inflect a name that follows a day. */
function getNamesOf(month: number, locale: string): string[] {
  const formats = (['long', 'short'] as const).flatMap((style): Intl.DateTimeFormatOptions[] => [
    { month: style },
    { month: style, day: 'numeric' }
  ])
  const names = formats.map((format) => {
    const parts = new Intl.DateTimeFormat(locale, { ...format, timeZone: 'UTC' }).formatToParts(
      Date.UTC(2026, month, 15)
    )
    return foldDigits(parts.find(({ type }) => type === 'month')!.value).replace(/\.$/, '')
  })
  // Names without letters are numbers, which have patterns of their own.
  return names.filter((name) => /\p{L}/u.test(name))
}

/** The names of the months in a language and in English, as they are written in dates. */
function getMonthNames(language: string): Map<string, number> {
  const known = cachedNames.get(language)
  if (known !== undefined) return known
  const locales = [...new Set([language, 'en'])].map((locale) => `${locale}-u-ca-gregory`)
  const months = Array.from({ length: 12 }, (_, month) => month)
  const names = new Map(
    locales.flatMap((locale) =>
      months.flatMap((month) => getNamesOf(month, locale).map((name): [string, number] => [name, month]))
    )
  )
  if (cachedNames.size >= MAX_CACHED_LANGUAGES) cachedNames.clear()
  cachedNames.set(language, names)
  return names
}

/** Milliseconds of a day. Null for days that do not exist. */
function dayOf(year: number, month: number, day: number): number | null {
  const ms = Date.UTC(year, month, day)
  return new Date(ms).getUTCMonth() === month && new Date(ms).getUTCDate() === day ? ms : null
}

/**
 * The dates with a day, a month and a year in a text. Each is the list of its possible readings in
 * milliseconds: `3/4/2026` has two. `language`: BCP 47; unknown languages are read as English.
 */
export function findDates(text: string, language: string): number[][] {
  const folded = foldDigits(text)
  if (!new RegExp(YEAR).test(folded)) return []
  const names = getMonthNames(isKnownLanguage(language) ? language : 'en')
  const name = [...names.keys()]
    .sort((one, other) => other.length - one.length)
    .map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|')
  const found: number[][] = []
  const collect = (pattern: string, read: (parts: Record<string, string>) => (number | null)[]): void => {
    for (const { groups } of folded.matchAll(new RegExp(pattern, 'gu'))) {
      const readings = read(groups!).filter((ms) => ms !== null)
      if (readings.length > 0) found.push([...new Set(readings)])
    }
  }
  const named = ({ y, m, d }: Record<string, string>) => [dayOf(Number(y), names.get(m!)!, Number(d))]
  const numeric = ({ y, a, b }: Record<string, string>) => [dayOf(Number(y), Number(a) - 1, Number(b))]
  const either = (parts: Record<string, string>) => [
    ...numeric(parts),
    ...numeric({ ...parts, a: parts.b!, b: parts.a! })
  ]
  const [y, m, d] = [`(?<y>${YEAR})(?!\\d)`, `(?<m>${name})`, '(?<!\\d)(?<d>\\d{1,2})']
  collect(`${d}${GAP}${m}${GAP}${y}`, named)
  collect(`(?<!\\p{L})${m}${GAP}${d}${GAP}${y}`, named)
  collect(`(?<!\\d)${y}${GAP}${m}${GAP}(?<d>\\d{1,2})(?!\\d)`, named)
  collect(`(?<!\\d)${y}\\s?(?<s>[-/.年년])\\s?(?<a>\\d{1,2})\\s?[-/.月월]\\s?(?<b>\\d{1,2})(?!\\d)`, numeric)
  collect(`(?<!\\d)(?<a>\\d{1,2})(?<s>[-/.])\\s?(?<b>\\d{1,2})\\k<s>\\s?${y}`, either)
  return found
}

function isKnownLanguage(language: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language).length > 0
  } catch {
    return false
  }
}

/**
 * The readings of a date that is made for programs, in milliseconds: ISO 8601, or one in English such as
 * RFC 5322. Empty for others, such as periods.
 */
export function readTimestamp(value: string): number[] {
  if (!/^\s*\d{4}-\d{2}-\d{2}/.test(value)) return findDates(value, 'en')[0] ?? []
  const ms = Date.parse(value.trim())
  return Number.isNaN(ms) ? [] : [ms]
}
