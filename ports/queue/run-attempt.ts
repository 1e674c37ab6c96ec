import { startLongTimer } from '../../lib/async.ts'
import type { RunResult } from './port.ts'

/** One run of a job: what to call, its time limit, and the signal of the closing queue. */
export interface AttemptOptions {
  run: (signal: AbortSignal) => Promise<RunResult>
  timeoutMs: number
  /** How long an aborted run may take to end. After that its slot is free, whatever the run does. */
  graceMs: number
  closing: AbortSignal
}

/**
 * Runs one attempt. Resolves with the result of the run when it ends in time. Rejects with the error
 * of the run, or with a timeout error. The timeout error comes when the run has ended, so that the
 * concurrency limit holds, but no later than `graceMs` after the timeout.
 */
export async function runAttempt({ run, timeoutMs, graceMs, closing }: AttemptOptions): Promise<RunResult> {
  const timeout = new AbortController()
  const graceOver = Promise.withResolvers<void>()
  const message = `The job timed out after ${timeoutMs} ms`
  let cancelGrace = (): void => {}
  const cancelTimeout = startLongTimer(timeoutMs, () => {
    timeout.abort(new DOMException(message, 'TimeoutError'))
    cancelGrace = startLongTimer(graceMs, graceOver.resolve)
  })
  const running = (async () => await run(AbortSignal.any([timeout.signal, closing])))()
  let result: RunResult
  try {
    result = await Promise.race([running, graceOver.promise])
  } catch (error) {
    // The error that an aborted run throws says less than the reason for aborting it.
    throw timeout.signal.aborted ? new Error(message, { cause: error }) : error
  } finally {
    cancelTimeout()
    cancelGrace()
  }
  if (timeout.signal.aborted) throw new Error(message)
  return result
}
