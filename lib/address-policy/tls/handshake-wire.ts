import type { MessagePort } from 'node:worker_threads'
import { createFairQueue } from '../../fair-queue.ts'
import { RequestError } from '../errors.ts'
import { PortStream } from './port-stream.ts'

/**
 * Of a server, in its TLS handshake. Chains of certificates have 2 to 8 KB; those with signatures of ML-DSA-65
 * have 17 KB (FIPS 204: 3,309 bytes a signature, 1,952 a key). OpenSSL itself accepts 100 KB. That many bytes of keys
 * on the curve sect571r1 take 0.4 s to verify.
 */
export const MAX_HANDSHAKE_BYTES = 24_576

/** Bytes without content after the handshake, such as session tickets, and bytes whose content was not read yet. */
const MAX_OVERHEAD_BYTES = 1_048_576

/** An owner waits so many times as long as its last step took before its next one: handshakes of others come first. */
const REST_FACTOR = 4
/** Steps that take less, in milliseconds, are those of usual certificates. */
const USUAL_MS = 10

/** The handshakes that have received something. */
const waiting = createFairQueue<() => void>()
/** When the next step of an owner may begin, by `performance.now()`. */
const restUntil = new Map<string, number>()
let isRunning = false
/** While all owners that wait have to rest. */
let restTimer: NodeJS.Timeout | undefined

const mayContinue = (owner: string): boolean => (restUntil.get(owner) ?? 0) <= performance.now()

/** Calls back in a turn of the event loop in which no other handshake begins or continues. Owners take turns. */
export function takeTurn(owner: string, resume: () => void): void {
  waiting.add(owner, resume)
  if (isRunning) return
  clearTimeout(restTimer)
  isRunning = true
  setImmediate(runNext)
}

function runNext(): void {
  isRunning = true
  for (const [owner, untilMs] of restUntil) if (untilMs <= performance.now()) restUntil.delete(owner)
  const owner = [...waiting.accounts()].find(mayContinue)
  if (owner === undefined) {
    isRunning = false
    if (waiting.isEmpty()) return
    restTimer = setTimeout(runNext, Math.max(1, Math.min(...restUntil.values()) - performance.now()))
    return
  }
  const startedMs = performance.now()
  waiting.next((other) => other === owner)!()
  // OpenSSL has verified what it received when the turn ends.
  setImmediate(() => {
    const tookMs = performance.now() - startedMs
    if (tookMs > USUAL_MS) restUntil.set(owner, performance.now() + REST_FACTOR * tookMs)
    runNext()
  })
}

/**
 * What a server sends over its connection, to give to `tls.connect`: OpenSSL verifies certificates and signatures in
 * the event loop, as soon as it has received them. So of all handshakes, one is continued in each turn, and one with
 * more than `MAX_HANDSHAKE_BYTES` ends with a RequestError `tls`. `endHandshake` must be called when the handshake is
 * complete; from then on, bytes are passed on at once.
 */
export class HandshakeWire extends PortStream {
  readonly #owner: string
  #isHandshake = true
  #received = 0
  #held: Buffer[] = []
  #hasEnded = false
  #overheadLeft = MAX_OVERHEAD_BYTES

  constructor(port: MessagePort, owner: string) {
    super(port)
    this.#owner = owner
  }

  endHandshake(): void {
    this.#isHandshake = false
    this.#passHeld()
  }

  /** Must be called with the bytes of content that arrived. The rest of what arrives is limited. */
  countContent(bytes: number): void {
    this.#overheadLeft = Math.min(MAX_OVERHEAD_BYTES, this.#overheadLeft + bytes)
  }

  protected override receive(bytes: Buffer): void {
    if (!this.#isHandshake) {
      this.#overheadLeft -= bytes.length
      if (this.#overheadLeft >= 0) this.pass(bytes)
      else this.destroy(new RequestError('reset', 'The server sent TLS messages without content.'))
      return
    }
    this.#received += bytes.length
    if (this.#received > MAX_HANDSHAKE_BYTES) {
      const detail = `The server sent more than ${MAX_HANDSHAKE_BYTES / 1024} KiB in its TLS handshake.`
      this.destroy(new RequestError('tls', detail))
      return
    }
    this.#held.push(bytes)
    if (this.#held.length === 1) takeTurn(this.#owner, () => this.#passHeld())
  }

  protected override receiveEnd(): void {
    this.#hasEnded = true
    if (this.#held.length === 0) super.receiveEnd()
  }

  #passHeld(): void {
    const held = this.#held
    this.#held = []
    if (this.destroyed) return
    for (const bytes of held) this.pass(bytes)
    if (this.#hasEnded) super.receiveEnd()
  }
}
