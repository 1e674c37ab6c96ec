import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, type Metric, type Registry } from 'prom-client'
import type { AuthContext } from '../../services/auth/index.ts'
import type { Counters, OutcomeCounts } from '../../services/counters.ts'
import { routePattern } from './route-pattern.ts'

type Labels = Record<string, string | number>
type Samples = [Labels, number][]

/** Upper bounds of the histogram of response times, in seconds. */
const BUCKET_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The route label of requests without a route: a label per path would be unbounded. */
const NO_ROUTE = 'none'

/**
 * The responses of one method of one route. `buckets[i]` counts responses that took more than the
 * bound before and at most `BUCKET_BOUNDS[i]`; the last bucket counts the rest.
 */
interface RouteStats {
  route: string
  method: string
  statuses: Map<number, number>
  buckets: Float64Array
  seconds: number
}

/** Decisions about requests, under one rate limit policy. */
interface DecisionCounts {
  allowed: number
  limited: number
  unauthenticated: number
}

export type RequestMetrics = ReturnType<typeof createRequestMetrics>

/**
 * Registers the metrics of requests. They are counted in plain numbers, because counting runs after
 * every response; labels and samples are built at a scrape.
 */
export function createRequestMetrics(registry: Registry, counts: Counters) {
  /** By the config of the route, then by method. Copies of a config share the stats of their route. */
  const routes = new Map<object, Record<string, RouteStats>>()
  const statsByLabels = new Map<string, RouteStats>()
  const unrouted: Record<string, RouteStats> = {}
  const decisions = new Map<string, DecisionCounts>()

  function statsOf(request: FastifyRequest): RouteStats {
    const { method, routeConfig } = request
    const known = routes.get(routeConfig)?.[method]
    if (known !== undefined) return known
    const route = request.is404 ? null : routePattern(routeConfig)
    if (route === null) return (unrouted[method] ??= createStats(NO_ROUTE, method))
    return addRoute(routeConfig, route, method)
  }

  function addRoute(routeConfig: FastifyContextConfig, route: string, method: string): RouteStats {
    const labels = `${method} ${route}`
    const stats = statsByLabels.get(labels) ?? createStats(route, method)
    statsByLabels.set(labels, stats)
    routes.set(routeConfig, { ...routes.get(routeConfig), [method]: stats })
    return stats
  }

  function count(stats: RouteStats, status: number, seconds: number): void {
    stats.statuses.set(status, (stats.statuses.get(status) ?? 0) + 1)
    stats.buckets[bucketOf(seconds)]! += 1
    stats.seconds += seconds
  }

  const allStats = (): RouteStats[] => [...statsByLabels.values(), ...Object.values(unrouted)]

  registerCounter(registry, {
    name: 'svc_http_requests_total',
    help: 'HTTP responses by route pattern ("none" without a route), method and status',
    labelNames: ['route', 'method', 'status'],
    read: () =>
      allStats().flatMap(({ route, method, statuses }) =>
        [...statuses].map(([status, value]): Samples[number] => [{ route, method, status }, value])
      )
  })
  registerCounter(registry, {
    name: 'svc_rate_limit_requests_total',
    help: 'Requests by rate limit policy and result: allowed, limited or unauthenticated',
    labelNames: ['policy', 'result'],
    read: () =>
      [...decisions].flatMap(([policy, results]) =>
        Object.entries(results).map(([result, value]): Samples[number] => [{ policy, result }, value])
      )
  })
  registerCounter(registry, {
    name: 'svc_webhook_attempts_total',
    help: 'Delivery attempts by result: delivered, retry (another attempt follows) or dead (the delivery has failed)',
    labelNames: ['result'],
    read: () => byLabel('result', counts.deliveries)
  })
  registerCounter(registry, {
    name: 'svc_visual_checks_total',
    help: 'Finished visual checks by status',
    labelNames: ['status'],
    read: () => byLabel('status', counts.visualChecks)
  })
  registerCounter(registry, {
    name: 'svc_response_cache_requests_total',
    help: 'Requests to cached routes by result: hit or miss',
    labelNames: ['result'],
    read: () => byLabel('result', counts.responseCache)
  })
  registerCounter(registry, {
    name: 'svc_api_key_cache_requests_total',
    help: 'Requests with an API key by result of the key cache: hit or miss',
    labelNames: ['result'],
    read: () => byLabel('result', counts.apiKeyCache)
  })
  registerCounter(registry, {
    name: 'svc_omitted_records_total',
    help: 'Records that were left out of list responses because they cannot be serialized',
    labelNames: [],
    read: () => [[{}, counts.omittedRecords]]
  })
  registerCounter(registry, {
    name: 'svc_trimmed_events_total',
    help: 'Events that were deleted before their retention ended because the event log of their account was too large',
    labelNames: [],
    read: () => [[{}, counts.trimmedEvents]]
  })
  registerCounter(registry, {
    name: 'svc_trimmed_files_total',
    help: 'Generated files that were deleted because their account had too many bytes of them, by kind',
    labelNames: ['kind'],
    read: () => byLabel('kind', counts.trimmedFiles)
  })
  registry.registerMetric(createDurationHistogram(allStats) as unknown as Metric)

  return {
    countResponse(request: FastifyRequest, reply: FastifyReply): void {
      count(statsOf(request), reply.statusCode, reply.elapsedTime / 1000)
    },

    /** Counts a response to a GET request that was not routed, as one of the route with this config. */
    countDirectResponse(routeConfig: FastifyContextConfig, status: number, seconds: number): void {
      const stats = routes.get(routeConfig)?.GET ?? addRoute(routeConfig, routePattern(routeConfig)!, 'GET')
      count(stats, status, seconds)
    },

    /** Counts a response to a message that did not become a request of a route. */
    countUnroutedResponse(status: number): void {
      const { statuses } = (unrouted[NO_ROUTE] ??= createStats(NO_ROUTE, NO_ROUTE))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    },

    countRateLimitDecision({ policy, error }: AuthContext): void {
      let results = decisions.get(policy)
      if (results === undefined) decisions.set(policy, (results = { allowed: 0, limited: 0, unauthenticated: 0 }))
      results[error === null ? 'allowed' : error.code === 'rate_limited' ? 'limited' : 'unauthenticated'] += 1
    }
  }
}

