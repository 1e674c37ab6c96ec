import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createHttpServer } from '../../lib/http/server.ts'

type OnClientError = (error: Error & { code?: string }, socket: Socket) => void

async function startServer(
  t: Test,
  onRequest: RequestListener,
  onClientError: OnClientError = (_error, socket) => socket.destroy()
): Promise<number> {
  const server = createHttpServer({
    onRequest,
    onClientError,
    onConnect: (_request, socket) => socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as { port: number }).port
}

const HEAD = 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n'
const toChunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

/** Sends a request and resolves with the response when the server has closed the connection or sent `until`. */
async function exchange(port: number, message: string, until: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(message)
  let text = ''
  while (!text.includes(until)) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    text += chunk.toString()
  }
  socket.destroy()
  return text
}

t.test('a body in chunks of any size is read unchanged', async (t) => {
  const port = await startServer(t, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    response.end(`${Buffer.concat(chunks).toString()};`)
  })
  for (const sizes of [[16], [1, 2000, 1, 1, 1023, 1024], [15_000, 900, 900], [70_000, 1], [1023]]) {
    let expected = ''
    let message = HEAD
    for (let index = 0; expected.length < 30_000; index++) {
      const text = String.fromCharCode(97 + (index % 26)).repeat(sizes[index % sizes.length]!)
      expected += text
      message += toChunk(text)
    }
    const response = await exchange(port, `${message}0\r\n\r\n`, ';')
    t.ok(response.replaceAll(/\r\n[0-9a-f]+\r\n/g, '').includes(`${expected};`), `sizes ${sizes.join()}`)
  }
})

t.test('small chunks are delivered while the body is still being sent', async (t) => {
  const port = await startServer(t, (request, response) => {
    request.on('data', (chunk: Buffer) => response.write(`${chunk.length};`))
  })
  t.match(await exchange(port, `${HEAD}${toChunk('ab')}`, ';'), '2;')
})

t.test('a body in very many small chunks is read in few steps, one connection after another', async (t) => {
  const CONNECTIONS = 5
  const CHUNKS = 40_000
  const CHUNK = 'x'.repeat(20)
  let steps = 0
  let received = 0
  let ofTurn = 0
  const turns: number[] = []
  const port = await startServer(t, (request, response) => {
    request.on('data', (chunk: Buffer) => {
      steps += 1
      received += chunk.length
      ofTurn += chunk.length
    })
    request.on('end', () => response.end('done;'))
  })
  let isRunning = true
  const countTurns = (): void => {
    turns.push(ofTurn)
    ofTurn = 0
    if (isRunning) setImmediate(countTurns)
  }
  countTurns()
  const message = `${HEAD}${toChunk(CHUNK).repeat(CHUNKS)}0\r\n\r\n`
  await Promise.all(Array.from({ length: CONNECTIONS }, () => exchange(port, message, 'done;')))
  isRunning = false
  t.equal(received, CONNECTIONS * CHUNKS * CHUNK.length)
  t.ok(steps < 500, `${steps} steps`)
  // One packet has up to 65,536 bytes. Connections that begin at the same time have one each.
  const largest = turns.toSorted((a, b) => b - a)
  t.ok(largest[CONNECTIONS]! <= 65_536, `turns of ${largest.slice(0, CONNECTIONS + 2).join(', ')} bytes`)
})

t.test('a body that nobody reads is discarded', async (t) => {
  let isResponded = false
  const port = await startServer(t, (request, response) => {
    if (request.url === '/next') response.end('next;')
    else response.end('early', () => (isResponded = true))
  })
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.write(HEAD)
  await once(socket, 'data')
  t.ok(isResponded)
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  socket.write(`${toChunk('x'.repeat(20)).repeat(10_000)}0\r\n\r\nGET /next HTTP/1.1\r\nhost: x\r\n\r\n`)
  while (!text.includes('next;')) await wait(5)
  t.pass('the connection is used for the next request')
})

