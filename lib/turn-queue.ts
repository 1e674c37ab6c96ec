import { createFairQueue } from './fair-queue.ts'

/** Functions that are called in one turn of the event loop at most. */
const CALLS_PER_TURN = 128

export interface TurnQueue {
  /** Adds a function of an owner. What it throws is an uncaught exception. */
  add: (owner: string, run: () => void) => void
  /** Functions that have not been called. */
  size: () => number
}

/**
 * Calls functions in later turns of the event loop: as many in one turn as fit into `sliceMs`, but at least one, with
 * what each of them does until it waits for something. Owners, such as accounts, take turns. A function returns the
 * milliseconds where they change.
 */
export function createTurnQueue(sliceMs: number | (() => number)): TurnQueue {
  const queue = createFairQueue<() => void>()
  let count = 0
  let isScheduled = false
  /** When the first function of this turn was called. Null: none was. */
  let startedMs: number | null = null

  /** Each call has a callback of its own, after which Node runs the microtasks of the function. */
  function callNext(): void {
    if (startedMs === null) startedMs = performance.now()
    else if (performance.now() - startedMs >= (typeof sliceMs === 'number' ? sliceMs : sliceMs())) return
    count -= 1
    queue.next()!()
  }

  function beginTurn(): void {
    startedMs = null
    isScheduled = count > 0
    if (!isScheduled) return
    for (let calls = Math.min(count, CALLS_PER_TURN); calls > 0; calls--) setImmediate(callNext)
    setImmediate(beginTurn)
  }

  return {
    add: (owner, run) => {
      count += 1
      queue.add(owner, run)
      if (isScheduled) return
      isScheduled = true
      setImmediate(beginTurn)
    },
    size: () => count
  }
}
