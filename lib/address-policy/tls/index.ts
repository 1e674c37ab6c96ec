import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import { currentOwner } from '../../async.ts'
import { compileCacheEnvironment } from '../../compile-cache.ts'
import { PortStream } from './port-stream.ts'
import type { TlsRequest } from './thread.ts'

/** The thread ends when it has had no connection for so long, in milliseconds. */
const IDLE_MS = 60_000
const MAX_HEAP_MB = 128

/** The stream of the bytes within TLS. Emits `secure` when the certificate was verified; before, it may fail. */
class TlsStream extends PortStream {
  readonly #socket: Socket

  constructor(content: MessagePort, socket: Socket) {
    super(content)
    this.#socket = socket
  }

  ref(): void {
    this.#socket.ref()
  }

  unref(): void {
    this.#socket.unref()
  }
}

export type { TlsStream }

let worker: Worker | null = null
let connections = 0
let idleTimer: NodeJS.Timeout | undefined

function startThread(): Worker {
  const started = new Worker(new URL('thread.ts', import.meta.url), {
    env: compileCacheEnvironment(),
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 8 }
  })
  // An error ends the thread, and its connections fail. The next one starts another thread.
  started
    .on('error', (error) => process.emitWarning(`The thread for TLS has ended: ${error}`))
    .on('exit', () => {
      if (worker === started) worker = null
    })
  started.unref()
  return started
}

function endWhenIdle(): void {
  clearTimeout(idleTimer)
  idleTimer = setTimeout(() => {
    worker?.terminate() // Never rejects.
    worker = null
  }, IDLE_MS).unref()
}

/**
 * Starts TLS over a connection, always verified for the host. It is done in a thread of its own, which all connections
 * of the process share: OpenSSL verifies the certificates that a server chose in native code, which nothing can
 * interrupt. The stream fails with a RequestError, or with an error of TLS that has a code.
 */
export function startTls(
  socket: Socket,
  { host, isAddress }: { host: string; isAddress: boolean },
  ca: string | undefined
): TlsStream {
  const [wire, content] = [new MessageChannel(), new MessageChannel()]
  const connection = new PortStream(wire.port1)
  const stream = new TlsStream(content.port1, socket)
  worker ??= startThread()
  clearTimeout(idleTimer)
  connections += 1
  const request: TlsRequest = { wire: wire.port2, content: content.port2, owner: currentOwner(), host, isAddress, ca }
  worker.postMessage(request, [wire.port2, content.port2])
  connection.on('error', () => {})
  // An error of the connection reaches the thread, which ends the stream with it.
  pipeline(socket, connection, () => {})
  pipeline(connection, socket, () => {})
  stream.once('close', () => {
    connection.destroy()
    socket.destroy()
    connections -= 1
    if (connections === 0) endWhenIdle()
  })
  return stream
}
