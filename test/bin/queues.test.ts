import t from 'tap'
import { temporaryFolder } from '../helper.ts'
import { startServer, svcOn } from '../processes.ts'

t.test('the command line shows the queues of a running server, what was given up and why, and has it tried again', async (t) => {
  const data = temporaryFolder(t)
  const svc = svcOn(data)
  await startServer(t, data)
  const all = await svc('queues')
  t.equal(all.code, 0, all.err)
  const [head = '', ...rows] = all.out.trimEnd().split('\n')
  t.match(head, /^job +waiting +due +running +dead +oldest$/)
  t.equal(rows.length, 10)
  t.match(rows.find((row) => row.startsWith('publish-blog')), /^publish-blog +0 +0 +0 +0 +-$/)
  const { queues } = JSON.parse((await svc('queues', '--json')).out)
  t.match(queues.find(({ job }: { job: string }) => job === 'sweep'), { waiting: Number, due: Number, running: Number, dead: 0, oldestMs: Number })
  t.equal((await svc('queues', 'dead')).out, 'No job was given up.\n')
  t.strictSame(JSON.parse((await svc('queues', 'retry', 'sweep', '--json')).out), { retried: 0 })
  const unknown = await svc('queues', 'retry', 'sweeping')
  t.equal(unknown.code, 1)
  t.match(unknown.err, /There is no job "sweeping": there are publish-blog, /)
  t.equal((await svc('queues', 'retry')).code, 2)
})

t.test('the page of the queues needs Redis, and the command line says so', async (t) => {
  const { code, err } = await svcOn(temporaryFolder(t), { REDIS_URL: '' })('queues', '--open')
  t.equal(code, 1)
  t.match(err, /needs REDIS_URL/)
})