const byLabel = (label: string, outcomes: OutcomeCounts): Samples =>
  Object.entries(outcomes).map(([outcome, value]) => [{ [label]: outcome }, value])

/** Registers a counter whose samples are read at each scrape. */
function registerCounter(
  registry: Registry,
  { name, help, labelNames, read }: { name: string; help: string; labelNames: string[]; read: () => Samples }
): void {
  const counter = new Counter({
    name,
    help,
    labelNames,
    registers: [],
    collect() {
      this.reset()
      for (const [labels, value] of read()) this.inc(labels, value)
    }
  })
  registry.registerMetric(counter as unknown as Metric)
}

/**
 * The histogram of response times. A prom-client histogram would look up its labels at every
 * request; the registry only needs `get` and these fields.
 */
function createDurationHistogram(allStats: () => RouteStats[]) {
  const name = 'svc_http_request_duration_seconds'
  const help = 'Seconds from the request line to the end of the response'
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: allStats()
      .filter(({ method }) => method !== NO_ROUTE)
      .flatMap((stats) => toSamples(name, stats))
  })
  return { name, help, type: 'histogram', aggregator: 'sum', get, reset() {} }
}

function toSamples(name: string, { route, method, buckets, seconds }: RouteStats) {
  let value = 0
  const samples = [...buckets].map((inBucket, index) => {
    value += inBucket
    const labels: Labels = { le: BUCKET_BOUNDS[index] ?? '+Inf', route, method }
    return { metricName: `${name}_bucket`, labels, value }
  })
  return [
    ...samples,
    { metricName: `${name}_sum`, labels: { route, method }, value: seconds },
    { metricName: `${name}_count`, labels: { route, method }, value }
  ]
}

const createStats = (route: string, method: string): RouteStats => ({
  route,
  method,
  statuses: new Map(),
  buckets: new Float64Array(BUCKET_BOUNDS.length + 1),
  seconds: 0
})

function bucketOf(seconds: number): number {
  let index = 0
  while (index < BUCKET_BOUNDS.length && seconds > BUCKET_BOUNDS[index]!) index += 1
  return index
}
