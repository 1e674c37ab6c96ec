import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { createHttpServer } from '../../lib/http/server.ts'

t.test('the connection of a client that does not read its response is closed', async (t) => {
  const server = createHttpServer({
    onRequest: (_request, response) => response.end(Buffer.alloc(50_000_000)),
    onClientError: (_error, socket) => socket.destroy(),
    onConnect: (_request, socket) => socket.destroy(),
    stallTimeoutMs: 100
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const client = connect(port, '127.0.0.1')
  client.on('error', () => {})
  const [socket] = (await once(server, 'connection')) as [Socket]
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'close')
  t.pass('it is closed')
  client.destroy()
})
