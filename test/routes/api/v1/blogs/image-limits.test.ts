import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { buildVisualCheck } from '../../../../contracts/store/fixtures/visual-checks.ts'
import { MAX_IMAGES_PER_BLOG } from '../../../../../schemas/image.ts'
import { client, publish, startApp } from '../../../../helper.ts'
import { halves } from '../../../../services/images/sample-images.ts'

const unused = { width: 10, height: 10, bytes: 1, type: 'image/png', alt: '', createdAt: '2026-01-01T00:00:00.000Z' }

const png = await halves(1400, 700).png().toBuffer()

t.test('an address is limited by the images that are created for it, not by its requests', async (t) => {
  const app = await startApp(t, { IMAGE_VARIANTS_PER_HOUR: '2', ADDRESS_REQUESTS_PER_HOUR: '5' })
  const call = await client(app)
  const { id } = await publish(call, { title: 'With images' })
  const upload = await call('POST', `/api/v1/blogs/${id}/images?filename=a.png`, png, { 'content-type': 'image/png' })
  const path = new URL((upload.json() as { url: string }).url).pathname
  const get = async (query = '', remoteAddress = '192.0.2.1') => await app.inject({ url: path + query, remoteAddress })

  const first = await get('?w=320')
  t.equal(first.statusCode, 200)
  t.match(first.headers, { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '2' })
  t.equal((await get('?w=640')).statusCode, 200)
  for (let i = 0; i < 10; i++) t.equal((await get('?w=320')).statusCode, 200, 'existing images are not limited')
  t.equal((await get()).statusCode, 200)
  const rejected = await get('?w=960')
  t.match(rejected.json(), {
    status: 429,
    code: 'rate_limited',
    detail: /^The limit of 2 new image variants per hour has been reached\. Retry in \d+ s\.$/
  })
  t.match(rejected.headers, { 'retry-after': /^\d+$/, 'x-ratelimit-remaining': '0' })
  t.equal((await get('?w=960', '192.0.2.2')).statusCode, 200, 'another address has its own limit')
  t.equal((await get('?w=960')).statusCode, 200, 'and then the image exists')

  await app.store.visualChecks.add(
    buildVisualCheck({ accountId: 'acme', blogId: id, status: 'running', finishedAt: null }),
    10
  )
  t.equal((await get('?w=1280')).statusCode, 200, 'a visual check finds all images of its blog')
})

t.test('a blog has at most 500 images, which are read once for all requests for social images', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = await publish(call, { title: 'With many images' })
  for (let n = 1; n < MAX_IMAGES_PER_BLOG; n++) {
    const names = { filename: `${n}.png`, originalName: `${n}.png`, hash: `hash ${n}` }
    await app.store.images.insertIfAbsent({ accountId: 'acme', blogId: id, ...names, ...unused })
  }
  const upload = async (bytes: Buffer) =>
    await call('POST', `/api/v1/blogs/${id}/images?filename=a.png`, bytes, { 'content-type': 'image/png' })
  t.equal((await upload(png)).statusCode, 201)
  t.equal((await upload(png)).statusCode, 200, 'the same image again')
  t.match((await upload(await halves(20, 20).png().toBuffer())).json(), {
    status: 409,
    code: 'too_many_images',
    detail: 'A blog may have at most 500 images.'
  })
  t.equal((await call('GET', `/api/v1/blogs/${id}/images`)).json<{ images: [] }>().images.length, MAX_IMAGES_PER_BLOG)

  let reads = 0
  const { list } = app.store.images
  app.store.images.list = async (...args) => {
    reads += 1
    return await list(...args)
  }
  const get = async (n: number) => await app.inject({ url: `/api/v1/blogs/images/${id}/og-${n}123456789abcdef.jpg` })
  for (let n = 1; n <= 2; n++) await get(n)
  await call('PATCH', `/api/v1/blogs/${id}`, { title: 'Many images' })
  reads = 0
  const responses = await Promise.all([1, 2, 3, 4, 5].map(get))
  t.same([...new Set(responses.map(({ statusCode }) => statusCode))], [404])
  t.equal(reads, 1)
})

t.test('an upload that was received waits for others of its account instead of being sent again', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = await publish(call, { title: 'With images' })
  const { images } = app.store
  const insert = images.insertIfAbsent
  const longerThanOtherRequestsWait = sleep(10_500)
  images.insertIfAbsent = async (image) => {
    await longerThanOtherRequestsWait
    return await insert(image)
  }
  const uploads = Array.from({ length: 10 }, async (_, n) => {
    const bytes = await halves(20 + 2 * n, 20)
      .png()
      .toBuffer()
    const path = `/api/v1/blogs/${id}/images?filename=${n}.png`
    return (await call('POST', path, bytes, { 'content-type': 'image/png' })).statusCode
  })
  t.strictSame(new Set(await Promise.all(uploads)), new Set([201]))
})

t.test('other requests of an account do not wait for its uploads', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = await publish(call, { title: 'With images' })
  const { images } = app.store
  const insert = images.insertIfAbsent
  const [inserting, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  images.insertIfAbsent = async (image) => {
    inserting.resolve()
    await released.promise
    return await insert(image)
  }
  const states = { uploaded: 0 }
  const uploads = Array.from({ length: 20 }, async (_, n) => {
    const bytes = await halves(20 + 2 * n, 20)
      .png()
      .toBuffer()
    const path = `/api/v1/blogs/${id}/images?filename=${n}.png`
    t.equal((await call('POST', path, bytes, { 'content-type': 'image/png' })).statusCode, 201)
    states.uploaded += 1
  })
  await inserting.promise
  const changes = Array.from(
    { length: 10 },
    async (_, n) => await call('PATCH', `/api/v1/blogs/${id}`, { title: `${n}` })
  )
  t.strictSame(new Set((await Promise.all(changes)).map(({ statusCode }) => statusCode)), new Set([200]))
  t.equal(states.uploaded, 0)
  released.resolve()
  await Promise.all(uploads)
})
