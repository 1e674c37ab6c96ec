import type { DeliveryUpdate, Store } from '../../ports/store/port.ts'

/** Updates are saved together: after this time, or when this many have gathered. */
const BATCH_MS = 50
const MAX_BATCH = 256

/** Called once: with null when the updates are durable, otherwise with the error. */
export type OnSaved = (error: unknown) => void

export interface AttemptRecorder {
  /** Never throws. */
  record: (updates: DeliveryUpdate[], onSaved: OnSaved) => void
}

/**
 * Saves the attempts of all webhooks in batches: making one batch durable takes about as long as
 * making a single update durable.
 */
export function createRecorder(store: Store): AttemptRecorder {
  let pending: DeliveryUpdate[] = []
  let listeners: OnSaved[] = []
  let timer: NodeJS.Timeout | undefined

  async function save(): Promise<void> {
    const [saving, notified] = [pending, listeners]
    clearTimeout(timer)
    timer = undefined
    pending = []
    listeners = []
    const error = await store.deliveries.recordAttempts(saving).then(
      () => null,
      (error: unknown) => error ?? new Error('The attempts were not saved')
    )
    for (const onSaved of notified) onSaved(error)
  }

  return {
    record(updates, onSaved) {
      pending.push(...updates)
      listeners.push(onSaved)
      timer ??= setTimeout(save, BATCH_MS)
      if (pending.length >= MAX_BATCH) save() // Never rejects.
    }
  }
}
