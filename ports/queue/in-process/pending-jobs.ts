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
}

/** The pending jobs of one name: due ones in the turns of their accounts, and delayed ones. */
export interface PendingJobs {
  /** Concurrent runs of one account. Default: not limited. */
  limitAccounts: (concurrency: number) => void
  /** Whether a job of this key is pending, due or delayed. */
  has: (key: string) => boolean
  /** Appends a job to the due ones of its account, at once or after `delayMs`. */
  add: (job: PendingJob, delayMs: number) => void
  /**
   * Removes and returns the next due job: the first one of the account whose turn it is. Undefined
   * when no job is due, or only jobs of accounts that are at their limit. Call `release` when its
   * run has ended.
   */
  take: () => TakenJob | undefined
  release: (job: PendingJob) => void
  dueCount: () => number
  /** How long the oldest due job has been due; 0 if there is none. */
  oldestMs: () => number
  count: () => number
  /** Drops all jobs and their timers. */
  clear: () => void
}

interface Node {
  job: PendingJob
  dueAt: number
  next: Node | undefined
}

/** The due jobs of one account in order, and the number of its runs. */
interface Account {
  first: Node | undefined
  last: Node | undefined
  running: number
}

/**
 * Creates an empty list. `onDue` is called when a job has become due. Adding and taking a job take
 * constant time, however many jobs and accounts are waiting.
 */
export function createPendingJobs(
  startTimer: (ms: number, run: () => void) => () => void,
  onDue: () => void
): PendingJobs {
  const timers = new Set<() => void>()
  const keys = new Map<string, number>()
  /** Accounts with due or running jobs. */
  const accounts = new Map<string, Account>()
  /** Accounts that may start a job. The first one is next; a Set keeps the order of insertion. */
  const turns = { idle: new Set<string>(), running: new Set<string>() }
  let accountLimit = Infinity
  let length = 0

  function append(job: PendingJob): void {
    const node: Node = { job, dueAt: performance.now(), next: undefined }
    let account = accounts.get(job.account)
    if (account === undefined) accounts.set(job.account, (account = { first: undefined, last: undefined, running: 0 }))
    if (account.last === undefined) account.first = node
    else account.last.next = node
    account.last = node
    length += 1
    updateTurn(job.account, account)
    onDue()
  }

  /**
   * Gives an account a turn, unless it may not start a job: behind the others with nothing running, or
   * behind all others.
   */
  function updateTurn(name: string, account: Account): void {
    const isIdle = account.running === 0
    turns[isIdle ? 'running' : 'idle'].delete(name)
    if (account.first !== undefined && account.running < accountLimit) turns[isIdle ? 'idle' : 'running'].add(name)
    else if (account.first === undefined && account.running === 0) accounts.delete(name)
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
    limitAccounts(concurrency) {
      accountLimit = concurrency
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
      const [name = [...turns.running.values().take(1)][0]] = turns.idle
      if (name === undefined) return undefined
      turns.idle.delete(name)
      turns.running.delete(name)
      const account = accounts.get(name)!
      const { job, dueAt, next } = account.first!
      account.first = next
      if (next === undefined) account.last = undefined
      account.running += 1
      length -= 1
      countKey(job.key, -1)
      updateTurn(name, account)
      return { job, waitMs: performance.now() - dueAt }
    },
    release({ account: name }) {
      const account = accounts.get(name)
      if (account === undefined) return // The list was cleared meanwhile.
      account.running -= 1
      updateTurn(name, account)
    },
    dueCount: () => length,
    oldestMs() {
      const dueTimes = [...accounts.values()].flatMap(({ first }) => first?.dueAt ?? [])
      return dueTimes.length === 0 ? 0 : performance.now() - dueTimes.reduce((a, b) => Math.min(a, b))
    },
    count: () => length + timers.size,
    clear() {
      for (const cancel of timers) cancel()
      timers.clear()
      keys.clear()
      accounts.clear()
      turns.idle.clear()
      turns.running.clear()
      length = 0
    }
  }
}
