import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connect, type AddressInfo } from 'node:net'
import t from 'tap'
import { increment } from '../../../services/counters.ts'
import { listen } from '../../fixtures/http/listen.ts'
import { rawExchange } from '../../fixtures/http/raw-connection.ts'
import { metricsWith, readMetrics, valueOf } from '../../fixtures/metrics.ts'
import { eventually, openReceiver } from '../../fixtures/webhooks/receiver.ts'
import { client, person, publish, startApp } from '../../helper.ts'
import { addDyingJob, NOBODYS_BLOG } from '../../fixtures/dead-job.ts'

const BLOG = '/api/v1/blogs/:slug'
const answers = (route: string, status: number, method = 'GET') =>
  `svc_http_requests_total{route="${route}",method="${method}",status="${status}"}`

t.test('responses are counted by route pattern, method and status', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { slug } = await publish(call, { title: 'Counted' })
  const first = await call('GET', `/api/v1/blogs/${slug}`)
  await call('GET', `/api/v1/blogs/${slug}`)
  await call('GET', `/api/v1/blogs/${slug}`, undefined, { 'if-none-match': first.headers.etag as string })
  await call('HEAD', `/api/v1/blogs/${slug}`)
  await call('GET', '/api/v1/blogs/there-is-none')
  await app.inject('/nothing/at/all')
  const text = await metricsWith(app, {
    [answers('/api/v1/blogs', 201, 'POST')]: 1,
    [answers(BLOG, 200)]: 2,
    [answers(BLOG, 304)]: 1,
    [answers(BLOG, 200, 'HEAD')]: 1,
    [answers(BLOG, 404)]: 1,
    [answers('none', 404)]: 1,
    [`svc_http_request_duration_seconds_count{route="${BLOG}",method="GET"}`]: 4,
    [`svc_http_request_duration_seconds_bucket{le="+Inf",route="${BLOG}",method="GET"}`]: 4
  })
  t.ok(valueOf(text, `svc_http_request_duration_seconds_sum{route="${BLOG}",method="GET"}`)! > 0)
  t.notMatch(text, /there-is-none|nothing\/at/, 'URLs are not labels')
})

t.test('metrics distinguish cache hits and misses of responses and keys', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { slug } = await publish(call, { title: 'Kept' })
  await app.queue.idle() // Responses may change until related blogs are computed.
  await call('GET', `/api/v1/blogs/${slug}`)
  await call('GET', `/api/v1/blogs/${slug}`)
  await call('GET', `/api/v1/blogs/${slug}`)
  t.ok(
    await metricsWith(app, {
      'svc_response_cache_requests_total{result="miss"}': 1,
      'svc_response_cache_requests_total{result="hit"}': 2,
      // Only the second request knows the account of the key, and caches it under the epoch.
      'svc_api_key_cache_requests_total{result="miss"}': 2,
      'svc_api_key_cache_requests_total{result="hit"}': 2
    })
  )
})

t.test('rate limit results are counted by limit, separately from invalid credentials', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  await app.services.accounts.update('acme', { plan: 'starter', requestsPerHour: null })
  for (let request = 0; request < 102; request++) await call('GET', '/api/v1/blogs')
  await app.inject({ url: '/api/v1/blogs', headers: { 'x-api-key': 'wrong' } })
  for (let probe = 0; probe < 3; probe++) await app.inject('/health/live')
  t.ok(
    await metricsWith(app, {
      'svc_rate_limit_requests_total{policy="starter",result="allowed"}': 100,
      'svc_rate_limit_requests_total{policy="starter",result="limited"}': 2,
      'svc_rate_limit_requests_total{policy="address",result="unauthenticated"}': 1,
      'svc_rate_limit_requests_total{policy="address",result="allowed"}': 0
    })
  )
})

