import { runAutocannon } from './load/autocannon.ts'
import { hasWrk, runWrk } from './load/wrk.ts'

/** One kind of request to one server. */
export interface Target {
  name: string
  /** The URL, or URLs of which each connection requests some at random. */
  url: string | string[]
  headers?: Record<string, string>
  expect: number
  /** The CPU time that the server has used so far, in microseconds. */
  cpu?: () => Promise<number>
}

/** One measurement of a target. */
export interface Rates {
  requestsPerSecond: number
  /** CPU time of the server for each request, in microseconds. NaN if the target does not report it. */
  cpuMicros: number
  /** The 99th percentile of the time of a response, in milliseconds. */
  p99: number
}

export interface LoadOptions {
  connections: number
  seconds: number
}

/** What a load generator counted. */
export interface Counts {
  responses: number
  seconds: number
  /** The 99th percentile of the time of a response, in milliseconds. */
  p99: number
  /** Why the measurement does not count, such as a wrong status. Null: it does. */
  failure: string | null
}

/** The load generator: wrk where it is installed, because autocannon can be the limit itself. */
export const GENERATOR = hasWrk() ? 'wrk' : 'autocannon'
const run = GENERATOR === 'wrk' ? runWrk : runAutocannon

/**
 * Measures a target. Throws if a response has another status than expected: errors must not look
 * fast.
 */
export async function measureLoad(target: Target, options: LoadOptions): Promise<Rates> {
  const { name, cpu } = target
  const cpuBefore = (await cpu?.()) ?? NaN
  const { responses, seconds, p99, failure } = await run(target, options)
  const cpuAfter = (await cpu?.()) ?? NaN
  if (failure !== null || responses === 0) throw new Error(`${name}: ${failure ?? 'no response'}`)
  return { requestsPerSecond: responses / seconds, cpuMicros: (cpuAfter - cpuBefore) / responses, p99 }
}
