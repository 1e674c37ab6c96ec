import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createTurnQueue, type TurnQueue } from '../turn-queue.ts'
import { headLength } from './request.ts'
import type { Sender, Senders } from './request-senders.ts'

/** Heads of browsers and API clients have 200 to 1,500 characters. What a head costs grows with its length. */
const LARGE_HEAD_LENGTH = 2_000
/** What requests may use of one turn of the event loop before large heads wait for the next one, in milliseconds. */
const SLICE_MS = 8
/** The same for other requests, in milliseconds of CPU time: about 100 of them. */
const CROWDED_MS = 16
/** The time in which the use of the event loop by each group of senders is measured, in milliseconds. */
const PERIOD_MS = 500
/** A group is heavy if it used more of a period, in milliseconds. */
const HEAVY_MS = 100
/**
 * What the requests of all heavy accounts may use of one turn while others send, in milliseconds, and what those
 * without an account may use if they are heavy.
 */
const HEAVY_SLICE_MS = 2

/**
 * A change of another sender makes heavy senders start one request in each turn instead, for so many milliseconds after
 * it arrived. Later, it probably waits for its client or for another server.
 */
const PRECEDENCE_MS = 500

const isLarge = (request: IncomingMessage): boolean => headLength(request) > LARGE_HEAD_LENGTH

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const isChange = ({ method }: IncomingMessage): boolean => method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'

/** What one group used of the event loop, in milliseconds: in this period, and in the one before. */
interface Use {
  ms: number
  lastMs: number
}

/**
 * Measures what groups of senders use of the event loop: the time from the start of a request to the start of the
 * next one in the same turn, or to the end of the turn.
 */
function createUseMeter() {
  const uses = new Map<string, Use>()
  let periodStartedMs = 0
  let current: { use: Use; startedMs: number } | null = null

  function startPeriod(nowMs: number): void {
    periodStartedMs = nowMs
    for (const [group, use] of uses) {
      if (use.ms === 0) uses.delete(group)
      use.lastMs = use.ms
      use.ms = 0
    }
  }

  function end(nowMs: number): void {
    if (current === null) return
    current.use.ms += nowMs - current.startedMs
    current = null
  }

  return {
    end,
    start({ group }: Sender, nowMs: number): void {
      end(nowMs)
      const use = uses.get(group) ?? { ms: 0, lastMs: 0 }
      uses.set(group, use)
      current = { use, startedMs: nowMs }
    },
    /** Whether these senders use much of the event loop while others send, too. */
    isHeavy({ group }: Sender, nowMs: number): boolean {
      if (nowMs - periodStartedMs >= PERIOD_MS) startPeriod(nowMs)
      const use = uses.get(group)
      return use !== undefined && Math.max(use.ms, use.lastMs) > HEAVY_MS && uses.size > 1
    }
  }
}

/**
 * Returns a wrapper for listeners that share the time of the event loop. Clients can complete thousands of
 * requests at the same moment, by holding back their last bytes, and Node starts all of them in one turn of
 * the event loop. Here, requests with large heads (long lists of media types, parameters or entity tags, long
 * credentials) wait for one of the next turns if they arrive after the first 8 ms of a turn, other requests after
 * 16 ms of CPU time. Senders take turns. Making all requests wait after 8 ms would cost more than it saves,
 * because objects that live longer make the garbage collection slower.
 *
 * An account that used a fifth of the last half second, while others sent requests, has 2 ms of a turn, and a single
 * request while a change of another one is in progress. A change needs ten to a hundred turns, each of which would
 * otherwise last as long as these requests. Senders without an account have as much together, however many addresses
 * they have.
 */
export function createRequestTurns(senders: Senders): (listener: RequestListener) => RequestListener {
  const waiting = createTurnQueue(SLICE_MS)
  const meter = createUseMeter()
  /** When the first request of this turn started. Null: none did. */
  let turn: { startedMs: number; startedCpuMs: number } | null = null
  /** The changes of senders that are not heavy. */
  const changes = { inProgress: 0, lastStartedMs: -Infinity }

  const heavySliceMs = (): number =>
    changes.inProgress > 0 && performance.now() - changes.lastStartedMs < PRECEDENCE_MS ? 0 : HEAVY_SLICE_MS

  const heavyAccounts = createTurnQueue(heavySliceMs)
  const heavyAnonymous = createTurnQueue(heavySliceMs)

  function trackChange(response: ServerResponse): void {
    changes.inProgress += 1
    changes.lastStartedMs = performance.now()
    response.once('close', () => {
      changes.inProgress -= 1
    })
  }

  function endTurn(): void {
    meter.end(performance.now())
    turn = null
  }

  function currentTurn(nowMs: number) {
    if (turn === null) {
      turn = { startedMs: nowMs, startedCpuMs: cpuMs() }
      setImmediate(endTurn)
    }
    return turn
  }

  /** The queue for this request. Null if it may start at once. */
  function queueFor(request: IncomingMessage, response: ServerResponse, sender: Sender): TurnQueue | null {
    const nowMs = performance.now()
    const { startedMs, startedCpuMs } = currentTurn(nowMs)
    const usedMs = nowMs - startedMs
    const heavy = sender.group === 'anonymous' ? heavyAnonymous : heavyAccounts
    if (meter.isHeavy(sender, nowMs)) {
      if (heavy.size() > 0 || usedMs >= heavySliceMs()) return heavy
    } else if (isChange(request)) trackChange(response)
    if (usedMs < SLICE_MS) return waiting.size() > 0 && isLarge(request) ? waiting : null
    if (isLarge(request)) return waiting
    // On a busy machine, time passes in which this process does nothing.
    return usedMs < CROWDED_MS || cpuMs() - startedCpuMs < CROWDED_MS ? null : waiting
  }

  return (listener) => (request, response) => {
    const sender = senders.of(request)
    const start = (): void => {
      const nowMs = performance.now()
      currentTurn(nowMs)
      meter.start(sender, nowMs)
      listener(request, response)
    }
    const queue = queueFor(request, response, sender)
    if (queue === null) return start()
    const startLater = AsyncResource.bind(() => {
      if (!request.socket.destroyed) start()
    })
    queue.add(sender.id, startLater)
  }
}
