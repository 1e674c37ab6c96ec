import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { cacheFiles } from '../../../ports/files/cache/index.ts'
import { openDiskFiles } from '../../../ports/files/disk/index.ts'
import type { Files } from '../../../ports/files/port.ts'
import { runCase } from '../../contracts/contract.ts'
import { filesContract } from '../../contracts/files.contract.ts'

const MB = 1024 * 1024

t.test('cached files satisfy the contract of files', async (t) => {
  for (const [index, one] of filesContract.entries()) {
    t.test(one.title, async (t) => {
      const folder = t.testdir()
      await runCase(one, async () => {
        const files = await openDiskFiles(path.join(folder, String(index)))
        return await cacheFiles(files, { folder, maxBytes: 64 * MB, accepts: () => true })
      })
      t.pass()
    })
  }
})

/** Cached files, and the methods of the files behind the cache that were called, with their keys. */
async function open(t: Test, { maxBytes = MB, maxFileBytes = MB } = {}) {
  const folder = t.testdir()
  const files = await openDiskFiles(path.join(folder, 'files'))
  const calls: string[] = []
  const behind: Files = {
    ...files,
    read: async (key) => {
      calls.push(`read ${key}`)
      return await files.read(key)
    },
    size: async (key) => {
      calls.push(`size ${key}`)
      return await files.size(key)
    },
    stream: async (key, range) => {
      calls.push(`stream ${key}`)
      return await files.stream(key, range)
    }
  }
  const accepts = (key: string): boolean => !key.endsWith('/original')
  const cached = await cacheFiles(behind, { folder, maxBytes, maxFileBytes, accepts })
  const copies = (): string[] => {
    const root = readdirSync(folder).find((name) => name.startsWith('files-'))
    return root === undefined ? [] : readdirSync(path.join(folder, root)).map((name) => path.join(folder, root, name))
  }
  return { files, cached, calls, copies }
}

const text = async (files: Files, key: string, range?: { start: number; end: number }) => {
  const stream = await files.stream(key, range)
  return stream === null ? null : String(await buffer(stream))
}

t.test('a file that was read or written is read again without asking the files behind', async (t) => {
  const { files, cached, calls } = await open(t)
  await files.put('images/a', Buffer.from('0123456789'))
  t.equal(await text(cached, 'images/a', { start: 2, end: 4 }), '234')
  await cached.put('images/b', Buffer.from('written'))
  calls.length = 0
  t.equal(await text(cached, 'images/a'), '0123456789')
  t.equal(await text(cached, 'images/a', { start: 8, end: 9 }), '89')
  t.equal(await cached.size('images/a'), 10)
  t.equal(String(await cached.read('images/a')), '0123456789')
  t.equal(await text(cached, 'images/b'), 'written')
  t.strictSame(calls, [])
})

t.test('files that are not accepted, or too large, are not cached', async (t) => {
  const { cached, calls, copies } = await open(t, { maxFileBytes: 10 })
  await cached.put('images/original', Buffer.from('x'))
  await cached.put('images/large', Buffer.alloc(11, 'x'))
  for (const key of ['images/original', 'images/large']) {
    t.ok(await text(cached, key))
    t.ok(calls.includes(`stream ${key}`))
  }
  t.equal(copies().length, 0)
})

t.test('the cache is limited in bytes and forgets what was not read for longest', async (t) => {
  const { cached, calls, copies } = await open(t, { maxBytes: 25 })
  for (const key of ['a', 'b', 'c']) await cached.put(key, Buffer.alloc(10, key))
  calls.length = 0
  t.equal(await text(cached, 'c'), 'c'.repeat(10))
  t.strictSame(calls, [])
  t.equal(await text(cached, 'a'), 'a'.repeat(10))
  t.ok(calls.length > 0)
  // Copies are removed in the background.
  for (let wait = 0; copies().length > 2 && wait < 100; wait++) await new Promise((resolve) => setTimeout(resolve, 10))
  t.equal(copies().length, 2)
})

t.test('removed and replaced files are not read from the cache', async (t) => {
  const { cached } = await open(t)
  for (const key of ['images/1/a', 'images/1/b', 'images/2/a']) await cached.put(key, Buffer.from('old'))
  await cached.put('images/2/a', Buffer.from('new'))
  await cached.remove('images/1/a')
  t.equal(await text(cached, 'images/1/a'), null)
  t.equal(await text(cached, 'images/1/b'), 'old')
  await cached.removeAll('images/1')
  t.equal(await text(cached, 'images/1/b'), null)
  t.equal(await text(cached, 'images/2/a'), 'new')
})

t.test('copies that disappear from the disk are read again, and none is left when the cache is closed', async (t) => {
  const { cached, copies } = await open(t)
  await cached.put('images/a', Buffer.from('text'))
  for (const copy of copies()) rmSync(copy)
  t.equal(await text(cached, 'images/a'), 'text')
  t.equal(copies().length, 1)
  for (const copy of copies()) rmSync(copy)
  t.equal(String(await cached.read('images/a')), 'text')
  await cached.close()
  t.equal(copies().length, 0)
})
