import type { Outbound, OutboundResponse } from '../../ports/outbound/port.ts'
import type { DeliveryAttempt } from '../../schemas/webhook.ts'
import type { Message } from './message.ts'
import { mayBeSignatureError, toOutcome, type Outcome } from './outcome.ts'
import { requestHeaders, type HeaderNames } from './request-headers.ts'
import type { SigningSecret } from './sign.ts'

/** The longest that one attempt takes. */
export const ATTEMPT_TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 5000
/** What is read, and kept, of an answer. */
export const MAX_RESPONSE_BYTES = 16 * 1024

export interface AttemptTarget {
  url: string
  /** Those that are good, in the order in which they are tried. */
  secrets: SigningSecret[]
  /** The number of the first attempt. */
  number: number
  maxResponseBytes?: number
  signal?: AbortSignal
}

/**
 * A try: the attempts of it in order, what the last one came to, and the secret that it was signed
 * with.
 */
export interface AttemptResult {
  attempts: DeliveryAttempt[]
  outcome: Outcome
  secretId: string
}

/**
 * Sends messages. While several secrets are good, an attempt that may have failed by its signature
 * is repeated at once with the next of them:
 * a receiver that knows one secret loses nothing while it is being changed.
 */
export function createAttemptSender({ outbound, names }: { outbound: Outbound; names: HeaderNames }) {
  async function attempt(
    message: Message,
    target: AttemptTarget,
    by: { secret: SigningSecret; number: number }
  ): Promise<{ log: DeliveryAttempt; outcome: Outcome }> {
    const { sent, logged: shown } = requestHeaders(
      names,
      { ...message, attempt: by.number },
      { by: by.secret, all: target.secrets }
    )
    const at = new Date().toISOString()
    const answer = await outbound.send({
      url: target.url,
      method: 'POST',
      headers: sent,
      body: message.body,
      maxBytes: target.maxResponseBytes ?? MAX_RESPONSE_BYTES,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      timeoutMs: ATTEMPT_TIMEOUT_MS,
      signal: target.signal
    })
    const outcome = toOutcome(answer)
    const { status, error, detail } = outcome
    const log = {
      number: by.number,
      at,
      durationMs: Math.round(answer.durationMs),
      status,
      error,
      detail,
      address: answer.address,
      requestHeaders: shown,
      ...answered(answer)
    }
    return { log, outcome }
  }

  return {
    async send(message: Message, target: AttemptTarget): Promise<AttemptResult> {
      const attempts: DeliveryAttempt[] = []
      for (const [index, secret] of target.secrets.entries()) {
        const { log, outcome } = await attempt(message, target, { secret, number: target.number + index })
        attempts.push(log)
        const isLast = index === target.secrets.length - 1 || target.signal?.aborted === true
        if (isLast || !mayBeSignatureError(outcome)) return { attempts, outcome, secretId: secret.id }
      }
      throw new Error('A webhook has no secret')
    }
  }
}

export type AttemptSender = ReturnType<typeof createAttemptSender>

function answered(answer: OutboundResponse): { responseHeaders: Record<string, string>; response: string } {
  if (!answer.ok) return { responseHeaders: {}, response: '' }
  // A character that the cut went through is left out: it is the cut's doing, not the receiver's.
  const response = answer.truncated ? new TextDecoder().decode(answer.body, { stream: true }) : answer.body.toString()
  return { responseHeaders: answer.headers, response }
}
