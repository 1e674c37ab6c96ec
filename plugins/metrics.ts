import fp from 'fastify-plugin'
import { Gauge, Registry } from 'prom-client'
import { createCounters, type Counters } from '../services/counters.ts'
import { withTimeout } from '../lib/async.ts'
import { registerJobs, type JobMetrics } from './metrics/job-metrics.ts'
import { processMetrics } from './metrics/process-metrics.ts'
import { createRequestTallies, type RequestTallies } from './metrics/request-tallies.ts'
import { registerTallies } from './metrics/tally-metrics.ts'

export interface Metrics {
  /** Numbers that are raised where things happen. */
  counts: Counters
  jobs: JobMetrics
  countBroken: RequestTallies['countBroken']
  /**
   * Everything, as Prometheus reads it (text format 0.0.4). Takes some 2 s at most. Null where
   * METRICS is off.
   */
  text: (() => Promise<string>) | null
}

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics
  }
}

const ASK_MS = 2000

/**
 * What an operator's Prometheus may know: numbers by route, job and outcome; no account, address or
 * key. docs/metrics.md lists them.
 */
export default fp(
  async (app) => {
    const registry = new Registry()
    const counts = createCounters()
    const requests = createRequestTallies()
    const jobs = registerJobs(registry)
    registerTallies(registry, counts, requests)
    const shared = new Gauge({
      name: 'svc_limits_shared',
      help: '1 while requests are counted together by all processes; 0 while each counts by itself, because Redis is away',
      registers: [registry]
    })
    const own = app.config.METRICS === 'on' ? processMetrics() : null

    async function text(): Promise<string> {
      const asked = withTimeout(app.limits.ping(), ASK_MS).then(
        () => 1,
        () => 0
      )
      await Promise.all([
        jobs.look(app.queue),
        asked.then((value) => {
          shared.set(value)
        })
      ])
      return (await Promise.all([registry.metrics(), own!.metrics()])).join('\n')
    }

    app.decorate('metrics', { counts, jobs, countBroken: requests.countBroken, text: own === null ? null : text })
    if (own === null) return
    app.addHook('onResponse', (request, reply, done) => {
      requests.count(request, reply)
      done()
    })
  },
  { name: 'metrics', dependencies: ['config'] }
)
