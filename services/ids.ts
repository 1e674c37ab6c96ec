import { randomFillSync } from 'node:crypto'

/**
 * What a request does. A request with an Idempotency-Key has the same operation id at every attempt,
 * which becomes the id of the record that it creates: an attempt after a crash finds the record
 * instead of creating another one.
 */
export interface Operation {
  id: string
  /** An earlier attempt may have created the record. */
  isRetry: boolean
}

/** The operation of a call that is not repeated. */
export const newOperation = (): Operation => ({ id: newId(), isRetry: false })

let lastMs = 0
let counter = 0
/** Random bytes for many ids, because fetching them takes longest. */
const pool = Buffer.alloc(4096)
let used = pool.length

/**
 * Generates a UUIDv7 (RFC 9562, section 5.7): sortable by time to the millisecond and, within one
 * process, by order of creation (section 6.2, method 1: a 12-bit counter that starts at a random
 * value in its lower half).
 */
export function newId(nowMs = Date.now()): string {
  const bytes = randomSixteen()
  if (nowMs > lastMs) {
    lastMs = nowMs
    counter = bytes.readUInt16BE(6) & 0x7ff
  } else if (++counter > 0xfff) {
    lastMs += 1
    counter = 0
  }
  bytes.writeUIntBE(lastMs, 0, 6)
  bytes.writeUInt16BE(0x7000 | counter, 6)
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

function randomSixteen(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 16
  return Buffer.from(pool.subarray(used - 16, used))
}
