import type { MessagePort } from 'node:worker_threads'
import { createFairQueue } from '../../fair-queue.ts'
import { createLoopUse } from '../../loop-use.ts'
import { RequestError } from '../errors.ts'
import { PortStream } from './port-stream.ts'
import { RecordReader } from './records.ts'

/**
 * Of a server, in its TLS handshake. Chains of certificates have 2 to 8 KB; those with signatures of ML-DSA-65
 * have 17 KB (FIPS 204: 3,309 bytes a signature, 1,952 a key). OpenSSL itself accepts 100 KB. That many bytes of keys
 * on the curve sect571r1 take 0.4 s to verify.
 */
export const MAX_HANDSHAKE_BYTES = 24_576

/** Bytes without content after the handshake, such as session tickets, and bytes whose content was not read yet. */
const MAX_OVERHEAD_BYTES = 1_048_576

/**
 * The same in records. Servers send a few session tickets. A KeyUpdate has 27 bytes, and OpenSSL takes 20 µs for it
 * (RFC 8446, section 4.6.3: for every 24 million records or so).
 */
const MAX_OVERHEAD_RECORDS = 4_096

/** Records that OpenSSL receives in one step. */
const RECORDS_PER_STEP = 32

/** An owner waits so many times as long as its last step took before its next one: handshakes of others come first. */
const REST_FACTOR = 4
/** Steps that take less, in milliseconds, are those of usual certificates. */
const USUAL_MS = 10

/** What waits: connections to open, and those that have received something. */
const waiting = createFairQueue<() => void>()
/** When the next step of an owner may begin, by `performance.now()`. */
const restUntil = new Map<string, number>()
let isRunning = false
/** While all owners that wait have to rest. */
let restTimer: NodeJS.Timeout | undefined

const mayContinue = (owner: string): boolean => (restUntil.get(owner) ?? 0) <= performance.now()

/** Calls back in a turn of the event loop in which no other connection begins or continues. Owners take turns. */
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

/** The time of this thread that owners used after their handshakes. */
const threadUse = createLoopUse()

/**
 * What a server sends over its connection, to give to `tls.connect`: OpenSSL works in the event loop, as soon as it has
 * received something. So of all handshakes, one is continued in each turn, and one with more than
 * `MAX_HANDSHAKE_BYTES` ends with a RequestError `tls`. `endHandshake` must be called when the handshake is complete.
 * From then on, owners that used little of this thread receive at once, but few records, and the others in turns.
 */
export class Wire extends PortStream {
  readonly #owner: string
  readonly #records = new RecordReader()
  #isHandshake = true
  #received = 0
  /** Received, and not passed on. If there is any, a turn will pass it on. */
  #held: Buffer[] = []
  #hasEnded = false
  #overheadLeft = MAX_OVERHEAD_BYTES
  #recordsLeft = MAX_OVERHEAD_RECORDS

  constructor(port: MessagePort, owner: string) {
    super(port)
    this.#owner = owner
  }

  endHandshake(): void {
    this.#isHandshake = false
  }

  /** Must be called with the bytes of content of each record that arrived. The rest of what arrives is limited. */
  countContent(bytes: number): void {
    this.#overheadLeft = Math.min(MAX_OVERHEAD_BYTES, this.#overheadLeft + bytes)
    this.#recordsLeft = Math.min(MAX_OVERHEAD_RECORDS, this.#recordsLeft + 1)
  }

  protected override receive(bytes: Buffer): void {
    this.#received += bytes.length
    if (this.#isHandshake && this.#received > MAX_HANDSHAKE_BYTES) {
      const detail = `The server sent more than ${MAX_HANDSHAKE_BYTES / 1024} KiB in its TLS handshake.`
      this.destroy(new RequestError('tls', detail))
      return
    }
    this.#held.push(bytes)
    if (this.#held.length > 1) return
    if (!this.#isHandshake && threadUse.isLight(this.#owner)) this.#passNext()
    if (this.#held.length > 0) this.#waitForTurn()
  }

  protected override receiveEnd(): void {
    this.#hasEnded = true
    if (this.#held.length === 0) super.receiveEnd()
  }

  #waitForTurn(): void {
    takeTurn(this.#owner, () => {
      this.#passNext()
      if (this.#held.length > 0) this.#waitForTurn()
    })
  }

  /** Passes on all of a handshake, or the next records. */
  #passNext(): void {
    for (let left = RECORDS_PER_STEP; left > 0 && this.#held.length > 0 && !this.destroyed; ) {
      const bytes = this.#held[0]!
      const { length, records } = this.#records.read(bytes, this.#isHandshake ? Infinity : left)
      if (length === bytes.length) this.#held.shift()
      else this.#held[0] = bytes.subarray(length)
      if (!this.#isHandshake) left -= records
      this.#passStep(bytes.subarray(0, length), records)
    }
    if (this.destroyed) this.#held = []
    else if (this.#hasEnded && this.#held.length === 0) super.receiveEnd()
  }

  #passStep(bytes: Buffer, records: number): void {
    if (this.#isHandshake) {
      this.pass(bytes)
      return
    }
    this.#overheadLeft -= bytes.length
    this.#recordsLeft -= records
    if (this.#overheadLeft >= 0 && this.#recordsLeft >= 0) threadUse.measure(this.#owner, () => this.pass(bytes))
    else this.destroy(new RequestError('reset', 'The server sent TLS messages without content.'))
  }
}
