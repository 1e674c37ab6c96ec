import { requestHeaders, type HeaderNames } from '../../../services/webhooks/request-headers.ts'
import { openSecret } from '../../../services/webhooks/sign.ts'
import type { Arrival } from './listened-event.ts'

/** Shorter than the service waits for an answer, which comes after this one. */
const TIMEOUT_MS = 10_000

export interface Forwarding {
  to: string
  secret: string
  names: HeaderNames
  signal: AbortSignal
}

/**
 * Posts events on to an address as the service would, signed with this secret, once each. Resolves
 * with what became of it in a sentence; never throws.
 */
export function createForward({ to, secret, names, signal }: Forwarding) {
  const key = openSecret('', secret)
  return async ({ event, body, deliveryId, attempt }: Arrival): Promise<string> => {
    const { sent } = requestHeaders(
      names,
      { eventId: event.id, deliveryId, type: event.type, body, attempt },
      { by: key, all: [key] }
    )
    const start = performance.now()
    try {
      const answer = await fetch(to, {
        method: 'POST',
        headers: sent,
        body: new Uint8Array(body),
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
      })
      await answer.body?.cancel()
      return `  → #${event.sequence} ${answer.status} after ${Math.round(performance.now() - start)} ms`
    } catch (error) {
      const { message, cause } = error as Error
      return `  → #${event.sequence} not taken: ${cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message}`
    }
  }
}
