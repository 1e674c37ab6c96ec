import t from 'tap'
import { deliverHtml, renderContent, sanitizeHtml, scopeCss } from '../../../../services/blogs/content/index.ts'
import { findViolations } from './html-policy.ts'
import { createInput, PUBLIC_URL } from './inputs.ts'

/** Repeats a piece up to exactly this number of characters. */
const repeatTo = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)

/**
 * Texts that make parsers recurse, backtrack or search repeatedly. At scale 1 most have 300,000
 * characters, at scale 0.2 a fifth of that.
 */
function extremeTexts(scale: number): Record<string, string> {
  const size = (count: number) => Math.ceil(count * scale)
  const fill = (piece: string, length = 300_000) => repeatTo(piece, size(length))
  return {
    'nested divs': '<div>'.repeat(size(10_000)) + 'deep',
    'many open tables': fill('<table><tr><td>', 1_000_000),
    'many lists': fill('<ul><li>', 1_000_000),
    'many bold': fill('<b>', 1_000_000),
    'bold and paragraphs in turn': fill('<b><p>x', 200_000),
    'links in links': fill('<a href="/x">x<div>', 200_000),
    'formatting around tables': fill('<a href=x><table><b>x<td><i>', 100_000),
    'open frames': fill('<iframe src="https://youtu.be/dQw4w9WgXcQ">', 200_000),
    'open svg and math': fill('<svg><math><mi>x', 200_000),
    'end tags alone': fill('</p></b>'),
    'opening brackets': fill('['),
    'opening images': fill('!['),
    'nested quotes': '> '.repeat(size(10_000)) + 'deep',
    'nested lists': Array.from({ length: size(1000) }, (_, level) => `${' '.repeat(level * 2)}- x`).join('\n'),
    asterisks: fill('*a _b '),
    backticks: Array.from({ length: size(1200) }, (_, count) => '`'.repeat(count) + 'a').join(''),
    'less-than signs': fill('<'),
    'open tags without an end': fill('<a x="'),
    'open attributes': `<a ${fill('x=y ')}`,
    'template tags': fill('{{ "x" '),
    'open template tags in targets': fill('[a]({{ "/x" ', 300_000),
    entities: fill('&#x41;&amp;'),
    'the same heading': fill('# a\n\n', 100_000),
    footnotes: fill('x[^1] ', 100_000) + '\n\n[^1]: note',
    'words of www.': fill('www.'),
    addresses: fill('http://a.b/'),
    mails: fill('a@'),
    'one long word': fill('a'),
    'long CJK': fill('我们都是好朋友'),
    'fenced code': '```js\n' + fill('const a = `${`', 500_000),
    'table rows': '|a|b|\n|-|-|\n' + fill('|1|2|\n', 100_000),
    'a wide table': `|${'a|'.repeat(size(20_000))}\n|${'-|'.repeat(size(20_000))}\n|1|`,
    'reference definitions': Array.from({ length: size(20_000) }, (_, n) => `[r${n}]: /x\n`).join('') + '[r1][r2]',
    'srcset candidates': `<img src="https://e.com/a.png" srcset="${fill('https://e.com/a.png 1w,', 300_000)}">`,
    'lone surrogates, NUL and non-characters': fill('\ud800a\udc00\u0000\ufffe\u0007<p title="\udfff\u0000">', 50_000)
  }
}

/** Renders each text as Markdown and as HTML and checks that the result is safe, well-formed and stable. */
export function testExtremeTexts(scale: number): void {
  for (const [name, text] of Object.entries(extremeTexts(scale))) {
    t.test(`${name} are rendered to safe, well-formed and stable content`, async (t) => {
      for (const format of ['markdown', 'html'] as const) {
        const input = createInput(text, { format })
        const content = renderContent(input)
        const delivered = deliverHtml(content.html, PUBLIC_URL)
        t.same(findViolations(delivered, PUBLIC_URL).slice(0, 3), [], format)
        t.ok(deliverHtml(sanitizeHtml(delivered, input).html, PUBLIC_URL) === delivered, `${format} stays as it is`)
        t.ok(content.html.isWellFormed() && !content.html.includes('\u0000'))
        t.ok(content.metaDescription.length <= 156 && content.excerpt.length <= 300)
      }
    })
  }

  t.test('no style sheet makes rendering fail', async (t) => {
    const options = createInput('')
    for (const css of [
      repeatTo('(', 100_000 * scale),
      repeatTo('a{', 100_000 * scale),
      repeatTo('@media x{', 100_000 * scale),
      repeatTo('"', 100_000 * scale - 1),
      repeatTo(':is(', 100_000 * scale),
      repeatTo('/*', 100_000 * scale),
      repeatTo('a,', 100_000 * scale),
      repeatTo('}', 100_000 * scale),
      repeatTo('\\', 100_000 * scale),
      repeatTo('a{b:c}', 100_000 * scale),
      '\ud800{a:b}'
    ]) {
      const once = scopeCss(css, options, () => {})
      t.equal(
        scopeCss(once, options, () => {}),
        once
      )
    }
  })
}
