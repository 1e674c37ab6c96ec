import t from 'tap'
import { fromHtml, fromMarkdown, inside } from './inputs.ts'

t.test("Markdown supports GitHub's tables, strikethrough, autolinks and footnotes", async (t) => {
  const html = inside(
    fromMarkdown(
      '| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n~~gone~~ https://a.example/x www.b.example.com me@c.example note[^n]\n\n[^n]: The note.'
    )
  )
  t.match(html, '<div class="svc-table"><table>')
  t.match(html, '<td class="svc-center">1</td>')
  t.match(html, '<td class="svc-right">2</td>')
  t.match(html, '<s>gone</s>')
  t.match(html, '<a href="https://a.example/x">')
  t.match(html, '<a href="https://www.b.example.com/">www.b.example.com</a>')
  t.match(html, '<a href="mailto:me@c.example">')
  t.match(html, '<a id="svc-fnref-1" href="#svc-fn-1">1</a>')
  t.match(html, '<li id="svc-fn-1"><p>The note.')
})

t.test('footnotes are moved to the end, in the order of their references, with links back to these', async (t) => {
  const text = '[^b] ^[in *line*] [^a] [^b] ^[of [^a]] [^c]\n\n[^a]: A\n\n[^b]: - list\n\n> [^c]: quoted [^a]\n\nEnd'
  const html = inside(fromMarkdown(text))
  const [before = '', notes = ''] = html.split('<section class="svc-footnotes">')
  t.match(before, /<p>End<\/p>\s*$/)
  t.same(
    Array.from(notes.matchAll(/<li id="svc-fn-\d">(.*?)<\/li>\n?(?=<li id|<\/ol>\s*<\/section)/gs), ([, note = '']) => [
      note
        .replace(/<a [^>]*svc-footnote-back.*?<\/a>/gs, '')
        .replace(/<[^>]*>/g, '')
        .trim(),
      note.match(/(?<=href="#svc-fnref-)[\d-]+/g)
    ]),
    [
      ['list', ['1', '1-1']],
      ['in line', ['2']],
      ['A', ['3', '3-1', '3-2']],
      ['of 3', ['4']],
      ['quoted 3', ['5']]
    ]
  )
})

t.test('a word with a dot in it does not become a link', async (t) => {
  t.notMatch(inside(fromMarkdown('Read readme.md and node.js at example.com')), '<a')
})

t.test('fenced code is highlighted with classes and keeps its text', async (t) => {
  const content = fromMarkdown('```js\nconst a = "<b>" // one\n```')
  t.match(inside(content), '<span class="svc-hl-keyword">const</span>')
  t.match(inside(content), '<span class="svc-hl-comment">// one</span>')
  t.equal(content.text, 'const a = "<b>" // one')
})

t.test('code in an unknown language is not highlighted', async (t) => {
  t.equal(
    inside(fromMarkdown('```klingon\nqapla\n```')).trim(),
    '<pre><code class="language-klingon">qapla\n</code></pre>'
  )
})

t.test('code in HTML is highlighted as in Markdown', async (t) => {
  t.match(
    inside(fromHtml('<pre><code class="language-python">def f(): pass</code></pre>')),
    '<span class="svc-hl-keyword">def</span>'
  )
})

t.test(
  'template tags add warnings: links keep their text, images their alternative text, text and code are unchanged',
  async (t) => {
    const content = fromMarkdown(
      '[old]({{ "/2014/x/" | url }}) ![x]({{ site.baseurl }}/a.png) <a href="{{ "/y/" | url }}">raw</a>\n\n' +
        '{% include nav.html %}\n\n`{{ shown }}`\n\n```\n{% code %}\n```'
    )
    t.equal(inside(content).trim().split('\n')[0], '<p>old x raw</p>')
    t.match(inside(content), '<p>{% include nav.html %}</p>')
    t.same(
      content.warnings
        .filter((warning) => warning.includes('template tag'))
        .map((warning) => warning.replace(/.*template tag /, ''))
        .sort(),
      ['{% include nav.html %}', '{{ "/2014/x/" | url }}', '{{ "/y/" | url }}', '{{ site.baseurl }}']
    )
  }
)

t.test('an HTML link with a quoted template tag as target stays in one piece in Markdown', async (t) => {
  t.equal(inside(fromMarkdown('<div>\n<a href="{{ "/y/" | url }}">raw</a>\n</div>')).trim(), '<div>\nraw\n</div>')
})
