import type { IdempotencyClaim, IdempotencyClaimResult, IdempotencyStore, StoredResponse } from '../port.ts'
import type { Database } from './database.ts'
import { isDuplicate } from './driver-errors.ts'

/** Names of headers are free, and MongoDB's are not: they are kept as pairs. */
interface ClaimDocument {
  _id: string
  bodyHash: string
  claimedAt: string
  expiresAt: string
  answer: (Omit<StoredResponse, 'headers'> & { headers: [string, string][] }) | null
}

/** Keeps what became of requests that carried an Idempotency-Key. */
export function createIdempotency(database: Database): IdempotencyStore {
  const claims = database.collection<ClaimDocument>('idempotency')

  /** Claims the key where nobody has it, or it is free again; false when another has it. */
  async function take({ scope, bodyHash, at, expiresAt, staleBefore }: IdempotencyClaim): Promise<boolean> {
    try {
      await claims.updateOne(
        { _id: scope, $or: [{ expiresAt: { $lte: at } }, { answer: null, claimedAt: { $lt: staleBefore } }] },
        { $set: { bodyHash, claimedAt: at, expiresAt, answer: null } },
        { upsert: true }
      )
      return true
    } catch (error) {
      if (isDuplicate(error)) return false
      throw error
    }
  }

  /** What stands; null when the key was given free meanwhile. */
  async function stateOf({ scope, bodyHash }: IdempotencyClaim): Promise<IdempotencyClaimResult | null> {
    const found = await claims.findOne({ _id: scope })
    if (found === null) return null
    if (found.bodyHash !== bodyHash) return { state: 'reused' }
    if (found.answer === null) return { state: 'running' }
    return { state: 'answered', response: { ...found.answer, headers: Object.fromEntries(found.answer.headers) } }
  }

  return {
    claim: (claim) =>
      database.act(async () => {
        for (;;) {
          if (await take(claim)) return { state: 'claimed' }
          const state = await stateOf(claim)
          if (state !== null) return state
        }
      }),
    complete: async (scope, { headers, ...answer }) => {
      await database.act(() =>
        claims.updateOne({ _id: scope }, { $set: { answer: { ...answer, headers: Object.entries(headers) } } })
      )
    },
    // An answer stays: it is another's, who took over a claim that was given up for dead.
    release: async (scope) => {
      await database.act(() => claims.deleteOne({ _id: scope, answer: null }))
    },
    deleteExpired: (now) =>
      database.act(async () => (await claims.deleteMany({ expiresAt: { $lt: now } })).deletedCount)
  }
}
