import t from 'tap'
import { openTestQueue, temporaryFolder } from '../../helper.ts'
import { createSvc, serve } from '../../processes.ts'
import { scaled } from '../../profile.ts'

t.test('shows the queues and dead jobs of a running server, and retries dead jobs', async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  await serve(t, data)
  const all = await svc('queues')
  t.equal(all.code, 0, all.err)
  const [head = '', ...rows] = all.out.trimEnd().split('\n')
  t.match(head, /^job +waiting +due +running +dead +oldest$/)
  t.equal(rows.length, 11)
  t.match(
    rows.find((row) => row.startsWith('publish-blog')),
    /^publish-blog +0 +0 +0 +0 +-$/
  )
  const { queues } = JSON.parse((await svc('queues', '--json')).out)
  t.match(
    queues.find(({ job }: { job: string }) => job === 'sweep'),
    { waiting: Number, due: Number, running: Number, dead: 0, oldestMs: Number }
  )
  t.equal((await svc('queues', 'dead')).out, 'No dead jobs.\n')
  t.strictSame(JSON.parse((await svc('queues', 'retry', 'sweep', '--json')).out), { retried: 0 })
  const unknown = await svc('queues', 'retry', 'sweeping')
  t.equal(unknown.code, 1)
  t.match(unknown.err, /There is no job "sweeping". The jobs are publish-blog, /)
  t.equal((await svc('queues', 'retry')).code, 2)
})

t.test('the queue dashboard needs REDIS_URL', async (t) => {
  const { code, err } = await createSvc(temporaryFolder(t), { REDIS_URL: '' })('queues', '--open')
  t.equal(code, 1)
  t.match(err, /needs REDIS_URL/)
})

t.test('the queue commands name the missing setting if the queue is in a server process', async (t) => {
  const svc = createSvc(temporaryFolder(t), {
    MONGODB_URL: 'mongodb://127.0.0.1:1/none',
    REDIS_URL: '',
    SECRETS_KEY: Buffer.alloc(32).toString('base64')
  })
  for (const args of [['queues'], ['queues', 'dead'], ['queues', 'retry', 'sweep']]) {
    const { code, out, err } = await svc(...args)
    t.equal(code, 1, args.join(' '))
    t.match(err, /^REDIS_URL is required with MONGODB_URL to see the queues: .*\n$/)
    t.equal(out, '')
  }
})

if (scaled) {
  t.test('a command runs no jobs if there are workers', async (t) => {
    const data = temporaryFolder(t)
    const queue = await openTestQueue(data)
    t.teardown(() => queue.close())
    await queue.add('publish-blog', { accountId: 'acme', blogId: '0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11' })
    const { out, code, err } = await createSvc(data)('queues')
    t.equal(code, 0, err)
    t.match(out, /^publish-blog +1 +1 +0 +0 +\d/m)
    t.match(await queue.depth('publish-blog'), { waiting: 1, due: 1, running: 0, failed: 0 })
  })
}
