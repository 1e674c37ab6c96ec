import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import t from 'tap'
import { openReceiver, openTcp } from '../../fixtures/outbound/servers.ts'
import { eventually } from '../../fixtures/webhooks/receiver.ts'
import type { Outbound } from '../../../ports/outbound/port.ts'
import type { ProjectRecord } from '../../../ports/store/port.ts'
import { DEFAULT_ARTICLE_STYLE } from '../../../schemas/default-article-style.ts'
import { newProduct } from '../../../services/products/new-product.ts'
import { applyChange } from '../../../services/products/write.ts'
import { imageWarning, isDecided, createProductImages } from '../../../services/products/images.ts'
import { client, startApp, type Client } from '../../helper.ts'
import { pngThatClaims } from '../images/sample-images.ts'

const createImage = async (width: number, height: number) =>
  await sharp({ create: { width, height, channels: 3, background: '#284' } })
    .png()
    .toBuffer()

/** A drawing of 10 ** (depth - 1) squares. A decoder draws them to know the size: 100,000 take 15 seconds. */
function createDrawing(depth: number): string {
  let groups = '<g id="g0"><rect width="300" height="300"/></g>'
  for (let i = 1; i < depth; i++) groups += `<g id="g${i}">${`<use href="#g${i - 1}"/>`.repeat(10)}</g>`
  return `<svg xmlns="http://www.w3.org/2000/svg"><defs>${groups}</defs><use href="#g${depth - 1}"/></svg>`
}

/** An image server of a shop; `answers` maps paths to responses. */
async function openShop(t: { teardown: (close: () => Promise<void>) => void }) {
  const answers = new Map<
    string,
    { status?: number; type?: string; body: Buffer | string; headers?: Record<string, string> }
  >([
    ['/good.png', { body: await createImage(300, 200) }],
    ['/other.png', { body: await createImage(400, 400) }],
    ['/small.png', { body: await createImage(99, 300) }],
    ['/giant.png', { body: pngThatClaims(10_000, 10_000) }],
    ['/page.html', { type: 'text/html', body: '<!doctype html><title>Shop</title>' }],
    ['/empty', { body: '' }],
    ['/drawing.svg', { type: 'image/svg+xml', body: createDrawing(5) }],
    ['/drawing.gif', { type: 'image/gif', body: `GIF89a${createDrawing(5)}` }],
    ['/drawing.webp', { type: 'image/webp', body: `RIFF1234WEBPVP8X${createDrawing(5)}` }],
    ['/moved', { status: 302, body: '', headers: { location: '/good.png' } }]
  ])
  const shop = await openReceiver((request, reply) => {
    const {
      status = 200,
      type = 'image/png',
      body,
      headers = {}
    } = answers.get(request.url!) ?? { status: 404, type: 'text/html', body: 'no such file' }
    reply.writeHead(status, { 'content-type': type, ...headers }).end(body)
  })
  t.teardown(() => shop.close())
  return {
    url: (path: string) => `http://127.0.0.1:${shop.port}${path}`,
    asked: () => shop.requests.map(({ url }) => url),
    set: answers.set.bind(answers)
  }
}

/** The warnings on images, without those on texts. */
const ofImages = <T extends { code: string }>(warnings: T[]): T[] =>
  warnings.filter(({ code }) => code.startsWith('picture_'))

/** The warnings of each product after all images have been checked. */
async function warnings(
  app: FastifyInstance,
  call: Client
): Promise<Record<string, { code: string; message: string }[]>> {
  await eventually(
    async () => (await app.store.products.pendingProjects('imageCheck', { after: null, limit: 1 })).items.length === 0,
    'every image is checked',
    90_000
  )
  const { products } = (await call('GET', '/api/v1/products?pageSize=100')).json() as {
    products: { externalId: string; warnings: { code: string; message: string }[] }[]
  }
  return Object.fromEntries(products.map(({ externalId, warnings }) => [externalId, ofImages(warnings)]))
}

