import type { ServerResponse } from 'node:http'
import { createFairQueue } from '../fair-queue.ts'
import { createRecentUse } from '../recent-use.ts'
import { trackProgress, type ResponseProgress } from './response-progress.ts'

/** How often the responses that are being sent are looked at, in milliseconds. */
const REVIEW_MS = 500
/** A rate is that since as many reviews: about two seconds. */
const RATE_REVIEWS = 4
/** Half of the bytes that an owner had sent is forgotten after this time. */
const HALF_LIFE_MS = 30_000
/** An owner is light while it had fewer bytes sent lately. */
const LIGHT_BYTES = 4 * 1024 * 1024
/** What a response counts for its owner while it is made. */
const MADE_BYTES = 1024 * 1024
/** A client that would need longer than this is as slow as any. */
const LONGEST_MS = 60_000
/** Of the time after which a client is slow: when there are twice as many bytes. */
const FULL_SHARE = 1 / 3
/** What one counts that was made and not sent, because its client had disconnected. */
const ABORTED_BYTES = 2 * LIGHT_BYTES
/** What owners without unsent bytes, and light ones, may have made above the limit, as multiples of it. */
const IDLE_SHARE = 2
const LIGHT_SHARE = 2.5

export interface ResponseMemoryOptions {
  /** Responses that are made at the same time. One of them is left to light owners. */
  making: number
  /** Bytes of all responses that were made and not taken by their clients. */
  maxUnsentBytes: number
  /** While there are more, a client that would need longer for the rest of its response is slow. */
  slowMs: number
  /** How long each client has at least. */
  minMs: number
  /** A slow client was disconnected. */
  onDisconnect: (owner: string, bytes: number) => void
}

interface Waiting {
  start: (isReady: boolean) => void
}

interface Sending {
  owner: string
  response: ServerResponse
  progress: ResponseProgress
  startedMs: number
  /** What the client had taken when the responses were last looked at, the earliest first. */
  measured: Array<{ taken: number; atMs: number }>
}

/** Limits the memory of the large responses of all owners, such as accounts, together. */
export interface ResponseMemory {
  /**
   * Resolves when the response of an owner may be made: with the function that must be called when it is, or null after
   * `maxWaitMs`, or when the client has disconnected. The owner who had the fewest bytes sent lately is next.
   */
  start: (owner: string, response: ServerResponse, maxWaitMs: number) => Promise<(() => void) | null>
  /** To be called when a response is made, before it is sent. */
  send: (owner: string, response: ServerResponse) => void
}

/**
 * Creates the limits. While too many bytes are unsent, only owners who have none, or had few lately, may have a
 * response made, and slow clients are disconnected: first the one that would need the longest time for the rest of its
 * response. A client that reads at a usual rate is not slow.
 */
export function createResponseMemory(options: ResponseMemoryOptions): ResponseMemory {
  const { making: maxMaking, maxUnsentBytes, slowMs, minMs, onDisconnect } = options
  const waiting = createFairQueue<Waiting>()
  const sending = new Set<Sending>()
  const use = createRecentUse(HALF_LIFE_MS)
  /** Responses of owners that are being made. */
  const made = new Map<string, number>()
  let making = 0
  let timer: NodeJS.Timeout | undefined

  function unsentBytes(owner?: string): number {
    let sum = 0
    for (const each of sending) if (owner === undefined || each.owner === owner) sum += each.progress.bytes
    return sum
  }

  const used = (owner: string): number => use.of(owner) + (made.get(owner) ?? 0) * MADE_BYTES
  const isLight = (owner: string): boolean => used(owner) < LIGHT_BYTES

  function isReady(owner: string): boolean {
    if (making >= Math.max(1, maxMaking - 1) && !isLight(owner)) return false
    const bytes = unsentBytes()
    if (bytes < maxUnsentBytes) return true
    return bytes < (isLight(owner) ? LIGHT_SHARE : unsentBytes(owner) === 0 ? IDLE_SHARE : 0) * maxUnsentBytes
  }

  function next(): Waiting | null {
    let [best, least]: [string | null, number] = [null, Infinity]
    for (const owner of waiting.accounts()) {
      const bytes = used(owner)
      if (bytes < least && isReady(owner)) [best, least] = [owner, bytes]
    }
    return best === null ? null : waiting.next((owner) => owner === best)
  }

  function startNext(): void {
    for (;;) {
      const entry = making < maxMaking ? next() : null
      if (entry === null) return
      entry.start(true)
    }
  }

  function count(owner: string, change: 1 | -1): void {
    making += change
    const left = (made.get(owner) ?? 0) + change
    if (left === 0) made.delete(owner)
    else made.set(owner, left)
  }

  function measure(): void {
    const atMs = performance.now()
    for (const { measured, progress } of sending) {
      measured.push({ taken: progress.taken(), atMs })
      if (measured.length > RATE_REVIEWS + 1) measured.shift()
    }
  }

  /** How long a client would need for the rest of its response, in milliseconds, at its rate of the last seconds. */
  function msLeft({ progress, measured }: Sending): number {
    const [first, last] = [measured[0]!, measured.at(-1)!]
    const perMs = (last.taken - first.taken) / Math.max(1, last.atMs - first.atMs)
    return perMs === 0 ? LONGEST_MS : Math.min(LONGEST_MS, (progress.bytes - last.taken) / perMs)
  }

  /** The client to disconnect next. Of equally slow ones, the first one of the owner with the most unsent bytes. */
  function findSlow(longestMs: number): Sending | undefined {
    const nowMs = performance.now()
    const slow = [...sending].filter((each) => nowMs - each.startedMs >= minMs && msLeft(each) > longestMs)
    const bytes = new Map(slow.map(({ owner }) => [owner, unsentBytes(owner)]))
    return slow.toSorted((a, b) => msLeft(b) - msLeft(a) || bytes.get(b.owner)! - bytes.get(a.owner)!)[0]
  }

  function review(): void {
    measure()
    for (;;) {
      const unsent = unsentBytes()
      if (unsent < maxUnsentBytes) break
      const slow = findSlow(unsent < IDLE_SHARE * maxUnsentBytes ? slowMs : slowMs * FULL_SHARE)
      if (slow === undefined) break
      sending.delete(slow)
      onDisconnect(slow.owner, slow.progress.bytes)
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
    async start(owner, response, maxWaitMs) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const entry = {
        start(isStarted: boolean) {
          if (isStarted) count(owner, 1)
          resolve(isStarted)
        }
      }
      waiting.add(owner, entry)
      startNext()
      keepReviewing()
      const leave = (): void => {
        waiting.remove(owner, entry)
        entry.start(false)
      }
      const timeout = setTimeout(leave, maxWaitMs)
      response.once('close', leave)
      const isStarted = await promise
      clearTimeout(timeout)
      response.off('close', leave)
      if (!isStarted) return null
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        count(owner, -1)
        if (response.closed) use.add(owner, ABORTED_BYTES)
        startNext()
      }
    },

    send(owner, response) {
      // Its client has disconnected before: there is no further event.
      if (response.closed) return
      // Compressing a body may take seconds. Until it is sent, its client has nothing to take.
      const progress = trackProgress(response, (bytes) => {
        if (response.closed) return
        use.add(owner, bytes)
        const startedMs = performance.now()
        const entry = { owner, response, progress, startedMs, measured: [{ taken: 0, atMs: startedMs }] }
        sending.add(entry)
        response.once('close', () => sending.delete(entry))
        keepReviewing()
      })
    }
  }
}
