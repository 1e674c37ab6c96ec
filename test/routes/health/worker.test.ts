import t from 'tap'
import { readMetrics } from '../../fixtures/metrics.ts'
import { startApp } from '../../helper.ts'
import { scaled } from '../../profile.ts'

const PUBLIC_URL = 'https://content.example'

if (scaled) {
  t.test('a worker process serves only probes and metrics', async (t) => {
    const app = await startApp(t, { ROLE: 'worker', PUBLIC_URL })
    t.strictSame((await app.inject('/health/ready')).json(), { status: 'ok', missing: [] })
    t.equal((await app.inject('/health/live')).statusCode, 200)
    t.match(await readMetrics(app), /^svc_queue_due_jobs\{job="deliver-webhooks"\} \d+$/m)
    for (const url of ['/api/v1/blogs', '/api/admin/queues', '/docs', '/openapi.json', '/admin/queues']) {
      t.equal((await app.inject(url)).statusCode, 404, url)
    }
  })

  t.test('a worker process is not ready without its queue', async (t) => {
    const app = await startApp(t, { ROLE: 'worker', PUBLIC_URL })
    await app.queue.close()
    t.match((await app.inject('/health/ready')).json(), { status: 503, code: 'unavailable', missing: ['queue'] })
    t.equal((await app.inject('/health/live')).statusCode, 200)
  })

  t.test('an API process runs no jobs', async (t) => {
    const app = await startApp(t, { ROLE: 'api', PUBLIC_URL })
    await app.queue.add('publish-blog', { accountId: 'acme', blogId: '0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11' })
    await new Promise((resolve) => {
      setTimeout(resolve, 500)
    })
    t.match(await app.queue.depth('publish-blog'), { due: 1, running: 0, failed: 0 })
  })
} else {
  t.test('a worker process requires a shared store and queue', async (t) => {
    await t.rejects(startApp(t, { ROLE: 'worker', PUBLIC_URL }), {
      name: 'StartError',
      message: /ROLE=worker requires MONGODB_URL and REDIS_URL/
    })
  })
}
