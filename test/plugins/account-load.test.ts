import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { processLoad } from '../../services/account-load.ts'
import { client, startApp } from '../helper.ts'

t.test('a request that changes something has precedence over the work of other accounts', async (t) => {
  const app = await startApp(t)
  const call = await client(app, 'small')
  await app.queue.idle()
  await processLoad.run('large', () => wait(250))
  t.equal(await processLoad.giveWay('large', 10_000), false)

  const upload = new PassThrough()
  const type = { 'content-type': 'application/x-ndjson' }
  const request = call('POST', '/api/v1/products/imports?projectId=shop', upload, type)
  upload.write('{"externalId":"a","title":"A"}\n')
  await wait(20)
  t.equal(await processLoad.giveWay('large', 1), true, 'it is in progress')
  await app.queue.close() // So that the import itself does not run.
  upload.end()
  t.not((await request).statusCode, 500)
  t.equal(await processLoad.giveWay('large', 10_000), false, 'it has ended')
})

t.test('a request ends when its client disconnects', async (t) => {
  const app = await startApp(t)
  const { key } = await client(app, 'small')
  await app.listen({ port: 0, host: '127.0.0.1' })
  await processLoad.run('large', () => wait(250))
  const { port } = app.server.address() as { port: number }
  const connection = connect(port, '127.0.0.1')
  const [socket] = (await once(app.server, 'connection')) as [Socket]
  const path = '/api/v1/products/imports?projectId=shop'
  const head = [`POST ${path} HTTP/1.1`, 'host: x', `x-api-key: ${key}`, 'content-length: 100']
  connection.write(`${head.join('\r\n')}\r\ncontent-type: application/x-ndjson\r\n\r\n{`)
  while (!processLoad.precedence()('large')) await wait(1)
  connection.destroy()
  await once(socket, 'close')
  t.equal(processLoad.precedence()('large'), false)
})

t.test('a request whose body has not arrived has no precedence', async (t) => {
  const app = await startApp(t)
  const { key } = await client(app, 'small')
  await app.listen({ port: 0, host: '127.0.0.1' })
  await processLoad.run('large', () => wait(250))
  const { port } = app.server.address() as { port: number }
  const body = '{"projectId":"shop","externalId":"a","title":"A"}'
  const connection = connect(port, '127.0.0.1')
  const head = ['POST /api/v1/products HTTP/1.1', 'host: x', `x-api-key: ${key}`, `content-length: ${body.length}`]
  connection.write(`${head.join('\r\n')}\r\ncontent-type: application/json\r\n\r\n{`)
  for (let time = 0; time < 20; time++) {
    await wait(5)
    if (processLoad.precedence()('large')) t.fail('it has precedence')
  }
  connection.write(body.slice(1))
  t.match(String((await once(connection, 'data'))[0]), /^HTTP\/1\.1 201/)
  connection.destroy()
})
