import { refuse } from '../errors.ts'
import type { Limits } from '../ports/limits/port.ts'
import type { Queue } from '../ports/queue/port.ts'
import type { Store } from '../ports/store/port.ts'
import { withTimeout } from '../lib/async.ts'

export type Part = 'store' | 'limits' | 'queue'
export interface Readiness {
  status: 'ok' | 'degraded'
  missing: Part[]
}

/** A probe waits no longer for a part than so many milliseconds. */
const ASK_MS = 2000

/**
 * What has to be there. Whoever serves requests can do without the queue and the shared log of
 * limits for a while, since requests are counted in the process then and the sweeper adds jobs
 * again; whoever only works jobs can do nothing.
 */
const NEEDED: Record<'api' | 'worker', readonly Part[]> = { api: ['store'], worker: ['store', 'limits', 'queue'] }

/** Tells whether the parts that the service stands on answer. */
export function createHealth({
  store,
  limits,
  queue,
  worksOnly
}: {
  store: Store
  limits: Limits
  queue: Queue
  worksOnly: boolean
}) {
  const parts: Record<Part, () => Promise<void>> = {
    store: () => store.ping(),
    limits: () => limits.ping(),
    queue: () => queue.ping()
  }
  const needed = NEEDED[worksOnly ? 'worker' : 'api']

  const answers = async (part: Part): Promise<boolean> =>
    await withTimeout(parts[part](), ASK_MS).then(
      () => true,
      () => false
    )

  return {
    /**
     * Which parts are missing, within some 2 s. Throws `unavailable`, which names them in
     * `missing`, where it cannot go on without one of them.
     */
    async ready(): Promise<Readiness> {
      const names = Object.keys(parts) as Part[]
      const there = await Promise.all(names.map(answers))
      const missing = names.filter((_name, index) => !there[index])
      if (missing.some((part) => needed.includes(part))) {
        throw refuse('unavailable', `What the service stands on does not answer: ${missing.join(', ')}.`, {
          members: { missing }
        })
      }
      return { status: missing.length === 0 ? 'ok' : 'degraded', missing }
    }
  }
}
