import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { buildApp } from '../../app.ts'
import { appSettings, client, publish, sessionToken, startApp, temporaryFolder } from '../helper.ts'
import { addDyingJob } from '../fixtures/dead-job.ts'

interface Span {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status: { code?: number }
  service: string
}

/** A collector that receives OTLP as JSON over HTTP and stores the spans. */
async function openCollector(t: Test, status = 200): Promise<{ url: string; spans: Span[] }> {
  const spans: Span[] = []
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        if (request.url === '/v1/traces' && request.headers['content-type'] === 'application/json') {
          for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
            const service = resource.attributes.find(({ key }: { key: string }) => key === 'service.name').value
              .stringValue
            for (const scope of scopeSpans) spans.push(...scope.spans.map((span: Span) => ({ ...span, service })))
          }
        }
        response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
      },
      () => {
        response.destroy()
      }
    )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans }
}

const attributeOf = (span: Span | undefined, name: string): string | undefined => {
  const value = span?.attributes.find(({ key }) => key === name)?.value
  return value === undefined ? undefined : String(value.stringValue ?? value.intValue)
}

t.test('every request and the jobs it causes are exported as spans', async (t) => {
  const collector = await openCollector(t)
  const app = await buildApp({
    ...(await appSettings(temporaryFolder(t))),
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_SERVICE_NAME: 'content of acme'
  })
  await app.queue.idle() // Otherwise the initial sweep may start the job, which then has no request.
  const call = await client(app)
  const { slug } = await publish(call, { title: 'Traced' })
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const read = await call('GET', `/api/v1/blogs/${slug}?secret=word`, undefined, {
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`
  })
  t.equal(read.statusCode, 200)
  await call('GET', `/api/v1/blogs/${slug}`, undefined, { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` })
  await app.inject('/nothing/here')
  await app.inject('/health/live')
  await app.queue.idle()
  await app.close()
  const named = (name: string) => collector.spans.filter((span) => span.name === name)
  const [write] = named('POST /api/v1/blogs')
  t.equal(attributeOf(write, 'http.response.status_code'), '201')
  const requestId = attributeOf(write, 'svc.request_id')
  t.match(requestId, /./)
  t.match(
    named('job refresh-related').map((span) => [attributeOf(span, 'svc.request_id'), attributeOf(span, 'svc.attempt')]),
    [[requestId, '1']],
    'the job has the id of its request'
  )
  const [continued, own] = named('GET /api/v1/blogs/:slug')
  t.match(continued, { traceId, parentSpanId: '00f067aa0ba902b7', kind: 2, service: 'content of acme' })
  t.ok(BigInt(continued!.endTimeUnixNano) >= BigInt(continued!.startTimeUnixNano))
  t.equal(attributeOf(continued, 'url.path'), `/api/v1/blogs/${slug}`)
  t.match(own!.traceId, /^(?!0+$)[\da-f]{32}$/, 'a malformed traceparent is ignored')
  t.equal(named('GET').length, 1, 'without a route the name is the method')
  t.notMatch(JSON.stringify(collector.spans), /secret|health/)
})

t.test('traces contain no credentials, wherever and however a client sends them', async (t) => {
  const collector = await openCollector(t)
  const settings = await appSettings(temporaryFolder(t))
  const app = await buildApp({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRUST_PROXY: 'on' })
  const { key } = await client(app)
  const token = await sessionToken('acme')
  const encode = (text: string) => [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')
  const hidden = [key, encode(key), encodeURIComponent(encode(key)), key.replace('_', '%5f'), token, encode(token)]
  const targets = hidden.flatMap((text) => [
    ...[`/${text}`, `/api/v1/blogs/${text}`, `/api/v1/blogs/${text}/related`, `/api/v1/products/a%20b${text}`],
    ...[`/x;key=${text}`, `/api/v1/blogs?api_key=${text}`, `/api/v1/blogs/preview-${text}.html?token=${text}`]
  ])
  for (const url of targets) await app.inject(url)
  await app.inject({ url: '/nothing', headers: { 'x-forwarded-proto': key, traceparent: key, tracestate: key } })
  await app
    .tracing!.job({ name: 'sweep', attempt: 1, requestId: null } as never, () => {
      throw new Error(`could not open https://x.example/${key}?token=${token}`)
    })
    .catch(() => {})
  await app.close()
  t.equal(collector.spans.filter(({ kind }) => kind === 2).length, targets.length + 1)
  let sent = JSON.stringify(collector.spans)
  for (let count = 0; count < 3; count++) {
    sent = sent.replace(/%(\w\w)/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
  }
  t.notOk(sent.includes(key.slice(7, 30)))
  t.notOk(sent.includes(token.slice(0, 30)))
  t.ok(sent.includes('"/api/v1/blogs/[key]/related"'), 'the rest of the path is recorded')
  t.ok(sent.includes('could not open https://x.example/[key]?token=[token]'))
})

t.test('a failed job is marked as an error in its trace', async (t) => {
  const collector = await openCollector(t)
  const app = await buildApp({ ...(await appSettings(temporaryFolder(t))), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  await addDyingJob(app)
  await app.queue.idle()
  await app.close()
  t.match(
    collector.spans.find(({ name }) => name === 'job publish-blog'),
    { status: { code: 2 } }
  )
})

t.test('an unreachable or failing collector does not affect requests', async (t) => {
  const refusing = await openCollector(t, 400)
  // At the same time, because closing waits for the retries of the exporter.
  await Promise.all(
    ['http://127.0.0.1:9', refusing.url].map(async (url) => {
      const app = await buildApp({ ...(await appSettings(temporaryFolder(t))), OTEL_EXPORTER_OTLP_ENDPOINT: url })
      t.equal((await app.inject('/health')).statusCode, 200)
      t.equal((await app.inject('/nothing')).statusCode, 404)
      await app.close()
    })
  )
})

t.test('tracing is off unless a collector is configured', async (t) => {
  t.equal((await startApp(t)).tracing, null)
})
