import { readdirSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { openDiskFiles } from '../../../../ports/files/disk/index.ts'
import { runAndKill } from '../../../fixtures/files/run-and-kill.ts'
import { createSeededRandom } from '../../../fixtures/seeded-random.ts'

const ROUNDS = 12

t.test('a process that is killed during a put leaves the old file intact', async (t) => {
  const root = t.testdir()
  const before = await openDiskFiles(root)
  await before.put('a/b', Buffer.from('old'))
  await runAndKill(root, 'incomplete')
  t.equal(readdirSync(path.join(root, '+incoming')).length, 1, 'the incomplete file exists')
  const after = await openDiskFiles(root)
  t.equal(String(await after.read('a/b')), 'old')
  t.equal(readdirSync(path.join(root, '+incoming')).length, 0, 'the next start deletes it')
})

t.test('a process that is killed during its first put leaves no file', async (t) => {
  const root = t.testdir()
  await runAndKill(root, 'incomplete')
  t.equal(await (await openDiskFiles(root)).size('a/b'), null)
})

const seed = Date.now() % 2 ** 32
t.test(`a process that is killed at any time leaves one complete version of the file (seed ${seed})`, async (t) => {
  const random = createSeededRandom(seed)
  const root = t.testdir()
  const versions = { a: Buffer.alloc(400_000, 'a'), b: Buffer.alloc(250_000, 'b') }
  for (let round = 0; round < ROUNDS; round++) {
    await runAndKill(root, 'repeat', { lines: 1 + Math.floor(random() * 4), thenMs: random() * 10 })
    const bytes = (await (await openDiskFiles(root)).read('a/b')) as Buffer
    t.ok(
      versions.a.equals(bytes) || versions.b.equals(bytes),
      `round ${round}: ${bytes.length} bytes of ${String(bytes.subarray(0, 1))}`
    )
  }
})
