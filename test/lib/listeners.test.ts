import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { addListeners, sharedListenOptions } from '../../lib/http/listeners.ts'

const HOST = '127.0.0.1'
const CONNECTIONS = 200
const BUSY_MS = 5
/** Other systems have one socket. */
const options = { skip: process.platform === 'linux' ? false : 'Sockets share a port on Linux only' }

async function listen(
  t: Test,
  onRequest = (_request: IncomingMessage, response: ServerResponse) => {
    response.end('here')
  }
): Promise<{ server: Server; port: number }> {
  const server = createServer(onRequest)
  server.listen({ host: HOST, port: 0, backlog: 500, ...(await sharedListenOptions({ host: HOST, port: 0 })) })
  await once(server, 'listening')
  await addListeners(server, { host: HOST, backlog: 500 })
  t.teardown(() => {
    server.closeAllConnections()
    if (server.listening) server.close()
  })
  return { server, port: (server.address() as AddressInfo).port }
}

t.test('a busy process accepts several connections in a turn of the event loop', options, async (t) => {
  const { server, port } = await listen(t)
  let [turn, isBusy] = [0, true]
  const acceptedIn: number[] = []
  server.on('connection', () => acceptedIn.push(turn))
  const work = (): void => {
    turn += 1
    const end = performance.now() + BUSY_MS
    while (performance.now() < end);
    if (isBusy) setImmediate(work)
  }
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, HOST).on('error', () => {}))
  work()
  while (acceptedIn.length < CONNECTIONS) await wait(1)
  isBusy = false
  for (const socket of sockets) socket.destroy()
  const turns = new Set(acceptedIn).size
  t.ok(turns < CONNECTIONS / 4, `${CONNECTIONS} connections were accepted in ${turns} turns`)
})

t.test('requests are served on all of the sockets', options, async (t) => {
  const { port } = await listen(t)
  const bodies = await Promise.all(
    Array.from({ length: 64 }, async () => {
      const [response] = (await once(get({ host: HOST, port, agent: new Agent() }), 'response')) as [IncomingMessage]
      return await text(response)
    })
  )
  t.same(bodies, Array(64).fill('here'))
})

t.test('a port that another server uses is an error', options, async (t) => {
  const { port } = await listen(t)
  await t.rejects(sharedListenOptions({ host: HOST, port }), { code: 'EADDRINUSE' })
  const other = createServer().listen(0, HOST)
  await once(other, 'listening')
  t.teardown(() => other.close())
  const used = (other.address() as AddressInfo).port
  await t.rejects(sharedListenOptions({ host: HOST, port: used }), { code: 'EADDRINUSE' })
})

t.test('closing the server waits for the requests on all of its sockets, and frees the port', options, async (t) => {
  const waiting: ServerResponse[] = []
  const { server, port } = await listen(t, (_request, response) => waiting.push(response))
  const responses = Array.from({ length: 40 }, async () => {
    const [response] = (await once(get({ host: HOST, port, agent: new Agent() }), 'response')) as [IncomingMessage]
    return await text(response)
  })
  while (waiting.length < 40) await wait(1)
  let isClosed = false
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      isClosed = true
      resolve()
    })
  })
  const last = waiting.pop()!
  for (const response of waiting) response.end('done')
  await wait(20)
  t.notOk(isClosed, 'a request is in progress')
  t.same(await sharedListenOptions({ host: HOST, port }), { reusePort: true }, 'another process may start already')
  const refused = connect(port, HOST)
  t.equal(((await once(refused, 'error')) as [NodeJS.ErrnoException])[0].code, 'ECONNREFUSED')
  last.end('done')
  await closed
  t.same(await Promise.all(responses), Array(40).fill('done'))
})
