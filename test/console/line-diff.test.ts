import t from 'tap'
import { diffLines, diffSequences, type DiffRow } from '../../console/src/blogs/line-diff.ts'
import { createSeededRandom } from '../fixtures/seeded-random.ts'

const textOf = (row: DiffRow): string =>
  row.kind === 'gap'
    ? `… ${row.count}`
    : row.parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')
const SIGNS = { same: ' ', removed: '-', added: '+', gap: ' ' }
const shown = (before: string, after: string): string[] =>
  diffLines(before, after).map((row) => SIGNS[row.kind] + textOf(row))

/** The length of the longest common subsequence, by dynamic programming. */
function commonLength(a: string[], b: string[]): number {
  let above = new Array<number>(b.length + 1).fill(0)
  for (const left of a) {
    const row = [0]
    for (const [at, right] of b.entries()) {
      row.push(left === right ? above[at]! + 1 : Math.max(row[at]!, above[at + 1]!))
    }
    above = row
  }
  return above.at(-1)!
}

t.test('edits turn one sequence into the other, and are as few as possible', async (t) => {
  const random = createSeededRandom(7)
  const sequence = (letters: number) =>
    Array.from({ length: Math.floor(random() * 14) }, () => String.fromCharCode(97 + Math.floor(random() * letters)))
  const failures: string[] = []
  for (let n = 0; n < 3000; n++) {
    const [before, after] = [sequence(2 + (n % 5)), sequence(2 + (n % 5))]
    const edits = diffSequences(before, after, 100)
    const side = (other: string) => edits.filter(({ kind }) => kind !== other).map(({ text }) => text)
    const name = `${before.join('')} → ${after.join('')}`
    if (JSON.stringify(side('added')) !== JSON.stringify(before)) failures.push(`before: ${name}`)
    if (JSON.stringify(side('removed')) !== JSON.stringify(after)) failures.push(`after: ${name}`)
    const same = edits.filter(({ kind }) => kind === 'same').length
    if (same !== commonLength(before, after)) failures.push(`not the shortest: ${name}`)
  }
  t.strictSame(failures, [])
})

t.test('changed lines are compared word by word', async (t) => {
  t.strictSame(shown('Tea is hot.\nSame.', 'Tea is very cold.\nSame.'), [
    '-Tea is [hot].',
    '+Tea is [very cold].',
    ' Same.'
  ])
  t.strictSame(shown('Grüner Tee 茶', 'Grüner Kaffee 茶'), ['-Grüner [Tee] 茶', '+Grüner [Kaffee] 茶'])
  t.strictSame(shown('One', 'Something else'), ['-One', '+Something else'], 'nothing in common')
  t.strictSame(shown('a\nb\nc', 'a\nc'), [' a', '-b', ' c'])
  t.strictSame(shown('a', 'a\n'), [' a', '+'])
  t.strictSame(shown('', 'a'), ['+a'], 'an empty text has no line')
})

t.test('equal texts have no changes, and unchanged lines far from a change are left out', async (t) => {
  const lines = Array.from({ length: 12 }, (_, at) => `Line ${at}.`)
  t.strictSame(shown(lines.join('\n'), lines.join('\n')), [' … 12'])
  t.strictSame(shown(lines.join('\n'), lines.toSpliced(6, 0, 'New!').join('\n')), [
    ' … 4',
    ' Line 4.',
    ' Line 5.',
    '+New!',
    ' Line 6.',
    ' Line 7.',
    ' … 4'
  ])
  t.strictSame(
    shown('a\nb\nc\nd\ne\nf\ng', 'A\nb\nc\nd\ne\nf\nG'),
    ['-a', '+A', ' b', ' c', ' d', ' e', ' f', '-g', '+G'],
    'a single line is not left out'
  )
})

t.test('texts of a megabyte are compared in a short time', async (t) => {
  const random = createSeededRandom(3)
  const line = () => random().toString(36).repeat(3)
  const texts = (count: number) => Array.from({ length: count }, line)
  const many = texts(25_000)
  const cases: [string, string[], string[]][] = [
    ['every line differs', texts(25_000), texts(25_000)],
    ['every tenth line differs', many, many.map((text, at) => (at % 10 === 0 ? line() : text))],
    ['only line breaks', ['a', ...Array<string>(400_000).fill(''), 'b'], ['c', 'd']],
    ['one long line', [many.join(' ')], [many.toReversed().join(' ')]]
  ]
  for (const [name, before, after] of cases) {
    const start = performance.now()
    const rows = diffLines(before.join('\n'), after.join('\n'))
    t.ok(performance.now() - start < 5_000, name)
    const linesOf = (kind: string) => rows.filter((row) => row.kind === kind).length
    t.ok(linesOf('added') > 0 && linesOf('removed') > 0, name)
  }
})
