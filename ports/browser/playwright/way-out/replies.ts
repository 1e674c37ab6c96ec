import { RequestError } from '../../../../lib/address-policy/errors.ts'

/**
 * The header by which our own answers are told from a site's. No answer of a site carries it: it is
 * taken out.
 */
export const MARK = 'x-way-out'

/**
 * `refused`: the address is not let out to; `overdrawn`: the pass has no requests left;
 * `unreached`: nobody answered there; `unauthenticated`: no pass.
 */
export type Mark = 'refused' | 'overdrawn' | 'unreached' | 'unauthenticated'

export interface Reply {
  status: number
  reason: string
  headers: string[]
  body: string
}

/** A body of ours is one short sentence, and is never kept. */
function reply(mark: Mark, [status, reason]: [number, string], sentence: string): Reply {
  return {
    status,
    reason,
    body: `${sentence}\n`,
    headers: [MARK, mark, 'content-type', 'text/plain', 'cache-control', 'no-store']
  }
}

const challenge = reply('unauthenticated', [407, 'Proxy Authentication Required'], 'A pass is needed.')
export const UNAUTHENTICATED: Reply = {
  ...challenge,
  headers: [...challenge.headers, 'proxy-authenticate', 'Basic realm="way out"']
}
export const OVERDRAWN = reply('overdrawn', [403, 'Forbidden'], 'No more requests are let out for this check.')
/** The same for whatever is refused, so that nobody learns what stands behind the wall. */
export const FORBIDDEN = reply('refused', [403, 'Forbidden'], 'Requests to this address are not let out.')

/** What is answered when a site was not reached. */
export function replyTo(reason: unknown): Reply {
  if (reason instanceof RequestError && reason.code === 'blocked') return FORBIDDEN
  if (reason instanceof RequestError && reason.code === 'timeout') {
    return reply('unreached', [504, 'Gateway Timeout'], reason.message)
  }
  return reply(
    'unreached',
    [502, 'Bad Gateway'],
    reason instanceof RequestError ? reason.message : 'The site did not answer in HTTP.'
  )
}

/** A reply as it stands on the wire, for a CONNECT; the connection ends with it. */
export function onTheWire({ status, reason, headers, body }: Reply): string {
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
