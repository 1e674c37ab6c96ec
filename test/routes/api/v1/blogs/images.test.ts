import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import sharp from 'sharp'
import { client, person, publish, startApp, type Client } from '../../../../helper.ts'
import { processFolder } from '../../../../../lib/temporary-folder.ts'
import { animation, halves, photograph } from '../../../../services/images/sample-images.ts'

const BLOGS = '/api/v1/blogs'
const ABSENT = '01890000-0000-7000-8000-000000000000'
const MB = 1024 * 1024

interface Shown {
  filename: string
  url: string
  width: number
  height: number
  alt: string
  bytes: number
  sizes: { width: number; url: string }[]
}
const local = (url: string) => url.replace(/^https?:\/\/[^/]+/, '').replaceAll('&amp;', '&')
const png = await halves(1000, 500).png().toBuffer()
const raw = async (
  call: Client,
  id: string,
  {
    bytes = png,
    query = 'filename=halves.png',
    type = 'image/png'
  }: { bytes?: Buffer; query?: string; type?: string } = {}
) => await call('POST', `${BLOGS}/${id}/images?${query}`, bytes, { 'content-type': type })

/** A form as browsers send it (RFC 7578). */
function form(parts: { name: string; value: string | Buffer; filename?: string }[]): { body: Buffer; type: string } {
  const boundary = 'a-boundary-of-the-test'
  const fileHeaders = (filename?: string) =>
    filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: image/png`
  const chunks = parts.flatMap(({ name, value, filename }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileHeaders(filename)}\r\n\r\n`,
    value,
    '\r\n'
  ])
  return {
    body: Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk))),
    type: `multipart/form-data; boundary=${boundary}`
  }
}

async function setUp(t: Parameters<typeof startApp>[0], words: Record<string, unknown> = {}) {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = await publish(call, { title: 'With pictures', ...words })
  const anybody = async (
    url: string,
    headers: Record<string, string> = {},
    method: 'GET' | 'HEAD' | 'OPTIONS' = 'GET'
  ) => await app.inject({ method, url: local(url), headers })
  return { app, call, id, anybody }
}

t.test('an image can be uploaded as raw bytes or as a form', async (t) => {
  const { call, id } = await setUp(t)
  const one = await raw(call, id, { query: 'filename=Half%20%26%20Half.PNG&alt=Red%20and%20blue' })
  t.equal(one.statusCode, 201)
  const image = one.json() as Shown
  t.match(image, { filename: /^half-half-[0-9a-f]{12}\.png$/, width: 1000, height: 500, alt: 'Red and blue' })
  t.equal(one.headers.location, image.url)
  t.match(image.url, new RegExp(`^http://[^/]+/api/v1/blogs/images/${id}/${image.filename}$`))
  t.same(
    image.sizes.map(({ width, url }) => [width, url]),
    [320, 640, 960].map((width) => [width, `${image.url}?w=${width}`]),
    'only narrower widths are offered'
  )

  const sent = form([
    { name: 'alt', value: 'From a form' },
    { name: 'file', value: await photograph(400, 300), filename: 'photo.jpg' }
  ])
  const two = await call('POST', `${BLOGS}/${id}/images`, sent.body, { 'content-type': sent.type })
  t.equal(two.statusCode, 201, two.body)
  t.match(two.json(), { filename: /^photo-[0-9a-f]{12}\.jpg$/, width: 400, height: 300, alt: 'From a form' })
  const list = (await call('GET', `${BLOGS}/${id}/images`)).json().images as Shown[]
  t.same(
    list.map(({ filename }) => filename),
    [image.filename, two.json().filename]
  )
  t.same(list[0], image)
})

t.test('uploading the same bytes again returns the existing image', async (t) => {
  const { call, id } = await setUp(t)
  const first = await raw(call, id)
  const again = await raw(call, id, { query: 'filename=another-name.png' })
  t.equal(again.statusCode, 200)
  t.same(again.json(), first.json())
  t.equal((await call('GET', `${BLOGS}/${id}/images`)).json().images.length, 1)
})

