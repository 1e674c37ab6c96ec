import { AsyncLocalStorage } from 'node:async_hooks'
import { performance } from 'node:perf_hooks'
import { runAsOwner } from '../lib/async.ts'
import { computedMs } from '../lib/computation-slices.ts'
import { processLoopUse } from '../lib/loop-use.ts'

/** Runs of the last seconds count: the time constant of the decay, in milliseconds. */
const MEMORY_MS = 5_000
/** A run or request has precedence for its first milliseconds. Longer ones mostly wait for others, or are bulk work. */
const PRECEDENCE_MS = 500
/** It has precedence over the work of accounts that used so many times as much, */
const USE_FACTOR = 2
/** and more than this, in milliseconds: single actions do not give way. */
const MIN_USED_MS = 100

/**
 * An account whose computations used more than this of the last half second or so, in milliseconds, has no precedence.
 * The time of requests says little about it: beside large ones, small ones take long, and would count as much.
 */
const MAX_COMPUTED_MS = 200

export interface AccountLoad {
  /**
   * Starts a request of an account and returns the function that ends it. The request may have precedence like a run.
   * The time in which it may counts as used while it passes: otherwise an account could have precedence over others all
   * the time by requests that do nothing, and for half a second by many that begin together. More does not count: a
   * slow upload is not work of the service. `precedenceMs`, if not half a second, is for requests that soon wait in a
   * queue.
   */
  begin: (accountId: string, precedenceMs?: number) => () => void
  /** Does work of an account, and counts its time as used by the account. */
  run: <Result>(accountId: string, work: () => Promise<Result>) => Promise<Result>
  /**
   * To be called between two steps of long work. Resolves when nothing has precedence over the account,
   * at the latest after `maxMs`. Returns whether it waited.
   */
  giveWay: (accountId: string, maxMs: number) => Promise<boolean>
  /** Whether something had precedence over the long work of the account in the last seconds. */
  isContended: (accountId: string) => boolean
  /** The account of the run that calls this. Undefined outside of runs, such as in a request. */
  currentAccount: () => string | undefined
  /** The run that calls this: the same object for all of its calls. */
  currentRun: () => LoadRun | undefined
  /** Returns a test that tells whether something in progress now has precedence over an account. */
  precedence: () => (accountId: string) => boolean
}

/** A run of an account. */
export interface LoadRun {
  readonly accountId: string
}

/** Precedence changes while work gives way, and is compared again after so many milliseconds. */
const REVIEW_MS = 20

/** Work stays in small steps for so long after something had precedence over it, in milliseconds. */
const CONTENTION_MS = 3_000

/** When there are more accounts without work, those that used next to nothing are forgotten. */
const MAX_IDLE_ACCOUNTS = 1_000

interface Account {
  /** Milliseconds of runs and requests before `atMs`, less what was forgotten since. */
  usedMs: number
  atMs: number
  /** Runs in progress. */
  running: number
  /** When the time of each request in progress that may have precedence ends to count. */
  requests: Set<{ endMs: number }>
}

/** The milliseconds of requests in progress that have not been counted. */
function timeOfRequests({ requests, atMs }: Account, nowMs: number): number {
  let sumMs = 0
  for (const request of requests) {
    sumMs += Math.min(nowMs, request.endMs) - atMs
    if (nowMs >= request.endMs) requests.delete(request)
  }
  return sumMs
}

/**
 * The background work that each account has in this process, of all jobs together. The account that
 * used less time in the last seconds has precedence: a single action finds the process, the store
 * and the other servers free, however much another account has to do. `giveWay` limits what the
 * other account pays for that.
 */
