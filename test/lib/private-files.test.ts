import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { buildApp } from '../../app.ts'
import { makePrivateFolder, makePrivateTree } from '../../lib/private-files.ts'
import { appSettings, client, publish, temporaryFolder } from '../helper.ts'

const modeOf = (file: string) => (statSync(file).mode & 0o7777).toString(8)

/** The files and folders in a folder that others than the owner may access. */
function accessible(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => ({ file: path.join(entry.parentPath, entry.name), mode: entry.isDirectory() ? '700' : '600' }))
    .filter(({ file, mode }) => modeOf(file) !== mode)
    .map(({ file }) => `${path.relative(folder, file)} ${modeOf(file)}`)
}

t.test('the data folder is private, whatever modes it had before', async (t) => {
  const umask = process.umask(0)
  t.teardown(() => {
    process.umask(umask)
  })
  const data = temporaryFolder(t)
  const env = { ...(await appSettings(data)), DATA_DIR: data, MONGODB_URL: undefined, REDIS_URL: undefined }
  const run = async () => {
    const app = await buildApp(env as unknown as Record<string, string>)
    await publish(await client(app), { title: 'Hello', projectId: `p${Date.now()}` })
    await app.files.put('images/a/b/original', Buffer.from('bytes'))
    await app.listen({ host: '127.0.0.1', port: 0 })
    t.same(accessible(data), [], 'while the service is running')
    await app.close()
  }
  await run()
  for (const entry of readdirSync(data, { withFileTypes: true, recursive: true })) {
    chmodSync(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o664)
  }
  chmodSync(data, 0o777)
  for (const name of ['store.db-wal', 'server.json']) writeFileSync(path.join(data, name), '', { mode: 0o666 })
  await run()
  t.equal(modeOf(data), '700')
})

t.test('links are not followed, and a shared folder keeps its mode', async (t) => {
  const folder = temporaryFolder(t)
  const [tree, outside, shared] = ['tree', 'outside', 'shared'].map((name) => path.join(folder, name)) as string[]
  for (const each of [tree!, outside!, shared!]) mkdirSync(each)
  chmodSync(outside!, 0o755)
  symlinkSync(outside!, path.join(tree!, 'link'))
  makePrivateTree(tree!)
  t.equal(modeOf(tree!), '700')
  t.equal(modeOf(outside!), '755')
  chmodSync(shared!, 0o1777)
  makePrivateFolder(shared!)
  t.equal(modeOf(shared!), '1777')
})
