import autocannon from 'autocannon'

/** One kind of request to one server. */
export interface Target {
  name: string
  url: string
  headers?: Record<string, string>
  expect: number
}

/**
 * Requests a second of a target under so many connections; throws when an answer was not the
 * expected one, because a refusal is quick to give.
 */
export async function requestsPerSecond(
  { name, url, headers, expect }: Target,
  { connections, seconds }: { connections: number; seconds: number }
): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration: seconds })
  const answers = Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => ({
    status: Number(status),
    count: count ?? 0
  }))
  const wrong = answers.filter(({ status }) => status !== expect)
  if (wrong.length > 0 || result.errors > 0 || answers.length === 0) {
    throw new Error(`${name} answered ${JSON.stringify(answers)} with ${result.errors} errors; ${expect} was expected`)
  }
  return result.requests.average
}

/**
 * Measures the targets in turn, round by round, and returns the median of each: so that a machine
 * that becomes slower is slower for all.
 */
export async function inTurn(
  targets: Target[],
  options: { rounds: number; connections: number; seconds: number }
): Promise<Map<string, number>> {
  const measured = new Map<string, number[]>(targets.map(({ name }) => [name, []]))
  for (const target of targets) await requestsPerSecond(target, { ...options, seconds: 1 }) // Warm.
  for (let round = 0; round < options.rounds; round++) {
    for (const target of targets) measured.get(target.name)!.push(await requestsPerSecond(target, options))
  }
  return new Map([...measured].map(([name, values]) => [name, median(values)]))
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}
