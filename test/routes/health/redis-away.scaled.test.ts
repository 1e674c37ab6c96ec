import { randomUUID } from 'node:crypto'
import t from 'tap'
import { metricsWith, readMetrics } from '../../fixtures/metrics.ts'
import { cannotStart as skip, ownRedis } from '../../fixtures/own-redis.ts'
import { eventually } from '../../fixtures/webhooks/receiver.ts'
import { client, publish, startApp, temporaryFolder } from '../../helper.ts'
import { startServer } from '../../processes.ts'

t.test(
  'while Redis is down requests are served and probes and metrics report it, until it is back',
  { skip },
  async (t) => {
    const redis = await ownRedis(t)
    const app = await startApp(t, { REDIS_URL: redis.url, REDIS_PREFIX: `test-${randomUUID()}` })
    const call = await client(app)
    const { slug } = await publish(call, { title: 'Still there' })
    t.strictSame((await app.inject('/health/ready')).json(), { status: 'ok', missing: [] })
    t.ok(await metricsWith(app, { svc_limits_shared: 1, 'svc_queue_dead_jobs{job="sweep"}': 0 }))
    await redis.kill()
    const ready = async () => (await app.inject('/health/ready')).json<{ missing: string[] }>()
    await eventually(async () => (await ready()).missing.length === 2, 'both are reported as missing')
    t.strictSame(await ready(), { status: 'degraded', missing: ['limits', 'queue'] })
    t.equal((await app.inject('/health/ready')).statusCode, 200)
    t.equal((await call('GET', `/api/v1/blogs/${slug}`)).statusCode, 200)
    t.notMatch(await metricsWith(app, { svc_limits_shared: 0 }), /^svc_queue_\w+\{/m, 'the stale number is omitted')
    await redis.start()
    await eventually(async () => (await ready()).missing.length === 0, 'nothing is missing')
    t.match(await metricsWith(app, { svc_limits_shared: 1 }), /^svc_queue_dead_jobs\{job="sweep"\} 0$/m)
    t.match(
      await readMetrics(app),
      /^svc_http_requests_total\{route="\/api\/v1\/blogs\/:slug",method="GET",status="200"\} 1$/m
    )
  }
)

t.test('the log reports when and why rate limits become local, and when they are shared again', { skip }, async (t) => {
  const redis = await ownRedis(t)
  const server = await startServer(t, temporaryFolder(t), {
    REDIS_URL: redis.url,
    LOG_LEVEL: 'info',
    NODE_NO_WARNINGS: '0'
  })
  const lines = (about: RegExp) =>
    server
      .out()
      .split('\n')
      .filter((line) => about.test(line))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  await redis.kill()
  await eventually(async () => lines(/on its own/).length > 0, 'the outage was logged')
  t.match(lines(/on its own/), [{ level: 40, err: { message: String } }])
  await redis.start()
  await eventually(async () => lines(/is reachable again/).length > 0, 'the end of the outage was logged')
  t.match(lines(/is reachable again/), [{ level: 30 }])
  t.notMatch(server.err(), /LimitsWarning/)
})
