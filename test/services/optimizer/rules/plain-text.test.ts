import t from 'tap'
import { forbiddenIn, withoutEmoji } from '../../../../services/optimizer/rules/forbidden-content.ts'
import { plainLine, plainText, prepareText } from '../../../../services/optimizer/rules/plain-text.ts'
import { generateNaughtyStrings, generateXssPayloads } from '../../../data/generate/hostile-strings.ts'
import { seedNote } from '../../../data/seed.ts'
import { UNSAFE } from './unsafe-text.ts'

t.test('text and HTML become plain text with paragraphs separated by blank lines', async (t) => {
  const cases: [string, string][] = [
    ['A  table\tof oak. ', 'A table of oak.'],
    ['One\r\n\r\n\r\nTwo\nThree', 'One\n\nTwo\nThree'],
    ['<p>One</p>\n<p>Two<br>Three</p>', 'One\n\nTwo\nThree'],
    ['<ul><li>Oak</li><li>Steel</li></ul>', 'Oak\nSteel'],
    ['<p>a\nb</p>', 'a b'],
    [
      '<table><tr><td>Width</td><td>5 cm</td></tr><tr><td>Height</td><td>6 cm</td></tr></table>',
      'Width 5 cm\nHeight 6 cm'
    ],
    ['Salt &amp; pepper &#8211; 5&nbsp;g', 'Salt & pepper – 5 g'],
    ['&lt;p&gt;Twice&lt;/p&gt;&lt;p&gt;escaped&lt;/p&gt;', 'Twice\n\nescaped'],
    ['3 < 5 and 7 > 6', '3 < 5 and 7 > 6'],
    ['a\u0000b\u202ec\u200bd\u00ade\ufeff', 'abcde'],
    ['e\u0301', 'é'],
    ['lone \ud800 half', 'lone half'],
    ['<style>p{}</style>a<script>alert(1)</script><!-- b -->c<iframe src=x>d</iframe>', 'ac'],
    ['<b', ''],
    ['', '']
  ]
  for (const [source, text] of cases) t.equal(plainText(source), text, JSON.stringify(source))
  t.equal(plainLine('<p>One</p><p>Two</p>'), 'One Two')
})

t.test('rows of two cells become labels', async (t) => {
  const cases: [string, string][] = [
    ['<td>Width</td><td>5 cm</td>', 'Width: 5 cm'],
    ['<!-- a --> <th>Width</th>\n<!-- b --><td>5 cm</td>', 'Width: 5 cm'],
    ['<td>Width</td><td>5 cm</td><td>6 cm</td>', 'Width 5 cm 6 cm'],
    ['<td>Width</td>', 'Width']
  ]
  for (const [row, text] of cases) {
    t.equal(plainText(`<table><tr>${row}</tr></table>`, { labels: true }), text, row)
  }
  t.equal(plainText('<dl><dt>Width</dt><dd>5 cm</dd></dl>', { labels: true }), 'Width: 5 cm')
})

t.test('the result never contains a tag, regardless of escaping', async (t) => {
  const attack = '<img src=x onerror=alert(1)>'
  let source = attack
  for (let times = 0; times < 8; times++) {
    t.notMatch(plainText(`Oak ${source}`), /<[a-z/!?]/i, source)
    source = source.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  }
  for (const text of ['<<b>script>alert(1)</script>', '<scr<script>ipt>', '&lt;&lt;b&gt;i&gt;', '<svg><desc><b>x']) {
    t.notMatch(plainText(text), /<[a-z/!?]/i, text)
  }
})

t.test('no input leaves tags or control characters in the result', async (t) => {
  const inputs = [...generateNaughtyStrings(1_000, { malformed: true }), ...generateXssPayloads(1_000)]
  t.same(
    inputs.filter((text) => UNSAFE.test(plainText(text))),
    [],
    seedNote
  )
})

t.test('addresses, telephone numbers, emoji and prices are detected, other text is not', async (t) => {
  const cases: [string, string[]][] = [
    ['see https://x.example', ['address']],
    ['shop.example.com', ['address']],
    ['www.shop', ['address']],
    ['me@shop', ['email']],
    ['call +49 30 1234567', ['telephone']],
    ['(030) 123-45-67', ['telephone']],
    ['🎉', ['emoji']],
    ['🇩🇪', ['emoji']],
    ['only 5 €', ['price']],
    ['EUR 5', ['price']],
    ['Galaxy S10+, 6.1 inches, 128 GB', []],
    ['3.5 x 4.5 x 10 cm', []],
    ['Acme® Mug™ ©', []],
    ['No.1 of 2', []],
    ['B2B und 24/7', []],
    ['width 120 mm, 2024', []]
  ]
  for (const [text, kinds] of cases) t.same(forbiddenIn(text), kinds, text)
  t.equal(withoutEmoji('🎉 New ❤️ mug 👩‍🚀🇩🇪'), 'New mug')
})

t.test('a long text has the same result however often, and with which options, it was read before', async (t) => {
  const row = (name: string, value: string) => `<tr><td>${name}</td><td>${value}</td></tr>`
  const table = (n: number) =>
    `<p>Mug ${n}.</p><table>${row('Size', `${n} cm`)}${row('Weight', 'light '.repeat(100))}</table>`
  // More than is remembered: the first ones are read again.
  const sources = Array.from({ length: 1_600 }, (_, n) => table(n))
  const expected = (n: number, separator: string) => `Size${separator} ${n} cm`
  for (const round of [1, 2]) {
    for (const [n, source] of sources.entries()) {
      const [plain, labeled] = [plainText(source), plainText(source, { labels: true })]
      const isRight =
        plain.includes(expected(n, '')) && labeled.includes(expected(n, ':')) && plainText(source) === plain
      if (!isRight) t.fail(`round ${round}, text ${n}: ${plain.slice(0, 40)} / ${labeled.slice(0, 40)}`)
    }
  }
  t.ok(sources.join('').length > 1_000_000)
})

t.test('a long text that is prepared is the same as one that is not', async (t) => {
  const cells = Array.from({ length: 3000 }, (_, at) => `<tr><td>Name ${at}</td><td>Value &amp; ${at}</td></tr>`)
  const table = `<table>${cells.join('')}</table>`
  const escaped = table.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const lines = Array.from({ length: 2000 }, (_, at) => `Line ${at}\r\nof a text`).join('\n\n')
  t.match(plainText(table), /Value & 2999$/)
  for (const source of [table, escaped, `<div>${lines}</div>`, lines, `<b${'<i>x'.repeat(4000)}`]) {
    // The space has no effect, but the sources differ.
    const prepared = `${source} `
    let pauses = 0
    await prepareText(prepared, async () => {
      pauses++
    })
    t.ok(pauses > 2 || source === lines, `${pauses} pauses`)
    t.equal(plainText(prepared), plainText(source))
    t.equal(plainText(prepared, { labels: true }), plainText(source, { labels: true }))
    await prepareText(prepared, async () => {
      t.fail('is not converted again')
    })
  }
})

t.test('a short text is not prepared', async (t) => {
  await prepareText('<p>Short</p>', async () => {
    t.fail('has no pause')
  })
  t.equal(plainText('<p>Short</p>'), 'Short')
})
