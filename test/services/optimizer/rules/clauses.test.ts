import t from 'tap'
import { shorterSentences } from '../../../../services/optimizer/rules/clauses.ts'
import { grammarFor } from '../../../../services/optimizer/rules/languages/index.ts'

t.test('a sentence is shortened by its last clauses', async (t) => {
  const sentence = 'The mug holds 0.3 liters and is easy to clean, which saves time; it stacks well'
  const texts = shorterSentences(sentence, grammarFor('en')).map(({ text }) => text)
  t.strictSame(texts, [
    'The mug holds 0.3 liters and is easy to clean, which saves time.',
    'The mug holds 0.3 liters and is easy to clean.',
    'The mug holds 0.3 liters.'
  ])
})

t.test('a sentence of hundreds of clauses is cut within its first 500 characters', async (t) => {
  const sentence = Array.from({ length: 400 }, (_, at) => `the mug holds ${at} liters`).join('; ')
  const lengths = shorterSentences(sentence, grammarFor('en')).map(({ text }) => text.length)
  t.equal(lengths.length, 4)
  t.ok(Math.max(...lengths) <= 501, `${lengths}`)
})
