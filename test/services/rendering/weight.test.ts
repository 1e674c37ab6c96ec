import t from 'tap'
import { estimateTime } from '../../../services/rendering/weight.ts'

const markdown = (text: string, css: string | null = null) => estimateTime({ format: 'markdown', text, css }).isLong
const html = (text: string, css: string | null = null) => estimateTime({ format: 'html', text, css }).isLong

const PARAGRAPH = `${'Oak is *oiled* by hand, see [the guide](/guides/oak). '.repeat(8)}\n\n`
const TABLE = `| Wood | Price |\n|:--|--:|\n${'| Oak | 120 |\n'.repeat(12)}\n`
const LIST = `${'- An item of a list\n'.repeat(8)}\n`
const CODE = `\`\`\`ts\n${'const answer = await ask(question)\n'.repeat(25)}\`\`\`\n\n`
const NOTE = 'A sentence with a note.[^1]\n\n[^1]: The note.\n\n'

t.test('posts of usual length and markup are not long', async (t) => {
  t.notOk(markdown(''))
  t.notOk(markdown(PARAGRAPH.repeat(70)))
  t.notOk(markdown((PARAGRAPH.repeat(4) + TABLE + LIST + CODE + NOTE).repeat(5)))
  t.notOk(html('<p>Oak is <em>oiled</em> by hand.</p>\n'.repeat(800)))
  t.notOk(html(`<pre><code class="language-ts">${'const a = 1\n'.repeat(100)}</code></pre>`.repeat(5)))
})

t.test('long texts and style sheets are long', async (t) => {
  t.ok(markdown('a'.repeat(32_769)))
  t.ok(html('a', 'a'.repeat(32_768)))
})

t.test('short texts are long if their HTML is', async (t) => {
  for (const [name, text] of [
    ['footnote references', `${'[^1] '.repeat(2_000)}\n\n[^1]: a`],
    ['inline footnotes', '^[a] '.repeat(2_000)],
    ['a table with many cells', `${'|a'.repeat(40)}\n${'|-'.repeat(40)}\n${`${'|a'.repeat(40)}\n`.repeat(60)}`],
    ['a table whose rows lack cells', `${'|a'.repeat(200)}\n${'|-'.repeat(200)}\n${'a\n'.repeat(400)}`],
    ['rows without any text', `${'|a'.repeat(200)}\n${'|:-:'.repeat(200)}\n${'|\n'.repeat(400)}`],
    ['a table in a quote', `> ${'|a'.repeat(200)}\n> ${'|-'.repeat(200)}\n${'> a\n'.repeat(400)}`],
    ['email addresses', 'a@b.c '.repeat(2_500)],
    ['emphasis', '*a*'.repeat(10_000)],
    ['lists', '- a\n+ b\n'.repeat(3_000)],
    ['code of some languages', `\`\`\`shell\n${'${'.repeat(3_000)}`]
  ] as const) {
    t.ok(text.length < 32_768 && markdown(text), name)
  }
  t.ok(markdown('a', 'a{b:c}'.repeat(1_500)), 'rules of a style sheet')
  t.ok(html(`<pre><code class="language-c">${'A'.repeat(5_000)}</code></pre>`), 'code in HTML')
})

t.test('code is long to its end, whatever looks like one before', async (t) => {
  const rest = 'a(b,'.repeat(1_000)
  for (const [name, text] of [
    ['the marks of another fence', `\`\`\`css\n${'a ~~~\n~~~\n'.repeat(10)}${rest}\n\`\`\`\n`],
    ['fewer marks', `~~~~~css\n~~~\n${rest}\n~~~~~\n`],
    ['marks that are indented as code', `\`\`\`css\n     \`\`\`\n${rest}\n\`\`\`\n`],
    ['marks in a quote', `\`\`\`css\n> \`\`\`\n${rest}\n\`\`\`\n`],
    ['an entity in the class', `<pre><code class="langu&#97;ge-css">${rest}</code></pre>`],
    ['an end in an attribute', `<pre><code class="language-css" title="</code>">${rest}</code></pre>`],
    ['an end in another element', `<code class="language-css"><b title="</code>">a</b>${rest}</code>`],
    ['elements in a comment', `<code class="language-css">a<!--</code><code class="a">-->${rest}</code>`],
    ['an open quote', `<code class="language-css" title='>'>a</code>'>${rest}</code>`]
  ] as const) {
    t.ok(markdown(text), name)
  }
  const block = `\`\`\`css\n${'a(b,\n'.repeat(80)}\`\`\`\n\n`
  t.notOk(markdown(block.repeat(20)), 'blocks end')
  t.notOk(markdown(`1. a\n\n   ${block.replaceAll('\n', '\n   ')}\n\n`.repeat(8)), 'in lists')
  t.notOk(markdown(`> ${block.replaceAll('\n', '\n> ')}\n\n`.repeat(8)), 'in quotes')
})

t.test('what other formats mean does not count', async (t) => {
  t.notOk(html('[^1] '.repeat(5_000)))
  t.notOk(markdown('a line of text\n\n'.repeat(900)), 'lines after a table')
  t.notOk(markdown(`|a|b|\n|-|-|\n\n${'a\n'.repeat(2_000)}`), 'a blank line ends a table')
})

t.test('a few paragraphs are short', async (t) => {
  const isShort = (text: string) => estimateTime({ format: 'markdown', text, css: null }).isShort
  t.ok(isShort('A short post.'))
  t.ok(isShort(PARAGRAPH.repeat(8) + LIST))
  t.notOk(isShort(PARAGRAPH.repeat(20)))
  t.notOk(isShort('[^1] '.repeat(100)))
  t.notOk(estimateTime({ format: 'html', text: 'a', css: 'b'.repeat(6_000) }).isShort)
})
