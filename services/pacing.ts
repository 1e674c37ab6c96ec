import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'

/** How long a batch should keep the process busy, in milliseconds: requests wait that long. */
const TARGET_MS = 20

export interface Pacer {
  /** The number of items of the next batch. */
  size: () => number
  /** To be called after each batch: serves other work of the process, and adapts the size. */
  rest: () => Promise<void>
}

/**
 * Paces a loop over batches, so that it does not block the process. The batches of the embedded store
 * are saved without leaving the event loop; with MongoDB the process mostly waits, and batches stay
 * large. `busyMs` reads the time that the process has been busy: default, that of the event loop.
 */
export function createPacer(
  { min, max }: { min: number; max: number },
  busyMs: () => number = () => performance.eventLoopUtilization().active
): Pacer {
  let size = Math.min(max, 2 * min)
  let startedAt = busyMs()
  return {
    size: () => size,
    async rest() {
      const spentMs = busyMs() - startedAt
      // By at most a factor of two, because one batch may be an exception.
      const factor = Math.min(2, Math.max(0.5, TARGET_MS / Math.max(1, spentMs)))
      size = Math.min(max, Math.max(min, Math.round(size * factor)))
      await setImmediate()
      startedAt = busyMs()
    }
  }
}
