import { runAsOwner } from '../../lib/async.ts'
import type { DeliveryUpdate, Store } from '../../ports/store/port.ts'

/**
 * Updates are saved together: after this time, when this many have gathered, or so many characters of responses, or
 * when no attempt is in progress.
 */
const BATCH_MS = 100
const MAX_BATCH = { local: 2_048, remote: 512 }
/** The results of one listener. */
const MAX_OF_LISTENER = 512
const MAX_BATCH_LENGTH = 500_000

/** What was saved for one listener. `length`: the characters of responses. */
export interface Saved {
  results: number
  length: number
}

/**
 * Called once for all results of a batch that were given with this listener: with null when they are saved, otherwise
 * with the error.
 */
export type OnSaved = (error: unknown, saved: Saved) => void

export interface AttemptRecorder {
  /** Must be called when an attempt begins. */
  started: () => void
  /** The updates of one result. `length`: the characters of responses in them. Never throws. */
  record: (updates: DeliveryUpdate[], length: number, onSaved: OnSaved) => void
  /** Must be called when an attempt has ended, after `record` and after the attempts that follow it have begun. */
  ended: () => void
}

/**
 * Saves the attempts of all webhooks in batches: a batch takes one transaction, or a few commands to a server. When
 * no attempt is in progress, no other one would join the batch soon, and it is saved at once: otherwise a run would
 * wait for its last batch longer than sending took.
 */
export function createRecorder(store: Store): AttemptRecorder {
  const maxBatch = store.isRemote ? MAX_BATCH.remote : MAX_BATCH.local
  let pending: DeliveryUpdate[] = []
  let listeners = new Map<OnSaved, Saved>()
  let pendingLength = 0
  let timer: NodeJS.Timeout | undefined
  let inProgress = 0
  let saving = 0

  async function save(): Promise<void> {
    const [updates, notified] = [pending, listeners]
    clearTimeout(timer)
    timer = undefined
    pending = []
    listeners = new Map()
    pendingLength = 0
    saving += 1
    // Of all accounts, whichever began the batch.
    const recorded = runAsOwner('', async () => await store.deliveries.recordAttempts(updates))
    const error = await recorded.then(
      () => null,
      (error: unknown) => error ?? new Error('The attempts were not saved')
    )
    saving -= 1
    for (const [onSaved, saved] of notified) onSaved(error, saved)
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
    record(updates, length, onSaved) {
      for (const update of updates) pending.push(update)
      pendingLength += length
      let saved = listeners.get(onSaved)
      if (saved === undefined) listeners.set(onSaved, (saved = { results: 0, length: 0 }))
      saved.results += 1
      saved.length += length
      timer ??= setTimeout(save, BATCH_MS)
      const isFull = pending.length >= maxBatch || saved.results >= MAX_OF_LISTENER
      if (isFull || pendingLength >= MAX_BATCH_LENGTH) save() // Never rejects.
    },
    ended() {
      inProgress -= 1
      saveIfIdle()
    }
  }
}
