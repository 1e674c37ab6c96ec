import autocannon from 'autocannon'

/** One kind of request to one server. */
export interface Target {
  name: string
  url: string
  headers?: Record<string, string>
  expect: number
}

/**
 * Measures requests per second. Throws if a response has another status than expected: errors must
 * not look fast.
 */
export async function requestsPerSecond(
  { name, url, headers, expect }: Target,
  { connections, seconds }: { connections: number; seconds: number }
): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration: seconds })
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
  return result.requests.average
}

/**
 * Measures the targets in alternating rounds, so that changes of the machine's speed affect all of
 * them. Returns the median of each.
 */
export async function measureAlternating(
  targets: Target[],
  options: { rounds: number; connections: number; seconds: number }
): Promise<Map<string, number>> {
  const measured = new Map<string, number[]>(targets.map(({ name }) => [name, []]))
  for (const target of targets) await requestsPerSecond(target, { ...options, seconds: 1 }) // Warm-up.
  for (let round = 0; round < options.rounds; round++) {
    for (const target of targets) measured.get(target.name)!.push(await requestsPerSecond(target, options))
  }
  return new Map([...measured].map(([name, values]) => [name, median(values)]))
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}
