import t from 'tap'
import { countWords, readingMinutes } from '../../../../services/blogs/content/index.ts'
import { fromHtml } from './inputs.ts'

t.test('words are counted as readers of the language count them', async (t) => {
  t.equal(countWords("It's 3.5 times - really - state-of-the-art!", 'en'), 8)
  t.equal(countWords('今日は天気がいいです。', 'ja'), 6)
  t.equal(countWords('', 'en'), 0)
})

t.test('a locale that is no language counts as English does', async (t) => {
  t.equal(countWords('one two', 'xx-yy-zz-0'), 2)
})

t.test('words in blocks that touch are not counted as one, and words that markup parts are', async (t) => {
  t.equal(fromHtml('<ul><li>one</li><li>two</li></ul><p>th<b>ree</b></p>').wordCount, 3)
})

t.test('a long text of short lines counts the same as its lines', async (t) => {
  t.equal(countWords('one two\n'.repeat(5000), 'en'), 10_000)
})

t.test('reading takes a minute for 238 words, and Chinese and Japanese are read by characters', async (t) => {
  t.equal(readingMinutes('word '.repeat(2380), 'en'), 10)
  t.equal(readingMinutes('字'.repeat(2550), 'zh'), 10)
  t.equal(readingMinutes('かな'.repeat(1785), 'ja'), 10)
  t.equal(readingMinutes('word', 'en'), 1)
  t.equal(readingMinutes(' … ', 'en'), 0)
})
