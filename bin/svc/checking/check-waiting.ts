import type { QueueState } from '../../../schemas/queue.ts'
import { START_A_WORKER } from '../queue-state.ts'

/**
 * For what a check waits that nobody has begun, as far as the queue can tell; null is a queue that
 * does not answer.
 */
export function checkWaiting(queue: Pick<QueueState, 'waiting' | 'due' | 'running'> | null): string {
  return `waiting: ${reason(queue)}`
}

function reason(queue: Pick<QueueState, 'waiting' | 'due' | 'running'> | null): string {
  if (queue === null) return 'the queue does not answer; the check goes on when it does'
  const { waiting, due, running } = queue
  if (running > 0) return `the workers are busy with other checks (${running} running, ${due} due)`
  if (due > 0) return `no worker has taken the check yet; ${START_A_WORKER}`
  if (waiting > 0) return 'an attempt failed and is made again; the log of the worker says why'
  return `the queue has lost the check; a worker adds it again within a minute. Where none runs, ${START_A_WORKER}`
}
