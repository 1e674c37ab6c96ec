import type { Message } from './message.ts'
import { bodySignature, messageSignatures, type SigningSecret } from './sign.ts'

/** The names of our own headers, after the brand: `X-Svc-Event`, … */
export interface HeaderNames {
  event: string
  delivery: string
  attempt: string
  signature: string
  agent: string
}

export function headerNames(brand: string): HeaderNames {
  const name = brand.charAt(0).toUpperCase() + brand.slice(1)
  const named = (last: string): string => `X-${name}-${last}`
  return {
    event: named('Event'),
    delivery: named('Delivery'),
    attempt: named('Attempt'),
    signature: named('Signature'),
    agent: `${name}-Webhooks`
  }
}

/** What is signed with: `by` is the secret of the one signature, `all` those of the other. */
export interface Signing {
  by: SigningSecret
  all: SigningSecret[]
}

/** The headers of an attempt; `shown` leaves out the signatures, for the log. */
export function requestHeaders(
  names: HeaderNames,
  message: Message & { attempt: number },
  signing: Signing
): { sent: Record<string, string>; logged: Record<string, string> } {
  const seconds = Math.floor(Date.now() / 1000)
  const logged = {
    'content-type': 'application/json',
    'user-agent': names.agent,
    [names.event]: message.type,
    [names.delivery]: message.deliveryId,
    [names.attempt]: String(message.attempt),
    'webhook-id': message.eventId,
    'webhook-timestamp': String(seconds)
  }
  const signatures = {
    [names.signature]: bodySignature(message.body, signing.by),
    'webhook-signature': messageSignatures({ id: message.eventId, seconds, body: message.body }, signing.all)
  }
  return { sent: { ...logged, ...signatures }, logged }
}
