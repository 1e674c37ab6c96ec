import { setTimeout as wait } from 'node:timers/promises'
import { codeOf, isSuccess } from './client.ts'

/** A kind of request. `send` resolves with the status of the response. */
export interface Act {
  name: string
  send: (index: number) => Promise<number>
}

/** One request. */
export interface Sample {
  name: string
  /** From the time at which the request was due to the end of its response, in milliseconds. */
  ms: number
  /** The status, or the code of the error, of a request that failed. */
  failure: string | null
}

/**
 * Sends requests at fixed times, `perSecond` of all acts in turn for `seconds`, whether or not those before have a
 * response. A service that does not respond for a second thereby delays all requests of this second, not only one.
 * Resolves when all have ended.
 */
export async function sendAtFixedTimes(
  acts: readonly Act[],
  { perSecond, seconds }: { perSecond: number; seconds: number }
): Promise<Sample[]> {
  const startMs = performance.now()
  const samples: Promise<Sample>[] = []
  for (let number = 0; number < perSecond * seconds; number++) {
    const dueMs = startMs + (number * 1000) / perSecond
    const earlyMs = dueMs - performance.now()
    if (earlyMs > 0) await wait(earlyMs)
    samples.push(measure(acts[number % acts.length]!, { index: Math.floor(number / acts.length), dueMs }))
  }
  return await Promise.all(samples)
}

async function measure({ name, send }: Act, { index, dueMs }: { index: number; dueMs: number }): Promise<Sample> {
  const failure = await send(index).then(
    (status) => (isSuccess(status) ? null : String(status)),
    (error: unknown) => codeOf(error)
  )
  return { name, ms: performance.now() - dueMs, failure }
}
