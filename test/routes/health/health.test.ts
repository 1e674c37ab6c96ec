import t from 'tap'
import { buildApp } from '../../../app.ts'
import { appSettings, startApp, temporaryFolder } from '../../helper.ts'

t.test('a service with all dependencies is ready', async (t) => {
  const app = await startApp(t)
  t.strictSame((await app.inject('/health/live')).json(), { status: 'ok' })
  for (const url of ['/health', '/health/ready']) {
    const answer = await app.inject(url)
    t.equal(answer.statusCode, 200)
    const { browser, ...readiness } = answer.json()
    t.strictSame(readiness, { status: 'ok', missing: [] })
    t.strictSame(browser, url === '/health' ? { sandbox: null } : undefined)
    t.equal(answer.headers['cache-control'], 'no-store')
  }
})

t.test('without its store a service is live but not ready, and names the store', async (t) => {
  const app = await buildApp(await appSettings(temporaryFolder(t)))
  await app.store.close()
  t.equal((await app.inject('/health/live')).statusCode, 200)
  for (const url of ['/health', '/health/ready']) {
    const answer = await app.inject(url)
    t.match(answer.json(), { status: 503, code: 'unavailable', missing: ['store'] })
    t.ok(Number(answer.headers['retry-after']) > 0)
  }
  await app.close().catch(() => {}) // The log of unsaved data at shutdown is covered by another test.
})

t.test('without a queue the service is ready but degraded, and names the queue', async (t) => {
  const app = await startApp(t)
  await app.queue.close()
  const answer = await app.inject('/health/ready')
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json(), { status: 'degraded', missing: ['queue'] })
})
