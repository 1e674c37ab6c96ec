import { problem, type ApiError } from '../../../errors.ts'
import { withTimeout } from '../../../lib/async.ts'
import { createMicrosecondClock } from '../clock.ts'
import type { Limits, LimitsListener, RateLimitRequest, RateLimitResult } from '../port.ts'
import { checkRequest } from '../sliding-log.ts'
import { createCircuit } from './circuit.ts'
import { openConnection, unusable } from './connection.ts'
import { createHeartbeats } from './heartbeats.ts'
import { createLocalEpochs } from './local-epochs.ts'
import { createLocalLimits, createPendingDecisions } from './local-limits.ts'
import { createScripts, type SharedDecision } from './scripts.ts'
import { createUnsyncedIncrements } from './unsynced-increments.ts'

/** How long a request waits for the shared log before this process decides alone. */
const DECISION_TIMEOUT_MS = 50
/** How long `bumpEpoch` and `ping` try, in any state. */
const CHANGE_TIMEOUT_MS = 1_000
const LEAVE_TIMEOUT_MS = 500
const START_TIMEOUT_MS = 5_000
/** At most one warning in this time. */
const WARNING_INTERVAL_MS = 60_000

export interface RedisLimitsOptions {
  url: string
  /** Starts the names of all keys. */
  prefix: string
  /** Returns microseconds since 1970 instead of the server's clock. For tests. */
  now?: () => number
  /** How long a request waits for a decision, in milliseconds. Default 50. */
  decisionTimeoutMs?: number
  /** Default: a warning of the process. */
  onChange?: LimitsListener
}

/**
 * Opens exact sliding-window limits in a Redis that all processes share: one round trip for each
 * decision. While Redis does not answer in time, this process decides by its local limits with its
 * share of the limit, and all epochs are NaN, so that no cached data is trusted. See
 * docs/decisions/0015-limits-during-redis-outages.md. Throws a StartError if Redis cannot be used
 * at startup; later outages are survived.
 */
