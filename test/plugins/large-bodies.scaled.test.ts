import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { Redis } from 'ioredis'
import t from 'tap'
import { client, startApp } from '../helper.ts'

t.test('an upload whose client disconnects before it is received keeps no place', async (t) => {
  const app = await startApp(t)
  const call = await client(app, 'acme')
  await call('POST', '/api/v1/products', { projectId: 'shop', title: 'Product' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const redis = new Redis(app.config.REDIS_URL!)
  t.teardown(() => redis.disconnect())
  // Authenticated requests wait for their rate limit meanwhile.
  await redis.call('CLIENT', 'PAUSE', '500', 'ALL')
  for (let count = 0; count < 40; count++) {
    const socket = connect(port, '127.0.0.1')
    const request = once(app.server, 'request')
    socket.write(
      'POST /api/v1/products/imports?projectId=shop HTTP/1.1\r\nhost: x\r\ncontent-type: text/csv\r\n' +
        `x-api-key: ${call.key}\r\ncontent-length: 100000\r\n\r\nexternalId,title\n`
    )
    await request
    socket.destroy()
  }
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/products/imports?projectId=shop`, {
    method: 'POST',
    headers: { 'x-api-key': call.key, 'content-type': 'text/csv' },
    body: `externalId,title,description\na,A,${'x'.repeat(70_000)}\n`,
    signal: AbortSignal.timeout(5_000)
  })
  t.equal(response.status, 202)
})
