import type { DeliveryUpdate, Store } from '../../ports/store/port.ts'

/** Updates are saved together: after this time, when this many have gathered, or when no attempt is in progress. */
const BATCH_MS = 50
const MAX_BATCH = 512

/** Called once: with null when the updates are saved, otherwise with the error. */
export type OnSaved = (error: unknown) => void

export interface AttemptRecorder {
  /** Must be called when an attempt begins. */
  started: () => void
  /** Never throws. */
  record: (updates: DeliveryUpdate[], onSaved: OnSaved) => void
  /** Must be called when an attempt has ended, after `record` and after the attempts that follow it have begun. */
  ended: () => void
}

/**
 * Saves the attempts of all webhooks in batches: a batch takes one transaction, or a few commands to a server. When
 * no attempt is in progress, no other one would join the batch soon, and it is saved at once: otherwise a run would
 * wait for its last batch longer than sending took.
 */
export function createRecorder(store: Store): AttemptRecorder {
  let pending: DeliveryUpdate[] = []
  let listeners: OnSaved[] = []
  let timer: NodeJS.Timeout | undefined
  let inProgress = 0
  let saving = 0

  async function save(): Promise<void> {
    const [updates, notified] = [pending, listeners]
    clearTimeout(timer)
    timer = undefined
    pending = []
    listeners = []
    saving += 1
    const error = await store.deliveries.recordAttempts(updates).then(
      () => null,
      (error: unknown) => error ?? new Error('The attempts were not saved')
    )
    saving -= 1
    for (const onSaved of notified) onSaved(error)
    saveIfIdle()
  }

  /** What ends while a batch is being saved is the next batch. */
  function saveIfIdle(): void {
    if (inProgress === 0 && saving === 0 && pending.length > 0) save() // Never rejects.
  }

  return {
    started() {
      inProgress += 1
    },
    record(updates, onSaved) {
      pending.push(...updates)
      listeners.push(onSaved)
      timer ??= setTimeout(save, BATCH_MS)
      if (pending.length >= MAX_BATCH) save() // Never rejects.
    },
    ended() {
      inProgress -= 1
      saveIfIdle()
    }
  }
}