export async function openRedisLimits({
  url,
  prefix,
  now,
  decisionTimeoutMs = DECISION_TIMEOUT_MS,
  onChange = createWarning()
}: RedisLimitsOptions): Promise<Limits> {
  const connection = await openConnection(url)
  const scripts = createScripts(connection.redis, { prefix, now })
  const heartbeats = createHeartbeats({ scripts, clock: createMicrosecondClock() })
  const nowUs = now ?? heartbeats.nowUs
  const local = createLocalLimits({ now: nowUs, instances: heartbeats.instances })
  try {
    await withTimeout(heartbeats.send({ record: false, mayShrink: true }), START_TIMEOUT_MS)
  } catch (error) {
    connection.close()
    throw unusable(url, error)
  }
  const unsynced = createUnsyncedIncrements({ scripts, local })
  const epochs = createLocalEpochs(nowUs)
  const pending = createPendingDecisions()
  const circuit = createCircuit({ connection, heartbeats, unsynced, decisionTimeoutMs, onChange })

  /** The local epochs of an account. NaN if the reply came over a connection that is gone by now. */
  function toLocalEpochs(
    account: string | undefined,
    shared: string | null,
    generation: number
  ): { keyEpoch: number; contentEpoch: number } {
    if (account === undefined) return { keyEpoch: 0, contentEpoch: 0 }
    if (shared === null || generation !== connection.generation()) return { keyEpoch: NaN, contentEpoch: NaN }
    const { keys, content } = epochs.get(account, shared, generation)
    return { keyEpoch: keys, contentEpoch: content }
  }

  function toResult({ limit, account }: RateLimitRequest, decision: SharedDecision, generation: number) {
    return {
      allowed: decision.allowed,
      limit,
      remaining: Math.max(0, limit - decision.counted),
      resetAt: Math.ceil(decision.resetUs / 1000),
      retryAfterMs: Math.ceil(decision.waitUs / 1000),
      ...toLocalEpochs(account, decision.epochs, generation)
    }
  }

  function consumeLocally(request: RateLimitRequest, reserved: number): RateLimitResult {
    const { cost = 1 } = request
    const result = local.consume(request, reserved)
    if (result.allowed && cost > 0) unsynced.addFrom(local.newest(request.bucket))
    return result
  }

  /**
   * Asks the shared log. If it does not answer in time, this process decides; a late reply tells
   * what the shared log did.
   */
  function consumeShared(request: RateLimitRequest): Promise<RateLimitResult> {
    const { bucket, limit, cost = 1, account } = request
    const generation = connection.generation()
    const reply = scripts.consume({ bucket, limit, cost, account })
    const own = { bucket, cost }
    pending.add(own)
    return circuit.withDeadline(reply).then(
      (decision) => {
        pending.remove(own)
        circuit.reportSuccess()
        local.record(bucket, decision, { cost, isComplete: circuit.state() === 'closed' })
        return toResult(request, decision, generation)
      },
      (error: Error) => {
        circuit.reportFailure(error)
        const result = consumeLocally(request, pending.costBefore(bucket, own))
        pending.remove(own)
        const fromUs = local.newest(bucket)
        unsynced.waitFor(
          reply.then(
            (late) => {
              if (late.allowed && result.allowed) local.restamp(bucket, { fromUs, toUs: late.timeUs, cost })
            },
            () => {} // Already reported as a failure.
          )
        )
        return result
      }
    )
  }

  /** Refuses by the local share while the others may not have synced. Reads the epochs only. */
  async function rejectLocally(request: RateLimitRequest): Promise<RateLimitResult> {
    const result = local.consume(request)
    if (request.account === undefined) return result
    const { keyEpoch, contentEpoch } = await consumeShared({ ...request, cost: 0 })
    return { ...result, keyEpoch, contentEpoch }
  }

  /** Runs a change in any state of the circuit. Repeats it if the connection is lost meanwhile. */
  async function retryUntilTimeout<T>(change: () => Promise<T>): Promise<T> {
    const untilMs = performance.now() + CHANGE_TIMEOUT_MS
    const leftMs = () => Math.max(1, untilMs - performance.now())
    for (;;) {
      try {
        await connection.ready(leftMs())
        return await withTimeout(change(), leftMs())
      } catch (error) {
        if (connection.isReady() || performance.now() >= untilMs) throw unavailable(error)
      }
    }
  }

  return {
    consume(request) {
      checkRequest(request)
      if (heartbeats.activate()) circuit.probe()
      const state = circuit.state()
      if (state === 'open') return consumeLocally(request, pending.costBefore(request.bucket))
      return state === 'half-open' && !local.fits(request) ? rejectLocally(request) : consumeShared(request)
    },
    refund(request) {
      checkRequest(request)
      const read = { ...request, cost: 0 }
      if (circuit.state() !== 'closed') return consumeLocally(read, pending.costBefore(request.bucket))
      // Both commands go out in this order, in one write.
      scripts.removeNewest(request.bucket).catch((error: Error) => circuit.reportFailure(error))
      local.refund(request.bucket)
      return consumeShared(read)
    },
    async bumpEpoch(account, kind) {
      let generation = 0
      const shared = await retryUntilTimeout(() => {
        generation = connection.generation()
        return scripts.bumpEpoch(account, kind)
      })
      const { keyEpoch, contentEpoch } = toLocalEpochs(account, shared, generation)
      return kind === 'keys' ? keyEpoch : contentEpoch
    },
    async ping() {
      await connection.ready(CHANGE_TIMEOUT_MS).catch((error: unknown) => {
        throw unavailable(error)
      })
      if (!(await circuit.probe()) || circuit.state() === 'open') throw unavailable(null)
    },
    async close() {
      circuit.dispose()
      // If this fails, the heartbeat expires.
      if (connection.isReady()) await withTimeout(heartbeats.leave(), LEAVE_TIMEOUT_MS).catch(() => {})
      connection.close()
      local.clear()
    }
  }
}

const unavailable = (cause: unknown): ApiError =>
  problem('unavailable', 'Redis, which stores the rate limits, does not respond. Retry in a second.', {
    headers: { 'Retry-After': '1' },
    cause
  })

/** The default listener: warns about an outage, at most once a minute. */
function createWarning(): LimitsListener {
  let warnedAt = -Infinity
  return (state, cause) => {
    if (state === 'shared' || performance.now() - warnedAt < WARNING_INTERVAL_MS) return
    warnedAt = performance.now()
    process.emitWarning(
      `Redis does not respond (${cause?.message}). This process enforces its share of the rate limits until it does.`,
      'LimitsWarning'
    )
  }
}
