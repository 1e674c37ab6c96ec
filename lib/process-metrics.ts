import { monitorEventLoopDelay } from 'node:perf_hooks'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** Sampling interval of the event loop. A measured delay includes this time. */
const RESOLUTION_MS = 20

let registry: Registry | undefined

/** The metrics of this process. Created once and shared, because there is only one process. */
export function processMetrics(): Registry {
  if (registry !== undefined) return registry
  registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: RESOLUTION_MS })
  registerEventLoopLag(registry)
  return registry
}

/** The histogram is reset at each scrape, so that a single stall appears once. */
function registerEventLoopLag(register: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  const seconds = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000) : 0
  const lag = new Gauge({
    name: 'svc_event_loop_lag_seconds',
    help: 'Event loop delay since the last scrape: quantiles 0.5 and 0.99, and 1 for the maximum',
    labelNames: ['quantile'],
    registers: [register],
    collect() {
      lag.set({ quantile: '0.5' }, seconds(delays.percentile(50)))
      lag.set({ quantile: '0.99' }, seconds(delays.percentile(99)))
      lag.set({ quantile: '1' }, delays.count === 0 ? 0 : seconds(delays.max))
      delays.reset()
    }
  })
}
