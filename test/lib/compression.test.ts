import { createHook } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { runAsOwner } from '../../lib/async.ts'
import { compress, createCompressor, decompress, type Compressor } from '../../lib/http/compression.ts'
import type { ContentCoding } from '../../lib/http/negotiation.ts'

t.test('owners take turns while large bodies are compressed', async (t) => {
  const body = Buffer.from(randomBytes(400_000).toString('base64'))
  const ended: string[] = []
  const start = (owner: string) =>
    runAsOwner(owner, () => compress(body, 'br')).then((bytes) => {
      t.ok(bytes.length < body.length)
      ended.push(owner)
    })
  await Promise.all([...Array.from({ length: 8 }, () => start('many')), start('other')])
  // It begins as the fourth, beside another one that may end first.
  t.ok(ended.indexOf('other') <= 4, ended.join(' '))
})

t.test('a body waits for parts of larger ones, not for the end of them', async (t) => {
  const [huge, large] = [8_000_000, 60_000].map((bytes) => Buffer.from(randomBytes(bytes).toString('base64')))
  const ended: string[] = []
  const start = async (owner: string, body: Buffer, coding: ContentCoding) => {
    const bytes = await runAsOwner(owner, () => compress(body, coding))
    ended.push(owner)
    return bytes
  }
  const all = [1, 2, 3].flatMap((n) => (['br', 'gzip'] as const).map((coding) => start(`huge-${n}`, huge!, coding)))
  const other = await start('other', large!, 'br')
  t.same(ended, ['other'])
  t.ok(brotliDecompressSync(other).equals(large!))
  const compressed = await Promise.all(all)
  t.ok(brotliDecompressSync(compressed[0]!).equals(huge!))
  t.ok(gunzipSync(compressed[1]!).equals(huge!))
})

t.test('of many bodies of an owner, two are compressed at a time, so that few encoders have memory', async (t) => {
  let encoders = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'ZLIB') encoders += 1
    }
  }).enable()
  t.teardown(() => hook.disable())
  const body = Buffer.from(randomBytes(2_000_000).toString('base64'))
  const all = Array.from({ length: 12 }, () => runAsOwner('many', () => compress(body, 'br')))
  await Promise.race(all)
  t.ok(encoders >= 2 && encoders <= 4, `${encoders} when the first body is compressed`)
  await Promise.all(all)
  t.equal(encoders, 12)
})

t.test('bodies are decompressed in the same turns, up to a limit', async (t) => {
  const text = randomBytes(400_000).toString('base64')
  const body = await compress(Buffer.from(text), 'br')
  const ended: string[] = []
  const start = (owner: string) =>
    runAsOwner(owner, async () => {
      t.equal((await decompress(body, text.length)).toString() === text, true)
      ended.push(owner)
    })
  await Promise.all([...Array.from({ length: 8 }, () => start('many')), start('other')])
  // It begins as the fourth, beside another one that may end first.
  t.ok(ended.indexOf('other') <= 4, ended.join(' '))
  await t.rejects(decompress(body, text.length - 1), { code: 'ERR_BUFFER_TOO_LARGE' })
})

t.test('a compressor belongs to the owner that created it', async (t) => {
  const body = Buffer.from(randomBytes(2_000_000).toString('base64'))
  const [many, other] = ['many', 'other'].map((owner) =>
    runAsOwner(owner, () => Array.from({ length: owner === 'many' ? 6 : 1 }, () => createCompressor(body, null)))
  ) as [Compressor[], Compressor[]]
  const ended: string[] = []
  const compressAll = (owner: string, compressors: Compressor[]) =>
    compressors.map(async (compressor) => {
      await compressor.compress('br')
      ended.push(owner)
    })
  await Promise.all([...compressAll('many', many), ...compressAll('other', other)])
  t.ok(ended.indexOf('other') <= 2, ended.join(', '))
})
