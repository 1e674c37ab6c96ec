import t from 'tap'
import { findUngrounded } from '../../../../services/optimizer/provider/grounding.ts'

const kindsOf = (text: string, source: string) => [
  ...new Set(
    findUngrounded(text, source, null)
      .map(({ kind }) => kind)
      .filter((kind) => kind !== 'topic')
  )
]

const SOURCE =
  'Fjell Daypack. The daypack holds 24 l and has 3 pockets. Its shell is made of nylon, the back of mesh. ' +
  'It weighs 640 g and fits a laptop of 14 inches. The straps can be adjusted.'

t.test('what the source states may be stated', (t) => {
  for (const text of [
    'Fjell Daypack with 24 l and three pockets',
    'The daypack of nylon weighs 640 g and fits a laptop of 14 inches.',
    'Fjell Daypack: straps that can be adjusted, a back of mesh and 3 pockets.'
  ]) {
    t.strictSame(kindsOf(text, SOURCE), [], text)
  }
  t.end()
})

for (const [kind, ...texts] of [
  ['number', 'The daypack holds 25 l', 'A daypack with four pockets', 'Ein Daypack mit zwölf pockets'],
  ['quantity', 'The daypack weighs 640 kg', 'The daypack fits a laptop of 14 cm'],
  ['name', 'The Fjell Daypack by Patagonia', 'A daypack made in Norway', 'The daypack has a YKK zipper'],
  [
    'material',
    'A daypack with leather straps',
    'The daypack has a shell of recycled polyester and nylon',
    'Daypack mit Lederriemen und Nylon',
    'Le daypack en cuir et nylon'
  ],
  [
    'certification',
    'The daypack is certified and holds 24 l',
    'A vegan daypack of nylon',
    'Daypack, nachhaltig und geprüft'
  ],
  [
    'superlative',
    'The best daypack with 3 pockets',
    'The lightest and roomiest daypack of nylon',
    'The clearest daypack of nylon',
    'Der beste Daypack mit 3 pockets',
    'A unique daypack of nylon'
  ],
  ['promise', 'The daypack of nylon with a lifetime warranty', 'The daypack ships free', 'Daypack mit Garantie'],
  ['property', 'The waterproof daypack of nylon', 'A handmade daypack with 3 pockets', 'Daypack, wasserdicht']
] as const) {
  t.test(`an unsupported ${kind} is found`, (t) => {
    for (const text of texts) t.ok((kindsOf(text, SOURCE) as string[]).includes(kind), text)
    t.end()
  })
}

t.test('a claim that the source denies may be denied, not stated', (t) => {
  const source = 'The mug is not dishwasher-safe. It is made without plastic, gluten-free and of stoneware.'
  for (const text of ['The mug is dishwasher-safe.', 'The mug is made of plastic.', 'The mug contains gluten.']) {
    t.not(kindsOf(text, source).length, 0, text)
  }
  for (const text of ['The mug is not dishwasher-safe.', 'The mug is made without plastic.', 'The gluten-free mug.']) {
    t.strictSame(kindsOf(text, source), [], text)
  }
  t.strictSame(kindsOf('The mug is without stoneware.', source), ['material'])
  t.end()
})

t.test('common words that only begin like a claim are no claim', (t) => {
  const source =
    'Der Tisch besteht aus drei Teilen. The line of bags has room for guests, a chest and a forest of pens.'
  for (const text of [
    'The line of bags has room for a chest.',
    'Der Tisch besteht aus 3 Teilen.',
    'A forest of pens'
  ]) {
    t.strictSame(kindsOf(text, source), [], text)
  }
  t.strictSame(kindsOf('The table is a bestseller and a modest request', source), ['promise'])
  t.end()
})

t.test('a text about another topic is found', (t) => {
  t.strictSame(findUngrounded('colorful garden hoses for every season', SOURCE, null), [{ kind: 'topic', text: '' }])
  t.end()
})
