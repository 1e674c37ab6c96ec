import { RequestError } from '../../../../../lib/address-policy/errors.ts'

/**
 * Marks replies of the proxy itself. The proxy removes this header from responses of sites.
 */
export const PROXY_ERROR_HEADER = 'x-egress-proxy-error'

/**
 * `refused`: the target is not allowed. `limit_exceeded`: the session has no requests left.
 * `unreachable`: the target did not answer. `unauthenticated`: no valid credentials.
 */
export type ProxyErrorCode = 'refused' | 'limit_exceeded' | 'unreachable' | 'unauthenticated'

export interface Reply {
  status: number
  reason: string
  /** Alternating names and values. */
  headers: string[]
  body: string
}

/** The body is one sentence. Replies are never cached. */
function createReply(code: ProxyErrorCode, [status, reason]: [number, string], sentence: string): Reply {
  return {
    status,
    reason,
    body: `${sentence}\n`,
    headers: [PROXY_ERROR_HEADER, code, 'content-type', 'text/plain', 'cache-control', 'no-store']
  }
}

const challenge = createReply('unauthenticated', [407, 'Proxy Authentication Required'], 'Credentials are required.')
export const UNAUTHENTICATED: Reply = {
  ...challenge,
  headers: [...challenge.headers, 'proxy-authenticate', 'Basic realm="egress proxy"']
}
export const LIMIT_EXCEEDED = createReply('limit_exceeded', [403, 'Forbidden'], 'This inspection has no requests left.')
/** The same reply for every target that is not allowed, so that it reveals nothing about the network. */
export const FORBIDDEN = createReply('refused', [403, 'Forbidden'], 'Requests to this address are not allowed.')

/** The reply for an error of the connection to the site. */
export function toReply(error: unknown): Reply {
  if (error instanceof RequestError && error.code === 'blocked') return FORBIDDEN
  if (error instanceof RequestError && error.code === 'timeout') {
    return createReply('unreachable', [504, 'Gateway Timeout'], error.message)
  }
  return createReply(
    'unreachable',
    [502, 'Bad Gateway'],
    error instanceof RequestError ? error.message : 'The site did not send a valid HTTP response.'
  )
}

/** A reply to a CONNECT request as sent over the socket, which is closed after it. */
export function toWireFormat({ status, reason, headers, body }: Reply): string {
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []))
  return [
    `HTTP/1.1 ${status} ${reason}`,
    ...lines,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body
  ].join('\r\n')
}
