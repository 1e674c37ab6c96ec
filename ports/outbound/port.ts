/**
 * Why nothing came back. `blocked` says no more than that, so that nobody learns what stands behind
 * the wall.
 */
export type OutboundError = 'dns' | 'blocked' | 'connect' | 'tls' | 'timeout' | 'reset' | 'redirect' | 'too_large'

export interface OutboundRequest {
  url: string
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | Uint8Array
  /**
   * Bytes of the answer's body that are read; the rest is left, and `truncated` says so. With
   * `refuseLarger` a longer one is the error `too_large`. Default 16 KiB.
   */
  maxBytes?: number
  refuseLarger?: boolean
  /** To the end of the connection's making (TCP and TLS); default 5,000. */
  connectTimeoutMs?: number
  /** To the end of it all; default 15,000. */
  timeoutMs?: number
  signal?: AbortSignal
}

/**
 * An answer of any status but a redirect, or why there is none. `address` is the one that was
 * connected to, as far as it came. `durationMs` is of the whole.
 */
export type OutboundAnswer =
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
      detail: string /** Of a redirect. */
      status: number | null
      address: string | null
      durationMs: number
    }

/**
 * The only door to other people's servers. What is not public, or not allowed by the operator, is
 * not reached: neither by its name, nor by an address
 * that a name resolves to now, nor by a redirect, which is never followed. Answers, never throws,
 * whatever the url and whatever the other side does.
 */
export interface Outbound {
  /**
   * Null when a request to this address would be tried; otherwise one sentence why not. Looks at
   * the address alone and asks no name server.
   */
  refusal: (url: string) => string | null
  send: (request: OutboundRequest) => Promise<OutboundAnswer>
  /** Breaks off what runs and closes every connection. */
  close: () => Promise<void>
}