t.test('uploading the same bytes again with another text alternative changes it', async (t) => {
  const { call, id } = await setUp(t, { markdown: 'Words.', cover: { url: 'halves.png' } })
  const first = (await raw(call, id, { query: 'filename=halves.png&alt=Two%20halves' })).json()
  const again = await raw(call, id, { query: 'filename=halves.png&alt=Red%20and%20blue' })
  t.equal(again.statusCode, 200)
  t.same(again.json(), { ...first, alt: 'Red and blue' })
  t.same((await call('GET', `${BLOGS}/${id}/images`)).json().images, [again.json()])
  t.equal((await call('GET', `${BLOGS}/with-pictures`)).json().cover.alt, 'Red and blue')
  t.same((await raw(call, id)).json(), again.json(), 'without one, it keeps what it has')
})

t.test('an image referenced by name is shown once it is uploaded', async (t) => {
  const { call, id, anybody } = await setUp(t, { markdown: '![Red and blue](halves.png)\n\nWords.' })
  t.notMatch((await call('GET', `${BLOGS}/with-pictures`)).json().htmlContent, '<img')
  const image = (await raw(call, id)).json() as Shown
  const blog = (await call('GET', `${BLOGS}/with-pictures`)).json()
  t.equal(blog.version, 2)
  const tag = /<img[^>]*>/.exec(blog.htmlContent)?.[0] ?? ''
  for (const part of [
    `src="${image.url}"`,
    'alt="Red and blue"',
    'width="1000"',
    'height="500"',
    'decoding="async"',
    'sizes=',
    'loading='
  ]) {
    t.ok(tag.includes(part), `${part} in ${tag}`)
  }
  const srcset =
    /srcset="([^"]+)"/
      .exec(tag)?.[1]
      ?.split(',')
      .map((part) => part.trim().split(' ')) ?? []
  t.ok(srcset.length >= 3)
  for (const [url, width] of srcset) {
    const picture = await anybody(url!)
    t.equal(picture.statusCode, 200, url!)
    t.equal(`${(await sharp(picture.rawPayload).metadata()).width}w`, width)
  }
  t.same(blog.images, [{ url: image.url, alt: 'Red and blue', width: 1000, height: 500 }])
  t.equal((await call('DELETE', `${BLOGS}/${id}/images/${image.filename}`)).statusCode, 204)
  t.notMatch((await call('GET', `${BLOGS}/with-pictures`)).json().htmlContent, '<img')
})

t.test('images of published blogs are public and cacheable for a year', async (t) => {
  const { call, id, anybody } = await setUp(t)
  const { url } = (await raw(call, id)).json() as Shown
  const answer = await anybody(url)
  t.equal(answer.statusCode, 200)
  t.match(answer.headers, {
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    etag: /^"[^"]+"$/,
    'last-modified': /GMT$/,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    'x-ratelimit-limit': /^\d+$/
  })
  t.equal(answer.headers['content-length'], String(answer.rawPayload.length))
  t.match(await sharp(answer.rawPayload).metadata(), { format: 'png', width: 1000, height: 500 })
  const head = await anybody(url, {}, 'HEAD')
  t.equal(head.statusCode, 200)
  t.equal(head.body, '')
  for (const name of ['content-length', 'etag', 'content-type', 'cache-control', 'access-control-allow-origin']) {
    t.equal(head.headers[name], answer.headers[name], name)
  }
})

t.test('conditional requests for images receive 304, by ETag or by date', async (t) => {
  const { call, id, anybody } = await setUp(t)
  const { url } = (await raw(call, id)).json() as Shown
  const { headers } = await anybody(url)
  for (const [name, value] of [
    ['if-none-match', headers.etag],
    ['if-none-match', `"x", W/${headers.etag}`],
    ['if-none-match', '*'],
    ['if-modified-since', headers['last-modified']]
  ] as const) {
    const answer = await anybody(url, { [name]: String(value) })
    t.equal(answer.statusCode, 304, `${name}: ${value}`)
    t.equal(answer.body, '')
    t.equal(answer.headers.etag, headers.etag)
    t.equal(answer.headers['cache-control'], headers['cache-control'])
  }
  t.equal((await anybody(url, { 'if-none-match': '"other"' })).statusCode, 200)
})

