import { problem } from '../errors.ts'
import { withTimeout } from '../lib/async.ts'
import type { Files } from '../ports/files/port.ts'
import type { Limits } from '../ports/limits/port.ts'
import type { Queue } from '../ports/queue/port.ts'
import type { Store } from '../ports/store/port.ts'
import type { Dependency, Ready } from '../schemas/health.ts'

interface Parts {
  store: Store
  files: Files
  limits: Limits
  queue: Queue
  /** The process runs jobs only and serves no requests besides health checks. */
  workerOnly: boolean
}

export interface HealthOptions {
  /** Minimum time between two successful probe writes, in milliseconds. */
  probeIntervalMs?: number
}

/** Maximum wait for one dependency, in milliseconds. */
const TIMEOUT_MS = 2000
const DEFAULT_PROBE_INTERVAL_MS = 10_000

/**
 * Dependencies without which a process is not ready. An API process does without the queue and the
 * shared rate limits for a while: requests are counted in the process, and the sweeper enqueues
 * missed jobs later. A worker needs all of them.
 */
const REQUIRED: Record<'api' | 'worker', readonly Dependency[]> = {
  api: ['store', 'files'],
  worker: ['store', 'files', 'limits', 'queue']
}

/** Readiness checks of the dependencies. The store and the files must accept writes. */
export function createHealth(
  { store, files, limits, queue, workerOnly }: Parts,
  { probeIntervalMs = DEFAULT_PROBE_INTERVAL_MS }: HealthOptions = {}
) {
  const probeStore = atMostEvery(probeIntervalMs, () => store.probe())
  const probeFiles = atMostEvery(probeIntervalMs, () => files.probe())
  const checks: Record<Dependency, () => Promise<void>> = {
    async store() {
      await store.ping()
      await probeStore()
    },
    files: probeFiles,
    limits: () => limits.ping(),
    queue: () => queue.ping()
  }
  const required = REQUIRED[workerOnly ? 'worker' : 'api']
  let isDraining = false

  const isAvailable = async (dependency: Dependency): Promise<boolean> =>
    await withTimeout(checks[dependency](), TIMEOUT_MS).then(
      () => true,
      () => false
    )

  return {
    /** Whether the process is about to stop and asks its clients to use other processes. */
    get isDraining(): boolean {
      return isDraining
    },
    /** From now on the process is not ready. It goes on serving requests. */
    startDraining(): void {
      isDraining = true
    },
    /**
     * Lists the dependencies that do not respond within 2 seconds, or whose probe write failed.
     * Throws `unavailable` with them in `missing` when this process needs one of them, and while the
     * process is draining.
     */
    async ready(): Promise<Ready> {
      if (isDraining) throw problem('unavailable', 'The process is shutting down.', { members: { missing: [] } })
      const names = Object.keys(checks) as Dependency[]
      const available = await Promise.all(names.map(isAvailable))
      const missing = names.filter((_name, index) => !available[index])
      if (missing.some((dependency) => required.includes(dependency))) {
        throw problem('unavailable', `Required dependencies do not respond or cannot write: ${missing.join(', ')}.`, {
          members: { missing }
        })
      }
      return { status: missing.length === 0 ? 'ok' : 'degraded', missing }
    }
  }
}

/**
 * Runs the probe unless it has succeeded within `intervalMs`. Concurrent callers share one probe, so
 * that health checks never add to the load of a store that does not respond.
 */
function atMostEvery(intervalMs: number, probe: () => Promise<void>): () => Promise<void> {
  let succeededAtMs = -Infinity
  let running: Promise<void> | null = null
  const run = async () => {
    try {
      await probe()
      succeededAtMs = performance.now()
    } finally {
      running = null
    }
  }
  return async () => {
    if (performance.now() - succeededAtMs >= intervalMs) await (running ??= run())
  }
}
