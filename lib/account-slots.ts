/** A place among the operations of an account that are in progress. */
export interface AccountSlot {
  /** Resolves when the operation may start: with false if the slot was released before. */
  ready: Promise<boolean>
  /** Whether the operation could not start at once. */
  isDelayed: boolean
  /** To be called when the operation has ended, or is not wanted any more. Further calls do nothing. */
  release: () => void
}

interface Operation {
  weight: number
  start: () => void
}

interface Account {
  /** The weights of the operations in progress. */
  running: number
  /** In the order of the calls. */
  waiting: Operation[]
}

/**
 * Limits the operations that each account has in progress: the sum of their weights is at most `running`.
 * Up to `waiting` more wait in the order of the calls. Accounts do not wait for each other. The returned
 * function returns null if too many wait. An operation has weight 1, or up to `running`.
 */
export function createAccountSlots({
  running: maxRunning,
  waiting: maxWaiting
}: {
  running: number
  waiting: number
}): (accountId: string, weight?: number) => AccountSlot | null {
  const accounts = new Map<string, Account>()

  function startWaiting(accountId: string, account: Account): void {
    for (;;) {
      const next = account.waiting[0]
      if (next === undefined || account.running + next.weight > maxRunning) break
      account.waiting.shift()
      account.running += next.weight
      next.start()
    }
    if (account.running === 0 && account.waiting.length === 0) accounts.delete(accountId)
  }

  return (accountId, weight = 1) => {
    const account = accounts.get(accountId) ?? { running: 0, waiting: [] }
    if (account.waiting.length >= maxWaiting && account.running + weight > maxRunning) return null
    accounts.set(accountId, account)
    const { promise: ready, resolve } = Promise.withResolvers<boolean>()
    let state: 'waiting' | 'running' | 'released' = 'waiting'
    const operation: Operation = {
      weight: Math.min(weight, maxRunning),
      start() {
        state = 'running'
        resolve(true)
      }
    }
    account.waiting.push(operation)
    startWaiting(accountId, account)
    return {
      ready,
      isDelayed: state === 'waiting',
      release() {
        if (state === 'running') account.running -= operation.weight
        else if (state === 'waiting') {
          account.waiting.splice(account.waiting.indexOf(operation), 1)
          resolve(false)
        }
        state = 'released'
        startWaiting(accountId, account)
      }
    }
  }
}

/**
 * Returns a function that notes an operation of an account, and tells whether another account had one in the last
 * `periodMs` milliseconds.
 */
export function createSharing(
  periodMs: number,
  nowMs: () => number = () => performance.now()
): (accountId: string) => boolean {
  let latest = { accountId: '', atMs: -Infinity }
  /** The last operation of another account than that of the latest one. */
  let other = latest
  return (accountId) => {
    if (accountId !== latest.accountId) other = latest
    latest = { accountId, atMs: nowMs() }
    return latest.atMs - other.atMs <= periodMs
  }
}
