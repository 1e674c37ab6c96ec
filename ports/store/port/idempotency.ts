import type { Timestamp } from './common.ts'

/** The first response to a request with an `Idempotency-Key` header. */
export interface StoredResponse {
  status: number
  headers: Record<string, string>
  body: string
}

export interface IdempotencyClaim {
  /** Identifies caller, method, route and key. */
  scope: string
  bodyHash: string
  /** The operation id, unless an earlier attempt of this request already has one. */
  operationId: string
  at: Timestamp
  expiresAt: Timestamp
  /** A claim without a response that is older than this is replaced. */
  staleBefore: Timestamp
}

/**
 * `claimed`: the caller must process the request. `operationId` is the one of the first attempt that
 * claimed the key with this body; `isRetry` is true unless this is the first. `running`: a request
 * with the same body is in progress. `reused`: the key was used with another body. `answered`:
 * return the stored response.
 */
export type IdempotencyClaimResult =
  | { state: 'claimed'; operationId: string; isRetry: boolean }
  | { state: 'running' }
  | { state: 'reused' }
  | { state: 'answered'; response: StoredResponse }

export interface IdempotencyStore {
  /**
   * Claims the key unless a claim exists that is neither expired nor stale. Of concurrent calls,
   * only one gets `claimed`.
   */
  claim: (claim: IdempotencyClaim) => Promise<IdempotencyClaimResult>
  /** Stores the response to the claimed request. */
  complete: (scope: string, response: StoredResponse) => Promise<void>
  /**
   * Makes a claim without a response claimable, so that the request can be sent again. The operation
   * id stays until the claim expires.
   */
  release: (scope: string) => Promise<void>
  /** Deletes claims that expired before `now`. Returns the number of deleted claims. */
  deleteExpired: (now: Timestamp) => Promise<number>
}
