import t from 'tap'
import { createVector } from '../../../../services/blogs/related/index.ts'

const weights = (title: string, description: string, text: string, locale = 'en') =>
  Object.fromEntries(createVector({ title, description, text, locale }))

t.test('words of the title outweigh those of the description, which outweigh those of the text', async (t) => {
  t.same(weights('gardens', 'hoses', 'rakes'), { gardens: 2.24, hoses: 1.73, rakes: 1 })
  t.same(weights('', '', 'rakes rakes rakes rakes'), { rakes: 2, 'rakes rakes': 1.21 }, 'repeated words weigh more')
})

t.test('function words are omitted by language', async (t) => {
  t.same(weights('The art of the garden', '', ''), { art: 2.24, garden: 2.24 })
  t.notOk('und' in weights('Haus und Hof', '', '', 'de-CH'))
  t.ok('und' in weights('Haus und Hof', '', '', 'pl'))
  t.same(
    Object.keys(weights("L'été à la plage", '', '', 'fr'))
      .filter((term) => !term.includes(' '))
      .sort(),
    ['plage'],
    'été is a form of être in the list'
  )
})

t.test('adjacent words that repeat are also a term', async (t) => {
  t.ok('open source' in weights('', '', 'Open source is source code. Open source!'))
  t.ok('kitchen garden' in weights('Kitchen garden', '', ''), 'one occurrence in a title is enough')
  t.notOk('source code' in weights('', '', 'Open source is source code. Open source!'))
})

t.test('texts without word spaces have terms, too', async (t) => {
  const terms = Object.keys(weights('庭園の手入れについて', '', '', 'ja'))
  t.ok(terms.includes('庭園'))
  t.notOk(terms.includes('つい'), 'particles are omitted')
})

t.test('a blog has at most 200 terms, the heaviest ones', async (t) => {
  const text = Array.from({ length: 20_000 }, (_, i) => `rareword${i % 7000}`).join(' ')
  const vector = createVector({ title: 'Gardening', description: '', text, locale: 'en' })
  t.equal(vector.length, 200)
  t.ok(Object.fromEntries(vector).gardening)
  t.same(createVector({ title: '', description: '', text: '', locale: 'en' }), [])
  t.same(
    vector,
    createVector({ title: 'Gardening', description: '', text, locale: 'en' }),
    'the result is reproducible'
  )
})
