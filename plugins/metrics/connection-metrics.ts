import { Counter, Gauge, type Metric, type Registry } from 'prom-client'
import type { ConnectionCounts } from '../../lib/http/connection-limit.ts'

/** Registers the metrics of client connections, which are read at each scrape. */
export function registerConnectionMetrics(registry: Registry, counts: ConnectionCounts): void {
  const open = new Gauge({
    name: 'svc_connections',
    help: 'Open connections of clients',
    registers: [],
    collect() {
      this.set(counts.open)
    }
  })
  const closed = new Counter({
    name: 'svc_closed_connections_total',
    help: 'Connections that were closed because there were more than MAX_CONNECTIONS',
    registers: [],
    collect() {
      this.reset()
      this.inc(counts.closed)
    }
  })
  for (const metric of [open, closed]) registry.registerMetric(metric as Metric)
}
