import autocannon from 'autocannon'
import type { Counts, LoadOptions, Target } from '../load.ts'

/** URLs that each connection requests, one after the other, of those of a target. */
const SAMPLE = 1000

/** Requests a target with autocannon, on one thread. */
export async function runAutocannon(
  { url, headers, expect }: Target,
  { connections, seconds }: LoadOptions
): Promise<Counts> {
  const urls = [url].flat()
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
  const counts = Object.entries(result.statusCodeStats ?? {}).map(
    ([status, { count = 0 }]) => [Number(status), count] as const
  )
  const isWrong = result.errors > 0 || counts.some(([status]) => status !== expect)
  return {
    responses: counts.reduce((sum, [, count]) => sum + count, 0),
    seconds: result.duration,
    p99: result.latency.p99,
    failure: isWrong
      ? `expected ${expect}, got ${JSON.stringify(Object.fromEntries(counts))} and ${result.errors} connection errors`
      : null
  }
}
