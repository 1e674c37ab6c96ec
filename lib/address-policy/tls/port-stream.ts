import { Duplex } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'
import { RequestError } from '../errors.ts'

/** Bytes that the other end has not passed on yet, before a writer waits. */
const WINDOW_BYTES = 262_144

/** An error as the other end of a port receives it. */
interface SentError {
  message: string
  code: string | undefined
  /** The code of a RequestError. */
  failure: RequestError['code'] | undefined
}

type Message =
  | { kind: 'data'; bytes: Uint8Array }
  | { kind: 'passed'; bytes: number }
  | { kind: 'end' }
  | { kind: 'close'; error: SentError | null }
  | { kind: 'event'; name: string }

function toSentError(error: NodeJS.ErrnoException): SentError {
  return { message: error.message, code: error.code, failure: error instanceof RequestError ? error.code : undefined }
}

function fromSentError({ message, code, failure }: SentError): Error {
  if (failure !== undefined) return new RequestError(failure, message)
  return Object.assign(new Error(message), code === undefined ? {} : { code })
}

/**
 * One end of a stream of bytes in both directions, whose other end may be in another thread. Errors arrive at the other
 * end with their message and code, and streams of a thread that ends fail with ECONNRESET. A port does not keep the
 * process running.
 */
export class PortStream extends Duplex {
  readonly #port: MessagePort
  /** Sent, and not passed on by the other end. */
  #sentBytes = 0
  #onPassed: (() => void) | null = null
  /** Received, and not read yet. */
  #receivedBytes = 0
  #isClosed = false

  constructor(port: MessagePort) {
    super({ allowHalfOpen: true, autoDestroy: true })
    this.#port = port
    port.on('message', (message: Message) => this.#handle(message))
    port.on('close', () => {
      if (this.#isClosed) return
      this.#isClosed = true
      this.destroy(Object.assign(new Error('The other end of the stream has ended'), { code: 'ECONNRESET' }))
    })
    port.unref()
  }

  /** Emits an event without arguments at the other end, after the bytes that were written before. */
  send(name: string): void {
    this.#post({ kind: 'event', name })
  }

  /** Called with the bytes that arrive. */
  protected receive(bytes: Buffer): void {
    this.pass(bytes)
  }

  /** Called when the other end has ended. */
  protected receiveEnd(): void {
    this.push(null)
  }

  /** Gives received bytes to the reader of this end. */
  protected pass(bytes: Buffer): void {
    this.#receivedBytes += bytes.length
    if (this.push(bytes)) this._read()
  }

  #handle(message: Message): void {
    if (this.destroyed) return
    switch (message.kind) {
      case 'data':
        this.receive(Buffer.from(message.bytes.buffer, message.bytes.byteOffset, message.bytes.length))
        break
      case 'passed':
        this.#sentBytes -= message.bytes
        if (this.#sentBytes < WINDOW_BYTES) this.#continueWriting()
        break
      case 'end':
        this.receiveEnd()
        break
      case 'event':
        this.emit(message.name)
        break
      case 'close':
        this.#isClosed = true
        this.destroy(message.error === null ? undefined : fromSentError(message.error))
    }
  }

  #post(message: Message, transfer: ArrayBuffer[] = []): void {
    if (!this.#isClosed) this.#port.postMessage(message, transfer)
  }

  #continueWriting(): void {
    const done = this.#onPassed
    this.#onPassed = null
    done?.()
  }

  override _read(): void {
    if (this.#receivedBytes === 0) return
    this.#post({ kind: 'passed', bytes: this.#receivedBytes })
    this.#receivedBytes = 0
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#send([chunk], done)
  }

  override _writev(writes: { chunk: Buffer }[], done: () => void): void {
    this.#send(
      writes.map(({ chunk }) => chunk),
      done
    )
  }

  #send(chunks: Buffer[], done: () => void): void {
    // A copy: a chunk may be a part of a larger buffer, all of which would be sent.
    const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const chunk of chunks) {
      bytes.set(chunk, at)
      at += chunk.length
    }
    this.#sentBytes += bytes.length
    this.#post({ kind: 'data', bytes }, [bytes.buffer])
    this.#onPassed = done
    // What is written in this turn of the event loop is the next message: each one costs the other end as much as
    // thousands of bytes, and a server may send one byte at a time.
    setImmediate(() => {
      if (this.#sentBytes < WINDOW_BYTES) this.#continueWriting()
    })
  }

  override _final(done: () => void): void {
    this.#post({ kind: 'end' })
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#post({ kind: 'close', error: error === null ? null : toSentError(error) })
    this.#isClosed = true
    this.#port.close()
    this.#continueWriting()
    done(error)
  }
}
