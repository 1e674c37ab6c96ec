import { createGrowingLru } from '../../../lib/growing-lru.ts'
import { createRecentUse } from '../../../lib/recent-use.ts'
import { createRunLengths } from '../../../lib/run-lengths.ts'
import { furtherRunLimit, slowRunLimit } from '../policy.ts'

/** A pending job. The payload is JSON text, so that later changes of the object have no effect. */
export interface PendingJob {
  account: string
  payload: string
  attempt: number
  key?: string
  requestId: string | null
}

/** A job whose run may start, and how long it waited since it was due. */
export interface TakenJob {
  job: PendingJob
  waitMs: number
  startedMs: number
}

/** The pending jobs of one name: due ones in the turns of their accounts, and delayed ones. */
export interface PendingJobs {
  /** Concurrent runs, of all accounts and of one. Default: not limited. */
  limit: (concurrency: number, accountConcurrency?: number) => void
  /** Whether a job of this key is pending, due or delayed. */
  has: (key: string) => boolean
  /** Appends a job to the due ones of its account, at once or after `delayMs`. */
  add: (job: PendingJob, delayMs: number) => void
  /**
   * Removes and returns the next due job: the first one of the account whose turn it is. Undefined
   * when no job is due, or only jobs of accounts that are at their limit, or of slow ones that leave
   * the rest of the runs to others. Call `release` when its run has ended.
   */
  take: () => TakenJob | undefined
  /** `isContinued`: the job is added again, because there is more work. */
  release: (taken: TakenJob, isContinued?: boolean) => void
  /** Whether a job of a light account waits for a run. */
  isLightWaiting: () => boolean
  dueCount: () => number
  /** How long the oldest due job has been due; 0 if there is none. */
  oldestMs: () => number
  count: () => number
  /** Drops all jobs and their timers. */
  clear: () => void
}

/**
 * After so many milliseconds, half of the time that the runs of an account took is forgotten. The runs of many accounts
 * take turns, so that each one may wait for minutes, and has used little only in between.
 */
const HALF_LIFE_MS = 300_000
/** After so many starts of light accounts, another one with nothing running is next: none waits for ever. */
const LIGHT_STARTS = 7
/** What a run that is continued counts at least: its job is long, however early the run ended. */
const LONG_MS = 1_000
/** A run that takes longer is slow: it waits for something that does not respond. */
const SLOW_MS = 6_000
/**
 * For how long an account counts as slow after a run that was. Slow runs of many accounts take turns, so the next run
 * of an account may start minutes later.
 */
const SLOW_FOR_MS = 600_000
const MAX_SLOW_ACCOUNTS = 10_000

interface Node {
  job: PendingJob
  dueAt: number
  next: Node | undefined
}

/** The due jobs of one account in order, and its runs in progress. */
interface Account {
  first: Node | undefined
  last: Node | undefined
  runs: Set<TakenJob>
}

/**
 * Creates an empty list. `onDue` is called when a job has become due. Adding and taking a job take
 * constant time, however many jobs and accounts are waiting, unless these are slow accounts.
 */
