import type { ServerResponse } from 'node:http'
import { createFairQueue } from '../fair-queue.ts'

/** How often the responses that are being sent are looked at, in milliseconds. */
const REVIEW_MS = 500

export interface ResponseMemoryOptions {
  /** Responses that are made at the same time. */
  making: number
  /** Bytes of all responses that were made and not taken by their clients. */
  maxUnsentBytes: number
  /** A client that has not taken its response after so many milliseconds is slow. */
  slowMs: number
  /** A slow client was disconnected. */
  onDisconnect: (owner: string, bytes: number) => void
}

interface Waiting {
  start: (isReady: boolean) => void
}

interface Sending {
  owner: string
  response: ServerResponse
  startedMs: number
}

/** Limits the memory of the large responses of all owners, such as accounts, together. */
export interface ResponseMemory {
  /**
   * Resolves when the response of an owner may be made: with the function that must be called when it is, or null after
   * `maxWaitMs`. Owners take turns.
   */
  start: (owner: string, maxWaitMs: number) => Promise<(() => void) | null>
  /** To be called when a response is made, before it is sent. */
  send: (owner: string, response: ServerResponse) => void
}

/**
 * Creates the limits. While too many bytes are unsent, only owners who have none may have a response made, and slow
 * clients are disconnected: of the owner who has the most unsent bytes, the one that has waited for the longest time.
 * So clients of other owners may be slow.
 */
export function createResponseMemory(options: ResponseMemoryOptions): ResponseMemory {
  const { making: maxMaking, maxUnsentBytes, slowMs, onDisconnect } = options
  const waiting = createFairQueue<Waiting>()
  const sending = new Set<Sending>()
  let making = 0
  let timer: NodeJS.Timeout | undefined

  /** A buffer that is being written counts until the system has taken all of it. */
  const bytesOf = ({ response }: Sending): number => response.writableLength

  function unsentBytes(owner?: string): number {
    let sum = 0
    for (const each of sending) if (owner === undefined || each.owner === owner) sum += bytesOf(each)
    return sum
  }

  function isReady(owner: string): boolean {
    const bytes = unsentBytes()
    return bytes < maxUnsentBytes || (bytes < 2 * maxUnsentBytes && unsentBytes(owner) === 0)
  }

  function startNext(): void {
    while (making < maxMaking) {
      const next = waiting.next(isReady)
      if (next === null) return
      making += 1
      next.start(true)
    }
  }

  /** The slow client to disconnect next. */
  function findSlow(): Sending | undefined {
    const isSlow = (each: Sending) => bytesOf(each) > 0 && performance.now() - each.startedMs > slowMs
    let [found, most]: [Sending | undefined, number] = [undefined, 0]
    // In the order in which they began: the first one of an owner has waited for the longest time.
    for (const each of sending) {
      const bytes = isSlow(each) ? unsentBytes(each.owner) : 0
      if (bytes > most) [found, most] = [each, bytes]
    }
    return found
  }

  function review(): void {
    while (sending.size > 0 && unsentBytes() >= maxUnsentBytes) {
      const slow = findSlow()
      if (slow === undefined) break
      sending.delete(slow)
      onDisconnect(slow.owner, bytesOf(slow))
      slow.response.destroy()
    }
    startNext()
    if (sending.size > 0 || !waiting.isEmpty()) return
    clearInterval(timer)
    timer = undefined
  }

  function keepReviewing(): void {
    timer ??= setInterval(review, REVIEW_MS).unref()
  }

  return {
    async start(owner, maxWaitMs) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const entry = { start: resolve }
      waiting.add(owner, entry)
      startNext()
      keepReviewing()
      const timeout = setTimeout(() => {
        waiting.remove(owner, entry)
        resolve(false)
      }, maxWaitMs)
      const isStarted = await promise
      clearTimeout(timeout)
      if (!isStarted) return null
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        making -= 1
        startNext()
      }
    },

    send(owner, response) {
      // Its client has disconnected before: there is no further event.
      if (response.closed) return
      const entry = { owner, response, startedMs: performance.now() }
      sending.add(entry)
      response.once('close', () => sending.delete(entry))
      keepReviewing()
    }
  }
}
