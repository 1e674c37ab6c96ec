import type { Timestamp } from './common.ts'

/** The first response to a request with an `Idempotency-Key` header. */
export interface StoredResponse {
  status: number
  headers: Record<string, string>
  body: string
}

export interface IdempotencyClaim {
  /** Identifies account, method, route and key. */
  scope: string
  bodyHash: string
  at: Timestamp
  expiresAt: Timestamp
  /** A claim without a response that is older than this is replaced. */
  staleBefore: Timestamp
}

/**
 * `claimed`: the caller must process the request. `running`: a request with the same body is in
 * progress. `reused`: the key was used with another body. `answered`: return the stored response.
 */
export type IdempotencyClaimResult =
  | { state: 'claimed' }
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
  /** Removes a claim without a response, so that the request can be sent again. */
  release: (scope: string) => Promise<void>
  /** Deletes claims that expired before `now`. Returns the number of deleted claims. */
  deleteExpired: (now: Timestamp) => Promise<number>
}
