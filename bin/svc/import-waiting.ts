import type { ProductImport } from '../../schemas/product-import.ts'
import type { QueueState } from '../../schemas/queue.ts'
import { START_A_WORKER } from './queue-state.ts'

/** An import that has not moved for so long is said to wait. */
const QUIET_MS = 5_000
/** It is said again after so long, as what it waits for may be something else by then. */
const AGAIN_MS = 60_000

/**
 * Returns what tells whether it is time to say that the import waits: it has not moved for 5
 * seconds, or for another minute since it was said.
 */
export function createImportWatch(now: () => number = () => performance.now()) {
  let last = ''
  let sayAt = now() + QUIET_MS
  return ({ status, processed }: Pick<ProductImport, 'status' | 'processed'>): boolean => {
    const at = `${status} ${processed}`
    if (at !== last) sayAt = now() + QUIET_MS
    last = at
    if (now() < sayAt) return false
    sayAt = now() + AGAIN_MS
    return true
  }
}

/**
 * For what an import that does not move waits, as far as the queue can tell; null is a queue that
 * does not answer.
 */
export function importWaiting(
  { status }: Pick<ProductImport, 'status'>,
  queue: Pick<QueueState, 'waiting' | 'due' | 'running'> | null
): string {
  return `waiting: ${reason(status === 'running', queue)}`
}

function reason(hasBegun: boolean, queue: Pick<QueueState, 'waiting' | 'due' | 'running'> | null): string {
  if (queue === null) return 'the queue does not answer; the import goes on when it does'
  const { waiting, due, running } = queue
  if (running > 0 && hasBegun) {
    return 'the worker of the import has taken in no row for a while; where it was killed, another takes over within a minute'
  }
  if (running > 0) return `the workers are busy with other imports (${running} running, ${due} due)`
  if (due > 0) return `no worker has taken the import ${hasBegun ? 'over' : 'yet'}; ${START_A_WORKER}`
  if (waiting > 0) return 'an attempt failed and is made again; the log of the worker says why'
  return `the queue has lost the import; a worker adds it again within a minute. Where none runs, ${START_A_WORKER}`
}
