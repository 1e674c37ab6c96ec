import t from 'tap'
import { fromHtml, fromMarkdown, inside } from './inputs.ts'

const linked = (href: string, more = '') => inside(fromHtml(`<a href="${href}"${more}>x</a>`))

t.test('links to pages, email addresses and phone numbers are kept', async (t) => {
  for (const href of [
    'https://a.example/',
    'http://a.example/?a=1&amp;b=2',
    'mailto:a@b.example',
    'tel:+4930123',
    '/about',
    '../x',
    '?page=2',
    'x.html'
  ]) {
    t.equal(linked(href), `<a href="${href}">x</a>`)
  }
})

t.test('a script URL loses its target in every spelling', async (t) => {
  for (const href of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java&#10;script:alert(1)',
    '&#x6A;avascript:alert(1)',
    'java\u0000script:alert(1)',
    '\u0001javascript:alert(1)',
    '&#x200b;javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a.example/x',
    'javascript&colon;alert(1)',
    'feed:javascript:alert(1)'
  ]) {
    t.equal(linked(href), 'x', JSON.stringify(href))
  }
})

t.test('a removed link target adds a warning', async (t) => {
  t.match(fromMarkdown('[x](javascript:alert(1))').warnings, [
    'the target of a link was removed: its scheme must be http, https, mailto or tel'
  ])
})

t.test('a URL without a scheme becomes https', async (t) => {
  for (const href of ['//a.example/x', '/\\a.example/x', '\\\\a.example/x']) {
    t.equal(linked(href), '<a href="https://a.example/x">x</a>', href)
  }
})

t.test('links to new windows get rel=noopener, and other targets are removed', async (t) => {
  t.equal(
    linked('/x', ' target="_blank" rel="nofollow opener"'),
    '<a href="/x" target="_blank" rel="nofollow noopener">x</a>'
  )
  t.equal(linked('/x', ' target="_top"'), '<a href="/x">x</a>')
})

t.test('links within a blog point to their headings in any script', async (t) => {
  const content = fromMarkdown(
    '## Über uns\n\n## 料金\n\n<h3 id="old">New name</h3>\n\n[a](#über-uns) [b](#料金) [c](#old) [d](#Über uns)'
  )
  t.same(content.headings, [
    { level: 2, text: 'Über uns', id: 'svc-über-uns' },
    { level: 2, text: '料金', id: 'svc-料金' },
    { level: 3, text: 'New name', id: 'svc-new-name' }
  ])
  t.match(inside(content), '<a href="#svc-über-uns">a</a> <a href="#svc-料金">b</a> <a href="#svc-new-name">c</a>')
})

t.test('a link to a missing heading loses its target with a warning', async (t) => {
  const content = fromMarkdown('[a](#nowhere)')
  t.match(inside(content), '<p>a</p>')
  t.match(content.warnings, ['the link to #nowhere has no target in the blog'])
})
