import autocannon from 'autocannon'

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

/** URLs that each connection requests, one after the other, of those of a target. */
const SAMPLE = 1000

/**
 * Measures a target. Throws if a response has another status than expected: errors must not look
 * fast.
 */
export async function measureLoad(
  { name, url, headers, expect, cpu }: Target,
  { connections, seconds }: { connections: number; seconds: number }
): Promise<Rates> {
  const urls = typeof url === 'string' ? [url] : url
  const cpuBefore = (await cpu?.()) ?? NaN
  const result = await autocannon({
    url: urls[0]!,
    headers,
    connections,
    duration: seconds,
    setupClient: (client) => {
      if (urls.length === 1) return
      const paths = Array.from({ length: SAMPLE }, () => urls[Math.floor(Math.random() * urls.length)]!)
      client.setRequests(paths.map((each) => ({ method: 'GET', path: new URL(each).pathname, headers })))
    }
  })
  const cpuAfter = (await cpu?.()) ?? NaN
  const responses = Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => ({
    status: Number(status),
    count: count ?? 0
  }))
  const wrong = responses.filter(({ status }) => status !== expect)
  if (wrong.length > 0 || result.errors > 0 || responses.length === 0) {
    throw new Error(
      `Expected ${expect} from ${name}, got ${JSON.stringify(responses)} and ${result.errors} connection errors`
    )
  }
  const total = responses.reduce((sum, { count }) => sum + count, 0)
  return {
    requestsPerSecond: result.requests.average,
    cpuMicros: (cpuAfter - cpuBefore) / total,
    p99: result.latency.p99
  }
}
