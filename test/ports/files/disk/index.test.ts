import { readdirSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { openDiskFiles } from '../../../../ports/files/disk/index.ts'
import { openFiles } from '../../../../ports/files/open.ts'
import { runCase } from '../../../contracts/contract.ts'
import { filesContract } from '../../../contracts/files.contract.ts'

t.test('files on the disk', async (t) => {
  for (const [index, one] of filesContract.entries()) {
    t.test(one.title, async (t) => {
      await runCase(one, () => openDiskFiles(path.join(t.testdir(), String(index))))
      t.pass()
    })
  }
})

/** All paths below a folder. */
const namesBelow = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

t.test('a missing folder is created, and nothing but the files is left in it', async (t) => {
  const dataDir = path.join(t.testdir(), 'new/data')
  const files = await openFiles({ dataDir })
  await files.put('images/b/A.png', Buffer.from('a'))
  await files.put('images/b/A.png', Buffer.from('b'))
  await files.remove('images/b/none')
  await files.put('gone/x', Buffer.from('x'))
  await files.removeAll('gone')
  await files.close()
  t.same(namesBelow(path.join(dataDir, 'files')), ['+incoming', 'images~', 'images~/b~', 'images~/b~/~a.png'])
})

t.test('files are available to the next process', async (t) => {
  const root = t.testdir()
  const before = await openDiskFiles(root)
  await before.put('a', Buffer.from('kept'))
  await before.close()
  t.equal(String(await (await openDiskFiles(root)).read('a')), 'kept')
})

t.test('incomplete files of an earlier crash are deleted at the start', async (t) => {
  const root = t.testdir({ '+incoming': { half: 'half', removed: { x: 'x' } } })
  await openDiskFiles(root)
  t.same(namesBelow(root), ['+incoming'])
})

t.test('a reader of a file that is replaced or removed reads the old bytes to the end', async (t) => {
  const files = await openDiskFiles(t.testdir())
  const old = Buffer.alloc(1_000_000, 'old')
  await files.put('a/b', old)
  const reader = (await files.stream('a/b')) as Readable
  await files.put('a/b', Buffer.from('new'))
  t.ok(old.equals(await buffer(reader)), 'replaced')
  const other = (await files.stream('a/b')) as Readable
  await files.removeAll('a')
  t.equal(String(await buffer(other)), 'new', 'removed')
})

t.test('a failed put leaves no incomplete file behind', async (t) => {
  const root = t.testdir()
  const files = await openDiskFiles(root)
  await t.rejects(
    files.put(
      'a/b',
      Readable.from(
        (async function* () {
          yield Buffer.alloc(100_000)
          throw new Error('broken')
        })(),
        { objectMode: false }
      )
    )
  )
  t.same(namesBelow(root), ['+incoming'])
})

t.test('a folder that cannot be used is reported at the start', async (t) => {
  const folder = t.testdir({ file: 'not a folder' })
  await t.rejects(openDiskFiles(path.join(folder, 'file')), { name: 'StartError', message: /cannot be used/ })
})