t.test('a range request receives the requested part of an image', async (t) => {
  const { call, id, anybody } = await setUp(t)
  const { url } = (await raw(call, id)).json() as Shown
  const whole = await anybody(url)
  const size = whole.rawPayload.length
  for (const [range, start, end] of [
    ['bytes=0-9', 0, 9],
    ['bytes=10-', 10, size - 1],
    ['bytes=-7', size - 7, size - 1],
    [`bytes=5-${size + 100}`, 5, size - 1],
    [`bytes=-${size + 5}`, 0, size - 1]
  ] as const) {
    const part = await anybody(url, { range })
    t.equal(part.statusCode, 206, range)
    t.equal(part.headers['content-range'], `bytes ${start}-${end}/${size}`)
    t.equal(part.headers['content-length'], String(end - start + 1))
    t.ok(part.rawPayload.equals(whole.rawPayload.subarray(start, end + 1)), range)
  }
  for (const range of [`bytes=${size}-`, 'bytes=-0']) {
    const refused = await anybody(url, { range })
    t.match(refused.json(), { status: 416, code: 'range_not_satisfiable' })
    t.equal(refused.headers['content-range'], `bytes */${size}`)
  }
  for (const range of ['bytes=0-1,4-5', 'bytes=5-2', 'lines=1-2', 'bytes=-']) {
    t.equal((await anybody(url, { range })).statusCode, 200, `${range} is answered by the whole`)
  }
  t.equal((await anybody(url, { range: 'bytes=0-9', 'if-range': String(whole.headers.etag) })).statusCode, 206)
  t.equal((await anybody(url, { range: 'bytes=0-9', 'if-range': '"other"' })).statusCode, 200)
  const head = await anybody(url, { range: 'bytes=0-9' }, 'HEAD')
  t.equal(head.statusCode, 200, 'Range is defined only for GET (RFC 9110, section 14.2)')
})

t.test('only listed widths and formats of images are available', async (t) => {
  const { call, id, anybody } = await setUp(t)
  const { url } = (
    await raw(call, id, { bytes: await photograph(800, 600), query: 'filename=photo.jpg', type: 'image/jpeg' })
  ).json() as Shown
  for (const [query, format, width] of [
    ['w=320', 'jpeg', 320],
    ['w=640&format=webp', 'webp', 640],
    ['w=320&format=avif', 'heif', 320],
    ['format=png', 'png', 800],
    ['w=1920', 'jpeg', 800]
  ] as const) {
    const answer = await anybody(`${url}?${query}`)
    t.equal(answer.statusCode, 200, query)
    t.match(await sharp(answer.rawPayload).metadata(), { format, width, height: (width * 3) / 4 }, query)
  }
  const tags = await Promise.all(
    ['', '?w=320', '?w=320&format=webp', '?w=640'].map(async (query) => (await anybody(url + query)).headers.etag)
  )
  t.equal(new Set(tags).size, 4, 'each variant has its own ETag')
  for (const [query, pointer, list] of [
    ['w=321', 'w', '320, 640, 960, 1280, 1920'],
    ['w=', 'w', '320'],
    ['w=0640', 'w', '320'],
    ['w=1e3', 'w', '320'],
    ['format=gif', 'format', 'avif, webp, jpeg, png, auto'],
    ['format=WEBP', 'format', 'avif']
  ] as const) {
    const refused = await anybody(`${url}?${query}`)
    t.match(
      refused.json(),
      { status: 400, code: 'unknown_image_variant', errors: [{ pointer, message: new RegExp(list) }] },
      query
    )
  }
  t.match((await anybody(`${url}?width=320`)).json(), {
    status: 400,
    code: 'invalid_request',
    errors: [{ pointer: 'width', code: 'unknown_field' }]
  })
})

