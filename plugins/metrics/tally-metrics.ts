import { Counter, type Metric, type Registry } from 'prom-client'
import type { Counters, OutcomeCounts } from '../../services/counters.ts'
import { BOUNDS_SECONDS, type RequestTallies, type RouteTally } from './request-tallies.ts'

type Labels = Record<string, string | number>
interface Sample {
  metricName: string
  labels: Labels
  value: number
}

/** Registers what is counted in plain numbers: it is put together only when somebody looks. */
export function registerTallies(registry: Registry, counts: Counters, requests: RequestTallies): void {
  function counter(name: string, help: string, read: () => [Labels, number][]): void {
    const labelNames = LABELS[name]!
    registry.registerMetric(
      new Counter({
        name,
        help,
        labelNames,
        registers: [],
        collect() {
          this.reset()
          for (const [labels, value] of read()) this.inc(labels, value)
        }
      }) as unknown as Metric
    )
  }
  const outcomes = (label: string, tally: OutcomeCounts): [Labels, number][] =>
    Object.entries(tally).map(([outcome, value]) => [{ [label]: outcome }, value])

  counter(
    'svc_http_requests_total',
    'Requests that were answered, by the pattern of the route ("none" where there is no route), the method and the status',
    () =>
      requests
        .routes()
        .flatMap(({ route, method, statuses }) =>
          [...statuses].map(([status, value]): [Labels, number] => [{ route, method, status }, value])
        )
  )
  counter(
    'svc_admissions_total',
    'Decisions about requests by the limit that they count against: admitted, refused because it is used up, or unauthenticated',
    () =>
      [...requests.admissions].flatMap(([policy, tally]) =>
        Object.entries(tally).map(([decision, value]): [Labels, number] => [{ policy, decision }, value])
      )
  )
  counter(
    'svc_webhook_deliveries_total',
    'Attempts at deliveries by what became of the delivery: delivered, retry (tried again later) or dead (given up)',
    () => outcomes('outcome', counts.deliveries)
  )
  counter('svc_visual_checks_total', 'Visual checks by the state they ended in', () =>
    outcomes('status', counts.visualChecks)
  )
  counter('svc_kept_answers_total', 'Reads that may be answered ready-made, by whether one was kept: hit or miss', () =>
    outcomes('outcome', counts.responseCache)
  )
  counter('svc_kept_keys_total', 'Requests with an API key, by whether the checked key was kept: hit or miss', () =>
    outcomes('outcome', counts.apiKeyCache)
  )
  registry.registerMetric(durations(requests) as unknown as Metric)
}

const LABELS: Record<string, string[]> = {
  svc_http_requests_total: ['route', 'method', 'status'],
  svc_admissions_total: ['policy', 'decision'],
  svc_webhook_deliveries_total: ['outcome'],
  svc_visual_checks_total: ['status'],
  svc_kept_answers_total: ['outcome'],
  svc_kept_keys_total: ['outcome']
}

/**
 * The histogram of answer times. The library's own one would look its labels up at every request;
 * the registry asks a metric for nothing but this.
 */
function durations(requests: RequestTallies) {
  const name = 'svc_http_request_duration_seconds'
  const help = 'Seconds from the first line of a request to the end of its answer'
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: requests
      .routes()
      .filter(({ method }) => method !== 'none')
      .flatMap((tally) => samplesOf(name, tally))
  })
  return { name, help, type: 'histogram', aggregator: 'sum', get, reset() {} }
}

function samplesOf(name: string, { route, method, buckets, seconds }: RouteTally): Sample[] {
  let value = 0
  const samples = [...buckets].map((inBucket, index): Sample => {
    value += inBucket
    return { metricName: `${name}_bucket`, labels: { le: BOUNDS_SECONDS[index] ?? '+Inf', route, method }, value }
  })
  return [
    ...samples,
    { metricName: `${name}_sum`, labels: { route, method }, value: seconds },
    { metricName: `${name}_count`, labels: { route, method }, value }
  ]
}
