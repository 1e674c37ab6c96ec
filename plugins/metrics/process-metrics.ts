import { monitorEventLoopDelay } from 'node:perf_hooks'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/**
 * How often the event loop is looked at, in milliseconds; what is measured between two looks
 * includes this time.
 */
const LOOK_MS = 20

let registry: Registry | undefined

/**
 * What is told of the process itself; begun by the first who asks and shared by all, because there
 * is only one process to watch.
 */
export function processMetrics(): Registry {
  if (registry !== undefined) return registry
  registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOK_MS })
  watchEventLoop(registry)
  return registry
}

/** Told since the last look at it, so that one bad minute is seen once and not for ever. */
function watchEventLoop(register: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: LOOK_MS })
  delays.enable()
  const seconds = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - LOOK_MS / 1000) : 0
  const lag = new Gauge({
    name: 'svc_event_loop_lag_seconds',
    help: 'How much later than due the event loop got to its timers since the last scrape: quantiles 0.5, 0.99 and 1, which is the longest',
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
