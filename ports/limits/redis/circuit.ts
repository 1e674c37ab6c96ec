import { createSharedTimeout, withTimeout } from '../../../lib/async.ts'
import type { LimitsListener } from '../port.ts'
import type { Connection } from './connection.ts'
import { type HeartbeatResult, type Heartbeats, LIFETIME_MS } from './heartbeats.ts'
import type { UnsyncedIncrements } from './unsynced-increments.ts'

/** After this many failures in a row the circuit opens. One heartbeat every `PAUSE_MS` probes it. */
const MAX_FAILURES = 5
const PAUSE_MS = 1_000
const HEARTBEAT_MS = 1_000
const HALF_OPEN_HEARTBEAT_MS = 250
/**
 * After a failure the timeout shrinks by this factor until a decision succeeds: a request may need
 * several decisions, and must not wait the whole time for each.
 */
const FACTOR_AFTER_FAILURE = 0.1
/** A connection that returns nothing for this long is replaced. */
const MAX_SILENCE_MS = 3_000

/**
 * `closed`: the shared log decides. `open`: the local limits decide. `half-open`: the shared log is
 * back, and both must allow a request until every process that was alive has synced its requests or
 * has ended.
 */
export type CircuitState = 'closed' | 'half-open' | 'open'
export type Circuit = ReturnType<typeof createCircuit>

interface CircuitOptions {
  connection: Connection
  heartbeats: Heartbeats
  unsynced: UnsyncedIncrements
  /** How long a request waits for the shared log, in milliseconds. */
  decisionTimeoutMs: number
  onChange: LimitsListener
}

/**
 * The circuit breaker for the shared log. Heartbeats in the background find out whether Redis is
 * back, so that no request waits for it.
 */
export function createCircuit({ connection, heartbeats, unsynced, decisionTimeoutMs, onChange }: CircuitOptions) {
  const withDecisionTimeout = createSharedTimeout(decisionTimeoutMs)
  let state: CircuitState = 'closed'
  let failures = 0
  /**
   * While half-open: how many heartbeats since which time (microseconds, by the server) close the
   * circuit, and until when to wait for them (monotonic milliseconds).
   */
  let awaited = { fromUs: 0, heartbeats: 1, untilMs: 0 }
  /** Since when the server has been silent. Infinity while it answers. */
  let silentSinceMs = Infinity
  let running: Promise<boolean> | null = null
  let timer: NodeJS.Timeout | undefined
  let isDisposed = false

  function schedule(ms: number): void {
    clearTimeout(timer)
    if (!isDisposed) {
      timer = setTimeout(() => {
        probe()
      }, ms).unref()
    }
  }

  function open(cause: Error): void {
    if (isDisposed || state === 'open') return
    state = 'open'
    onChange('local', cause)
    schedule(PAUSE_MS)
  }

  function reportFailure(cause: Error): void {
    failures += 1
    if (failures >= MAX_FAILURES) open(cause)
  }

  function halfOpen(): void {
    const wasOpen = state === 'open'
    state = 'half-open'
    awaited = {
      fromUs: heartbeats.nowUs(),
      heartbeats: heartbeats.instances(),
      untilMs: performance.now() + LIFETIME_MS
    }
    failures = 0
    if (wasOpen) onChange('shared')
  }

  async function sendHeartbeat(record: boolean): Promise<HeartbeatResult> {
    const reply = heartbeats.send({ record, mayShrink: state === 'closed', sinceUs: awaited.fromUs })
    reply.then(
      () => {
        silentSinceMs = Infinity // A late reply counts too.
      },
      () => {} // The caller below handles the failure.
    )
    return await withTimeout(reply, decisionTimeoutMs)
  }

  /** After an outage: syncs first, and then records the heartbeat that the others wait for. */
  async function recover(): Promise<void> {
    const { lostFromUs } = await sendHeartbeat(false)
    if (lostFromUs !== null) unsynced.addFrom(lostFromUs)
    await unsynced.sync()
    halfOpen()
    await unsynced.sync() // Requests that were allowed locally during the first sync.
    await sendHeartbeat(true)
  }

  async function beat(): Promise<void> {
    if (state === 'open') return await recover()
    await unsynced.sync()
    const { lostFromUs, fresh } = await sendHeartbeat(true)
    if (lostFromUs !== null) {
      unsynced.addFrom(lostFromUs)
      halfOpen()
      await unsynced.sync()
    } else if (state === 'half-open' && (fresh >= awaited.heartbeats || performance.now() >= awaited.untilMs)) {
      state = 'closed'
    }
  }

  async function tryBeat(): Promise<boolean> {
    try {
      await beat()
      schedule(state === 'half-open' ? HALF_OPEN_HEARTBEAT_MS : HEARTBEAT_MS)
      return true
    } catch (error) {
      reportFailure(error as Error)
      silentSinceMs = Math.min(silentSinceMs, performance.now())
      if (performance.now() - silentSinceMs > MAX_SILENCE_MS) connection.renew()
      schedule(PAUSE_MS)
      return false
    }
  }

  /** Finds out whether the shared log answers. Parallel calls share one heartbeat. */
  async function probe(): Promise<boolean> {
    running ??= tryBeat().finally(() => {
      running = null
    })
    return await running
  }

  connection.redis.on('close', () => {
    open(new Error('The connection to Redis was lost'))
  })
  connection.redis.on('ready', () => {
    silentSinceMs = Infinity
    probe()
  })
  schedule(HEARTBEAT_MS)

  return {
    state: (): CircuitState => state,
    /** Waits for a decision of the shared log, as long as is sensible in the current state. */
    withDeadline: <T>(decision: Promise<T>): Promise<T> =>
      failures === 0 ? withDecisionTimeout(decision) : withTimeout(decision, decisionTimeoutMs * FACTOR_AFTER_FAILURE),
    probe,
    reportFailure,
    reportSuccess(): void {
      failures = 0
    },
    dispose(): void {
      isDisposed = true
      clearTimeout(timer)
    }
  }
}
