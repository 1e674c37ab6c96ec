import { createFairQueue } from './fair-queue.ts'

/** A place among the operations of an account that are in progress. */
export interface AccountSlot {
  /** Resolves when the operation may start: with false if the slot was released before. */
  ready: Promise<boolean>
  /** To be called when the operation has ended, or is not wanted any more. Further calls do nothing. */
  release: () => void
}

/**
 * Limits the operations that each account has in progress, to `running`; up to `waiting` more wait in
 * the order of the calls. Accounts do not wait for each other. Returns null if too many wait.
 */
export function createAccountSlots({
  running: maxRunning,
  waiting: maxWaiting
}: {
  running: number
  waiting: number
}): (accountId: string) => AccountSlot | null {
  const running = new Map<string, number>()
  const queue = createFairQueue<() => void>()

  function leave(accountId: string): void {
    const next = queue.next((waiting) => waiting === accountId)
    // The next operation takes the place.
    if (next !== null) return next()
    const left = running.get(accountId)! - 1
    if (left === 0) running.delete(accountId)
    else running.set(accountId, left)
  }

  return (accountId) => {
    const count = running.get(accountId) ?? 0
    if (count >= maxRunning && queue.count(accountId) >= maxWaiting) return null
    const { promise: ready, resolve } = Promise.withResolvers<boolean>()
    let state: 'waiting' | 'running' | 'released' = 'waiting'
    const start = (): void => {
      state = 'running'
      resolve(true)
    }
    if (count < maxRunning) {
      running.set(accountId, count + 1)
      start()
    } else queue.add(accountId, start)
    return {
      ready,
      release: () => {
        const before = state
        state = 'released'
        if (before === 'running') leave(accountId)
        if (before !== 'waiting') return
        queue.remove(accountId, start)
        resolve(false)
      }
    }
  }
}
