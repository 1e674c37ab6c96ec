import { startLongTimer } from './long-timer.ts'

/**
 * One run of a job: what to call, after how long it is given up, and the signal of the closing
 * queue.
 */
export interface AttemptOptions {
  run: (signal: AbortSignal) => Promise<void>
  timeoutMs: number
  /**
   * How long a run may take to end once it was told to; after that its slot is given to others,
   * whatever it still does.
   */
  graceMs: number
  closing: AbortSignal
}

/**
 * Runs one attempt. Resolves when the run does in time; rejects with what it throws, or with an
 * Error that says it was given up: not before the run has ended,
 * so that no more than the allowed number run at once, unless it does not heed its signal within
 * `graceMs`.
 */
export async function attempt({ run, timeoutMs, graceMs, closing }: AttemptOptions): Promise<void> {
  const given = new AbortController()
  const late = Promise.withResolvers<void>()
  const sentence = `The job was given up after ${timeoutMs} ms`
  let cancelGrace = (): void => {}
  const cancelTimeout = startLongTimer(timeoutMs, () => {
    given.abort(new DOMException(sentence, 'TimeoutError'))
    cancelGrace = startLongTimer(graceMs, late.resolve)
  })
  const running = (async () => await run(AbortSignal.any([given.signal, closing])))()
  try {
    await Promise.race([running, late.promise])
  } catch (error) {
    // What a run throws because it was told to stop says less than why it was told.
    throw given.signal.aborted ? new Error(sentence, { cause: error }) : error
  } finally {
    cancelTimeout()
    cancelGrace()
  }
  if (given.signal.aborted) throw new Error(sentence)
}