t.test('a body in thousands of chunks of a few bytes is refused, also if nobody reads it', async (t) => {
  for (const isRead of [true, false]) {
    let received = 0
    const refused: (string | undefined)[] = []
    const onRequest: RequestListener = (request, response) => {
      if (!isRead || request.url === '/next') response.end('done;')
      request.on('error', () => {})
      if (isRead) request.on('data', (chunk: Buffer) => (received += chunk.length))
    }
    const port = await startServer(t, onRequest, (error, socket) => {
      refused.push(error.code)
      socket.destroy()
    })
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(HEAD + toChunk('x').repeat(100_000))
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
    t.strictSame([...new Set(refused)], ['HPE_PAUSED'])
    t.ok(received < 1_010, `${received} bytes were read`)
    const next = HEAD.replace('/', '/next') + toChunk('x').repeat(900)
    t.match(await exchange(port, `${next}0\r\n\r\n`, 'done;'), '200 OK', 'the parser is used again')
  }
})

t.test('tiny chunks are counted on the whole connection, and after a large chunk as well', async (t) => {
  let requests = 0
  const refused: (string | undefined)[] = []
  const onRequest: RequestListener = (request, response) => {
    requests += 1
    request.on('error', () => {})
    request.resume()
    response.end('done;')
  }
  const port = await startServer(t, onRequest, (error, socket) => {
    refused.push(error.code)
    socket.destroy()
  })
  async function send(text: string): Promise<void> {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(text)
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
  }
  await send(`${HEAD}${toChunk('x').repeat(600)}0\r\n\r\n`.repeat(50))
  t.ok(requests < 10, `${requests} requests`)
  await send(HEAD + toChunk('x'.repeat(100_000)) + toChunk('x').repeat(5_000))
  t.strictSame([...new Set(refused)], ['HPE_PAUSED'])
})

t.test('forms are read one packet in a turn of the event loop, one connection after another', async (t) => {
  const CONNECTIONS = 8
  const BYTES = 1_000_000
  let received = 0
  let ofTurn = 0
  const turns: number[] = []
  const port = await startServer(t, (request, response) => {
    request.on('data', (chunk: Buffer) => {
      received += chunk.length
      ofTurn += chunk.length
    })
    request.on('end', () => response.end('done;'))
  })
  let isRunning = true
  const countTurns = (): void => {
    turns.push(ofTurn)
    ofTurn = 0
    if (isRunning) setImmediate(countTurns)
  }
  countTurns()
  const headers = ['host: x', 'content-type: multipart/form-data; boundary=x', `content-length: ${BYTES}`]
  const head = `POST / HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`
  await Promise.all(Array.from({ length: CONNECTIONS }, () => exchange(port, head + 'x'.repeat(BYTES), 'done;')))
  isRunning = false
  t.equal(received, CONNECTIONS * BYTES)
  // Connections that begin at the same time have one packet each.
  const largest = turns.toSorted((a, b) => b - a)
  t.ok(largest[CONNECTIONS]! <= 65_536, `turns of ${largest.slice(0, CONNECTIONS + 4).join(', ')} bytes`)
})

t.test('the rest of a form with thousands of parts is not read', async (t) => {
  let received = 0
  const port = await startServer(t, (request, response) => {
    request.on('data', (chunk: Buffer) => {
      received += chunk.length
    })
    request.on('end', () => response.end('done;'))
  })
  const body = '--x\r\n\r\n'.repeat(100_000)
  const headers = ['host: x', 'content-type: multipart/form-data; boundary=x']
  const lengths = [
    [`content-length: ${body.length}`, body],
    ['transfer-encoding: chunked', `${toChunk('--x\r\n\r\n'.repeat(20)).repeat(2_000)}0\r\n\r\n`]
  ] as const
  for (const [length, sent] of lengths) {
    received = 0
    await exchange(port, `POST / HTTP/1.1\r\n${[...headers, length].join('\r\n')}\r\n\r\n${sent}`, 'done;')
    t.ok(received > 200 && received < 400, `${received} bytes`)
  }
})
