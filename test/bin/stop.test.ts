import t from 'tap'
import { temporaryFolder } from '../helper.ts'
import { startServer } from '../processes.ts'

t.test('on SIGTERM, a process is not ready and serves on during SHUTDOWN_DELAY_MS, then it exits with 0', async (t) => {
  const server = await startServer(t, temporaryFolder(t), { SHUTDOWN_DELAY_MS: '2000' })
  const get = async (path: string) => {
    const response = await fetch(server.url + path)
    return { status: response.status, connection: response.headers.get('connection'), body: await response.json() }
  }
  t.match(await get('/health/ready'), { status: 200, connection: 'keep-alive' })
  const signaledMs = performance.now()
  const ended = server.end('SIGTERM')
  let ready = await get('/health/ready')
  while (ready.status === 200) ready = await get('/health/ready')
  t.match(ready, { status: 503, connection: 'close', body: { code: 'unavailable', detail: /shutting down/ } })
  t.match(await get('/health/live'), { status: 200, connection: 'close' })
  t.match(await get('/openapi.json'), { status: 200, connection: 'close' })
  t.strictSame(await ended, { code: 0, signal: null })
  t.ok(performance.now() - signaledMs >= 2000)
  await t.rejects(get('/health/live'))
})

t.test('an embedded service stops at once, and a second signal ends the delay', async (t) => {
  const embedded = await startServer(t, temporaryFolder(t))
  t.strictSame(await embedded.end('SIGTERM'), { code: 0, signal: null })
  const delayed = await startServer(t, temporaryFolder(t), { SHUTDOWN_DELAY_MS: '60000' })
  const ended = delayed.end('SIGTERM')
  while ((await fetch(`${delayed.url}/health/ready`)).status === 200);
  delayed.child.kill('SIGTERM')
  t.strictSame(await ended, { code: 1, signal: null })
})
