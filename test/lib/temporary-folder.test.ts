import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createTemporaryFolder } from '../../lib/temporary-folder.ts'

const HOUR_MS = 3_600_000

/** Creates a folder with a file, which was last used an hour ago. */
function createOld(parent: string, name: string): string {
  const folder = path.join(parent, name)
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'upload'), 'x')
  const then = new Date(Date.now() - HOUR_MS)
  utimesSync(folder, then, then)
  return folder
}

t.test('only stale folders of the service are deleted', async (t) => {
  const parent = t.testdir({ target: { file: 'x' } })
  const killed = createOld(parent, 'content-service-tmp-killed')
  const foreign = createOld(parent, 'other-program')
  const used = path.join(parent, 'content-service-tmp-used')
  mkdirSync(used)
  const link = path.join(parent, 'content-service-tmp-link')
  symlinkSync(path.join(parent, 'target'), link, 'junction')
  const folder = await createTemporaryFolder(parent)
  t.notOk(existsSync(killed))
  const others = [foreign, used, link, path.join(parent, 'target', 'file'), folder.path]
  t.ok(others.every((name) => existsSync(name)))
  if (process.platform !== 'win32') t.equal(statSync(folder.path).mode & 0o777, 0o700)
  folder.remove()
  t.notOk(existsSync(folder.path))
})

t.test('a folder that is refreshed is not stale, and created again when it was deleted', async (t) => {
  const parent = t.testdir()
  const folder = await createTemporaryFolder(parent)
  const then = new Date(Date.now() - HOUR_MS)
  utimesSync(folder.path, then, then)
  await folder.refresh()
  await createTemporaryFolder(parent)
  t.ok(existsSync(folder.path))
  rmSync(folder.path, { recursive: true })
  await folder.refresh()
  t.ok(existsSync(folder.path))
})

t.test('a process deletes its folder when it exits', async (t: Test) => {
  const parent = t.testdir()
  const module = import.meta.resolve('../../lib/http/temporary-file.ts')
  const program = `
    const { saveToTemporaryFile } = await import(${JSON.stringify(module)})
    const { Readable } = await import('node:stream')
    await saveToTemporaryFile(Readable.from([Buffer.from('x')]), 10)
    process.stdout.write('saved')
    process.stdin.resume()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, TMPDIR: parent, TEMP: parent },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  await once(child.stdout, 'data')
  const folders = readdirSync(parent).filter((name) => name.startsWith('content-service-tmp-'))
  t.equal(folders.length, 1)
  t.match(readdirSync(path.join(parent, folders[0]!)), [/^upload-/])
  child.stdin.end()
  await once(child, 'exit')
  t.notOk(existsSync(path.join(parent, folders[0]!)))
})
