import t from 'tap'
import { createRedactor } from '../../lib/redact.ts'
import { generateKey, keyPattern } from '../../services/api-keys/key-format.ts'

const redact = createRedactor(keyPattern('svc'))
const KEY = generateKey('svc')

t.test('texts without credentials are unchanged', async (t) => {
  for (const text of [
    ...['/', '/api/v1/blogs?page=2&q=tokens%20of%20love', '/a%2Fb%zz%c3%a9%', '/api/v1/blogs/images/a/b.c.jpg?w=320'],
    ...['/keys-to-the-castle', '/svc_pk_', 'eyJ', '/eyJhbGciOiJIUzI1NiJ9', '?page=1&sort=-publishedAt', '%25%32%35']
  ]) {
    t.equal(redact(text), text)
  }
})

t.test('keys, tokens and secret parameters are replaced, and the rest is left', async (t) => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJhY2NvdW50IjoiYSJ9.c2lnbmF0dXJl-_'
  for (const [text, expected] of [
    [`/a/${KEY}/b?c=d`, '/a/[key]/b?c=d'],
    [`/a/${KEY},${KEY}`, '/a/[key],[key]'],
    [`/a/x${token}/b`, '/a/x[token]/b'],
    ['/p?a=1&token=abc.def&b=2', '/p?a=1&token=[token]&b=2'],
    [
      '/p?access_token=a&X-Api-Key=b&client[secret]=c#x',
      '/p?access_token=[token]&X-Api-Key=[token]&client[secret]=[token]#x'
    ],
    [`/a%20b/${encodeURIComponent(`x ${KEY} y`)}/c%20d`, '/a%20b/x%20[key]%20y/c%20d'],
    [`/a%20b/${KEY.replaceAll('_', '%5F')}/c%20d`, '/a%20b/[redacted]/c%20d'],
    [`/a?x=${token.replaceAll('.', '%252E')}&y=%20`, '/a?x=[redacted]&y=%20']
  ] as const) {
    t.equal(redact(text), expected)
  }
})

t.test('the time grows with the length of the text', async (t) => {
  const started = performance.now()
  for (const part of ['eyJ', 'eyJ.', '%25', '?token', '&a', 'svc_pk_', '%65yJ', 'token=', '?a.b', 'secret']) {
    redact(part.repeat(200_000 / part.length))
    redact(`?${part.repeat(200_000 / part.length)}`)
  }
  t.ok(performance.now() - started < 5000)
})
