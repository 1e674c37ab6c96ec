import type { IdempotencyState, Store, StoredAnswer } from '../ports/store/port.ts'

export type Idempotency = ReturnType<typeof createIdempotency>

const KEPT_MS = 24 * 3_600_000
/** A claim without an answer after so long belongs to a process that is gone. Longer than any request may take. */
const STALE_MS = 120_000

/** First answers by Idempotency-Key, kept for 24 hours (draft-ietf-httpapi-idempotency-key-header). */
export function createIdempotency ({ store }: { store: Store }) {
  const time = (ms: number) => new Date(ms).toISOString()
  return {
    async claim (scope: string, bodyHash: string): Promise<IdempotencyState> {
      const now = Date.now()
      return await store.idempotency.claim({ scope, bodyHash, at: time(now), expiresAt: time(now + KEPT_MS), staleBefore: time(now - STALE_MS) })
    },
    answer: (scope: string, answer: StoredAnswer) => store.idempotency.answer(scope, answer),
    release: (scope: string) => store.idempotency.release(scope),
    /** Forgets what is older than it is kept. */
    sweep: () => store.idempotency.sweep(time(Date.now()))
  }
}
