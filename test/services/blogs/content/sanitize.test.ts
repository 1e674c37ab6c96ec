import t from 'tap'
import { renderContent } from '../../../../services/blogs/content/index.ts'
import { BLOG_ID, createInput, fromHtml, inside } from './inputs.ts'

const clean = (html: string) => inside(fromHtml(html))

t.test('structural elements of articles are kept', async (t) => {
  for (const html of [
    '<h2 id="svc-a">a</h2><p lang="de" dir="ltr">b <strong>c</strong></p>',
    '<ol start="3"><li>a</li></ol>',
    '<figure><blockquote><p>q</p></blockquote><figcaption>c</figcaption></figure>',
    '<details open=""><summary>s</summary>t</details>',
    '<div class="svc-table"><table><thead><tr><th scope="col">a</th></tr></thead>' +
      '<tbody><tr><td colspan="2">b</td></tr></tbody></table></div>',
    '<pre><code>a\n  b</code></pre>',
    '<p class="lead wide">x<sup>2</sup> <time datetime="2024-01-01">then</time></p>'
  ]) {
    t.equal(clean(html), html)
  }
})

t.test('scripts, styles, frames, forms and foreign content are removed with warnings', async (t) => {
  const content = fromHtml(
    '<script>a</script><style>b</style><svg><a>c</a></svg><math><mi>d</mi></math><template>e</template>' +
      '<form action="/x">f<input></form><object>g</object><p style="color:red" onclick="h">i</p><!-- j -->'
  )
  t.equal(inside(content), '<div>f</div><p>i</p>')
  for (const name of ['script', 'style', 'svg', 'math', 'template', 'form', 'input', 'object']) {
    t.ok(content.warnings.includes(`<${name}> was removed`), name)
  }
  t.ok(content.warnings.some((warning) => warning.startsWith('style attributes')))
})

t.test("class names of the author are kept, except the wrapper's own", async (t) => {
  t.equal(clean('<p class="svc-blog lead 1x a&quot;b lead">x</p>'), '<p class="lead">x</p>')
})

t.test('videos use the host without cookies, a sandbox and lazy loading', async (t) => {
  for (const src of [
    'https://www.youtube.com/embed/dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ?si=x',
    '//www.youtube.com/watch?v=dQw4w9WgXcQ&amp;feature=x',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'
  ]) {
    const html = clean(`<iframe src="${src}" onload="x">no</iframe>`)
    t.match(html, ' src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"')
    t.match(html, ' loading="lazy" sandbox="allow-scripts allow-same-origin allow-presentation"')
  }
  t.match(
    clean('<iframe src="https://vimeo.com/76979871" title="A film"></iframe>'),
    ' title="A film" class="svc-video" width="560" height="315" src="https://player.vimeo.com/video/76979871?dnt=1"'
  )
})

t.test('frames of other hosts are removed', async (t) => {
  for (const src of [
    'https://evil.example/',
    'https://www.youtube.com.evil.example/embed/dQw4w9WgXcQ',
    'https://www.youtube.com/redirect?q=x',
    'https://www.youtube.com@evil.example/embed/dQw4w9WgXcQ',
    'javascript:alert(1)'
  ]) {
    const content = fromHtml(`a<iframe src="${src}"></iframe>b`)
    t.equal(inside(content), 'ab', src)
    t.match(content.warnings, ['an iframe that is not a YouTube or Vimeo video was removed'])
  }
})

t.test('malformed HTML is repaired', async (t) => {
  t.equal(clean('<p>a<p>b<b>c'), '<p>a</p><p>b<b>c</b></p>')
  t.equal(clean('</div></div><p>a'), '<p>a</p>')
  t.equal(clean('<article><header>a</header>b</article>'), '<div><div>a</div>b</div>')
})

t.test('elements nested too deeply are replaced by their text', async (t) => {
  const html = clean('<div>'.repeat(5000) + 'deep')
  t.match(html, 'deep')
  t.ok((html.match(/<div>/g)?.length ?? 0) <= 60)
})

t.test('the wrapper has the language and the writing direction of the blog', async (t) => {
  for (const [locale, dir] of [
    ['en', 'ltr'],
    ['ar', 'rtl'],
    ['ar-EG', 'rtl'],
    ['he', 'rtl'],
    ['fa-IR', 'rtl'],
    ['pa-Arab-PK', 'rtl'],
    ['az-Latn', 'ltr'],
    ['ja', 'ltr'],
    ['qaa', 'ltr'],
    ['x1', 'ltr']
  ]) {
    const { html } = renderContent({ ...createInput('text'), locale: locale! })
    t.match(html, `<div class="svc-blog" data-svc-blog="${BLOG_ID}" lang="${locale}" dir="${dir}"><p>`)
  }
})

t.test('ordered lists have classes for their type and for wide markers', async (t) => {
  const items = (count: number) => '<li>x</li>'.repeat(count)
  for (const [list, classes] of [
    [`<ol>${items(99)}</ol>`, undefined],
    [`<ol>${items(100)}</ol>`, 'svc-wide-markers'],
    [`<ol start="98">${items(3)}</ol>`, 'svc-wide-markers'],
    ['<ol><li value="1000">x</li></ol>', 'svc-wide-markers'],
    [`<ol start="-10">${items(2)}</ol>`, 'svc-wide-markers'],
    [`<ol reversed start="99">${items(9)}</ol>`, undefined],
    [`<ol type="a" class="mine">${items(2)}</ol>`, 'mine svc-lower-alpha'],
    [`<ol type="A" class="svc-lower-alpha">${items(2)}</ol>`, 'svc-upper-alpha'],
    [`<ol type="I">${items(8)}</ol>`, 'svc-upper-roman svc-wide-markers'],
    [`<ol type="i">${items(7)}</ol>`, 'svc-lower-roman'],
    [`<ol type="disc" class="svc-wide-markers">${items(7)}</ol>`, undefined]
  ] as const) {
    t.equal(/<ol[^>]* class="([^"]*)"/.exec(clean(list))?.[1], classes, list.slice(0, 60))
  }
})
