import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import t from 'tap'
import type { Test } from 'tap'
import type { GeneratedKind } from '../../../ports/store/port.ts'
import { STORAGE_LIMITS } from '../../../schemas/account.ts'
import { createGeneratedFiles } from '../../../services/generated-files.ts'
import { openTestFiles, openTestStore, temporaryFolder } from '../../helper.ts'
import { createImages } from '../../../services/images/index.ts'
import { createImageProcessor } from '../../../services/images/processor/index.ts'
import { alike, animation, colorAt, photograph } from './sample-images.ts'

const accountId = 'account-a'
const blogId = '01890a5d-ac96-774b-bcce-b302099a8057'
const blogExists = async () => true
const ORIGIN = 'https://content.example'
const CHROME = 'image/avif,image/webp,image/apng,*/*;q=0.8'

/**
 * The service over the adapters of the profile. `written` collects the keys of stored files.
 */
async function open(t: Test, { maxConcurrent = 2, memoryBytes = 1024 ** 3 } = {}) {
  const dir = temporaryFolder(t)
  const store = await openTestStore(dir)
  const disk = await openTestFiles(dir)
  t.teardown(async () => {
    await disk.close()
    await store.close()
  })
  const written: string[] = []
  const files = {
    ...disk,
    put: (key: string, bytes: Uint8Array | Readable) => {
      written.push(key.split('/').slice(3).join('/'))
      return disk.put(key, bytes)
    }
  }
  const storage = { limits: async () => STORAGE_LIMITS.starter }
  const generatedFiles = createGeneratedFiles({ store, files, storage })
  const records = store.images
  return {
    images: createImages({
      ...{ images: records, files, generatedFiles, processor },
      ...{ origin: ORIGIN, memoryBytes, maxConcurrent }
    }),
    ...{ files: disk, records, written },
    /** The keys of the records of generated files, the oldest first. */
    generated: async (kind: GeneratedKind) =>
      (await store.generatedFiles.oldest(accountId, kind, { before: '~', limit: 1000 })).map(({ key }) => key)
  }
}

const keyOf = (filename: string, name: string): string => `images/${blogId}/${filename}/${name}`
const photo = await photograph(800, 500)
const processor = createImageProcessor({ environment: {} })
t.teardown(() => processor.close())
const upload = (bytes: Buffer, name = 'Our Team.jpg') => ({
  accountId,
  blogId,
  name,
  alt: 'The team',
  load: async () => bytes
})

t.test('an upload is re-encoded under a name with its hash, and the original is stored', async (t) => {
  const { images, files, records, written } = await open(t)
  const { image, added } = await images.upload(upload(photo))
  const hash = createHash('sha256').update(photo).digest('hex')
  t.ok(added)
  t.match(image, {
    filename: `our-team-${hash.slice(0, 12)}.jpg`,
    originalName: 'Our Team.jpg',
    alt: 'The team',
    width: 800,
    height: 500,
    type: 'image/jpeg',
    hash
  })
  t.same(written, ['original', 'base'])
  t.same(await files.read(keyOf(image.filename, 'original')), photo)
  t.same(await records.find(blogId, image.filename), image)

  const delivered = await images.deliver({ image })
  const bytes = await buffer(await delivered.open())
  t.match(delivered, {
    type: 'image/jpeg',
    size: image.bytes,
    immutable: true,
    variesByAccept: false,
    etag: /^"[\w-]+"$/
  })
  t.equal(delivered.lastModified, new Date(image.createdAt).toUTCString())
  t.equal(bytes.length, image.bytes)
  t.notSame(bytes, photo)
  t.same(await buffer(await delivered.open({ start: 10, end: 19 })), bytes.subarray(10, 20))
  t.same(images.toImage(image).sizes, [
    { width: 320, url: `${ORIGIN}/api/v1/blogs/images/${blogId}/${image.filename}?w=320` },
    { width: 640, url: `${ORIGIN}/api/v1/blogs/images/${blogId}/${image.filename}?w=640` }
  ])
})

t.test('the same bytes under another name are the same image', async (t) => {
  const { images, records, written } = await open(t)
  const first = await images.upload(upload(photo))
  t.same(await images.upload(upload(photo, 'again.jpg')), { image: first.image, added: false })
  t.equal(written.length, 2)
  const both = await Promise.all([
    images.upload({ ...upload(photo), blogId: 'other' }),
    images.upload({ ...upload(photo), blogId: 'other' })
  ])
  t.equal(both.filter(({ added }) => added).length, 1)
  t.equal((await records.list(accountId, 'other')).length, 1)
})

t.test('an unreadable image leaves no files', async (t) => {
  const { images, records, written } = await open(t)
  await t.rejects(images.upload(upload(photo.subarray(0, 5000))), { code: 'malformed_image' })
  t.same(written, [])
  t.same(await records.list(accountId, blogId), [])
})