export function createAccountLoad(nowMs: () => number = () => performance.now()): AccountLoad {
  const accounts = new Map<string, Account>()
  /** Runs and requests in progress, and when their precedence ends. */
  const active = new Set<{ accountId: string; endMs: number }>()
  const waiting = new Set<() => void>()
  /** Accounts with long work: when they gave way last, or could have, and when something had precedence last. */
  const longWork = new Map<string, { steppedMs: number; contendedMs: number }>()
  const current = new AsyncLocalStorage<LoadRun & { waits: number }>()

  function read(accountId: string): Account {
    const now = nowMs()
    const account = accounts.get(accountId) ?? { usedMs: 0, atMs: now, running: 0, requests: new Set() }
    const forgotten = Math.exp((account.atMs - now) / MEMORY_MS)
    account.usedMs = account.usedMs * forgotten + Math.max(0, account.running) * MEMORY_MS * (1 - forgotten)
    account.usedMs += timeOfRequests(account, now)
    account.atMs = now
    accounts.set(accountId, account)
    return account
  }

  /** Deletes accounts that used next to nothing, so that the map does not grow. */
  function forgetIdle(): void {
    for (const [accountId] of accounts) {
      const { usedMs, running, requests } = read(accountId)
      if (running === 0 && requests.size === 0 && usedMs < 1) accounts.delete(accountId)
    }
  }

  const hasPrecedence = (usedMs: number, overUsedMs: number): boolean =>
    overUsedMs > MIN_USED_MS && USE_FACTOR * usedMs < overUsedMs

  const mayPrecede = (accountId: string): boolean => computedMs(accountId) <= MAX_COMPUTED_MS

  /** Milliseconds until nothing in progress has precedence over the account any more. */
  function precedenceMs(accountId: string): number {
    if (active.size === 0) return 0
    const { usedMs } = read(accountId)
    let longestMs = 0
    for (const other of active) {
      const leftMs = other.endMs - nowMs()
      if (leftMs <= longestMs || other.accountId === accountId || !mayPrecede(other.accountId)) continue
      if (hasPrecedence(read(other.accountId).usedMs, usedMs)) longestMs = leftMs
    }
    return longestMs
  }

  /** Resolves when a run or request ends, at the latest after `ms` and when precedence may have changed. */
  async function waitForEnd(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, Math.min(ms, REVIEW_MS))
    waiting.add(resolve)
    await promise
    clearTimeout(timer)
    waiting.delete(resolve)
  }

  /** A run that gives way does not work: otherwise it would give way again for the time that it waited. */
  async function waitUnused(accountId: string, ms: number): Promise<void> {
    const run = current.getStore()
    if (run?.accountId !== accountId) return await waitForEnd(ms)
    run.waits += 1
    if (run.waits === 1) read(accountId).running -= 1
    await waitForEnd(ms)
    run.waits -= 1
    if (run.waits === 0) read(accountId).running += 1
  }

  /** Short requests begin and end between two steps of long work, which would not notice them. */
  function noteContention(accountId: string): void {
    if (longWork.size === 0) return
    const now = nowMs()
    if (!mayPrecede(accountId)) return
    const { usedMs } = read(accountId)
    for (const [other, work] of longWork) {
      if (now - work.steppedMs > CONTENTION_MS) longWork.delete(other)
      else if (other !== accountId && hasPrecedence(usedMs, read(other).usedMs)) work.contendedMs = now
    }
  }

  function start(accountId: string, endMs = nowMs() + PRECEDENCE_MS): () => void {
    const started = { accountId, endMs }
    active.add(started)
    noteContention(accountId)
    return () => {
      active.delete(started)
      for (const resolve of waiting) resolve()
      if (accounts.size > MAX_IDLE_ACCOUNTS + active.size) forgetIdle()
    }
  }

  return {
    begin(accountId, precedenceMs = PRECEDENCE_MS) {
      const request = { endMs: nowMs() + precedenceMs }
      const end = start(accountId, request.endMs)
      read(accountId).requests.add(request)
      return () => {
        read(accountId).requests.delete(request)
        end()
      }
    },
    async run(accountId, work) {
      const end = start(accountId)
      const endUse = processLoopUse.begin(accountId)
      read(accountId).running += 1
      try {
        return await current.run({ accountId, waits: 0 }, () => runAsOwner(accountId, work))
      } finally {
        read(accountId).running -= 1
        endUse()
        end()
      }
    },
    currentAccount: () => current.getStore()?.accountId,
    currentRun: () => current.getStore(),
    precedence() {
      const now = nowMs()
      let leastMs = Infinity
      for (const { accountId, endMs } of active) {
        if (endMs > now && mayPrecede(accountId)) leastMs = Math.min(leastMs, read(accountId).usedMs)
      }
      return (accountId) => hasPrecedence(leastMs, read(accountId).usedMs)
    },
    isContended: (accountId) => nowMs() - (longWork.get(accountId)?.contendedMs ?? -Infinity) <= CONTENTION_MS,
    async giveWay(accountId, maxMs) {
      const endMs = nowMs() + maxMs
      longWork.set(accountId, {
        steppedMs: nowMs(),
        contendedMs: longWork.get(accountId)?.contendedMs ?? -Infinity
      })
      let gaveWay = false
      for (;;) {
        const ms = Math.min(precedenceMs(accountId), endMs - nowMs())
        if (ms <= 0) return gaveWay
        gaveWay = true
        await waitUnused(accountId, ms)
      }
    }
  }
}

/** The load of this process. */
export const processLoad = createAccountLoad()