export function createPendingJobs(
  startTimer: (ms: number, run: () => void) => () => void,
  onDue: () => void,
  nowMs: () => number = () => performance.now()
): PendingJobs {
  const timers = new Set<() => void>()
  const keys = new Map<string, number>()
  /** Accounts with due or running jobs. */
  const accounts = new Map<string, Account>()
  /**
   * Accounts that may start a job: those with nothing running whose runs took little time lately, or are short, others
   * with nothing running, and the rest. The first one is next; a Set keeps the order of insertion.
   */
  const turns = { light: new Set<string>(), idle: new Set<string>(), running: new Set<string>() }
  const use = createRecentUse(HALF_LIFE_MS, nowMs)
  const lengths = createRunLengths(nowMs)
  const isLight = (name: string): boolean => use.isLight(name) || lengths.areShort(name)
  /** Starts since an account that is not light had its turn before light ones. */
  let lightStarts = 0
  /** Until when accounts count as slow. */
  const slowUntil = createGrowingLru<string, number>(MAX_SLOW_ACCOUNTS)
  let accountLimit = Infinity
  /** Runs of slow accounts, and all runs while accounts with something running may start more. */
  let slowLimit = Infinity
  let furtherLimit = Infinity
  let running = 0
  let length = 0

  function append(job: PendingJob): void {
    const node: Node = { job, dueAt: nowMs(), next: undefined }
    const account: Account = accounts.get(job.account) ?? { first: undefined, last: undefined, runs: new Set() }
    accounts.set(job.account, account)
    if (account.last === undefined) account.first = node
    else account.last.next = node
    account.last = node
    length += 1
    updateTurn(job.account, account)
    onDue()
  }

  /** Gives an account a turn behind the others of its kind, unless it may not start a job. */
  function updateTurn(name: string, account: Account): void {
    const isIdle = account.runs.size === 0
    const kind = !isIdle ? 'running' : isLight(name) ? 'light' : 'idle'
    for (const other of ['light', 'idle', 'running'] as const) if (other !== kind) turns[other].delete(name)
    if (account.first !== undefined && account.runs.size < accountLimit) turns[kind].add(name)
    else if (account.first === undefined && isIdle) accounts.delete(name)
  }

  const wasSlow = (name: string): boolean => (slowUntil.get(name) ?? -Infinity) > nowMs()
  const isSlowRun = ({ startedMs }: TakenJob): boolean => nowMs() - startedMs > SLOW_MS
  const isSlow = (name: string): boolean =>
    wasSlow(name) || (accounts.get(name)?.runs.values().some(isSlowRun) ?? false)
  const countSlow = (): number =>
    accounts.entries().reduce((sum, [name, { runs }]) => {
      return sum + (wasSlow(name) ? runs.size : runs.values().reduce((slow, run) => slow + Number(isSlowRun(run)), 0))
    }, 0)

  function nextAccount(): string | undefined {
    let mayStartSlow: boolean | null = null
    const isOthersTurn = lightStarts >= LIGHT_STARTS && turns.idle.size > 0
    for (const names of isOthersTurn ? [turns.idle, turns.light, turns.running] : Object.values(turns)) {
      if (names === turns.running && running >= furtherLimit) break
      for (const name of names) {
        if (!isSlow(name) || (mayStartSlow ??= countSlow() < slowLimit)) return name
      }
    }
    return undefined
  }

  // A job that waits for its next attempt may have the same key as a job that was added meanwhile,
  // so keys are counted.
  function countKey(key: string | undefined, change: 1 | -1): void {
    if (key === undefined) return
    const count = (keys.get(key) ?? 0) + change
    if (count === 0) keys.delete(key)
    else keys.set(key, count)
  }

  return {
    limit(concurrency, accountConcurrency = Infinity) {
      accountLimit = accountConcurrency
      slowLimit = slowRunLimit(concurrency)
      furtherLimit = furtherRunLimit(concurrency)
    },
    has: (key) => keys.has(key),
    add(job, delayMs) {
      countKey(job.key, 1)
      if (delayMs <= 0) return append(job)
      const cancel = startTimer(delayMs, () => {
        timers.delete(cancel)
        append(job)
      })
      timers.add(cancel)
    },
    take() {
      const name = nextAccount()
      if (name === undefined) return undefined
      lightStarts = turns.light.has(name) && turns.idle.size > 0 ? lightStarts + 1 : 0
      for (const names of Object.values(turns)) names.delete(name)
      const account = accounts.get(name)!
      const { job, dueAt, next } = account.first!
      account.first = next
      if (next === undefined) account.last = undefined
      running += 1
      length -= 1
      countKey(job.key, -1)
      const startedMs = nowMs()
      const taken: TakenJob = { job, waitMs: startedMs - dueAt, startedMs }
      account.runs.add(taken)
      updateTurn(name, account)
      return taken
    },
    release(taken, isContinued = false) {
      const { job, startedMs } = taken
      const name = job.account
      running -= 1
      const tookMs = nowMs() - startedMs
      use.add(name, tookMs)
      lengths.add(name, isContinued ? Math.max(tookMs, LONG_MS) : tookMs)
      if (tookMs > SLOW_MS) slowUntil.set(name, nowMs() + SLOW_FOR_MS)
      const account = accounts.get(name)
      if (account === undefined) return // The list was cleared meanwhile.
      account.runs.delete(taken)
      updateTurn(name, account)
    },
    isLightWaiting: () => turns.light.values().some((name) => !isSlow(name)),
    dueCount: () => length,
    oldestMs() {
      const dueTimes = [...accounts.values()].flatMap(({ first }) => first?.dueAt ?? [])
      return dueTimes.length === 0 ? 0 : nowMs() - dueTimes.reduce((a, b) => Math.min(a, b))
    },
    count: () => length + timers.size,
    clear() {
      for (const cancel of timers) cancel()
      timers.clear()
      keys.clear()
      accounts.clear()
      for (const names of Object.values(turns)) names.clear()
      length = 0
    }
  }
}
