import type { DeliveryUpdate, Store } from '../../ports/store/port.ts'

/** Updates are saved together: after this time, or when this many have gathered. */
const BATCH_MS = 50
const MAX_BATCH = 512

/** Called once: with null when the updates are saved, otherwise with the error. */
export type OnSaved = (error: unknown) => void

export interface AttemptRecorder {
  /** Never throws. */
  record: (updates: DeliveryUpdate[], onSaved: OnSaved) => void
}

/** Saves the attempts of all webhooks in batches: a batch takes one transaction, or a few commands to a server. */
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
