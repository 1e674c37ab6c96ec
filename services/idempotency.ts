import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '../errors.ts'
import type { IdempotencyState, Store, StoredAnswer } from '../ports/store/port.ts'

export type Idempotency = ReturnType<typeof createIdempotency>

const KEPT_MS = 24 * 3_600_000
/**
 * A claim without an answer after so long belongs to a process that is gone. Longer than any
 * request may take.
 */
const STALE_MS = 120_000

/** How often it is tried to write what the store did not take because it was away. */
const RETRY_MS = 1_000

/**
 * First answers by Idempotency-Key, kept for 24 hours (draft-ietf-httpapi-idempotency-key-header).
 */
export function createIdempotency({ store }: { store: Store }) {
  const time = (ms: number) => new Date(ms).toISOString()

  /** Resolves when it was written, or will be later because the store is away. */
  async function whenPossible(write: () => Promise<void>): Promise<void> {
    if (await isWritten(write)) return
    writtenLater(write).catch((error: unknown) => {
      process.emitWarning(`What became of an Idempotency-Key could not be written: ${String(error)}`)
    })
  }

  /** After a while the claim is free by itself. */
  async function writtenLater(write: () => Promise<void>): Promise<void> {
    for (const end = Date.now() + STALE_MS; Date.now() < end; ) {
      await wait(RETRY_MS, undefined, { ref: false })
      if (await isWritten(write)) return
    }
  }

  return {
    async claim(scope: string, bodyHash: string): Promise<IdempotencyState> {
      const now = Date.now()
      return await store.idempotency.claim({
        scope,
        bodyHash,
        at: time(now),
        expiresAt: time(now + KEPT_MS),
        staleBefore: time(now - STALE_MS)
      })
    },
    /**
     * Keeps the answer. The effect stands and the caller shall hear of it, so a store that is away
     * is no error: it is told when it is back.
     */
    answer: (scope: string, answer: StoredAnswer) => whenPossible(() => store.idempotency.answer(scope, answer)),
    /** Gives the key free, at once or when the store is back. */
    release: (scope: string) => whenPossible(() => store.idempotency.release(scope)),
    /** Forgets what is older than it is kept. */
    sweep: () => store.idempotency.sweep(time(Date.now()))
  }
}

/** False when the store is away. */
async function isWritten(write: () => Promise<void>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unavailable') return false
    throw error
  }
}
