import { formatNumber, median, percentile } from '../harness/statistics.ts'
import { countOutcomes } from './client.ts'
import type { Sample } from './fixed-times.ts'

const P99 = 0.99

/** Median, 99th percentile and maximum of the times of requests, in milliseconds, also of those that failed. */
export function timesOf(samples: readonly Sample[]): { median: number; p99: number; max: number } {
  const times = samples.map(({ ms }) => ms)
  return { median: median(times), p99: percentile(times, P99), max: percentile(times, 1) }
}

/** Whole milliseconds: `2, 30, 52`. */
export function formatTimes(samples: readonly Sample[]): string {
  const { median, p99, max } = timesOf(samples)
  return [median, p99, max].map((ms) => formatNumber(Math.round(ms))).join(', ')
}

/** The kind of request with the highest 99th percentile: `search 52`. */
export function formatSlowest(samples: readonly Sample[]): string {
  const byName = Map.groupBy(samples, ({ name }) => name)
  const [slowest] = [...byName]
    .map(([name, ofKind]) => ({ name, p99: timesOf(ofKind).p99 }))
    .toSorted((a, b) => b.p99 - a.p99)
  return slowest === undefined ? '–' : `${slowest.name} ${formatNumber(Math.round(slowest.p99))}`
}

/** Requests that failed, by status or code: `3 of 300 (503: 2, ECONNRESET: 1)`. Null if none did. */
export function formatFailures(samples: readonly Sample[]): string | null {
  const failures = samples.flatMap(({ failure }) => (failure === null ? [] : [failure]))
  if (failures.length === 0) return null
  const counts = Object.entries(countOutcomes(failures)).map(([outcome, count]) => `${outcome}: ${count}`)
  return `${failures.length} of ${samples.length} (${counts.join(', ')})`
}
