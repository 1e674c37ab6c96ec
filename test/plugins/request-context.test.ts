import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { eventually, openReceiver } from '../fixtures/webhooks/receiver.ts'
import { appSettings, sessionToken, temporaryFolder } from '../helper.ts'
import { startServer, type RunningServer } from '../processes.ts'
import { REASON } from '../fixtures/dead-job.ts'

type Line = Record<string, unknown> & { msg: string }
const linesOf = (server: RunningServer): Line[] =>
  server
    .out()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)

t.test('log lines of a job have the id of the request that caused it, also through other jobs', async (t) => {
  const receiver = await openReceiver(t)
  const server = await startServer(t, temporaryFolder(t), { LOG_LEVEL: 'debug', OUTBOUND_ALLOW: '127.0.0.1/32' })
  await eventually(
    () => linesOf(server).some(({ job, msg }) => job === 'sweep' && msg === 'job completed'),
    'the initial sweep ends, which could take the work of the request'
  )
  const authorization = `Bearer ${await sessionToken('acme')}`
  const post = async (path: string, headers: Record<string, string>, body: object) =>
    await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body)
    })
  const { secret } = (await (
    await post('/api/webhooks', { authorization }, { url: receiver.url, events: ['blog.published'] })
  ).json()) as { secret: string }
  receiver.knows(secret)
  const { key } = (await (await post('/api/keys', { authorization }, { name: 'Writer' })).json()) as { key: string }
  const published = await post(
    '/api/v1/blogs',
    { 'x-api-key': key },
    { projectId: 'site', title: 'Followed', markdown: 'Words.', status: 'published' }
  )
  t.equal(published.status, 201)
  const requestId = published.headers.get('x-request-id')
  await eventually(
    () =>
      ['refresh-related', 'fan-out-events', 'deliver-webhooks'].every((job) =>
        linesOf(server).some((line) => line.job === job && line.reqId === requestId && line.msg === 'job completed')
      ),
    'all jobs of the request ended'
  )
  const began = linesOf(server).filter((line) => line.msg === 'job started')
  t.match(
    began.find(({ job }) => job === 'fan-out-events'),
    { reqId: requestId, attempt: 1 }
  )
  t.notOk(
    began.some((line) => line.job === 'sweep' && 'reqId' in line),
    'scheduled jobs have no request id'
  )
  t.match(
    linesOf(server).find((line) => line.msg === 'request completed' && line.reqId === requestId),
    { req: { method: 'POST' }, res: { statusCode: 201 } }
  )
})

t.test('the log line of a dead job has the request id', async (t) => {
  const program = `
    import { buildApp } from '${path.resolve(import.meta.dirname, '../../app.ts')}'
    import { addDyingJob } from '${path.resolve(import.meta.dirname, '../fixtures/dead-job.ts')}'
    const app = await buildApp()
    await app.requestContext.run('request-1', () => addDyingJob(app))
    await app.queue.idle()
    await app.close()`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, ...(await appSettings(temporaryFolder(t))), LOG_LEVEL: 'warn' },
    timeout: 60_000
  })
  const [line] = stdout
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as Line)
  t.match(line, {
    msg: 'job failed, no attempt is left',
    job: 'publish-blog',
    attempt: 1,
    reqId: 'request-1',
    err: { message: REASON }
  })
})

t.test('tokens in URLs are not logged', async (t) => {
  const server = await startServer(t, temporaryFolder(t), { LOG_LEVEL: 'debug' })
  await fetch(`${server.url}/nothing?a=1&token=very.secret.word&b=2`)
  await eventually(() => linesOf(server).some(({ msg }) => msg === 'request completed'), 'the request was logged')
  t.match(
    linesOf(server).find(({ msg }) => msg === 'request completed'),
    { req: { url: '/nothing?a=1&token=[token]&b=2' } }
  )
  t.notMatch(server.out(), /very\.secret/)
})
