import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { RequestError } from './errors.ts'

/**
 * Of a server, in its TLS handshake. Chains of certificates have 2 to 8 KB; those with signatures of ML-DSA-65
 * have 17 KB (FIPS 204: 3,309 bytes a signature, 1,952 a key). OpenSSL itself accepts 100 KB. That many bytes
 * of RSA keys with 16,384 bits take 0.1 s to verify.
 */
export const MAX_HANDSHAKE_BYTES = 24_576

/** The connections whose handshakes have received something, in order. */
const waiting: (() => void)[] = []
let isRunning = false

/** Calls back in a turn of the event loop in which no other handshake is continued. */
function takeTurn(resume: () => void): void {
  waiting.push(resume)
  if (isRunning) return
  isRunning = true
  setImmediate(runNext)
}

function runNext(): void {
  waiting.shift()?.()
  isRunning = waiting.length > 0
  if (isRunning) setImmediate(runNext)
}

/**
 * A connection whose TLS handshake is limited, to give to `tls.connect`: OpenSSL verifies certificates and
 * signatures in the event loop, as soon as it has received them. So of all handshakes, one is continued in
 * each turn, and one with more than `MAX_HANDSHAKE_BYTES` ends with a RequestError `tls`. `endHandshake` must
 * be called when the handshake is complete; from then on, bytes are passed on at once.
 */
export class HandshakeLimit extends Duplex {
  readonly #socket: Socket
  #isHandshake = true
  #received = 0
  #held: Buffer[] = []
  #hasEnded = false

  constructor(socket: Socket) {
    super({ allowHalfOpen: true, autoDestroy: true })
    this.#socket = socket
    socket
      .on('data', (chunk: Buffer) => this.#receive(chunk))
      .on('end', () => this.#endReading())
      .on('error', (error) => this.destroy(error))
      .on('close', () => this.destroy())
      .pause()
  }

  endHandshake(): void {
    this.#isHandshake = false
    this.#pass()
  }

  #receive(chunk: Buffer): void {
    if (!this.#isHandshake) {
      if (!this.push(chunk)) this.#socket.pause()
      return
    }
    this.#received += chunk.length
    if (this.#received > MAX_HANDSHAKE_BYTES) {
      const detail = `The server sent more than ${MAX_HANDSHAKE_BYTES / 1024} KiB in its TLS handshake.`
      this.destroy(new RequestError('tls', detail))
      return
    }
    this.#held.push(chunk)
    if (this.#held.length > 1) return
    this.#socket.pause()
    takeTurn(() => this.#pass())
  }

  #pass(): void {
    const held = this.#held
    this.#held = []
    for (const chunk of held) this.push(chunk)
    if (this.#hasEnded) this.push(null)
  }

  #endReading(): void {
    this.#hasEnded = true
    if (this.#held.length === 0) this.push(null)
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#held = []
    this.#socket.destroy()
    done(error)
  }

  ref(): void {
    this.#socket.ref()
  }

  unref(): void {
    this.#socket.unref()
  }
}
