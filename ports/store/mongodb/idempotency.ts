import { isDuplicateKey } from '../../../lib/mongodb.ts'
import type {
  IdempotencyClaim,
  IdempotencyClaimResult,
  IdempotencyStore,
  StoredResponse,
  TransferRecord
} from '../port.ts'
import type { Database } from './database.ts'

type ClaimRecord = TransferRecord<'idempotency'>

/** A claim as it is stored; its `_id` is the scope. */
export interface ClaimDocument extends Omit<ClaimRecord, 'scope' | 'answer'> {
  _id: string
  answer: ResponseDocument | null
}

/** Headers are stored as pairs, because header names may be invalid as MongoDB field names. */
type ResponseDocument = Omit<StoredResponse, 'headers'> & { headers: [string, string][] }

export const claimCollection = (database: Database) => database.collection<ClaimDocument>('idempotency_keys')

export const toClaimDocument = ({ scope, answer, ...claim }: ClaimRecord): ClaimDocument => ({
  _id: scope,
  ...claim,
  answer: answer === null ? null : toResponseDocument(answer)
})

export const toClaimRecord = ({ _id, bodyHash, claimedAt, expiresAt, answer }: ClaimDocument): ClaimRecord => ({
  scope: _id,
  bodyHash,
  claimedAt,
  expiresAt,
  answer: answer === null ? null : toStoredResponse(answer)
})

const toResponseDocument = ({ headers, ...response }: StoredResponse): ResponseDocument => ({
  ...response,
  headers: Object.entries(headers)
})

const toStoredResponse = (response: ResponseDocument): StoredResponse => ({
  ...response,
  headers: Object.fromEntries(response.headers)
})

/** Requests that carried an Idempotency-Key, and their responses. */
export function createIdempotency(database: Database): IdempotencyStore {
  const claims = claimCollection(database)

  /** Claims a key that is free, expired or abandoned. False when another request holds it. */
  async function tryClaim({ scope, bodyHash, at, expiresAt, staleBefore }: IdempotencyClaim): Promise<boolean> {
    try {
      await claims.updateOne(
        { _id: scope, $or: [{ expiresAt: { $lte: at } }, { answer: null, claimedAt: { $lt: staleBefore } }] },
        { $set: { bodyHash, claimedAt: at, expiresAt, answer: null } },
        { upsert: true }
      )
      return true
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  }

  /** The state of a claimed key. Null when the key was released meanwhile. */
  async function readState({ scope, bodyHash }: IdempotencyClaim): Promise<IdempotencyClaimResult | null> {
    const found = await claims.findOne({ _id: scope })
    if (found === null) return null
    if (found.bodyHash !== bodyHash) return { state: 'reused' }
    if (found.answer === null) return { state: 'running' }
    return { state: 'answered', response: toStoredResponse(found.answer) }
  }

  return {
    claim: (claim) =>
      database.run(async () => {
        for (;;) {
          if (await tryClaim(claim)) return { state: 'claimed' }
          const state = await readState(claim)
          if (state !== null) return state
        }
      }),
    complete: async (scope, response) => {
      await database.run(() => claims.updateOne({ _id: scope }, { $set: { answer: toResponseDocument(response) } }))
    },
    // A stored response stays: another request took over this claim after it went stale.
    release: async (scope) => {
      await database.run(() => claims.deleteOne({ _id: scope, answer: null }))
    },
    deleteExpired: (now) =>
      database.run(async () => (await claims.deleteMany({ expiresAt: { $lt: now } })).deletedCount)
  }
}
