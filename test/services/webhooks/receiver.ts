import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'

/** A request as it came. */
export interface Received {
  atMs: number
  path: string
  headers: IncomingHttpHeaders
  body: Buffer /** Of the body. */
  id: string
  sequence: number
}

/**
 * What a receiver answers: a status, or a status with more; `cut` closes the connection, `silence`
 * never answers, `afterMs` answers late.
 */
export type Reply =
  | number
  | { status: number; headers?: Record<string, string>; body?: string; afterMs?: number }
  | 'cut'
  | 'silence'

export interface Receiver {
  url: string
  received: Received[]
  /** Most requests that were there at once. */
  mostAtOnce: () => number
  /** What is answered from now on. */
  reply: (how: (received: Received, count: number) => Reply | Promise<Reply>) => void
  /** Resolves when so many requests were received. */
  count: (least: number) => Promise<void>
}

/**
 * A real HTTP server on this machine that keeps what it gets, gone at the end of the test. It
 * answers 200.
 */
export async function startReceiver(t: Pick<Test, 'teardown'>): Promise<Receiver> {
  const received: Received[] = []
  const counting = new Set<() => void>()
  let how: (received: Received, count: number) => Reply | Promise<Reply> = () => 200
  let open = 0
  let most = 0

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    open += 1
    most = Math.max(most, open)
    response.on('close', () => {
      open -= 1
    })
    const body = await buffer(request)
    const { id, sequence } = JSON.parse(body.toString()) as { id: string; sequence: number }
    const one = { atMs: Date.now(), path: request.url ?? '', headers: request.headers, body, id, sequence }
    received.push(one)
    for (const look of counting) look()
    answer(response, await how(one, received.length))
  }

  const server = createServer((request, response) => {
    take(request, response).catch(() => {
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    mostAtOnce: () => most,
    reply(given) {
      how = given
    },
    async count(least) {
      await new Promise<void>((resolve) => {
        const look = () => {
          if (received.length < least) return
          counting.delete(look)
          resolve()
        }
        counting.add(look)
        look()
      })
    }
  }
}

function answer(response: ServerResponse, reply: Reply): void {
  if (reply === 'silence') return
  if (reply === 'cut') {
    response.destroy()
    return
  }
  const {
    status,
    headers = {},
    body = '{"received":true}',
    afterMs = 0
  } = typeof reply === 'number' ? { status: reply } : reply
  setTimeout(() => {
    response.writeHead(status, headers).end(body)
  }, afterMs)
}
