import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { trackProgress, type ResponseProgress } from '../../lib/http/response-progress.ts'

interface Sent {
  response: ServerResponse
  progress: ResponseProgress
  lengths: number[]
}

async function serve(t: Test, respond: (response: ServerResponse) => void) {
  const sent: Sent[] = []
  const server = createServer((_request, response) => {
    const lengths: number[] = []
    sent.push({ response, progress: trackProgress(response, (bytes) => lengths.push(bytes)), lengths })
    respond(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { sent, port, url: `http://127.0.0.1:${port}` }
}

t.test('bodies of all kinds and lengths arrive as they are', async (t) => {
  const bodies = ['', 'short', 'é'.repeat(300_000), Buffer.alloc(256 * 1024, 1), Buffer.alloc(5_000_001, 'abc')]
  for (const body of bodies) {
    const { sent, url } = await serve(t, (response) => response.end(body))
    const response = await fetch(url)
    const bytes = Buffer.from(await response.arrayBuffer())
    t.ok(bytes.equals(Buffer.from(body)), `${bytes.length} bytes`)
    t.equal(response.headers.get('content-length'), String(bytes.length))
    t.same(sent[0]!.lengths, [bytes.length])
    t.equal(sent[0]!.progress.taken(), bytes.length)
    t.equal(sent[0]!.response.writableFinished, true)
  }
})

t.test('a response without a body, or in chunks of its own, is sent as before', async (t) => {
  const empty = await serve(t, (response) => response.writeHead(204).end())
  t.equal((await fetch(empty.url)).status, 204)
  const chunks = await serve(t, (response) => {
    response.write('a')
    response.end()
  })
  t.equal(await (await fetch(chunks.url)).text(), 'a')
  t.equal(chunks.sent[0]!.progress.bytes, 0)
})

t.test('what a client has not taken is known, and a client may go at any time', async (t) => {
  const { sent, port } = await serve(t, (response) => response.end(Buffer.alloc(64 * 1024 * 1024)))
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'readable')
  const { response, progress } = sent[0]!
  t.equal(progress.bytes, 64 * 1024 * 1024)
  t.ok(progress.taken() < progress.bytes, `${progress.taken()} bytes`)
  const isClosed = once(response, 'close')
  socket.destroy()
  await isClosed
  t.equal(response.writableFinished, false)
})
