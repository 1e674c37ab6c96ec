import t from 'tap'
import { countWords, readingMinutes } from '../../../../services/blogs/content/index.ts'
import { createSeededRandom } from '../../../fixtures/seeded-random.ts'
import { SEED } from '../../../seed.ts'
import { fromHtml } from './inputs.ts'

t.test('words are counted by the rules of the language', async (t) => {
  t.equal(countWords("It's 3.5 times - really - state-of-the-art!", 'en'), 8)
  t.equal(countWords('今日は天気がいいです。', 'ja'), 6)
  t.equal(countWords('', 'en'), 0)
})

t.test('an invalid locale is treated as English', async (t) => {
  t.equal(countWords('one two', 'xx-yy-zz-0'), 2)
})

t.test('words of adjacent blocks are counted separately, words with inline markup once', async (t) => {
  t.equal(fromHtml('<ul><li>one</li><li>two</li></ul><p>th<b>ree</b></p>').wordCount, 3)
})

t.test('a long text of short lines has the word count of its lines', async (t) => {
  t.equal(countWords('one two\n'.repeat(5000), 'en'), 10_000)
})

t.test('reading speed is 238 words a minute; Chinese and Japanese count characters', async (t) => {
  t.equal(readingMinutes('word '.repeat(2380), 'en'), 10)
  t.equal(readingMinutes('字'.repeat(2550), 'zh'), 10)
  t.equal(readingMinutes('かな'.repeat(1785), 'ja'), 10)
  t.equal(readingMinutes('word', 'en'), 1)
  t.equal(readingMinutes(' … ', 'en'), 0)
})

t.test('words between spaces are counted as a segmenter counts them', (t) => {
  const text =
    `Plain words, "quoted (ones)" and (parentheses). It's 3.14 or a.b, c:d; e_f end... (") x-y 'single' it' A!? ` +
    'tab\tseparated\nnew\n\nlines  two  spaces. naïve, café. (a)(b) "" -- a/b user@example.com 1,000 no,space "'
  for (const locale of ['en', 'de', 'ja', 'th', 'fi']) {
    t.equal(countWords(`plain ${text}`, locale), countWords(text, locale) + 1, locale)
    const segments = [...new Intl.Segmenter(locale, { granularity: 'word' }).segment(text)]
    t.equal(countWords(text, locale), segments.filter(({ isWordLike }) => isWordLike).length, locale)
  }
  t.end()
})

t.test('any words of ASCII characters are counted as a segmenter counts them', async (t) => {
  const random = createSeededRandom(SEED)
  const characters = [...'abzAZ0195._,;:!?\'"()-/@#%& \n']
  for (const locale of ['en', 'fi', 'sv', 'ja', 'th']) {
    const segmenter = new Intl.Segmenter(locale, { granularity: 'word' })
    for (let round = 0; round < 200; round++) {
      const text = Array.from({ length: 120 }, () => characters[Math.floor(random() * characters.length)]).join('')
      const wanted = [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length
      t.equal(countWords(text, locale), wanted, `${locale}, SEED=${SEED}: ${JSON.stringify(text)}`)
    }
  }
})