t.test('format=auto follows the Accept header and sends Vary', async (t) => {
  const { call, id, anybody } = await setUp(t)
  const { url } = (
    await raw(call, id, { bytes: await photograph(500, 300), query: 'filename=photo.jpg', type: 'image/jpeg' })
  ).json() as Shown
  for (const [accept, type] of [
    ['image/avif,image/webp,*/*', 'image/avif'],
    ['image/webp,*/*', 'image/webp'],
    ['*/*', 'image/jpeg'],
    ['image/avif;q=0,image/webp;q=0.5', 'image/webp']
  ] as const) {
    const answer = await anybody(`${url}?w=320&format=auto`, { accept })
    t.equal(answer.headers['content-type'], type, accept)
    t.match(answer.headers.vary, /Accept/)
  }
})

t.test('images of unpublished blogs are not public', async (t) => {
  const { call, id, anybody } = await setUp(t)
  const { url } = (await raw(call, id)).json() as Shown
  await anybody(`${url}?w=320`)
  await call('POST', `${BLOGS}/${id}/unpublish`)
  for (const address of [url, `${url}?w=320`, `${url}?token=x`]) {
    t.match((await anybody(address)).json(), { status: 404, code: 'image_not_found' }, address)
  }
  const token = new URL((await call('POST', `${BLOGS}/${id}/preview`)).json().url).searchParams.get('token')
  const seen = await anybody(`${url}?token=${token}`)
  t.equal(seen.statusCode, 200)
  t.equal(seen.headers['cache-control'], 'no-store')
  await call('POST', `${BLOGS}/${id}/publish`)
  t.equal((await anybody(url)).statusCode, 200)
})

t.test('an unknown image is reported like one that is not public', async (t) => {
  const { anybody, id } = await setUp(t)
  for (const path of [
    `${id}/none.png`,
    `${ABSENT}/none.png`,
    'no-id/none.png',
    `${id}/..%2f..%2fstore.sqlite`,
    `${id}/%00`
  ]) {
    t.match((await anybody(`${BLOGS}/images/${path}`)).json(), { status: 404, code: 'image_not_found' }, path)
  }
})

t.test('a deleted image is gone in all sizes', async (t) => {
  const { call, id, anybody } = await setUp(t)
  const { url, filename } = (await raw(call, id)).json() as Shown
  await anybody(`${url}?w=320`)
  const answer = await call('DELETE', `${BLOGS}/${id}/images/${filename}`)
  t.equal(answer.statusCode, 204)
  for (const address of [url, `${url}?w=320`]) t.equal((await anybody(address)).statusCode, 404)
  t.match((await call('DELETE', `${BLOGS}/${id}/images/${filename}`)).json(), { status: 404, code: 'image_not_found' })
  t.equal((await raw(call, id)).statusCode, 201, 'the image can be uploaded again')
  t.equal((await anybody(url)).statusCode, 200)
})

t.test('deleting a blog deletes its images', async (t) => {
  const { app, call, id, anybody } = await setUp(t)
  const { url } = (await raw(call, id)).json() as Shown
  await call('DELETE', `${BLOGS}/${id}`)
  t.match((await anybody(url)).json(), { status: 404, code: 'image_not_found' })
  t.match((await raw(call, id)).json(), { status: 404, code: 'blog_gone' })
  t.ok(app)
})

t.test('a file that is not an image is rejected by its content, whatever its name', async (t) => {
  const { call, id } = await setUp(t)
  for (const [bytes, found] of [
    ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', /SVG/],
    ['<!doctype html><script>alert(1)</script>', /HTML/],
    ['%PDF-1.7', /PDF/],
    ['just words', /text/]
  ] as const) {
    t.match(
      (await raw(call, id, { bytes: Buffer.from(bytes) })).json(),
      { status: 400, code: 'malformed_image', detail: found },
      bytes
    )
  }
  t.match(
    (await raw(call, id, { bytes: png.subarray(0, png.length / 2) })).json(),
    { status: 400, code: 'malformed_image' },
    'a truncated image'
  )
  for (const type of ['text/html', 'application/json']) {
    const refused = await raw(call, id, { type })
    t.ok([400, 415].includes(refused.statusCode), `${type}: ${refused.statusCode}`)
    t.match(refused.headers['content-type'], 'application/problem+json')
  }
  t.same((await call('GET', `${BLOGS}/${id}/images`)).json().images, [])
})

