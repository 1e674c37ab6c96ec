import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createMemoryGroup } from '../../../ports/browser/playwright/process/cgroup.ts'
import { temporaryFolder } from '../../helper.ts'

/*
 * A folder with the files of cgroup v2. The kernel's part, limiting memory, is not covered: CI
 * machines delegate no group.
 */

/** A tree with the group of the service, and whether its parent controls the memory of its children. */
async function prepare(t: Test, { parentControls = '', ownControls = '' } = {}) {
  const root = temporaryFolder(t)
  const own = path.join(root, 'system.slice/content.service/service')
  await mkdir(own, { recursive: true })
  await writeFile(path.join(own, 'cgroup.subtree_control'), ownControls)
  await writeFile(path.join(own, '..', 'cgroup.subtree_control'), parentControls)
  const ownGroupFile = path.join(root, 'own-group')
  await writeFile(ownGroupFile, '1:name=systemd:/x\n0::/system.slice/content.service/service\n')
  const groups = async (folder: string) => (await readdir(folder)).filter((name) => name.startsWith('browser-'))
  return { root, own, ownGroupFile, groups }
}

t.test('a group with a limit is created beside that of the service', async (t) => {
  const { root, own, ownGroupFile, groups } = await prepare(t, { parentControls: 'cpu memory pids\n' })
  const group = await createMemoryGroup({ maxBytes: 1_500_000_000, root, ownGroupFile })
  t.same(await groups(own), [], 'a group with processes cannot limit groups below it')
  const [name] = await groups(path.dirname(own))
  const folder = path.join(own, '..', name!)
  t.equal(await readFile(path.join(folder, 'memory.max'), 'utf8'), '1500000000')
  t.equal(await readFile(path.join(folder, 'memory.oom.group'), 'utf8'), '1')
  t.equal(await group!.add(4711), true)
  t.equal(await readFile(path.join(folder, 'cgroup.procs'), 'utf8'), '4711')
  await group!.kill()
  t.equal(await readFile(path.join(folder, 'cgroup.kill'), 'utf8'), '1')
  t.equal(await group!.wasOutOfMemory(), false)
  await writeFile(path.join(folder, 'memory.events'), 'low 0\nhigh 0\nmax 7\noom 1\noom_kill 1\noom_group_kill 1\n')
  t.equal(await group!.wasOutOfMemory(), true)
})

t.test('there is no group without cgroup v2, or where memory is not delegated', async (t) => {
  const { root, own, ownGroupFile, groups } = await prepare(t, { parentControls: 'cpu pids\n' })
  t.equal(await createMemoryGroup({ maxBytes: 1, root, ownGroupFile }), null)
  t.same([...(await groups(own)), ...(await groups(path.dirname(own)))], [])
  await writeFile(ownGroupFile, '4:memory:/x\n')
  t.equal(await createMemoryGroup({ maxBytes: 1, root, ownGroupFile }), null, 'cgroup v1')
  t.equal(await createMemoryGroup({ maxBytes: 1, root, ownGroupFile: '/nowhere' }), null)
})
