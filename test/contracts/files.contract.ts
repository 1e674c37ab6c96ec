import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ByteRange, Files } from '../../ports/files/port.ts'
import type { ContractCase } from './contract.ts'

export type OpenFiles = () => Promise<Files>

function files(title: string, body: (files: Files) => Promise<void>): ContractCase<OpenFiles> {
  return {
    title,
    async run(open) {
      const opened = await open()
      try {
        await body(opened)
      } finally {
        await opened.close()
      }
    }
  }
}

const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
const LARGE = Buffer.alloc(3_000_017, ALL_BYTES)
const INVALID_KEYS = [
  '',
  '/',
  '.',
  '..',
  '/etc/passwd',
  '../outside',
  'a/../../outside',
  'a/..',
  'a/./b',
  'a//b',
  'a/',
  '/a',
  'a\0b',
  'a b',
  'a\\b',
  'C:\\a',
  'a:b',
  'é',
  'a~b',
  'a+b',
  'a%2fb',
  'a\n',
  'a/b\n',
  'a?b',
  'a'.repeat(513),
  `${'a/'.repeat(256)}a`
]
const VALID_KEYS = [
  'a',
  '-',
  '_',
  '...',
  '.hidden',
  'a..b',
  'x.tar.gz',
  'a'.repeat(512),
  'A'.repeat(512),
  `${'a/'.repeat(255)}aa`,
  'Incoming',
  'incoming',
  'a/Incoming/b',
  'images/0198c0de-0000-7000-8000-000000000000/Photo-1_w640.webp'
]

/** A stream that fails after these chunks. */
function failing(chunks: Buffer[], error: Error): Readable {
  return Readable.from(
    (async function* () {
      yield* chunks
      throw error
    })(),
    { objectMode: false }
  )
}

async function streamed(files: Files, key: string, range?: ByteRange): Promise<Buffer | null> {
  const stream = await files.stream(key, range)
  return stream === null ? null : await buffer(stream)
}

/**
 * Compares bytes and prints only their start: the assertion library would take minutes to print the
 * difference of long ones.
 */
function same(actual: Buffer | null, expected: Buffer, what = 'the bytes'): void {
  const brief = (bytes: Buffer | null) =>
    bytes === null ? 'none' : `${bytes.length} bytes (${JSON.stringify(bytes.toString('latin1', 0, 20))})`
  assert.ok(actual !== null && expected.equals(actual), `${what}: ${brief(actual)} instead of ${brief(expected)}`)
}