t.test('a variant is created by the first request and stored for others', async (t) => {
  const { images, written } = await open(t)
  const { image } = await images.upload(upload(photo))
  for (const [request, expected] of [
    [{ width: 320 }, { name: '320.jpeg', type: 'image/jpeg', format: 'jpeg', width: 320 }],
    [
      { width: 640, format: 'webp' },
      { name: '640.webp', type: 'image/webp', format: 'webp', width: 640 }
    ],
    [
      { width: 320, format: 'avif' },
      { name: '320.avif', type: 'image/avif', format: 'heif', width: 320 }
    ],
    [{ format: 'png' }, { name: 'full.png', type: 'image/png', format: 'png', width: 800 }],
    [
      { width: 1920, format: 'webp' },
      { name: 'full.webp', type: 'image/webp', format: 'webp', width: 800 }
    ]
  ] as const) {
    written.length = 0
    const first = await images.deliver({ image, ...request })
    const bytes = await buffer(await first.open())
    t.match(await sharp(bytes).metadata(), { format: expected.format, width: expected.width }, expected.name)
    t.match(first, { type: expected.type, size: bytes.length, immutable: true })
    t.equal((await images.deliver({ image, ...request })).etag, first.etag)
    t.same(written, [expected.name])
  }
  written.length = 0
  t.match(await images.deliver({ image, width: 1920, format: 'jpeg' }), { size: image.bytes })
  t.same(written, [], 'the default variant is stored already')
})

t.test('every variant has its own ETag', async (t) => {
  const { images } = await open(t)
  const { image } = await images.upload(upload(photo))
  const all = await Promise.all(
    [undefined, 320, 640].flatMap((width) =>
      (['jpeg', 'webp', 'png'] as const).map((format) =>
        images.deliver({ image, format, ...(width && { width: width as 320 }) })
      )
    )
  )
  t.equal(new Set(all.map(({ etag }) => etag)).size, 9)
})

t.test('format=auto delivers the best format that the client names', async (t) => {
  const { images } = await open(t)
  const { image } = await images.upload(upload(photo))
  t.match(await images.deliver({ image, width: 320, format: 'auto', accept: CHROME }), {
    type: 'image/avif',
    variesByAccept: true
  })
  t.match(await images.deliver({ image, width: 320, format: 'auto', accept: 'image/webp' }), {
    type: 'image/webp',
    variesByAccept: true
  })
  t.match(await images.deliver({ image, width: 320, format: 'auto' }), { type: 'image/jpeg', variesByAccept: true })
  const moving = (await images.upload(upload(await animation('gif', 4, 700), 'demo.gif'))).image
  t.equal(moving.type, 'image/webp')
  const delivered = await images.deliver({ image: moving, width: 320, format: 'auto', accept: CHROME })
  t.match(await sharp(await buffer(await delivered.open())).metadata(), { format: 'webp', pages: 4, width: 320 })
})

t.test('a hundred concurrent requests for a missing variant create it once', async (t) => {
  const { images, written } = await open(t, { maxConcurrent: 1 })
  const { image } = await images.upload(upload(photo))
  written.length = 0
  const all = await Promise.all(
    Array.from({ length: 100 }, () => images.deliver({ image, width: 640, format: 'webp' }))
  )
  t.same(written, ['640.webp'])
  t.equal(new Set(all.map(({ etag }) => etag)).size, 1)
})

t.test('too many concurrent variants are rejected as busy, and succeed when retried', async (t) => {
  const { images } = await open(t, { maxConcurrent: 1 })
  const many = await Promise.all(
    Array.from({ length: 40 }, async (_, i) =>
      sharp({ create: { width: 400, height: 300, channels: 3, background: { r: i, g: 0, b: 0 } } })
        .png()
        .toBuffer()
    )
  )
  const records = []
  for (const bytes of many) records.push((await images.upload(upload(bytes))).image)
  const answers = await Promise.allSettled(
    records.map((image) => images.deliver({ image, width: 320, format: 'webp' }))
  )
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []))
  t.equal(refused.length, 40 - 33, 'one runs and 32 wait')
  for (const reason of refused) t.match(reason, { code: 'busy', options: { headers: { 'Retry-After': '1' } } })
  await t.resolves(Promise.all(records.map((image) => images.deliver({ image, width: 320, format: 'webp' }))))
})

t.test('lost or truncated files are created again from the original', async (t) => {
  const { images, files } = await open(t)
  const { image } = await images.upload(upload(photo))
  const before = await buffer(await (await images.deliver({ image })).open())
  for (const damage of [
    () => files.remove(keyOf(image.filename, 'base')),
    () => files.put(keyOf(image.filename, 'base'), before.subarray(0, 100))
  ]) {
    await damage()
    t.same(await buffer(await (await images.deliver({ image })).open()), before)
  }
  const made = await images.deliver({ image, width: 320 })
  const variant = await images.deliver({ image, width: 320 })
  t.same(
    await buffer(await made.open({ start: 5, end: 9 })),
    (await buffer(await variant.open())).subarray(5, 10),
    'the first and later requests get the same bytes'
  )
  await files.remove(keyOf(image.filename, '320.jpeg'))
  t.equal(
    (await buffer(await variant.open())).length,
    variant.size,
    'also when the file is lost between metadata and bytes'
  )
  await files.put(keyOf(image.filename, '320.jpeg'), Buffer.alloc(0))
  t.equal((await images.deliver({ image, width: 320 })).size, variant.size)
})

