import { AsyncLocalStorage } from 'node:async_hooks'
import { createFairQueue } from '../lib/fair-queue.ts'
import type { AccountLoad } from './account-load.ts'
import type { Schedule } from './scheduled-store.ts'

export interface StoreTurnsOptions {
  load: Pick<AccountLoad, 'currentAccount' | 'precedence'>
  /** Operations of runs that are in progress at once, in this process. Default 8. */
  running?: number
  /** Of one account. Default 4. */
  perAccount?: number
}

/**
 * Limits the operations that the runs of this process have in progress at the store. A store serves
 * commands in the order of their arrival, so each step of a short action would wait behind one
 * command of every run, and hundreds of runs may be in progress.
 *
 * Accounts take turns, those with nothing in progress first. While a request or a run of another
 * account has precedence, only one operation of all accounts that give way is in progress. Requests
 * never wait, nor do operations within an operation.
 */
export function createStoreTurns({ load, running: maxRunning = 8, perAccount = 4 }: StoreTurnsOptions): Schedule {
  const queue = createFairQueue<() => void>()
  /** Operations in progress, by account. */
  const running = new Map<string, number>()
  const isInTurn = new AsyncLocalStorage<true>()
  let total = 0
  /** Operations in progress that started while something had precedence over their account. */
  let givingWay = 0

  function startNext(): void {
    const hasToGiveWay = load.precedence()
    const isReady = (accountId: string): boolean =>
      (running.get(accountId) ?? 0) < perAccount && (givingWay === 0 || !hasToGiveWay(accountId))
    for (;;) {
      if (total >= maxRunning) return
      const start = queue.next((accountId) => !running.has(accountId) && isReady(accountId)) ?? queue.next(isReady)
      if (start === null) return
      start()
    }
  }

  async function enter(accountId: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    queue.add(accountId, () => {
      const isGivingWay = load.precedence()(accountId)
      total += 1
      running.set(accountId, (running.get(accountId) ?? 0) + 1)
      if (isGivingWay) givingWay += 1
      resolve(isGivingWay)
    })
    startNext()
    return await promise
  }

  function leave(accountId: string, wasGivingWay: boolean): void {
    const left = running.get(accountId)! - 1
    if (left === 0) running.delete(accountId)
    else running.set(accountId, left)
    total -= 1
    if (wasGivingWay) givingWay -= 1
    startNext()
  }

  return async (operation) => {
    const accountId = load.currentAccount()
    if (accountId === undefined || isInTurn.getStore() === true) return await operation()
    const isGivingWay = await enter(accountId)
    try {
      return await isInTurn.run(true, operation)
    } finally {
      leave(accountId, isGivingWay)
    }
  }
}