export const filesContract: ReadonlyArray<ContractCase<OpenFiles>> = [
  files('any bytes are read back unchanged', async (files) => {
    assert.equal(await files.put('images/b/all.bin', ALL_BYTES), 256)
    same(await files.read('images/b/all.bin'), ALL_BYTES)
    assert.equal(await files.size('images/b/all.bin'), 256)
    same(await streamed(files, 'images/b/all.bin'), ALL_BYTES)
  }),

  files('a stream is stored like bytes, and put returns their number', async (files) => {
    const chunks = Array.from({ length: 50 }, (_, index) => LARGE.subarray(index * 60_001, (index + 1) * 60_001))
    const bytes = Buffer.concat(chunks)
    assert.equal(await files.put('imports/1/rows', Readable.from(chunks, { objectMode: false })), bytes.length)
    same(await files.read('imports/1/rows'), bytes)
    assert.equal(await files.size('imports/1/rows'), bytes.length)
  }),

  files('a view of a larger buffer is stored without the rest of the buffer', async (files) => {
    await files.put('part', new Uint8Array(ALL_BYTES.buffer, ALL_BYTES.byteOffset + 10, 5))
    same(await files.read('part'), Buffer.from([10, 11, 12, 13, 14]))
  }),

  files('an empty file is a file', async (files) => {
    assert.equal(await files.put('empty', new Uint8Array()), 0)
    assert.equal(await files.put('empty-stream', Readable.from([], { objectMode: false })), 0)
    for (const key of ['empty', 'empty-stream']) {
      same(await files.read(key), Buffer.alloc(0))
      assert.equal(await files.size(key), 0)
      same(await streamed(files, key), Buffer.alloc(0))
    }
  }),

  files('a missing file reads as null, and removing it is no error', async (files) => {
    assert.equal(await files.read('a/b'), null)
    assert.equal(await files.size('a/b'), null)
    assert.equal(await files.stream('a/b'), null)
    assert.equal(await files.stream('a/b', { start: 0, end: 9 }), null)
    await files.remove('a/b')
    await files.removeAll('a')
  }),

  files('a shorter file replaces all bytes of a longer one', async (files) => {
    await files.put('a', LARGE)
    await files.put('a', Buffer.from('short'))
    same(await files.read('a'), Buffer.from('short'))
    assert.equal(await files.size('a'), 5)
  }),

  files('a failed stream leaves nothing, and put rejects with its error', async (files) => {
    const error = new Error('the upload broke off')
    const stream = failing([LARGE], error)
    await assert.rejects(files.put('a/b', stream), error)
    assert.equal(await files.read('a/b'), null)
    assert.equal(await files.size('a/b'), null)
    assert.equal(stream.destroyed, true)
  }),

  files('a failed stream leaves the previous file', async (files) => {
    await files.put('a', Buffer.from('before'))
    await assert.rejects(files.put('a', failing([LARGE, LARGE], new Error('broken'))))
    same(await files.read('a'), Buffer.from('before'))
  }),

  files('a stream that is destroyed without an error is not stored', async (files) => {
    const cut = new Readable({ read() {} })
    cut.push('half')
    const putting = files.put('a', cut)
    setImmediate(() => cut.destroy())
    await assert.rejects(putting)
    const dead = Readable.from([Buffer.from('x')])
    dead.destroy()
    await assert.rejects(files.put('a', dead))
    assert.equal(await files.read('a'), null)
  }),

  files('put rejects with the error of a stream that fails before it is read', async (files) => {
    const stream = new Readable({ read() {} })
    const putting = files.put('a', stream)
    stream.destroy(new Error('at once'))
    await assert.rejects(putting, /at once/)
    assert.equal(await files.read('a'), null)
  }),

  files('every method rejects an invalid key', async (files) => {
    for (const key of INVALID_KEYS) {
      const label = JSON.stringify(key.slice(0, 20))
      await assert.rejects(files.put(key, ALL_BYTES), Error, `put ${label}`)
      await assert.rejects(files.read(key), Error, `read ${label}`)
      await assert.rejects(files.size(key), Error, `size ${label}`)
      await assert.rejects(files.stream(key), Error, `stream ${label}`)
      await assert.rejects(files.remove(key), Error, `remove ${label}`)
      await assert.rejects(files.removeAll(key), Error, `removeAll ${label}`)
    }
  }),

  files('the stream of a rejected key is destroyed', async (files) => {
    const stream = Readable.from([Buffer.from('x')])
    await assert.rejects(files.put('../a', stream))
    assert.equal(stream.destroyed, true)
  }),

  files('every valid key names a file of its own', async (files) => {
    for (const key of VALID_KEYS) await files.put(key, Buffer.from(key))
    for (const key of VALID_KEYS) same(await files.read(key), Buffer.from(key))
  }),

  files('keys that differ only in case are different files', async (files) => {
    const keys = ['photo/a.png', 'photo/A.png', 'Photo/a.png', 'PHOTO/A.PNG']
    for (const key of keys) await files.put(key, Buffer.from(key))
    for (const key of keys) same(await files.read(key), Buffer.from(key))
    await files.removeAll('photo')
    assert.deepEqual(await Promise.all(keys.map(async (key) => (await files.size(key)) !== null)), [
      false,
      false,
      true,
      true
    ])
  }),

  files('a key may be the prefix of other keys, in either order', async (files) => {
    for (const key of ['a', 'a/b', 'a/b/c', 'z/y', 'z']) await files.put(key, Buffer.from(key))
    for (const key of ['a', 'a/b', 'a/b/c', 'z/y', 'z']) same(await files.read(key), Buffer.from(key))
  }),

  files('removing one file leaves its neighbors', async (files) => {
    for (const key of ['a/1', 'a/10', 'a/1/x']) await files.put(key, Buffer.from(key))
    await files.remove('a/1')
    assert.equal(await files.read('a/1'), null)
    assert.equal(await files.size('a/1'), null)
    same(await files.read('a/10'), Buffer.from('a/10'))
    same(await files.read('a/1/x'), Buffer.from('a/1/x'))
  }),

  files('removing a prefix leaves the file at the prefix and keys that only start like it', async (files) => {
    const remaining = ['images/b1', 'images/b10/a', 'images/b1.png', 'images/B1/a', 'b1/a']
    const gone = ['images/b1/a', 'images/b1/b/c', 'images/b1/b1']
    for (const key of [...remaining, ...gone]) await files.put(key, Buffer.from(key))
    await files.removeAll('images/b1')
    for (const key of gone) assert.equal(await files.read(key), null, key)
    for (const key of remaining) same(await files.read(key), Buffer.from(key))
  }),

  files('files can be put under a removed prefix', async (files) => {
    await files.put('a/b/c', Buffer.from('1'))
    await files.removeAll('a')
    await files.put('a/b/c', Buffer.from('2'))
    same(await files.read('a/b/c'), Buffer.from('2'))
  }),

  files('a range includes its start and its end', async (files) => {
    await files.put('a', ALL_BYTES)
    for (const [start, end] of [
      [0, 0],
      [0, 255],
      [10, 19],
      [255, 255],
      [200, 255]
    ] as const) {
      same(await streamed(files, 'a', { start, end }), ALL_BYTES.subarray(start, end + 1), `${start}–${end}`)
    }
    await files.put('large', LARGE)
    const part = await streamed(files, 'large', { start: 999_999, end: 2_000_001 })
    same(part, LARGE.subarray(999_999, 2_000_002))
  }),

  files('a range that exceeds the file ends with the file', async (files) => {
    await files.put('a', ALL_BYTES)
    same(await streamed(files, 'a', { start: 250, end: 10_000 }), ALL_BYTES.subarray(250))
    same(await streamed(files, 'a', { start: 256, end: 300 }), Buffer.alloc(0))
  }),

  files('an invalid range is rejected as a bug', async (files) => {
    await files.put('a', ALL_BYTES)
    for (const range of [
      { start: -1, end: 5 },
      { start: 5, end: 4 },
      { start: 0.5, end: 4 },
      { start: 0, end: NaN }
    ]) {
      await assert.rejects(files.stream('a', range), Error)
    }
  }),

  files('concurrent puts leave one complete file, and readers never see a mixture', async (files) => {
    const versions = Array.from({ length: 12 }, (_, index) => Buffer.alloc(40_000 + index * 10_000, index + 1))
    const whole = (bytes: Buffer) => versions.some((version) => version.equals(bytes))
    await files.put('a', versions[0] as Buffer)
    const putting = Promise.all(
      versions.map(
        async (version) =>
          await files.put(
            'a',
            Readable.from([version.subarray(0, 20_000), version.subarray(20_000)], { objectMode: false })
          )
      )
    )
    putting.catch(() => {})
    for (let reads = 0; reads < 20; reads++) assert.ok(whole((await files.read('a')) as Buffer), 'a mixture was read')
    assert.deepEqual(
      await putting,
      versions.map(({ length }) => length)
    )
    assert.ok(whole((await files.read('a')) as Buffer))
  }),

  files('the later of two puts wins', async (files) => {
    for (let version = 0; version < 30; version++) {
      await files.put('a', Buffer.from(String(version)))
      same(await files.read('a'), Buffer.from(String(version)))
    }
  }),

  files('files that are put during a removal are complete or missing', async (files) => {
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        if (index % 3 === 0) await files.removeAll('a')
        else await files.put(`a/b/${index}`, ALL_BYTES)
      })
    )
    for (let index = 0; index < 30; index++) {
      const bytes = await files.read(`a/b/${index}`)
      assert.ok(bytes === null || bytes.equals(ALL_BYTES))
    }
    await files.put('a/b/1', ALL_BYTES)
    same(await files.read('a/b/1'), ALL_BYTES)
  }),

  files('files are listed by key in pages, with sizes and times', async (files) => {
    const keys = [
      'a',
      'a-b',
      'a/b',
      'a/b/c',
      'a0',
      'A/z',
      'b/Photo.PNG',
      'b/photo.png',
      'x'.repeat(512),
      `${'y'.repeat(250)}/z`,
      `${'y'.repeat(250)}-/z`,
      `${'y'.repeat(251)}/z`,
      `${'y'.repeat(250)}z`
    ]
    for (const key of keys) await files.put(key, Buffer.from(key))
    const before = Date.now()
    const sorted = keys.toSorted((a, b) => (a < b ? -1 : 1))
    const listed = await files.list({ afterKey: null, limit: 100 })
    assert.deepEqual(
      listed.map(({ key, size }) => [key, size]),
      sorted.map((key) => [key, key.length])
    )
    for (const { putAt } of listed) {
      assert.ok(Math.abs(Date.parse(putAt) - before) < 60_000 && new Date(putAt).toISOString() === putAt, putAt)
    }
    const paged: string[] = []
    for (let afterKey: string | null = null, pages = 0; pages < keys.length; pages++) {
      const page = await files.list({ afterKey, limit: 2 })
      paged.push(...page.map(({ key }) => key))
      if (page.length < 2) break
      afterKey = page.at(-1)!.key
    }
    assert.deepEqual(paged, sorted)
    assert.deepEqual(
      (await files.list({ afterKey: 'a/aaa', limit: 2 })).map(({ key }) => key),
      ['a/b', 'a/b/c'],
      'after a key that is not there'
    )
  }),

  files('a list with a prefix has only the files below it', async (files) => {
    for (const key of ['a', 'a/b', 'a/c/d', 'a-/x', 'aa/x', 'b/a/b']) await files.put(key, Buffer.from(key))
    assert.deepEqual(
      (await files.list({ prefix: 'a', afterKey: null, limit: 9 })).map(({ key }) => key),
      ['a/b', 'a/c/d']
    )
    assert.deepEqual(
      (await files.list({ prefix: 'a', afterKey: 'a/b', limit: 9 })).map(({ key }) => key),
      ['a/c/d']
    )
    assert.deepEqual(
      (await files.list({ prefix: 'a', afterKey: 'A', limit: 1 })).map(({ key }) => key),
      ['a/b']
    )
    await files.remove('a/b')
    assert.deepEqual(
      (await files.list({ prefix: 'a', afterKey: null, limit: 9 })).map(({ key }) => key),
      ['a/c/d']
    )
    assert.deepEqual(await files.list({ prefix: 'none', afterKey: null, limit: 9 }), [])
    await assert.rejects(files.list({ prefix: '../a', afterKey: null, limit: 9 }), Error)
  }),

  files('a probe leaves no file behind, and is rejected after closing', async (files) => {
    await files.put('a', ALL_BYTES)
    for (let n = 0; n < 3; n++) await files.probe()
    assert.deepEqual(
      (await files.list({ afterKey: null, limit: 9 })).map(({ key }) => key),
      ['a']
    )
    await files.close()
    await assert.rejects(files.probe())
  }),

  files('closing waits for running puts and rejects later ones', async (files) => {
    const putting = files.put('a', LARGE)
    let done = false
    putting.then(
      () => {
        done = true
      },
      () => {}
    )
    await files.close()
    assert.equal(done, true)
    await assert.rejects(files.put('b', ALL_BYTES))
  })
]
