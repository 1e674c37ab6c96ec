import t from 'tap'
import { collapse, compareText, foldText, splitRuns, toWellFormedText } from '../../lib/text.ts'
import { createChoices, seedNote } from '../data/seed.ts'

/** A letter for which the general rules apply to the whole line, and what they make of it. */
const [OTHER, FOLDED] = ['Ω', 'ω']

t.test('plain text is folded and split like any other text', async (t) => {
  const choices = createChoices('plain-text')
  const pieces = [
    "it's",
    'don’t',
    '‘quoted’',
    '“Title”',
    'A–B',
    '—',
    '…',
    '•',
    '\u00a0',
    ' ',
    '\t',
    '\n',
    'HTML5',
    '3.5',
    'x_y',
    "'",
    '’'
  ]
  for (let round = 0; round < 300; round++) {
    const text = Array.from({ length: 12 }, () => choices.pick(pieces)).join(choices.pick(['', ' ']))
    const general = foldText(text.replaceAll('\n', `${OTHER}\n`) + OTHER)
    t.equal(foldText(text), general.replaceAll(FOLDED, ''), `${JSON.stringify(text)}; ${seedNote}`)
    const separate = foldText(text.replaceAll('\n', ` ${OTHER}\n`) + ` ${OTHER}`)
    t.same(
      splitRuns(foldText(text)),
      splitRuns(separate).filter((run) => run.text !== FOLDED),
      JSON.stringify(text)
    )
  }
})

t.test('white space is collapsed', async (t) => {
  for (const text of ['', ' ', 'a b', ' a  b\n', 'a\n b \t c', '\u00a0a\u2003b ', 'a\r\n\r\nb']) {
    t.equal(collapse(text), text.replace(/\s+/g, ' ').trim())
  }
})

t.test('control characters are removed from well-formed text, except tabs and line breaks', async (t) => {
  t.equal(toWellFormedText('a\u0000\tb\r\nc\u0085\u009f\ufffe\u{1f600}d\ud800'), 'a\tb\nc\u{1f600}d\ufffd')
})

t.test('texts are compared by code points, as their bytes in UTF-8 are', async (t) => {
  const { index, pick } = createChoices('compared-texts')
  const letters = ['a', 'b', 'Z', 'é', '中', '\uD7FF', '\uE000', '\uFFFD', '\u{10000}', '🎉', '\u{10FFFF}']
  const random = () => Array.from({ length: index(4) }, () => pick(letters)).join('')
  for (let round = 0; round < 2_000; round++) {
    const [a, b] = [random(), random()]
    const expected = Buffer.compare(Buffer.from(a), Buffer.from(b))
    if (Math.sign(compareText(a, b)) !== expected) t.equal(compareText(a, b), expected, `${a} and ${b}, ${seedNote}`)
  }
  t.same(['\u{10000}', '\uE000', 'b', '\uD7FF', ''].sort(compareText), ['', 'b', '\uD7FF', '\uE000', '\u{10000}'])
})
