import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createFairQueue } from '../fair-queue.ts'

/** Heads of browsers and API clients have 200 to 1,500 characters. What a head costs grows with its length. */
const LARGE_HEAD_LENGTH = 2_000
/** What requests may use of one turn of the event loop before large heads wait for the next turn, in milliseconds. */
const SLICE_MS = 8
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

/**
 * Returns a wrapper for listeners that lets requests with large heads share the time of the event loop: long
 * lists of media types, parameters or entity tags, and long credentials. Clients can complete hundreds of them
 * at the same moment, by holding back their last bytes, and Node starts all of them in one turn of the event
 * loop. Here, those that arrive after the first 8 ms of a turn wait for one of the next turns, and senders
 * take turns. Other requests start at once: waiting would cost them more than it saves, because objects that
 * live longer make the garbage collection slower.
 */
export function createRequestTurns(): (listener: RequestListener) => RequestListener {
  const waiting = createFairQueue<() => void>()
  let waitingCount = 0
  /** When the first request with a large head of this turn started. Null: none did. */
  let startedMs: number | null = null

  /** Each start has a callback of its own, after which Node runs the microtasks of the request. */
  function startNext(): void {
    startedMs ??= performance.now()
    if (performance.now() - startedMs >= SLICE_MS) return
    waitingCount -= 1
    waiting.next()!()
  }

  function endTurn(): void {
    startedMs = null
    if (waitingCount === 0) return
    for (let starts = Math.min(waitingCount, STARTS_PER_TURN); starts > 0; starts--) setImmediate(startNext)
    setImmediate(endTurn)
  }

  return (listener) => (request, response) => {
    if (!isLarge(request)) return listener(request, response)
    if (waitingCount === 0) {
      const nowMs = performance.now()
      if (startedMs === null) {
        startedMs = nowMs
        setImmediate(endTurn)
      }
      if (nowMs - startedMs < SLICE_MS) return listener(request, response)
    }
    const start = AsyncResource.bind(() => {
      if (!request.socket.destroyed) listener(request, response)
    })
    waitingCount += 1
    waiting.add(senderOf(request), start)
  }
}
