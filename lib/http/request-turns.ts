import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createFairQueue } from '../fair-queue.ts'

/** Heads of browsers and API clients have 200 to 1,500 characters. What a head costs grows with its length. */
const LARGE_HEAD_LENGTH = 2_000
/** What requests may use of one turn of the event loop before large heads wait for the next one, in milliseconds. */
const SLICE_MS = 8
/** The same for other requests, in milliseconds of CPU time: about 100 of them. */
const CROWDED_MS = 16
/** Waiting requests that start in one turn at most. */
const STARTS_PER_TURN = 128
/** Credentials that differ only after so many characters share their turns. */
const MAX_CREDENTIAL_LENGTH = 100

function isLarge({ url = '', rawHeaders }: IncomingMessage): boolean {
  let length = url.length
  for (const text of rawHeaders) length += text.length
  return length > LARGE_HEAD_LENGTH
}

/** Who sent a request, as far as its head tells without a look at the store. */
function senderOf({ headers, socket }: IncomingMessage): string {
  const credential = headers['x-api-key'] ?? headers.authorization
  return typeof credential === 'string' ? credential.slice(0, MAX_CREDENTIAL_LENGTH) : (socket.remoteAddress ?? '')
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Returns a wrapper for listeners that share the time of the event loop. Clients can complete thousands of
 * requests at the same moment, by holding back their last bytes, and Node starts all of them in one turn of
 * the event loop. Here, requests with large heads (long lists of media types, parameters or entity tags, long
 * credentials) wait for one of the next turns if they arrive after the first 8 ms of a turn, other requests after
 * 16 ms of CPU time. Senders take turns. Making all requests wait after 8 ms would cost more than it saves,
 * because objects that live longer make the garbage collection slower.
 */
export function createRequestTurns(): (listener: RequestListener) => RequestListener {
  const waiting = createFairQueue<() => void>()
  let waitingCount = 0
  /** When the first request of this turn started. Null: none did. */
  let turn: { startedMs: number; startedCpuMs: number } | null = null
  /** When the first one of those that waited started in this turn. */
  let resumedMs: number | null = null

  /** Each start has a callback of its own, after which Node runs the microtasks of the request. */
  function startNext(): void {
    resumedMs ??= performance.now()
    if (performance.now() - resumedMs >= SLICE_MS) return
    waitingCount -= 1
    waiting.next()!()
  }

  function endTurn(): void {
    turn = null
    resumedMs = null
    if (waitingCount === 0) return
    for (let starts = Math.min(waitingCount, STARTS_PER_TURN); starts > 0; starts--) setImmediate(startNext)
    setImmediate(endTurn)
  }

  function mayStart(request: IncomingMessage): boolean {
    const nowMs = performance.now()
    if (turn === null) {
      turn = { startedMs: nowMs, startedCpuMs: cpuMs() }
      if (waitingCount === 0) setImmediate(endTurn)
    }
    const usedMs = nowMs - turn.startedMs
    if (usedMs < SLICE_MS) return waitingCount === 0 || !isLarge(request)
    if (isLarge(request)) return false
    // On a busy machine, time passes in which this process does nothing.
    return usedMs < CROWDED_MS || cpuMs() - turn.startedCpuMs < CROWDED_MS
  }

  return (listener) => (request, response) => {
    if (mayStart(request)) return listener(request, response)
    const start = AsyncResource.bind(() => {
      if (!request.socket.destroyed) listener(request, response)
    })
    waitingCount += 1
    waiting.add(senderOf(request), start)
  }
}
