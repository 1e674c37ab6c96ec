import t from 'tap'
import { eventually } from '../../../fixtures/webhooks/receiver.ts'
import { person, startApp } from '../../../helper.ts'
import { addDyingJob, NOBODYS_BLOG, REASON } from '../../../fixtures/dead-job.ts'

t.test('administrators see waiting, active and dead jobs with the reasons', async (t) => {
  const app = await startApp(t)
  const admin = await person(app, 'operator', { role: 'admin' })
  await app.requestContext.run('request-1', () => addDyingJob(app))
  await app.queue.add('publish-blog', NOBODYS_BLOG, { delayMs: 3_600_000 })
  const stateOf = async () =>
    (await admin('GET', '/api/admin/queues')).json().queues.find(({ job }: { job: string }) => job === 'publish-blog')
  await eventually(async () => (await stateOf()).dead === 1, 'the job is dead')
  t.strictSame(await stateOf(), { job: 'publish-blog', waiting: 1, due: 0, running: 0, dead: 1, oldestMs: 0 })
  const { jobs } = (await admin('GET', '/api/admin/queues/publish-blog/dead')).json()
  t.match(jobs, [
    {
      id: /./,
      job: 'publish-blog',
      payload: NOBODYS_BLOG,
      attempts: 1,
      reason: REASON,
      failedAt: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      requestId: 'request-1'
    }
  ])
  t.equal(jobs.length, 1)
  t.strictSame((await admin('GET', '/api/admin/queues/sweep/dead')).json(), { jobs: [] })
})

t.test('dead jobs can be retried, all of them or one by id', async (t) => {
  const app = await startApp(t)
  const admin = await person(app, 'operator', { role: 'admin' })
  const dead = async (): Promise<{ id: string; failedAt: string }[]> =>
    (await admin('GET', '/api/admin/queues/publish-blog/dead')).json().jobs
  for (let count = 0; count < 3; count++) await addDyingJob(app)
  await eventually(async () => (await dead()).length === 3, 'three jobs are dead')
  const [first] = await dead()
  t.strictSame((await admin('POST', '/api/admin/queues/publish-blog/retry', { id: first!.id })).json(), { retried: 1 })
  await eventually(
    async () => (await dead()).some(({ failedAt }) => failedAt > first!.failedAt),
    'the job was retried and failed again'
  )
  t.equal((await dead()).length, 3)
  t.strictSame((await admin('POST', '/api/admin/queues/publish-blog/retry', {})).json(), { retried: 3 })
  t.match((await admin('POST', '/api/admin/queues/publish-blog/retry', { id: 'there-is-none' })).json(), {
    status: 404,
    code: 'not_found'
  })
  t.strictSame((await admin('POST', '/api/admin/queues/sweep/retry', {})).json(), { retried: 0 })
})

t.test('an unknown job is not found, and only administrators may retry jobs', async (t) => {
  const app = await startApp(t)
  const admin = await person(app, 'operator', { role: 'admin' })
  t.match((await admin('GET', '/api/admin/queues/constructor/dead')).json(), {
    status: 404,
    code: 'not_found',
    detail: /There is no job "constructor"/
  })
  t.match((await admin('POST', '/api/admin/queues/no-such-job/retry', {})).json(), { status: 404, code: 'not_found' })
  t.match((await admin('POST', '/api/admin/queues/sweep/retry', { all: true })).json(), {
    status: 400,
    code: 'invalid_request'
  })
  t.match((await admin('GET', '/api/admin/queues/sweep/dead?limit=101')).json(), {
    status: 400,
    code: 'invalid_request'
  })
  const somebody = await person(app, 'acme')
  for (const [method, url] of [
    ['GET', '/api/admin/queues'],
    ['GET', '/api/admin/queues/sweep/dead'],
    ['POST', '/api/admin/queues/sweep/retry']
  ] as const) {
    t.match((await somebody(method, url, method === 'POST' ? {} : undefined)).json(), {
      status: 403,
      code: 'admin_only'
    })
  }
})