t.test('an image without its original is not found until it is uploaded again', async (t) => {
  const { images, files } = await open(t)
  const { image } = await images.upload(upload(photo))
  await files.removeAll(`images/${blogId}`)
  await t.rejects(images.deliver({ image }), { code: 'image_not_found' })
  await files.put(keyOf(image.filename, 'original'), photo.subarray(0, 3000))
  await t.rejects(images.deliver({ image, width: 320 }), { code: 'image_not_found' })
  t.match(await images.upload(upload(photo)), { added: false, image: { filename: image.filename } })
  t.match(await images.deliver({ image, width: 320 }), { type: 'image/jpeg' })
})

t.test('deleting an image removes its files; images of other accounts cannot be deleted', async (t) => {
  const { images, files } = await open(t)
  const { image } = await images.upload(upload(photo))
  await images.deliver({ image, width: 320 })
  t.notOk(await images.remove('another', blogId, image.filename))
  t.ok(await files.size(keyOf(image.filename, 'original')))
  t.ok(await images.remove(accountId, blogId, image.filename))
  for (const name of ['original', 'base', '320.jpeg']) {
    t.equal(await files.size(keyOf(image.filename, name)), null, name)
  }
  t.notOk(await images.remove(accountId, blogId, image.filename))
})

t.test('sizes and social images are recorded as generated until their image or blog is deleted', async (t) => {
  const { images, files, generated } = await open(t)
  const { image } = await images.upload(upload(photo))
  const other = (await images.upload(upload(await photograph(700, 500), 'Other.jpg'))).image
  await images.openSocialImage({ accountId, blogId, title: 'A title', blogExists })
  for (const each of [image, other]) await images.deliver({ image: each, width: 320 })
  await files.remove(keyOf(image.filename, 'base'))
  await images.deliver({ image })
  t.same(
    await generated('image-size'),
    [keyOf(image.filename, '320.jpeg'), keyOf(other.filename, '320.jpeg')],
    'without the default variant, which counts as part of the image'
  )
  t.match(await generated('social-image'), [/^images\/.+\/og-.+\.jpg\/base$/])
  await images.remove(accountId, blogId, image.filename)
  t.same(await generated('image-size'), [keyOf(other.filename, '320.jpeg')])
  await images.removeAll(blogId)
  t.same([...(await generated('image-size')), ...(await generated('social-image'))], [])
})

t.test('deleting a blog removes the files of all its images', async (t) => {
  const { images, files } = await open(t)
  const { image } = await images.upload(upload(photo))
  await images.removeAll(blogId)
  t.equal(await files.size(keyOf(image.filename, 'original')), null)
})

t.test('the social image of a blog with an image is a crop of it, 1200 × 630', async (t) => {
  const { images } = await open(t)
  const wide = await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#208040' } })
    .jpeg()
    .toBuffer()
  const { image } = await images.upload(upload(wide))
  const delivered = await images.openSocialImage({ accountId, blogId, title: 'A title', image, blogExists })
  const bytes = await buffer(await delivered.open())
  t.match(await sharp(bytes).metadata(), { format: 'jpeg', width: 1200, height: 630 })
  t.ok(alike(await colorAt(bytes, 600, 300), [0x20, 0x80, 0x40]))
  t.match(delivered, { type: 'image/jpeg', size: bytes.length, immutable: true })
})

t.test('the social image of a blog without a usable image is a card', async (t) => {
  const { images, files, written } = await open(t)
  const small = (await images.upload(upload(await photograph(300, 200)))).image
  const lost = (await images.upload(upload(await photograph(1300, 700)))).image
  await files.removeAll(`images/${blogId}/${lost.filename}`)
  for (const image of [null, small, lost]) {
    const { open } = await images.openSocialImage({
      accountId,
      blogId,
      title: 'A title',
      brand: 'Harbor & Pine',
      image,
      blogExists
    })
    t.match(await sharp(await buffer(await open())).metadata(), { format: 'jpeg', width: 1200, height: 630 })
  }
  written.length = 0
  await images.openSocialImage({ accountId, blogId, title: 'A title', brand: 'Harbor & Pine', blogExists })
  t.same(written, [], 'the variant is stored')
})

t.test('a former social image remains available after the title changed', async (t) => {
  const { images } = await open(t)
  const { etag } = await images.openSocialImage({ accountId, blogId, title: 'Before', blogExists })
  const filename = `${etag.slice(1).split('-').slice(0, 2).join('-')}.jpg`
  t.match(await images.openFormerSocialImage(blogId, filename), { etag })
  t.equal(await images.openFormerSocialImage(blogId, 'og-0000000000000000.jpg'), null)
  t.equal(await images.openFormerSocialImage(blogId, '../../etc/passwd'), null)
})

t.test('an image that needs more memory than the budget is rejected', async (t) => {
  const { images } = await open(t, { memoryBytes: 800 * 500 * 18 })
  await t.rejects(images.upload(upload(photo)), { code: 'malformed_image', message: /800 × 500 pixels/ })
  const { added } = await images.upload(upload(await photograph(700, 500)))
  t.ok(added)
})
