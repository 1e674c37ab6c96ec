import t from 'tap'
import { fromHtml, fromMarkdown, inside } from './inputs.ts'

const BAD = 'http://images.example/a.png'
const GOOD = 'https://images.example/b.png'
const html = (text: string) => inside(fromHtml(text))
const markdown = (text: string) => inside(fromMarkdown(text)).trim()

t.test('a removed image leaves no empty element', async (t) => {
  for (const text of [
    `<p><img src="${BAD}" alt="x"></p>`,
    `<p> <img src="${BAD}"><br> <img src="${BAD}" alt="y"> </p>`,
    `<p><a href="/x"><img src="${BAD}"></a></p>`,
    `<p><strong><em><img src="${BAD}" alt="x"></em></strong></p>`,
    `<figure><img src="${BAD}" alt="x"></figure>`,
    `<figure><picture><source srcset="${GOOD}"><img src="${BAD}"></picture></figure>`,
    `<div><section><p><img src="${BAD}"></p></section></div>`,
    `<ul><li><img src="${BAD}" alt="x"></li><li><p><img src="${BAD}"></p></li></ul>`,
    `<blockquote><p><img src="${BAD}"></p></blockquote>`,
    `<h2><img src="${BAD}"></h2>`,
    '<p><iframe src="https://frames.example/"></iframe></p>',
    '<p><svg><path d=""/></svg></p>',
    '<p></p><p>\n</p>'
  ]) {
    t.equal(html(text), '', text)
    t.equal(html(`<p>a</p>${text}<p>b</p>`), '<p>a</p><p>b</p>', text)
  }
})

t.test('elements with other content stay', async (t) => {
  for (const [text, expected] of [
    [`<ul><li><img src="${BAD}"></li><li>b</li></ul>`, '<ul><li>b</li></ul>'],
    [`<table><tr><td><img src="${BAD}"></td><td>b</td></tr></table>`, '<td></td><td>b</td>'],
    [`<p><img src="${BAD}"><img src="${GOOD}" alt="b"></p>`, '<p><img src='],
    [`<div><img src="${BAD}"><p>b</p></div>`, '<div><p>b</p></div>'],
    [`<figure><img src="${BAD}"><pre>code</pre><figcaption>c</figcaption></figure>`, '<figcaption>c</figcaption>'],
    ['<p>&nbsp;</p>', '<p>&nbsp;</p>'],
    ['<p class="gap"></p>', '<p class="gap"></p>']
  ] as const) {
    t.match(html(text), expected, text)
  }
})

t.test('an image in a sentence, a link, a cell or a heading becomes its alternative text', async (t) => {
  for (const [text, expected] of [
    [`Click ![the gear](${BAD}) to open it.`, '<p>Click the gear to open it.</p>'],
    [`See ![fig 1](${BAD}).`, '<p>See fig 1.</p>'],
    [`![A](${BAD}) is first, ![B](${BAD}) is second`, '<p>A is first, B is second</p>'],
    [`one![two](${BAD})three`, '<p>one two three</p>'],
    [`[![Watch the video](${BAD})](https://youtu.be/x)`, '>Watch the video</a></p>'],
    [`## ![Acme](${BAD})`, '>Acme</h2>'],
    [`| a |\n|-|\n| ![yes](${BAD}) |`, '<td>yes</td>']
  ] as const) {
    t.match(markdown(text), expected, text)
  }
})

t.test('an image between sentences is removed, and no gap is left', async (t) => {
  for (const [text, expected] of [
    [`It was good. ![a photo](${BAD})`, '<p>It was good.'],
    [`![a photo](${BAD})\nIt was good.`, 'It was good.</p>'],
    [`First.\n![a photo](${BAD})\nSecond.`, '<p>First.\nSecond.</p>'],
    [`Click ![](${BAD}) here`, '<p>Click here</p>'],
    [`See here ![](${BAD}).`, '<p>See here.</p>']
  ] as const) {
    t.match(markdown(text), expected, text)
    t.notMatch(markdown(text), 'photo', text)
  }
})

t.test('a caption is removed with its image, and reported', async (t) => {
  const { html: result, warnings } = fromHtml(
    `<p>a</p><figure><img src="${BAD}" alt="x"><figcaption>The <em>harbor</em></figcaption></figure>`
  )
  t.notMatch(result, /fig|harbor/)
  t.same(warnings.slice(1), ['the caption of a removed image was removed: The harbor'])
  t.equal(html(`<figure><p><img src="${BAD}"></p><figcaption>c</figcaption></figure>`), '')
  t.match(html(`<figure><img src="${BAD}"><img src="${GOOD}"><figcaption>c</figcaption></figure>`), 'c</figcaption>')
})