t.test('an incomplete upload is rejected with the missing part', async (t) => {
  const { call, id } = await setUp(t)
  t.match((await raw(call, id, { query: 'alt=x' })).json(), {
    status: 400,
    errors: [{ pointer: 'filename', code: 'required' }]
  })
  t.match((await raw(call, id, { bytes: Buffer.alloc(0) })).json(), {
    status: 400,
    errors: [{ pointer: '/file', code: 'required' }]
  })
  t.match((await raw(call, id, { query: 'filename=a.png&caption=x' })).json(), {
    status: 400,
    errors: [{ pointer: 'caption', code: 'unknown_field' }]
  })
  t.match((await raw(call, id, { query: `filename=a.png&alt=${'x'.repeat(501)}` })).json(), {
    status: 400,
    errors: [{ pointer: 'alt', code: 'maxLength' }]
  })
  t.match((await raw(call, id, { query: 'filename=a.png&alt=a%01b' })).json(), {
    status: 400,
    errors: [{ pointer: 'alt', code: 'control_characters' }]
  })
  const send = async (parts: Parameters<typeof form>[0]) => {
    const { body, type } = form(parts)
    return await call('POST', `${BLOGS}/${id}/images`, body, { 'content-type': type })
  }
  t.match((await send([{ name: 'alt', value: 'x' }])).json(), {
    status: 400,
    errors: [{ pointer: '/file', code: 'required' }]
  })
  t.match((await send([{ name: 'picture', value: png, filename: 'a.png' }])).json(), {
    status: 400,
    errors: [{ pointer: '/file', code: 'required' }]
  })
  t.match(
    (
      await send([
        { name: 'file', value: png, filename: 'a.png' },
        { name: 'caption', value: 'x' }
      ])
    ).json(),
    { status: 400, errors: [{ pointer: '/caption', code: 'unknown_field' }] }
  )
  t.match(
    (
      await send([
        { name: 'file', value: png, filename: 'a.png' },
        { name: 'alt', value: 'x'.repeat(501) }
      ])
    ).json(),
    { status: 400, errors: [{ pointer: '/alt', code: 'maxLength' }] },
    'rejected, never truncated'
  )
  t.match(
    (
      await send([
        { name: 'file', value: png, filename: 'a.png' },
        { name: 'alt', value: 'a\u0001b' }
      ])
    ).json(),
    { status: 400, errors: [{ pointer: '/alt', code: 'control_characters' }] }
  )
  t.equal(
    (
      await send([
        { name: 'file', value: png, filename: 'a.png' },
        { name: 'file', value: png, filename: 'b.png' }
      ])
    ).statusCode,
    400,
    'one image per request'
  )
  t.same((await call('GET', `${BLOGS}/${id}/images`)).json().images, [])
})

t.test('images may have up to 20 MB, as raw bytes or as a form', async (t) => {
  const { call, id } = await setUp(t)
  const large = Buffer.alloc(20 * MB + 1)
  png.copy(large)
  t.match((await raw(call, id, { bytes: large })).json(), { status: 413, code: 'payload_too_large' })
  const { body, type } = form([{ name: 'file', value: large, filename: 'a.png' }])
  t.match((await call('POST', `${BLOGS}/${id}/images`, body, { 'content-type': type })).json(), {
    status: 413,
    code: 'payload_too_large'
  })
  const allowed = await raw(call, id, { bytes: large.subarray(0, 20 * MB) })
  t.equal(allowed.statusCode, 201, 'an image with trailing bytes is valid')
})

t.test('an animated image stays animated', async (t) => {
  const { call, id, anybody } = await setUp(t)
  const { url } = (
    await raw(call, id, { bytes: await animation('gif', 3), query: 'filename=anim.gif', type: 'image/gif' })
  ).json() as Shown
  const answer = await anybody(url)
  t.equal((await sharp(answer.rawPayload, { animated: true }).metadata()).pages, 3)
})

