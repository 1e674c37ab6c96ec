import fp from 'fastify-plugin'
import { Registry } from 'prom-client'
import { processMetrics } from '../lib/process-metrics.ts'
import { createCounters, type Counters } from '../services/counters.ts'
import { registerConnectionMetrics } from './metrics/connection-metrics.ts'
import { registerJobMetrics, type JobMetrics } from './metrics/job-metrics.ts'
import { createRequestMetrics, type RequestMetrics } from './metrics/request-metrics.ts'

export interface Metrics {
  registry: Registry
  /** Counters that the services increment. */
  counts: Counters
  jobs: JobMetrics
  countRateLimitDecision: RequestMetrics['countRateLimitDecision']
  countUnroutedResponse: RequestMetrics['countUnroutedResponse']
  countDirectResponse: RequestMetrics['countDirectResponse']
  /** Adds an update of gauges that runs before each scrape. It must not throw. */
  beforeScrape: (update: () => Promise<void>) => void
  /**
   * All metrics in the Prometheus text format 0.0.4, as they were at most 0.2 s ago. Takes about 2 s at
   * most. Null when METRICS is off.
   */
  text: (() => Promise<string>) | null
}

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics
  }
}

/**
 * Scrapes within this time share their metrics. Scrapes are not limited, and each collection takes a few
 * milliseconds of the event loop.
 */
const SHARED_MS = 200

/**
 * Metrics for Prometheus, by route, job and outcome. Accounts, addresses and keys never become
 * labels. docs/metrics.md lists the metrics.
 */
export default fp(
  async (app) => {
    const registry = new Registry()
    const counts = createCounters()
    const requests = createRequestMetrics(registry, counts)
    registerConnectionMetrics(registry, app.connections)
    const updates: (() => Promise<void>)[] = []
    const ofProcess = app.config.METRICS === 'on' ? processMetrics() : null

    async function collect(): Promise<string> {
      await Promise.all(updates.map((update) => update()))
      return (await Promise.all([registry.metrics(), ofProcess!.metrics()])).join('\n')
    }
    let collected: Promise<string> | null = null
    function text(): Promise<string> {
      collected ??= collect().finally(() => {
        setTimeout(() => {
          collected = null
        }, SHARED_MS).unref()
      })
      return collected
    }

    app.decorate('metrics', {
      registry,
      counts,
      jobs: registerJobMetrics(registry),
      countRateLimitDecision: requests.countRateLimitDecision,
      countUnroutedResponse: requests.countUnroutedResponse,
      countDirectResponse: requests.countDirectResponse,
      beforeScrape: (update) => {
        updates.push(update)
      },
      text: ofProcess === null ? null : text
    })
    if (ofProcess === null) return
    app.addHook('onResponse', (request, reply, done) => {
      requests.countResponse(request, reply)
      done()
    })
  },
  { name: 'metrics', dependencies: ['config', 'request-context'] }
)
