import type { OutboundResponse } from '../../ports/outbound/port.ts'
import type { AttemptError } from '../../schemas/webhook.ts'
import { retryAfterMs } from './retry-after.ts'

/** What an attempt came to. */
export interface Outcome {
  delivered: boolean
  status: number | null
  error: AttemptError | null
  detail: string | null
  /** The receiver asked for a pause of so many milliseconds. */
  retryAfterMs: number | null
}

/** Only 2xx is success. A pause is asked for with 429 and 503 alone. */
export function toOutcome(answer: OutboundResponse): Outcome {
  if (!answer.ok) {
    return { delivered: false, status: answer.status, error: answer.error, detail: answer.detail, retryAfterMs: null }
  }
  const { status, headers } = answer
  if (status >= 200 && status <= 299) return { delivered: true, status, error: null, detail: null, retryAfterMs: null }
  const asked = status === 429 || status === 503 ? retryAfterMs(headers['retry-after']) : null
  return {
    delivered: false,
    status,
    error: errorOf(status),
    detail: `The receiver answered ${status}.`,
    retryAfterMs: asked
  }
}

function errorOf(status: number): AttemptError {
  if (status < 400) return 'redirect'
  return status < 500 ? 'http_4xx' : 'http_5xx'
}

/** True when the receiver may have refused the signature, so that another secret is worth a try. */
export function mayBeSignatureError({ status }: Pick<Outcome, 'status'>): boolean {
  return status === 400 || status === 401 || status === 403
}

/** True when the receiver, or what stands before it, has too much to do. */
export function isOverloaded({ status, error }: Outcome): boolean {
  return error === 'timeout' || status === 502 || status === 504
}
