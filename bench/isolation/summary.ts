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

/** Median and 99th percentile of each kind of request, the slowest first: `search 12, 52; list 10, 40`. */
export function formatEach(samples: readonly Sample[]): string {
  const each = [...Map.groupBy(samples, ({ name }) => name)]
    .map(([name, ofKind]) => ({ name, ...timesOf(ofKind) }))
    .toSorted((a, b) => b.p99 - a.p99)
  const format = (ms: number): string => formatNumber(Math.round(ms))
  return each.map(({ name, median, p99 }) => `${name} ${format(median)}, ${format(p99)}`).join('; ') || '–'
}

/** Requests that failed, by status or code: `3 of 300 (503: 2, ECONNRESET: 1)`. Null if none did. */
export function formatFailures(samples: readonly Sample[]): string | null {
  const failures = samples.flatMap(({ failure }) => (failure === null ? [] : [failure]))
  if (failures.length === 0) return null
  const counts = Object.entries(countOutcomes(failures)).map(([outcome, count]) => `${outcome}: ${count}`)
  return `${failures.length} of ${samples.length} (${counts.join(', ')})`
}
