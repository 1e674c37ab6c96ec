import { problem } from '../errors.ts'
import { withTimeout } from '../lib/async.ts'
import type { Limits } from '../ports/limits/port.ts'
import type { Queue } from '../ports/queue/port.ts'
import type { Store } from '../ports/store/port.ts'

export type Dependency = 'store' | 'limits' | 'queue'

export interface Readiness {
  status: 'ok' | 'degraded'
  /** The dependencies that do not answer. */
  missing: Dependency[]
}

interface Parts {
  store: Store
  limits: Limits
  queue: Queue
  /** The process runs jobs only and serves no requests besides health checks. */
  workerOnly: boolean
}

/** Maximum wait for one dependency, in milliseconds. */
const PING_TIMEOUT_MS = 2000

/**
 * Dependencies without which a process is not ready. An API process does without the queue and the
 * shared rate limits for a while: requests are counted in the process, and the sweeper enqueues
 * missed jobs later. A worker needs all of them.
 */
const REQUIRED: Record<'api' | 'worker', readonly Dependency[]> = {
  api: ['store'],
  worker: ['store', 'limits', 'queue']
}

/** Readiness checks of the dependencies. */
export function createHealth({ store, limits, queue, workerOnly }: Parts) {
  const pings: Record<Dependency, () => Promise<void>> = {
    store: () => store.ping(),
    limits: () => limits.ping(),
    queue: () => queue.ping()
  }
  const required = REQUIRED[workerOnly ? 'worker' : 'api']
  let isDraining = false

  const isAvailable = async (dependency: Dependency): Promise<boolean> =>
    await withTimeout(pings[dependency](), PING_TIMEOUT_MS).then(
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
     * Lists the dependencies that do not answer within 2 seconds. Throws `unavailable` with them in
     * `missing` when this process needs one of them, and while the process is draining.
     */
    async ready(): Promise<Readiness> {
      if (isDraining) throw problem('unavailable', 'The process is shutting down.', { members: { missing: [] } })
      const names = Object.keys(pings) as Dependency[]
      const available = await Promise.all(names.map(isAvailable))
      const missing = names.filter((_name, index) => !available[index])
      if (missing.some((dependency) => required.includes(dependency))) {
        throw problem('unavailable', `Required dependencies do not respond: ${missing.join(', ')}.`, {
          members: { missing }
        })
      }
      return { status: missing.length === 0 ? 'ok' : 'degraded', missing }
    }
  }
}
