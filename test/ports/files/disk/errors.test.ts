import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import { onDisk } from '../../../../ports/files/disk/errors.ts'
import { openDiskFiles } from '../../../../ports/files/disk/index.ts'

const ROOT_USER = 0
const NOBODY = 65534

t.test(
  'a write to a full disk is rejected as unavailable with its cause',
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

t.test('an error that an operator cannot fix is not translated', async (t) => {
  await t.rejects(
    onDisk(() => open(t.testdir(), 'w')),
    { code: 'EISDIR' }
  )
})

// Only the process that mounts the small disk sees it. It is unmounted when that process ends.
const onSmallDisk = (command: string, root: string, ...rest: string[]) =>
  spawnSync('unshare', ['-rm', 'sh', '-c', `mount -t tmpfs -o size=512k tmpfs "$0" && ${command}`, root, ...rest], {
    encoding: 'utf8'
  })
const noSmallDisk =
  onSmallDisk('true', import.meta.dirname).status === 0 ? false : 'this user cannot mount a small disk'

t.test(
  'a file that does not fit is rejected, the old file stays, and the space is freed',
  { skip: noSmallDisk },
  async (t) => {
    const program = path.resolve(import.meta.dirname, '../../../fixtures/files/put-too-much.ts')
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

const noUsers = process.seteuid === undefined ? 'this system cannot switch users' : false

t.test('a put into a folder without write permission is rejected as unavailable', { skip: noUsers }, async (t) => {
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
 * Switches to another user, because the superuser may write everywhere. Returns a function that
 * switches back.
 */
function actAsNobody(): () => void {
  if (process.geteuid?.() !== ROOT_USER) return () => {}
  process.seteuid?.(NOBODY)
  return () => process.seteuid?.(ROOT_USER)
}
