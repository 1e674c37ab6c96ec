import type { Store } from '../ports/store/port.ts'
import type { AccountLoad, LoadRun } from './account-load.ts'

/** Starts an operation when it may run, and resolves with its result. */
export type Schedule = <Result>(operation: () => Promise<Result>) => Promise<Result>

/** Before an operation, a run waits at most this long, in milliseconds, */
const MAX_WAIT_MS = 100
/** and at most so many times as long as it worked since it last waited: an account keeps a third of its speed. */
const MAX_WAIT_FACTOR = 2

/**
 * Returns a store whose operations are started by `schedule` when a run calls them. Other callers,
 * such as requests, use the store directly.
 */
export function scheduleStore(store: Store, load: Pick<AccountLoad, 'currentAccount'>, schedule: Schedule): Store {
  type Operation = (...args: unknown[]) => Promise<unknown>

  function scheduled(part: object): object {
    const operations = Object.entries(part as Record<string, Operation>).map(([name, operation]) => [
      name,
      (...args: unknown[]) =>
        load.currentAccount() === undefined ? operation(...args) : schedule(() => operation(...args))
    ])
    return Object.fromEntries(operations)
  }

  const parts = Object.entries(store).map(([name, part]: [string, unknown]) => [
    name,
    typeof part === 'object' && part !== null ? scheduled(part) : part
  ])
  return Object.fromEntries(parts) as Store
}

/**
 * For a store that executes an operation at once, on the event loop: before an operation, a run gives
 * way to requests and runs that have precedence. Loops over batches also give way after each batch.
 */
export function createPauses(
  load: Pick<AccountLoad, 'currentRun' | 'giveWay'>,
  nowMs: () => number = () => performance.now()
): Schedule {
  /** When a run last continued. Its first operation does not wait: the run waited before it started. */
  const continuedAt = new WeakMap<LoadRun, number>()

  return async (operation) => {
    const run = load.currentRun()
    if (run === undefined) return await operation()
    const workedMs = nowMs() - (continuedAt.get(run) ?? nowMs())
    await load.giveWay(run.accountId, Math.min(MAX_WAIT_MS, MAX_WAIT_FACTOR * workedMs))
    continuedAt.set(run, nowMs())
    return await operation()
  }
}
