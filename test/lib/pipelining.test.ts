import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createHttpServer } from '../../lib/http/server.ts'

/** Starts a server that responds with the path, and counts the requests in progress. */
async function startServer(t: Test) {
  const seen = { parsed: 0, requests: 0, inProgress: 0, most: 0 }
  const server = createHttpServer({
    onRequest: async (request: IncomingMessage, response: ServerResponse) => {
      seen.requests++
      seen.most = Math.max(seen.most, ++seen.inProgress)
      await setImmediate()
      const body = request.method === 'POST' ? await text(request) : ''
      seen.inProgress--
      response.end(`[${request.url!}${body}]`)
    },
    onClientError: (_error, socket) => socket.destroy(),
    onConnect: (_request, socket) => socket.destroy()
  })
  server.prependListener('request', () => seen.parsed++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const send = async (data: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    const parts: Buffer[] = []
    socket.on('data', (part: Buffer) => parts.push(part))
    socket.write(data)
    await new Promise((resolve) => socket.once('close', resolve))
    return Buffer.concat(parts).toString()
  }
  return { seen, send }
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

t.test('requests of a connection are handled one after another, and answered in order', async (t) => {
  const { seen, send } = await startServer(t)
  const requests = Array.from({ length: 60 }, (_, i) => get(`/${i}`)).join('')
  const answer = await send(requests + get('/last', 'Connection: close\r\n'))
  const expected = [...Array.from({ length: 60 }, (_, i) => `[/${i}]`), '[/last]']
  t.same(answer.match(/\[[^\]]*\]/g), expected)
  t.match(seen, { requests: 61, most: 1 })
})

t.test('bodies belong to their requests, and 100 Continue comes in its turn', async (t) => {
  const { send } = await startServer(t)
  const post = (path: string, body: string, headers = '') =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`
  const answer = await send(
    post('/a', 'one') +
      post('/b', 'two', 'Expect: 100-continue\r\n') +
      get('/c') +
      post('/d', 'three', 'Connection: close\r\n')
  )
  t.same(answer.match(/\[[^\]]*\]|HTTP\/1.1 \d+/g), [
    'HTTP/1.1 200',
    '[/aone]',
    'HTTP/1.1 100',
    'HTTP/1.1 200',
    '[/btwo]',
    'HTTP/1.1 200',
    '[/c]',
    'HTTP/1.1 200',
    '[/dthree]'
  ])
})

t.test('a connection with too many waiting requests is closed', async (t) => {
  const { seen, send } = await startServer(t)
  await send(get('/').repeat(5_000))
  t.ok(seen.requests <= 101, `${seen.requests} requests were handled`)
  t.ok(seen.parsed <= 102, `${seen.parsed} requests of the packet were parsed`)
  t.match(await send(get('/next', 'Connection: close\r\n')), '[/next]', 'the parser is used again')
})