t.test('every blog has a social image of 1200 × 630 at its stated URL', async (t) => {
  const { call, id, anybody } = await setUp(t, { markdown: '![](photo.jpg)\n\nWords.' })
  const address = async () => (await call('GET', `${BLOGS}/with-pictures`)).json().ogImageUrl as string
  const card = await address()
  const drawn = await anybody(card)
  t.equal(drawn.statusCode, 200)
  t.match(await sharp(drawn.rawPayload).metadata(), { format: 'jpeg', width: 1200, height: 630 })
  t.match(drawn.headers['cache-control'], 'immutable')
  await raw(call, id, { bytes: await photograph(1400, 900), query: 'filename=photo.jpg', type: 'image/jpeg' })
  const cropped = await address()
  t.not(cropped, card, 'the first image of the text replaces the card, under another URL')
  t.match(await sharp((await anybody(cropped)).rawPayload).metadata(), { format: 'jpeg', width: 1200, height: 630 })
  t.equal((await anybody(card)).statusCode, 200, 'links to the former image still work')
  t.equal((await anybody(`${BLOGS}/images/${id}/og-0123456789abcdef.jpg`)).statusCode, 404)
})

t.test('a key needs images:read to list images and blogs:write to upload them', async (t) => {
  const { app, id } = await setUp(t)
  const reader = await client(app, 'acme', { scopes: ['blogs:read'] })
  t.match((await reader('GET', `${BLOGS}/${id}/images`)).json(), { status: 403, scope: 'images:read' })
  t.match((await raw(reader, id)).json(), { status: 403, scope: 'blogs:write' })
  const otherAccount = await client(app, 'zeta')
  t.match((await raw(otherAccount, id)).json(), { status: 404, code: 'blog_not_found' })
  const admin = await person(app, 'ops', { role: 'admin' })
  await admin('PATCH', '/api/admin/accounts/zeta', { features: ['blogs'] })
  t.match((await raw(otherAccount, id)).json(), { status: 403, code: 'feature_not_in_plan', feature: 'images' })
})

t.test('an uploaded file is deleted when its client disconnects while it is processed', async (t) => {
  const { app, call, id } = await setUp(t)
  const folder = await processFolder()
  const uploads = (): string[] => readdirSync(folder).filter((name) => name.startsWith('upload-'))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const bytes = await photograph(1600, 1200)
  const connection = connect(port, '127.0.0.1')
  const [socket] = (await once(app.server, 'connection')) as [Socket]
  const head = [
    `POST ${BLOGS}/${id}/images?filename=a.jpg HTTP/1.1`,
    'host: x',
    `x-api-key: ${call.key}`,
    'content-type: image/jpeg',
    `content-length: ${bytes.length}`
  ]
  connection.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]))
  // The body is complete when all of it is in the file.
  const received = () => uploads().map((name) => statSync(path.join(folder, name)).size)
  while (received()[0] !== bytes.length) await wait(1)
  await wait(5)
  connection.destroy()
  await once(socket, 'close')
  t.equal(socket.bytesWritten, 0, 'there was no response')
  for (let tries = 0; tries < 1000 && uploads().length > 0; tries++) await wait(5)
  t.same(uploads(), [])
})

t.test('an image whose blog is deleted during the upload does not stay', async (t) => {
  const { app, call, id } = await setUp(t)
  const { blogs } = app.services
  const writer = { accountId: 'acme', projectIds: null }
  const load = async () => {
    t.equal((await call('DELETE', `${BLOGS}/${id}`)).statusCode, 204)
    return png
  }
  await t.rejects(blogs.addImage(writer, id, { name: 'a.png', alt: '', size: png.length, load }), { code: 'blog_gone' })
  t.same(await app.store.images.list('acme', id), [])
  t.same(await app.files.list({ prefix: `images/${id}`, afterKey: null, limit: 10 }), [])
  t.equal((await app.store.storage.measure('acme')).images, 0)
})
