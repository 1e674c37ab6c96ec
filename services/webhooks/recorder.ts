import type { DeliveryUpdate, Store } from '../../ports/store/port.ts'

/** What many deliveries came to is written down together: for so long, or until it is so many. */
const GATHER_MS = 50
const GATHER_MOST = 256

/** Told once: null when it is written down durably, otherwise what went wrong. */
export type Written = (error: unknown) => void

export interface Recorder {
  /** Takes what one delivery came to; never throws. */
  record: (changes: DeliveryUpdate[], written: Written) => void
}

/**
 * Gathers the changes of all webhooks, because making one portion durable takes as long as making
 * many of them durable at once.
 */
export function createRecorder(store: Store): Recorder {
  let changes: DeliveryUpdate[] = []
  let waiting: Written[] = []
  let timer: NodeJS.Timeout | undefined

  async function write(): Promise<void> {
    const [writing, told] = [changes, waiting]
    clearTimeout(timer)
    timer = undefined
    changes = []
    waiting = []
    const error = await store.deliveries.recordAttempts(writing).then(
      () => null,
      (error: unknown) => error ?? new Error('Nothing was written down')
    )
    for (const tell of told) tell(error)
  }

  return {
    record(one, written) {
      changes.push(...one)
      waiting.push(written)
      timer ??= setTimeout(write, GATHER_MS)
      if (changes.length >= GATHER_MOST) write() // Never rejects.
    }
  }
}
