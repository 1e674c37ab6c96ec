import t from 'tap'
import { deliverHtml, ORIGIN } from '../../../../services/blogs/content/index.ts'
import { BLOG_ID, fromHtml, fromMarkdown, inside, PUBLIC_URL } from './inputs.ts'

const STORED = `${ORIGIN}/api/v1/blogs/images/${BLOG_ID}/harbor-3fa2.jpg`
const srcOf = (html: string) => / src="([^"]*)"/.exec(html)?.[1]

t.test('an uploaded image is found by its name, its original name, the end of a path, and its URL', async (t) => {
  for (const src of [
    'harbor-3fa2.jpg',
    'Harbor.jpg',
    './img/Harbor.jpg',
    '/assets/blog/Harbor.jpg?x=1',
    '{{ site.baseurl }}/assets/Harbor.jpg',
    `${PUBLIC_URL}/api/v1/blogs/images/${BLOG_ID}/harbor-3fa2.jpg`,
    STORED
  ]) {
    t.equal(srcOf(inside(fromHtml(`<img src="${src}">`))), STORED, src)
  }
})

t.test('an uploaded image has its size, its text alternative and every width up to its own', async (t) => {
  const content = fromMarkdown('![](Harbor.jpg)')
  const html = deliverHtml(inside(content), 'https://pictures.example/')
  const url = `https://pictures.example/api/v1/blogs/images/${BLOG_ID}/harbor-3fa2.jpg`
  t.match(html, ' width="1000" height="500"')
  t.match(
    html,
    `srcset="${url}?w=320&amp;format=auto 320w, ${url}?w=640&amp;format=auto 640w, ` +
      `${url}?w=960&amp;format=auto 960w, ${url}?format=auto 1000w"`
  )
  t.match(html, ' sizes="')
  t.equal(content.socialImage, 'harbor-3fa2.jpg')
  t.same(content.images, [{ url: STORED, alt: '', width: 1000, height: 500 }])
})

t.test('an image without an alt attribute gets the one of its upload', async (t) => {
  t.match(inside(fromHtml('<img src="Harbor.jpg">')), ' alt="The harbor at dawn"')
})

t.test('an external image keeps the size and candidates of its author and gets no others', async (t) => {
  const given = inside(
    fromHtml(
      '<img src="https://a.example/x.png" width="300" height="200" srcset="https://a.example/x2.png 2x, http://a.example/x3.png 3x, javascript:x 4x" alt="x">'
    )
  )
  t.match(given, ' width="300" height="200"')
  t.match(given, ' srcset="https://a.example/x2.png 2x"')
  const unknown = inside(fromHtml('<img src="https://a.example/x.png" width="100%" alt="x">'))
  t.notMatch(unknown, / width| height| srcset/)
})

t.test('an image that is neither https nor uploaded is removed with a warning', async (t) => {
  for (const src of ['http://a.example/x.png', 'data:image/png;base64,AAAA', 'x.png', 'javascript:alert(1)', '']) {
    const content = fromHtml(`a<img src="${src}" onerror="x">b`)
    t.equal(inside(content), 'ab', src)
    t.equal(content.warnings.length, 1)
  }
})

t.test('the first image loads eagerly, the others lazily', async (t) => {
  const html = inside(fromMarkdown('![a](https://a.example/1.png) ![b](https://a.example/2.png)'))
  t.match(
    html,
    /alt="a" loading="eager" decoding="async" fetchpriority="high"><?.*alt="b" loading="lazy" decoding="async">/
  )
})

t.test('a picture element keeps its safe sources', async (t) => {
  const html = inside(
    fromHtml(
      '<picture><source srcset="https://a.example/x.avif" type="image/avif"><source srcset="http://a.example/x.webp"><img src="https://a.example/x.png" alt=""></picture>'
    )
  )
  t.equal(html.match(/<source/g)?.length, 1)
  t.match(html, '<source type="image/avif" srcset="https://a.example/x.avif">')
})