t.test('malformed HTTP messages are counted too', async (t) => {
  const app = await startApp(t)
  const port = await listen(app)
  await rawExchange(port, 'GET / NONSENSE\r\n\r\n')
  await rawExchange(port, 'GET /%zz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  t.ok(await metricsWith(app, { 'svc_http_requests_total{route="none",method="none",status="400"}': 2 }))
})

t.test('job runs are counted by result, and dead jobs are reported', async (t) => {
  const app = await startApp(t)
  await addDyingJob(app)
  const text = await metricsWith(app, {
    'svc_jobs_total{job="sweep",result="done"}': 1,
    'svc_jobs_total{job="publish-blog",result="dead"}': 1,
    'svc_queue_dead_jobs{job="publish-blog"}': 1,
    'svc_queue_dead_jobs{job="sweep"}': 0
  })
  t.equal(valueOf(text, 'svc_job_duration_seconds_count{job="publish-blog"}'), 1)
})

t.test('waiting jobs are counted by state', async (t) => {
  const app = await startApp(t)
  await app.queue.add('publish-blog', NOBODYS_BLOG, { delayMs: 3_600_000 })
  t.ok(
    await metricsWith(app, {
      'svc_queue_waiting_jobs{job="publish-blog"}': 1,
      'svc_queue_due_jobs{job="publish-blog"}': 0,
      'svc_queue_running_jobs{job="publish-blog"}': 0,
      'svc_queue_oldest_due_seconds{job="publish-blog"}': 0
    })
  )
})

t.test('deliveries are counted by result', async (t) => {
  const app = await startApp(t, { OUTBOUND_ALLOW: '127.0.0.1/32', WEBHOOK_TIME_SCALE: '100000' })
  const call = await client(app)
  const receiver = await openReceiver(t, ({ attempt }) => (attempt < 3 ? 500 : 200))
  const owner = await person(app, 'acme')
  receiver.knows(
    (await owner('POST', '/api/webhooks', { url: receiver.url, events: ['blog.published'] })).json().secret
  )
  await publish(call, { title: 'Published' })
  await eventually(() => receiver.received.length === 3, 'three attempts')
  t.ok(
    await metricsWith(app, {
      'svc_webhook_attempts_total{result="retry"}': 2,
      'svc_webhook_attempts_total{result="delivered"}': 1,
      'svc_webhook_attempts_total{result="dead"}': 0
    })
  )
})

t.test('visual checks are counted by final status', async (t) => {
  const app = await startApp(t)
  increment(app.metrics.counts.visualChecks, 'done')
  increment(app.metrics.counts.visualChecks, 'done')
  t.ok(await metricsWith(app, { 'svc_visual_checks_total{status="done"}': 2 }))
})

t.test('metrics need no credential, are not rate limited and contain no customer data', async (t) => {
  const app = await startApp(t, { ADDRESS_REQUESTS_PER_HOUR: '1' })
  const call = await client(app, 'acme-and-sons')
  await call('GET', '/api/v1/blogs?q=secretword')
  for (let scrape = 0; scrape < 5; scrape++) await readMetrics(app)
  const answer = await app.inject('/metrics')
  t.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
  t.equal(answer.headers['cache-control'], 'no-store')
  t.equal(answer.headers['x-ratelimit-remaining'], '1')
  t.notMatch(answer.body, new RegExp(`acme|sons|secretword|127\\.0\\.0\\.1|${call.key}|${call.keyId}`))
  t.equal(valueOf(answer.body, 'svc_limits_shared'), 1)
  for (const quantile of ['0.5', '0.99', '1']) {
    t.ok(valueOf(answer.body, `svc_event_loop_lag_seconds{quantile="${quantile}"}`)! >= 0, quantile)
  }
  t.ok(valueOf(answer.body, 'process_resident_memory_bytes')! > 1e7)
})

t.test('open connections, and those that were closed because there are too many, are counted', async (t) => {
  const app = await startApp(t, { MAX_CONNECTIONS: '10' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const sockets = Array.from({ length: 13 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  t.teardown(() => sockets.forEach((socket) => socket.destroy()))
  t.ok(await metricsWith(app, { svc_connections: 10, svc_closed_connections_total: 3 }))
  for (const socket of sockets) socket.destroy()
  t.ok(await metricsWith(app, { svc_connections: 0, svc_closed_connections_total: 3 }))
})

t.test('scrapes at the same time share their metrics', async (t) => {
  const app = await startApp(t)
  let collections = 0
  app.metrics.beforeScrape(async () => {
    collections++
  })
  await Promise.all(Array.from({ length: 50 }, async () => await app.inject('/metrics')))
  await app.inject('/metrics')
  t.equal(collections, 1)
  await setTimeout(300)
  await app.inject('/metrics')
  t.equal(collections, 2)
})

t.test('the operator can disable metrics', async (t) => {
  const app = await startApp(t, { METRICS: 'off' })
  const answer = await app.inject('/metrics')
  t.match(answer.json(), { status: 404, code: 'not_found' })
})

t.test('metrics respond within seconds when the queue and the store are down', async (t) => {
  const app = await startApp(t)
  await app.queue.close()
  await app.store.close()
  t.match(await readMetrics(app), /^svc_limits_shared 1$/m)
})

t.test('the documentation lists exactly the existing metrics with their labels', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  await call('GET', '/api/v1/blogs')
  await addDyingJob(app)
  increment(app.metrics.counts.visualChecks, 'done')
  const text = await metricsWith(app, {
    [answers('/api/v1/blogs', 200)]: 1,
    'svc_jobs_total{job="publish-blog",result="dead"}': 1
  })
  const served = [...text.matchAll(/^# TYPE (svc_\S+) (\S+)$/gm)].map(([, name = '', type]) => {
    const labels = new RegExp(`^${name}(?:_bucket)?\\{(.*?)\\} `, 'm').exec(text)?.[1]?.matchAll(/(\w+)="/g)
    return `${name} ${type} ${[...(labels ?? [])]
      .map(([, label]) => label)
      .filter((label) => label !== 'le')
      .sort()
      .join(' ')}`.trim()
  })
  const page = await readFile(path.join(import.meta.dirname, '../../../docs/metrics.md'), 'utf8')
  const listed = [...page.matchAll(/^\| `(svc_\w+)` \| (\w+) \| (.*?) \|/gm)].map(([, name, type, labels = '']) =>
    `${name} ${type} ${[...labels.matchAll(/`(\w+)`/g)]
      .map(([, label]) => label)
      .sort()
      .join(' ')}`.trim()
  )
  t.ok(listed.length > 15)
  t.strictSame(served.sort(), listed.sort())
})
