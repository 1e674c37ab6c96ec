import t from 'tap'
import { normalize } from '../../lib/normalize.ts'
import { cpuMs } from '../fixtures/cpu-time.ts'

const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const
/** Marks in an order that has to be reversed. */
const unordered = (count: number, [first, second] = ['\u0315', '\u0334']) =>
  `a${first!.repeat(count / 2)}${second!.repeat(count / 2)}`

t.test('texts of any language are normalized as by the platform', async (t) => {
  const texts = [
    'plain',
    'Å ﬁ ½ é',
    'e\u0301 o\u0308',
    'ﾊﾟﾋﾞ',
    'क्षि',
    'ทั้ง',
    '각\u1100\u1161\u11a8',
    'ש\u05bc\u05c1\u05b8',
    `e${'\u0301'.repeat(30)}`,
    'tiếng Việt \u00b4',
    '\ud800'
  ]
  for (const text of texts) for (const form of FORMS) t.equal(normalize(text, form), text.normalize(form), text)
})

t.test('long runs of marks take linear time, and the result is stable', { timeout: 300_000 }, async (t) => {
  const hostile = {
    'combining marks': unordered(50_000),
    'half-width marks': unordered(50_000, ['\u0315', '\uff9e']),
    'marks of two characters': unordered(50_000, ['\u0315', '\u0344']),
    'marks outside of the basic plane': unordered(50_000, ['\u0315', '\u{1d167}'])
  }
  for (const [name, text] of Object.entries(hostile)) {
    for (const form of FORMS) {
      let result = ''
      const ms = cpuMs(() => {
        result = normalize(text, form)
      })
      t.ok(ms < 300, `${name}, ${form}: ${ms.toFixed(0)} ms`)
      t.equal(normalize(result, form), result, `${name}, ${form}: idempotent`)
      t.equal(result.normalize(form), result, `${name}, ${form}: in this form`)
    }
  }
})

t.test('31 marks in a row are separated wherever they are, and 30 are not', async (t) => {
  for (const mark of ['\u0301', '\uff9e', '\u{1d167}']) {
    for (let before = 1; before <= 62; before++) {
      const text = (marks: number) => `${'中'.repeat(before)}${mark.repeat(marks)}${'a'.repeat(before % 7)}`
      t.equal(normalize(text(30), 'NFC').includes('\u034f'), false, `${before} before 30`)
      t.equal(normalize(text(31), 'NFC').includes('\u034f'), true, `${before} before 31`)
    }
  }
})
