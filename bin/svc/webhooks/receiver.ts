import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError } from '../../../errors.ts'
import { EVENT_BYTES } from '../../../schemas/event.ts'
import { requestHeaders, type HeaderNames } from '../../../services/webhooks/signing.ts'
import { bodySignature, toSigningSecret } from '../../../services/webhooks/signing.ts'
import type { Arrival, ListenedEvent } from './events.ts'

interface ReceiverOptions {
  /** 0: any free port. */
  port: number
  names: HeaderNames
  /** Resolves after the webhook was registered; a delivery that is faster waits for it. */
  secret: Promise<string>
  /** Called for each delivery with a valid signature; the response is sent afterwards. */
  onArrival: (arrival: Arrival) => Promise<void>
  /** Called with a message for each rejected request. */
  onRejected: (message: string) => void
}

/** A webhook receiver on the loopback interface. Throws a StartError if the port is in use. */
export async function openReceiver({ port, names, secret, onArrival, onRejected }: ReceiverOptions) {
  async function handle(request: IncomingMessage): Promise<[status: number, body: object]> {
    const header = (name: string): string => String(request.headers[name.toLowerCase()] ?? '')
    const body = request.method === 'POST' ? await readBody(request) : null
    if (body === null) {
      onRejected('✗ Rejected a request that is not a delivery.')
      return [400, { error: 'not a delivery' }]
    }
    if (!isEqual(header(names.signature), bodySignature(body, toSigningSecret('', await secret)))) {
      onRejected(`✗ ${header(names.event) || 'A request'}: the signature is wrong; responded with 401.`)
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
    handle(request)
      .catch((error: Error): [number, object] => {
        onRejected(`✗ ${error.message}`)
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
    throw new StartError(`Cannot listen on port ${port}: ${(error as Error).message}. Choose another --port.`, {
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

/** The raw body; null if it is larger than any event. */
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

function isEqual(received: string, expected: string): boolean {
  const [a, b] = [Buffer.from(received), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Less than the service waits for a response: its delivery is acknowledged after the forward. */
const FORWARD_TIMEOUT_MS = 10_000

interface ForwardOptions {
  to: string
  secret: string
  names: HeaderNames
  signal: AbortSignal
}

/**
 * Returns a function that posts an event to `to` once, signed as the service signs it. It resolves
 * with a message about the outcome and never rejects.
 */
export function createForwarder({ to, secret, names, signal }: ForwardOptions) {
  const key = toSigningSecret('', secret)
  return async ({ event, body, deliveryId, attempt }: Arrival): Promise<string> => {
    const { sent } = requestHeaders(
      names,
      { eventId: event.id, deliveryId, type: event.type, body, attempt },
      { by: key, all: [key] }
    )
    const start = performance.now()
    try {
      const response = await fetch(to, {
        method: 'POST',
        headers: sent,
        body: new Uint8Array(body),
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(FORWARD_TIMEOUT_MS)])
      })
      await response.body?.cancel()
      return `  → #${event.sequence} ${response.status} after ${Math.round(performance.now() - start)} ms`
    } catch (error) {
      const { message, cause } = error as Error
      const reason = cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message
      return `  → #${event.sequence} failed: ${reason}`
    }
  }
}
