import type { OutboundError } from '../port.ts'

/**
 * The one sentence for everything that is refused. It is the same for every reason, so that nobody
 * learns what stands behind the wall.
 */
export const REFUSED =
  'Requests to this address are not sent: only https on port 443 or 8443 of the public internet is, and what the operator allows.'

/** Why there is no answer. Thrown and caught within the door; `status` is that of a redirect. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly error: OutboundError
  readonly status: number | null

  constructor(error: OutboundError, detail: string, status: number | null = null) {
    super(detail)
    this.error = error
    this.status = status
  }
}

/** Makes the refusal of an address. */
export function blocked(): NoAnswer {
  return new NoAnswer('blocked', REFUSED)
}
