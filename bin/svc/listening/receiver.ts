import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError } from '../../../errors.ts'
import { EVENT_BYTES } from '../../../schemas/event.ts'
import type { HeaderNames } from '../../../services/webhooks/request-headers.ts'
import { bodySignature, openSecret } from '../../../services/webhooks/sign.ts'
import type { Arrival, ListenedEvent } from './listened-event.ts'

interface Receiving {
  /** 0: any that is free. */
  port: number
  names: HeaderNames
  /** Told when the webhook is registered; a delivery that is faster waits for it. */
  secret: Promise<string>
  /** Each delivery whose signature is right. It is acknowledged when this is done. */
  onArrival: (arrival: Arrival) => Promise<void>
  /** A request that is refused, in a sentence. */
  onRefusal: (sentence: string) => void
}

/**
 * A receiver of webhooks on this machine alone. Throws a StartError when it cannot have the port.
 */
export async function openReceiver({ port, names, secret, onArrival, onRefusal }: Receiving) {
  async function answer(request: IncomingMessage): Promise<[status: number, answer: object]> {
    const header = (name: string): string => String(request.headers[name.toLowerCase()] ?? '')
    const body = request.method === 'POST' ? await readBody(request) : null
    if (body === null) {
      onRefusal('✗ A request that is no delivery was refused.')
      return [400, { error: 'not a delivery' }]
    }
    if (!same(header(names.signature), bodySignature(body, openSecret('', await secret)))) {
      onRefusal(`✗ ${header(names.event) || 'A request'}: the signature is wrong, it was answered with 401.`)
      return [401, { error: 'bad signature' }]
    }
    await onArrival({
      event: JSON.parse(body.toString()) as ListenedEvent,
      body,
      deliveryId: header(names.delivery),
      attempt: Number(header(names.attempt))
    })
    return [200, { received: true }]
  }

  const server = http.createServer((request, response) => {
    answer(request)
      .catch((error: Error): [number, object] => {
        onRefusal(`✗ ${error.message}`)
        return [500, { error: 'not handled' }]
      })
      .then(
        ([status, body]) => {
          if (!request.complete) response.setHeader('connection', 'close')
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
        },
        () => {
          response.destroy()
        }
      )
  })
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new StartError(`Port ${port} cannot be had: ${(error as Error).message}. Choose another with --port.`, {
      cause: error
    })
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close(): void {
      server.close()
      server.closeAllConnections()
    }
  }
}

/** The raw bytes; null for more than an event can have. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > EVENT_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function same(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
