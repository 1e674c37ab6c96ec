import type { DeliveryChange, Store } from '../../ports/store/port.ts'

/** What many deliveries came to is written down together: for so long, or until it is so many. */
const GATHER_MS = 20
const GATHER_MOST = 256

export interface Recorder {
  /** Resolves when they are written down durably. */
  record: (changes: DeliveryChange[]) => Promise<void>
}

interface Portion { changes: DeliveryChange[], written: Promise<void>, write: () => void }

/** Gathers the changes of all webhooks, because making one portion durable takes as long as making many of them durable at once. */
export function createRecorder (store: Store): Recorder {
  let open: Portion | undefined

  function begin (): Portion {
    const { promise, resolve } = Promise.withResolvers<void>()
    const changes: DeliveryChange[] = []
    const timer = setTimeout(write, GATHER_MS)
    function write (): void {
      clearTimeout(timer)
      open = undefined
      resolve(store.deliveries.record(changes))
    }
    return { changes, written: promise, write }
  }

  return {
    async record (changes) {
      const portion = open ??= begin()
      portion.changes.push(...changes)
      if (portion.changes.length >= GATHER_MOST) portion.write()
      await portion.written
    }
  }
}
