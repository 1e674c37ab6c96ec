import t from 'tap'
import { findDates, isOutside, readTimestamp } from '../../../services/visual-checks/rules/helpers/dates.ts'

const DAY = Date.UTC(2026, 2, 3)
const LANGUAGES = [
  ...['en-US', 'en-GB', 'de', 'fr', 'es', 'pt-BR', 'it', 'nl', 'pl', 'ru', 'uk', 'cs', 'hu', 'lt', 'fi', 'sv', 'tr'],
  ...['el', 'he', 'ar', 'ar-EG', 'hi', 'vi', 'ja', 'zh-CN', 'ko']
]

for (const language of LANGUAGES) {
  t.test(`a written date is found in ${language}`, async (t) => {
    for (const dateStyle of ['full', 'long', 'medium'] as const) {
      const written = new Intl.DateTimeFormat(language, { dateStyle, timeZone: 'UTC' }).format(DAY)
      const dates = findDates(`Ada Lind · ${written} · 4 min`, language)
      t.equal(dates.length, 1, written)
      t.ok(dates[0]?.includes(DAY), `${written}: ${String(dates[0])}`)
    }
  })
}

t.test('a date in figures may have two readings', async (t) => {
  t.same(findDates('3/4/2026', 'en-GB'), [[Date.UTC(2026, 2, 4), Date.UTC(2026, 3, 3)]])
  t.same(findDates('13/4/2026', 'en-GB'), [[Date.UTC(2026, 3, 13)]])
  t.same(findDates('2026-03-03', 'de'), [[DAY]])
})

t.test('numbers, other calendars, days that do not exist and unknown languages are no problem', async (t) => {
  t.same(findDates('1,204 words · 2026 edition · 31.2.2020 · Room 3, 2026', 'en'), [])
  t.same(findDates('3 มีนาคม 2569', 'th'), [], 'a Buddhist year')
  t.same(findDates('3 March 2026', 'not a language'), [[DAY]])
  t.same(findDates('3 mars 2026', 'xx'), [], 'an unknown language is read as English')
})

t.test('a date is outside if all its readings are before the publication or after the last update', async (t) => {
  const range = { publishedAt: '2026-03-03T08:00:00.000Z', updatedAt: '2026-05-01T10:00:00.000Z' }
  t.equal(isOutside([DAY], range), false)
  t.equal(isOutside([Date.UTC(2026, 3, 1)], range), false)
  t.equal(isOutside([Date.UTC(2026, 1, 3)], range), true)
  t.equal(isOutside([Date.UTC(2026, 5, 1), Date.UTC(2026, 3, 6)], range), false, 'one reading is right')
  t.equal(isOutside([], range), false, 'an unknown date')
  t.same(readTimestamp('2026-03-03'), [DAY])
  t.same(readTimestamp('Tue, 03 Mar 2026 08:00:00 GMT'), [DAY])
  t.same(readTimestamp('P3D'), [])
  t.same(readTimestamp('recently, in 2026'), [])
})
