import type { Outbound, OutboundResponse } from '../../ports/outbound/port.ts'
import { toIsoText } from '../../lib/timestamps.ts'
import type { AttemptError, DeliveryAttempt } from '../../schemas/webhook.ts'
import { parseRetryAfterMs } from './retry-schedule.ts'
import { type HeaderNames, requestHeaders, type SigningSecret, type WebhookMessage } from './signing.ts'

/** The time limit of one attempt. */
export const ATTEMPT_TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 5000
/** Bytes of a response body that are read and logged. */
export const MAX_RESPONSE_BYTES = 16 * 1024

/** The outcome of an attempt. */
export interface Outcome {
  delivered: boolean
  status: number | null
  error: AttemptError | null
  detail: string | null
  /** The pause that the receiver asked for. */
  retryAfterMs: number | null
}

/** Only 2xx is a success. `Retry-After` counts for 429 and 503 only. */
export function toOutcome(response: OutboundResponse): Outcome {
  if (!response.ok) {
    const { status, error, detail } = response
    return { delivered: false, status, error, detail, retryAfterMs: null }
  }
  const { status, headers } = response
  if (status >= 200 && status <= 299) return { delivered: true, status, error: null, detail: null, retryAfterMs: null }
  return {
    delivered: false,
    status,
    error: toAttemptError(status),
    detail: `The receiver responded with status ${status}.`,
    retryAfterMs: status === 429 || status === 503 ? parseRetryAfterMs(headers['retry-after']) : null
  }
}

function toAttemptError(status: number): AttemptError {
  if (status < 400) return 'redirect'
  return status < 500 ? 'http_4xx' : 'http_5xx'
}

/** Whether the receiver may have rejected the signature, so that another secret may succeed. */
export function mayBeSignatureError({ status }: Pick<Outcome, 'status'>): boolean {
  return status === 400 || status === 401 || status === 403
}

export interface AttemptTarget {
  url: string
  /** The valid secrets, in the order to try them. */
  secrets: SigningSecret[]
  /** The number of the first attempt. */
  number: number
  maxResponseBytes?: number
  signal?: AbortSignal
}

/** The characters that the receiver responded with: the part of an attempt whose length it chooses. */
export function responseLength({ response, responseHeaders }: DeliveryAttempt): number {
  let length = response.length
  for (const name in responseHeaders) length += name.length + responseHeaders[name]!.length
  return length
}

/** The attempts in order, the outcome of the last one, and the secret that it was signed with. */
export interface AttemptResult {
  attempts: DeliveryAttempt[]
  outcome: Outcome
  secretId: string
}

export type AttemptSender = ReturnType<typeof createAttemptSender>

/**
 * Sends messages. During a secret rotation, an attempt that may have failed because of its
 * signature is repeated at once with the next valid secret: a receiver that knows only one of them
 * misses nothing.
 */
export function createAttemptSender({ outbound, names }: { outbound: Outbound; names: HeaderNames }) {
  return {
    async send(message: WebhookMessage, target: AttemptTarget): Promise<AttemptResult> {
      const { url, secrets, signal, maxResponseBytes = MAX_RESPONSE_BYTES } = target
      const attempts: DeliveryAttempt[] = []
      for (let index = 0; index < secrets.length; index++) {
        const secret = secrets[index]!
        const number = target.number + index
        const { sent, logged } = requestHeaders(names, { ...message, attempt: number }, { by: secret, all: secrets })
        const at = toIsoText(Date.now())
        const response = await outbound.send({
          url,
          method: 'POST',
          headers: sent,
          body: message.body,
          maxBytes: maxResponseBytes,
          connectTimeoutMs: CONNECT_TIMEOUT_MS,
          timeoutMs: ATTEMPT_TIMEOUT_MS,
          signal
        })
        const outcome = toOutcome(response)
        attempts.push(toAttempt({ number, at, requestHeaders: logged }, response, outcome))
        const isLast = index === secrets.length - 1 || signal?.aborted === true
        if (isLast || !mayBeSignatureError(outcome)) return { attempts, outcome, secretId: secret.id }
      }
      throw new Error('The webhook has no signing secret')
    }
  }
}

/** The attempt as it is logged. */
function toAttempt(
  { number, at, requestHeaders }: { number: number; at: string; requestHeaders: Record<string, string> },
  response: OutboundResponse,
  { status, error, detail }: Outcome
): DeliveryAttempt {
  return {
    number,
    at,
    durationMs: Math.round(response.durationMs),
    status,
    error,
    detail,
    address: response.address,
    requestHeaders,
    responseHeaders: response.ok ? response.headers : {},
    response: response.ok ? toText(response) : ''
  }
}

function toText({ body, truncated }: { body: Buffer; truncated: boolean }): string {
  // When the body was truncated inside a character, the streaming decoder drops that character.
  return truncated ? new TextDecoder().decode(body, { stream: true }) : body.toString()
}