const codes = (all: Record<string, { code: string }[]>) =>
  Object.fromEntries(Object.entries(all).map(([id, warnings]) => [id, warnings.map(({ code }) => code).join()]))
const send = async (call: Client, products: Record<string, string | null>) =>
  await call('POST', '/api/v1/products/batch', {
    projectId: 'shop',
    products: Object.entries(products).map(([externalId, imageUrl]) => ({
      externalId,
      title: `Product ${externalId}`,
      imageUrl
    }))
  })

/** Saves a product directly in the store, so that only the test checks its image. */
async function addPending(app: FastifyInstance, id: string, imageUrl: string, now: string): Promise<void> {
  const project: ProjectRecord = {
    id,
    accountId: 'acme',
    name: id,
    siteUrl: null,
    blogPath: '/blog',
    brandName: null,
    optimize: 'manual',
    ...DEFAULT_ARTICLE_STYLE,
    locale: null,
    createdAt: now,
    updatedAt: now
  }
  const product = applyChange(
    newProduct(project, 'a', now),
    { title: 'A', imageUrl },
    { changed: ['title', 'imageUrl'], optimize: 'manual', now }
  )
  await app.store.products.saveMany([{ product: { ...product, version: 1 }, ifVersion: null }])
}

t.test('an image of which enough was read has the warning of the whole image', async (t) => {
  const noise = Buffer.from(Array.from({ length: 400 * 300 * 3 }, (_, index) => (index * index * 31) >> 5))
  const image = sharp(noise, { raw: { width: 400, height: 300, channels: 3 } })
  const small = image.clone().resize(20, 20)
  const files = await Promise.all(
    (['jpeg', 'png', 'webp', 'gif', 'avif'] as const).flatMap((format) => [
      image.clone()[format]().toBuffer(),
      small.clone()[format]().toBuffer(),
      image
        .clone()
        .withExif({ IFD0: { Copyright: 'c'.repeat(30_000) } })
        [format]()
        .toBuffer()
    ])
  )
  const box = (type: string, ...data: Buffer[]): Buffer => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + Buffer.concat(data).length)
    head.write(type, 4)
    return Buffer.concat([head, ...data])
  }
  const size = (side: number): Buffer => box('ispe', Buffer.from([0, 0, 0, 0, 0, 0, 0, side, 0, 0, 0, side]))
  const tiles = box('ipco', size(20), box('free', Buffer.alloc(3000)), size(200))
  files.push(Buffer.concat([box('ftyp', Buffer.from('avif')), box('meta', Buffer.alloc(4), box('iprp', tiles))]))
  const damaged = [
    Buffer.concat([files[0]!.subarray(0, 2), Buffer.alloc(20_000, 0xff)]),
    Buffer.concat([files[1]!.subarray(0, 8), Buffer.alloc(20_000)]),
    Buffer.concat([files[0]!.subarray(0, 2), Buffer.alloc(60_000, '\xff\xe0\0\x02', 'latin1'), files[0]!.subarray(2)])
  ]
  const svgLater = Buffer.concat([
    files[9]!.subarray(0, 13),
    Buffer.alloc(900),
    Buffer.from('<svg'),
    Buffer.alloc(20_000)
  ])
  files.push(...damaged, svgLater)
  const page = Buffer.from(`<!doctype html>${' '.repeat(20_000)}`)
  const head = { ok: true, headers: {}, truncated: false, address: '', durationMs: 0 } as const
  let [decided, early] = [0, 0]
  for (const body of [...files, page, Buffer.alloc(20_000), Buffer.from('%PDF-1.4')]) {
    for (const status of [200, 404]) {
      const whole = imageWarning({ ...head, body, status })
      for (let length = 1; length < body.length; length = Math.ceil(length * 1.3)) {
        const beginning = body.subarray(0, length)
        if (!isDecided(beginning, status)) continue
        decided += 1
        if (length <= 4096) early += 1
        t.same(imageWarning({ ...head, body: beginning, status }), whole)
      }
    }
  }
  for (const file of damaged) t.ok(isDecided(file.subarray(0, 5_000), 200))
  t.ok(early > 60 && decided > early, `${early} of ${decided} of at most 4 KB`)
})

