import { problem, StartError, type ApiError } from '../../../errors.ts'
import { createMicrosecondClock } from '../clock.ts'
import type { RateLimitResult, RateLimitRequest, Limits, LimitsListener } from '../port.ts'
import { checkRequest } from '../sliding-log.ts'
import { masked, openConnection } from './connection.ts'
import { createDebts } from './debts.ts'
import { withTimeout } from '../../../lib/async.ts'
import { createLocalEpochs } from './local-epochs.ts'
import { createLocalLog } from './local-log.ts'
import { createPresence } from './presence.ts'
import { createScripts, type Told } from './scripts.ts'
import { createStanding } from './standing.ts'
import { createUndecided } from './undecided.ts'

/** How long a request waits for the shared log before this process decides by itself. */
const PATIENCE_MS = 50
/** How long a change tries to be told, whatever the state. */
const CHANGE_MS = 1_000
const LEAVE_MS = 500
const START_MS = 5_000

export interface RedisLimitsOptions {
  url: string
  /** Begins the names of all keys. */
  prefix: string
  /** Tells microseconds since 1970 instead of the server, so that tests need no hours. */
  now?: () => number
  /** How long to wait for a decision, in milliseconds. Default 50. */
  patienceMs?: number
  /** Default: a warning of the process. */
  onChange?: LimitsListener
}

/**
 * Opens the exact sliding hour in a Redis that all processes share: one round trip a decision.
 * While it does not answer in time, this process decides by its own
 * log, with its share of the limit; then nothing that was kept by an epoch is good. Throws a
 * StartError when the Redis cannot be used at the start; after that any outage is outlived.
 */
export async function openRedisLimits({
  url,
  prefix,
  now,
  patienceMs = PATIENCE_MS,
  onChange = createWarning()
}: RedisLimitsOptions): Promise<Limits> {
  const connection = await openConnection(url)
  const scripts = createScripts(connection.redis, { prefix, now })
  const presence = createPresence({ scripts, clock: createMicrosecondClock() })
  const nowUs = now ?? presence.nowUs
  const log = createLocalLog({ now: nowUs, instances: presence.instances })
  try {
    await withTimeout(presence.beat({ gives: false, fewer: true }), START_MS)
  } catch (error) {
    connection.close()
    throw new StartError(`The Redis of REDIS_URL (${masked(url)}) cannot be used: ${(error as Error).message}`, {
      cause: error
    })
  }
  const debts = createDebts({ scripts, log })
  const epochs = createLocalEpochs(nowUs)
  const undecided = createUndecided()
  const standing = createStanding({ connection, presence, debts, patienceMs, onChange })

  /**
   * What the account's epochs are called here; what came over a connection that is gone by now
   * cannot be trusted.
   */
  function named(
    account: string | undefined,
    told: string | null,
    generation: number
  ): { keyEpoch: number; contentEpoch: number } {
    if (account === undefined) return { keyEpoch: 0, contentEpoch: 0 }
    if (told === null || generation !== connection.generation()) return { keyEpoch: NaN, contentEpoch: NaN }
    const { keys, content } = epochs.of(account, told, generation)
    return { keyEpoch: keys, contentEpoch: content }
  }

  function shown({ limit, account }: RateLimitRequest, told: Told, generation: number): RateLimitResult {
    return {
      allowed: told.admitted,
      limit,
      remaining: Math.max(0, limit - told.counted),
      resetAt: Math.ceil(told.resetUs / 1000),
      retryAfterMs: Math.ceil(told.waitUs / 1000),
      ...named(account, told.epochs, generation)
    }
  }

  function alone(request: RateLimitRequest, reserved: number): RateLimitResult {
    const { cost = 1 } = request
    const admission = log.admit(request, reserved)
    if (admission.allowed && cost > 0) debts.owe(log.newest(request.bucket))
    return admission
  }

  /**
   * Asks the shared log; where it does not answer in time, this process decides, and what the log
   * did all the same is learned when it says so.
   */
  function ask(request: RateLimitRequest): Promise<RateLimitResult> {
    const { bucket, limit, cost = 1, account } = request
    const generation = connection.generation()
    const asked = scripts.admit({ bucket, limit, cost, account })
    const own = { bucket, cost }
    undecided.add(own)
    return standing.decided(asked).then(
      (told) => {
        undecided.remove(own)
        standing.answered()
        log.note(bucket, told, { cost, settled: standing.state() === 'shared' })
        return shown(request, told, generation)
      },
      (error: Error) => {
        standing.failed(error)
        const admission = alone(request, undecided.before(bucket, own))
        undecided.remove(own)
        const fromUs = log.newest(bucket)
        debts.waitFor(
          asked.then(
            (late) => {
              if (late.admitted && admission.allowed) log.restamp(bucket, { fromUs, toUs: late.timeUs, cost })
            },
            () => {}
          )
        ) // It was counted as a failure already.
        return admission
      }
    )
  }

  /**
   * Refused by this process's share while the others may not have told all that they admitted: only
   * the epochs are asked.
   */
  async function refused(request: RateLimitRequest): Promise<RateLimitResult> {
    const admission = log.admit(request)
    if (request.account === undefined) return admission
    const { keyEpoch, contentEpoch } = await ask({ ...request, cost: 0 })
    return { ...admission, keyEpoch, contentEpoch }
  }

  /**
   * Does what a change needs, also while requests are decided alone; once more over the next
   * connection where this one was lost.
   */
  async function insist<T>(act: () => Promise<T>): Promise<T> {
    const untilMs = performance.now() + CHANGE_MS
    const leftMs = () => Math.max(1, untilMs - performance.now())
    for (;;) {
      try {
        await connection.ready(leftMs())
        return await withTimeout(act(), leftMs())
      } catch (error) {
        if (connection.isReady() || performance.now() >= untilMs) throw unavailable(error)
      }
    }
  }

  return {
    consume(request) {
      checkRequest(request)
      if (presence.join()) standing.check()
      const state = standing.state()
      if (state === 'alone') return alone(request, undecided.before(request.bucket))
      return state === 'settling' && !log.fits(request) ? refused(request) : ask(request)
    },
    async bumpEpoch(account, kind) {
      let generation = 0
      const told = await insist(() => {
        generation = connection.generation()
        return scripts.bumpEpoch(account, kind)
      })
      const { keyEpoch, contentEpoch } = named(account, told, generation)
      return kind === 'keys' ? keyEpoch : contentEpoch
    },
    async ping() {
      await connection.ready(CHANGE_MS).catch((error: unknown) => {
        throw unavailable(error)
      })
      if (!(await standing.check()) || standing.state() === 'alone') throw unavailable(null)
    },
    async close() {
      standing.close()
      if (connection.isReady()) await withTimeout(presence.leave(), LEAVE_MS).catch(() => {}) // Its sign fades by itself.
      connection.close()
      log.clear()
    }
  }
}

const unavailable = (cause: unknown): ApiError =>
  problem('unavailable', 'The limits that all processes share cannot be reached just now.', {
    headers: { 'Retry-After': '1' },
    cause
  })
const WARNED_EVERY_MS = 60_000

/**
 * Makes what warns of a change of state, once a minute at most: for limits that nobody listens to,
 * as no failure is silent.
 */
function createWarning(): LimitsListener {
  let warnedAt = -Infinity
  return (state, cause) => {
    if (state === 'shared' || performance.now() - warnedAt < WARNED_EVERY_MS) return
    warnedAt = performance.now()
    process.emitWarning(
      `The limits are counted in this process alone until Redis answers again: ${cause?.message}`,
      'LimitsWarning'
    )
  }
}
