import type { Connection } from './connection.ts'
import type { Debts } from './debts.ts'
import { inTime } from './in-time.ts'
import type { Presence } from './presence.ts'

/** So many failures in a row, and the shared log is left alone for `PAUSE_MS`; then one sign of life decides. */
const FAILURES = 5
const PAUSE_MS = 1_000
const BEAT_MS = 3_000
/** After it came back both logs must admit for so long, as other processes may not have told it yet what they admitted: longer than they need to notice. */
const SETTLING_MS = 3_000
/** A connection on which nothing came back for so long is given up. */
const DEAF_MS = 3_000

/** `shared`: the log that all processes share decides; `settling`: it and the own one; `alone`: the own one. */
export type State = 'shared' | 'settling' | 'alone'
export type Standing = ReturnType<typeof createStanding>

interface StandingParts { connection: Connection, presence: Presence, debts: Debts, patienceMs: number, onChange: (state: 'shared' | 'alone', cause?: Error) => void }

/** Whether the shared log may be relied on. It is asked in the background whether it is back, so no request waits to find out. */
export function createStanding ({ connection, presence, debts, patienceMs, onChange }: StandingParts) {
  let state: State = 'shared'
  let failures = 0
  let settledAt = 0
  /** Since when nothing came back; Infinity while something does. */
  let deafFrom = Infinity
  let running: Promise<boolean> | null = null
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function schedule (ms: number): void {
    clearTimeout(timer)
    if (!closed) timer = setTimeout(() => { check() }, ms).unref()
  }

  function leave (cause: Error): void {
    if (closed || state === 'alone') return
    state = 'alone'
    onChange('alone', cause)
    schedule(PAUSE_MS)
  }

  function settle (): void {
    const wasAlone = state === 'alone'
    state = 'settling'
    settledAt = performance.now() + SETTLING_MS
    failures = 0
    if (wasAlone) onChange('shared')
  }

  function current (): State {
    if (state === 'settling' && performance.now() >= settledAt) state = 'shared'
    return state
  }

  function failed (cause: Error): void {
    failures += 1
    if (failures >= FAILURES) leave(cause)
  }

  /** One sign of life and whatever follows from its answer. */
  async function beat (): Promise<void> {
    const given = presence.beat({ fewer: current() === 'shared' })
    given.then(() => { deafFrom = Infinity }, () => {}) // A late answer is one too; a failure is told below.
    const lostFromUs = await inTime(given, patienceMs)
    if (lostFromUs !== null) debts.owe(lostFromUs)
    await debts.settle()
    if (state === 'alone' || lostFromUs !== null) settle()
  }

  async function attempt (): Promise<boolean> {
    try {
      await beat()
      schedule(BEAT_MS)
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
  async function check (): Promise<boolean> {
    running ??= attempt().finally(() => { running = null })
    return await running
  }

  connection.redis.on('close', () => { leave(new Error('The connection was lost')) })
  connection.redis.on('ready', () => {
    deafFrom = Infinity
    check()
  })

  schedule(BEAT_MS)
  return {
    state: current,
    check,
    failed,
    answered (): void { failures = 0 },
    close (): void {
      closed = true
      clearTimeout(timer)
    }
  }
}