t.test('an unsuitable image adds a warning to the product, a valid image does not', async (t) => {
  // Only 127.0.0.1 is allowed: link-local addresses and host names stay blocked.
  const app = await startApp(t, { OUTBOUND_ALLOW: '127.0.0.1' })
  const call = await client(app)
  const shop = await openShop(t)
  const dead = await openTcp()
  await dead.close()
  const answer = await send(call, {
    good: shop.url('/good.png'),
    none: null,
    missing: shop.url('/gone.png'),
    page: shop.url('/page.html'),
    empty: shop.url('/empty'),
    svg: shop.url('/drawing.svg'),
    svgAsGif: shop.url('/drawing.gif'),
    svgAsWebp: shop.url('/drawing.webp'),
    small: shop.url('/small.png'),
    giant: shop.url('/giant.png'),
    moved: shop.url('/moved'),
    refused: 'http://169.254.169.254/latest/meta-data',
    dead: `http://127.0.0.1:${dead.port}/a.png`
  })
  t.match(answer.json(), { created: 13, failed: 0 }, 'an image never rejects a product')
  const found = await warnings(app, call)
  t.same(codes(found), {
    good: '',
    none: '',
    missing: 'picture_missing',
    page: 'picture_unreadable',
    empty: 'picture_unreadable',
    svg: 'picture_unreadable',
    svgAsGif: 'picture_unreadable',
    svgAsWebp: 'picture_unreadable',
    small: 'picture_too_small',
    giant: 'picture_too_large',
    moved: 'picture_redirected',
    refused: 'picture_refused',
    dead: 'picture_unreachable'
  })
  t.match(found.missing![0]!.message, /404/)
  t.match(found.small![0]!.message, /99 × 300/)
  t.match(found.svg![0]!.message, /it is an SVG document/)
  t.notMatch(found.refused![0]!.message, /169\.254/, 'the blocked address is not disclosed')
})

t.test('a changed imageUrl is checked again, and the previous warning is removed at once', async (t) => {
  const app = await startApp(t, { OUTBOUND_ALLOW: '127.0.0.1' })
  const call = await client(app)
  const shop = await openShop(t)
  await send(call, { a: shop.url('/gone.png'), b: shop.url('/good.png') })
  t.same(codes(await warnings(app, call)), { a: 'picture_missing', b: '' })
  const { id } = (await call('GET', '/api/v1/products?externalId=a')).json().products[0]
  const patched = await call('PATCH', `/api/v1/products/${id}`, { imageUrl: shop.url('/other.png') })
  t.same(ofImages(patched.json().warnings), [])
  await send(call, { b: shop.url('/small.png') })
  t.same(codes(await warnings(app, call)), { a: '', b: 'picture_too_small' })
  t.same(shop.asked().sort(), ['/gone.png', '/good.png', '/other.png', '/small.png'])
  await send(call, { b: null })
  t.same(codes(await warnings(app, call)), { a: '', b: '' })
  await send(call, { a: shop.url('/other.png') })
  t.same(codes(await warnings(app, call)), { a: '', b: '' })
  t.equal(shop.asked().length, 4, 'an unchanged image is not checked again')
})

t.test('an image shared by many products is fetched once', async (t) => {
  const app = await startApp(t, { OUTBOUND_ALLOW: '127.0.0.1' })
  const call = await client(app)
  const shop = await openShop(t)
  await send(
    call,
    Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`p-${i}`, shop.url(i % 2 === 0 ? '/good.png' : '/gone.png')])
    )
  )
  const found = codes(await warnings(app, call))
  t.equal(Object.values(found).filter((code) => code === 'picture_missing').length, 30)
  t.same(shop.asked().sort(), ['/gone.png', '/good.png'])
})

