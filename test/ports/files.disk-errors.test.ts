import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import { openDiskFiles } from '../../ports/files/disk.ts'
import { onDisk } from '../../ports/files/disk-errors.ts'

const ROOT_USER = 0
const NOBODY = 65534

t.test(
  'a write to a full disk is refused as unavailable, and the log is told the cause',
  { skip: process.platform === 'linux' ? false : 'needs /dev/full' },
  async (t) => {
    const full = await open('/dev/full', 'w')
    await t.rejects(
      onDisk(() => full.write(Buffer.from('x'))),
      { name: 'ApiError', code: 'unavailable', retryable: true, cause: { code: 'ENOSPC' } }
    )
    await full.close()
  }
)

t.test('an error that nobody can mend stays what it is', async (t) => {
  await t.rejects(
    onDisk(() => open(t.testdir(), 'w')),
    { code: 'EISDIR' }
  )
})

// The small disk is seen by the process that mounts it only, and goes away with it.
const onSmallDisk = (command: string, root: string, ...rest: string[]) =>
  spawnSync('unshare', ['-rm', 'sh', '-c', `mount -t tmpfs -o size=512k tmpfs "$0" && ${command}`, root, ...rest], {
    encoding: 'utf8'
  })
const noSmallDisk =
  onSmallDisk('true', import.meta.dirname).status === 0 ? false : 'this user may not mount a small disk'

t.test(
  'a file that does not fit is refused whole, the old one stays, and there is room again',
  { skip: noSmallDisk },
  async (t) => {
    const program = path.resolve(import.meta.dirname, '../fixtures/files/put-too-much.ts')
    const { stdout, stderr } = onSmallDisk('exec "$1" "$2" "$0"', t.testdir(), process.execPath, program)
    t.equal(stderr, '')
    t.same(JSON.parse(stdout), {
      name: 'ApiError',
      code: 'unavailable',
      message: 'The disk is full.',
      cause: 'ENOSPC',
      destroyed: true,
      old: 100_000,
      next: 300_000
    })
  }
)

const noUsers = process.seteuid === undefined ? 'this system has no users to be' : false

t.test('a folder that may not be written is refused as unavailable', { skip: noUsers }, async (t) => {
  const root = t.testdir()
  const files = await openDiskFiles(root)
  await files.put('a/b', Buffer.from('x'))
  chmodSync(path.join(root, '+incoming'), 0o555)
  const restore = actAsNobody()
  const stream = Readable.from([Buffer.from('y')])
  try {
    await t.rejects(files.put('a/b', stream), { name: 'ApiError', code: 'unavailable', cause: { code: 'EACCES' } })
    t.equal(stream.destroyed, true)
  } finally {
    restore()
    chmodSync(path.join(root, '+incoming'), 0o755)
  }
  t.equal(String(await files.read('a/b')), 'x')
})

/**
 * The superuser may write everywhere, so it has to be another one for a while. Returns what ends
 * that.
 */
function actAsNobody(): () => void {
  if (process.geteuid?.() !== ROOT_USER) return () => {}
  process.seteuid?.(NOBODY)
  return () => process.seteuid?.(ROOT_USER)
}
