/** Why a request to another server failed. */
export type RequestErrorCode = 'dns' | 'blocked' | 'connect' | 'tls' | 'timeout' | 'reset' | 'redirect' | 'too_large'

/**
 * The detail of every blocked request. It is the same for every reason, so that callers learn
 * nothing about internal networks.
 */
export const BLOCKED_DETAIL =
  'Requests to this address are not allowed: it must use https on port 443 or 8443 of a public host, ' +
  'or be allowed by the operator with OUTBOUND_ALLOW.'

/** A request to another server that failed. `status` is set for redirects only. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: RequestErrorCode
  readonly status: number | null

  constructor(code: RequestErrorCode, detail: string, status: number | null = null) {
    super(detail)
    this.code = code
    this.status = status
  }
}

/** The error of a request to an address that is not allowed. */
export function blockedError(): RequestError {
  return new RequestError('blocked', BLOCKED_DETAIL)
}

/** An allow list that cannot be parsed. The message names the faulty entry. */
export class AllowListError extends Error {
  override readonly name = 'AllowListError'
}