t.test('an image with a warning is published unchanged', async (t) => {
  const app = await startApp(t, { OUTBOUND_ALLOW: '127.0.0.1' })
  const call = await client(app)
  const shop = await openShop(t)
  const sent = (await send(call, { good: shop.url('/good.png'), bad: shop.url('/gone.png') })).statusCode
  t.equal(sent, 200)
  await warnings(app, call)
  await eventually(
    async () => (await call('GET', '/api/v1/products?status=optimized&pageSize=1')).json().totalCount === 2,
    'the optimization'
  )
  const [bad, good] = (await call('GET', '/api/v1/products')).json().products
  t.equal(ofImages(bad.warnings).length, 1)
  t.same(ofImages(good.warnings), [])
  t.equal(good.seo.imageUrl.value, shop.url('/good.png'))
  t.equal(bad.seo.imageUrl.value, shop.url('/gone.png'), 'the URL is published unchanged')
})

/** Waits for the initial sweep, which would check the images too. It is added in the background. */
async function afterSweep(app: FastifyInstance): Promise<void> {
  await app.queue.add('sweep', {}, { key: 'sweep' })
  await app.queue.idle()
}

t.test('an aborted check has no result, neither for this product nor for others', async (t) => {
  const app = await startApp(t, { OUTBOUND_ALLOW: '127.0.0.1' })
  await afterSweep(app)
  const good = await createImage(300, 200)
  const waiting: (() => void)[] = []
  const shop = await openReceiver((_request, reply) => {
    waiting.push(() => {
      reply.writeHead(200, { 'content-type': 'image/png' }).end(good)
    })
  })
  t.teardown(() => shop.close())
  const now = new Date().toISOString()
  const imageUrl = `http://127.0.0.1:${shop.port}/a.png`
  for (const id of ['one', 'two']) await addPending(app, id, imageUrl, now)
  const productImages = createProductImages({ store: app.store, queue: app.queue, outbound: app.outbound })
  const stop = new AbortController()
  const [one, two] = [
    { accountId: 'acme', projectId: 'one' },
    { accountId: 'acme', projectId: 'two' }
  ]
  const first = productImages.check(one, stop.signal)
  await eventually(() => waiting.length === 1, 'the first check')
  const second = productImages.check(two, new AbortController().signal)
  stop.abort()
  await first
  await eventually(() => waiting.length === 2, 'the second check')
  for (const answer of waiting) answer()
  await second
  const found = async (project: typeof one) => (await app.store.products.findByExternalIds(project, ['a']))[0]!
  t.match(await found(two), { imageCheckPendingSince: null, imageCheck: { url: imageUrl, warning: null } })
  t.match(await found(one), { imageCheckPendingSince: now, imageCheck: null }, 'the check is still pending')
  await productImages.check(one, new AbortController().signal)
  t.match(await found(one), { imageCheckPendingSince: null, imageCheck: { warning: null } })
})

t.test('a server that does not respond is unreachable', async (t) => {
  const app = await startApp(t, { OUTBOUND_ALLOW: '127.0.0.1' })
  await afterSweep(app)
  const silent = await openTcp()
  t.teardown(() => silent.close())
  await addPending(app, 'one', `http://127.0.0.1:${silent.port}/a.png`, new Date().toISOString())
  const outbound: Outbound = {
    ...app.outbound,
    send: async (request) => await app.outbound.send({ ...request, timeoutMs: 300 })
  }
  const project = { accountId: 'acme', projectId: 'one' }
  await createProductImages({ store: app.store, queue: app.queue, outbound }).check(
    project,
    new AbortController().signal
  )
  const [product] = await app.store.products.findByExternalIds(project, ['a'])
  t.match(product, { imageCheckPendingSince: null, imageCheck: { warning: { code: 'picture_unreachable' } } })
})
