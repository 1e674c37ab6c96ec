import type { LimitsListener } from '../port.ts'
import type { Connection } from './connection.ts'
import type { Debts } from './debts.ts'
import { createSharedTimeout, withTimeout } from '../../../lib/async.ts'
import { ALIVE_MS, type Beat, type Presence } from './presence.ts'

/**
 * So many failures in a row, and the shared log is left alone for `PAUSE_MS`; then one sign of life
 * decides.
 */
const FAILURES = 5
const PAUSE_MS = 1_000
const BEAT_MS = 1_000
const SETTLING_BEAT_MS = 250
/**
 * After a failure the next are not waited for so long, until one succeeds: one request may ask
 * several times, and must not wait anew each time.
 */
const DOUBTFUL = 0.1
/** A connection on which nothing came back for so long is given up. */
const DEAF_MS = 3_000

/**
 * `shared`: the log that all processes share decides; `alone`: the own one; `settling`: the shared
 * one is back, and both must admit until every process
 * that was there has told it what it admitted meanwhile, or is not counted any more.
 */
export type State = 'shared' | 'settling' | 'alone'
export type Standing = ReturnType<typeof createStanding>

interface StandingParts {
  connection: Connection
  presence: Presence
  debts: Debts
  patienceMs: number
  onChange: LimitsListener
}

/**
 * Whether the shared log may be relied on. It is asked in the background whether it is back, so no
 * request waits to find out.
 */
export function createStanding({ connection, presence, debts, patienceMs, onChange }: StandingParts) {
  const patiently = createSharedTimeout(patienceMs)
  let state: State = 'shared'
  let failures = 0
  /**
   * While settling: how many signs are awaited from which time on (the server's, microseconds), and
   * for how long (monotonic milliseconds).
   */
  let awaited = { fromUs: 0, signs: 1, untilMs: 0 }
  /** Since when nothing came back; Infinity while something does. */
  let deafFrom = Infinity
  let running: Promise<boolean> | null = null
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function schedule(ms: number): void {
    clearTimeout(timer)
    if (!closed) {
      timer = setTimeout(() => {
        check()
      }, ms).unref()
    }
  }

  function leave(cause: Error): void {
    if (closed || state === 'alone') return
    state = 'alone'
    onChange('alone', cause)
    schedule(PAUSE_MS)
  }

  function failed(cause: Error): void {
    failures += 1
    if (failures >= FAILURES) leave(cause)
  }

  function settle(): void {
    const wasAlone = state === 'alone'
    state = 'settling'
    awaited = { fromUs: presence.nowUs(), signs: presence.instances(), untilMs: performance.now() + ALIVE_MS }
    failures = 0
    if (wasAlone) onChange('shared')
  }

  async function ask(gives: boolean): Promise<Beat> {
    const asked = presence.beat({ gives, fewer: state === 'shared', sinceUs: awaited.fromUs })
    asked.then(
      () => {
        deafFrom = Infinity
      },
      () => {}
    ) // A late answer is one too; a failure is told to whoever waits.
    return await withTimeout(asked, patienceMs)
  }

  /**
   * After it was away: finds out what it lost and tells what is owed, before the sign that others
   * wait for is given.
   */
  async function comeBack(): Promise<void> {
    const { lostFromUs } = await ask(false)
    if (lostFromUs !== null) debts.owe(lostFromUs)
    await debts.settle()
    settle()
    await debts.settle() // What was admitted alone while the rest was told.
    await ask(true)
  }

  async function beat(): Promise<void> {
    if (state === 'alone') return await comeBack()
    await debts.settle()
    const { lostFromUs, fresh } = await ask(true)
    if (lostFromUs !== null) {
      debts.owe(lostFromUs)
      settle()
      await debts.settle()
    } else if (state === 'settling' && (fresh >= awaited.signs || performance.now() >= awaited.untilMs)) {
      state = 'shared'
    }
  }

  async function attempt(): Promise<boolean> {
    try {
      await beat()
      schedule(state === 'settling' ? SETTLING_BEAT_MS : BEAT_MS)
      return true
    } catch (error) {
      failed(error as Error)
      deafFrom = Math.min(deafFrom, performance.now())
      if (performance.now() - deafFrom > DEAF_MS) connection.renew()
      schedule(PAUSE_MS)
      return false
    }
  }

  /** Finds out whether the shared log answers; those who ask at the same time share the answer. */
  async function check(): Promise<boolean> {
    running ??= attempt().finally(() => {
      running = null
    })
    return await running
  }

  connection.redis.on('close', () => {
    leave(new Error('The connection was lost'))
  })
  connection.redis.on('ready', () => {
    deafFrom = Infinity
    check()
  })
  schedule(BEAT_MS)

  return {
    state: (): State => state,
    /** Waits for a decision as long as is sensible now. */
    decided: <T>(promise: Promise<T>): Promise<T> =>
      failures === 0 ? patiently(promise) : withTimeout(promise, patienceMs * DOUBTFUL),
    check,
    failed,
    answered(): void {
      failures = 0
    },
    close(): void {
      closed = true
      clearTimeout(timer)
    }
  }
}
