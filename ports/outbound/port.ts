/** Why a request failed. `blocked` gives no reason, so that callers learn nothing about the network. */
export type OutboundError = 'dns' | 'blocked' | 'connect' | 'tls' | 'timeout' | 'reset' | 'redirect' | 'too_large'

export interface OutboundRequest {
  url: string
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | Uint8Array
  /**
   * Bytes of the response body to read. The rest is discarded, and `truncated` is true; with
   * `rejectLarger`, a larger body is the error `too_large`. Default 16 KiB.
   */
  maxBytes?: number
  rejectLarger?: boolean
  /**
   * Whether the beginning of the body is enough: then the rest is discarded, and `truncated` is true. Called with what
   * has been read, at first and after twice as much each, while more than 16 KiB, or an unknown number, are left.
   */
  isEnough?: (beginning: Buffer, status: number) => boolean
  /** Time limit for connecting (name resolution, TCP and TLS). Default 5,000. */
  connectTimeoutMs?: number
  /** Time limit for the whole request. Default 15,000. */
  timeoutMs?: number
  signal?: AbortSignal
}

/**
 * A response of any status but a redirect, or the reason why there is none. `address` is the
 * address that was connected to, as far as the request got. `durationMs` covers the whole request.
 */
export type OutboundResponse =
  | {
      ok: true
      status: number
      headers: Record<string, string>
      body: Buffer
      truncated: boolean
      address: string
      durationMs: number
    }
  | {
      ok: false
      error: OutboundError
      detail: string
      /** The status of a redirect; otherwise null. */
      status: number | null
      address: string | null
      durationMs: number
    }

/**
 * The HTTP client for all requests to other people's servers. Addresses that are neither public nor
 * allowed by the operator are never contacted: not by name, not by an address that a name resolves
 * to now, and not by a redirect, which is never followed.
 */
export interface Outbound {
  /**
   * Null if requests to this URL are allowed; otherwise a sentence for the user. Checks the URL
   * only, without resolving its name.
   */
  blockedReason: (url: string) => string | null
  /** Never throws: every failure is a response with `ok: false`. */
  send: (request: OutboundRequest) => Promise<OutboundResponse>
  /** Aborts running requests and closes every connection. */
  close: () => Promise<void>
}
