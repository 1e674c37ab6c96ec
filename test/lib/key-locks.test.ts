import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { createKeyLocks } from '../../lib/key-locks.ts'

t.test('work with a common key runs one after another in order, other work at the same time', async (t) => {
  const locks = createKeyLocks()
  const running = new Set<string>()
  const started: string[] = []
  let most = 0
  const run = async (name: string, keys: string[]) =>
    await locks.run(keys, async () => {
      for (const other of running) t.notOk(keys.includes(other.at(0)!), `${name} beside ${other}`)
      running.add(name)
      started.push(name)
      most = Math.max(most, running.size)
      await wait(5)
      running.delete(name)
      return name
    })
  const ended = await Promise.all([
    run('a1', ['a']),
    run('b1', ['b']),
    run('a2', ['a', 'c', 'a']),
    run('c1', ['c']),
    run('a3', ['c', 'a'])
  ])
  t.same(ended, ['a1', 'b1', 'a2', 'c1', 'a3'], 'results')
  t.same(started, ['a1', 'b1', 'a2', 'c1', 'a3'])
  t.equal(most, 2)
})

t.test('work that fails does not stop later work with its key', async (t) => {
  const locks = createKeyLocks()
  const failed = locks.run(['a'], async () => {
    await setImmediate()
    throw new Error('failed')
  })
  const next = locks.run(['a'], async () => 'next')
  await t.rejects(failed, { message: 'failed' })
  t.equal(await next, 'next')
})
