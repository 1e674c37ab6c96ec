import { type HmacKey, hmacSha256, toHmacKey } from './hmac.ts'

/** An event as it is posted to a receiver. The body has the same bytes in every attempt. */
export interface WebhookMessage {
  eventId: string
  deliveryId: string
  type: string
  body: Buffer
}

export const SECRET_PREFIX = 'whsec_'

/**
 * A decrypted signing secret. `X-Svc-Signature` is keyed with the whole text, `webhook-signature`
 * with the bytes that the base64 after `whsec_` encodes. Keys are prepared once for many signatures.
 */
export interface SigningSecret {
  id: string
  textKey: HmacKey
  bytesKey: HmacKey
}

/** `text`: `whsec_` and base64. */
export function toSigningSecret(id: string, text: string): SigningSecret {
  const bytes = Buffer.from(text.slice(SECRET_PREFIX.length), 'base64')
  return { id, textKey: toHmacKey(Buffer.from(text)), bytesKey: toHmacKey(bytes) }
}

/** The value of `X-Svc-Signature`: `sha256=` and the HMAC-SHA256 of the body in lower-case hex. */
export function bodySignature(body: Buffer, secret: SigningSecret): string {
  return `sha256=${hmacSha256(secret.textKey, { body }, 'hex')}`
}

/** The signed parts of a Standard Webhooks message. `seconds`: Unix time of the attempt. */
export interface SignedMessage {
  id: string
  seconds: number
  body: Buffer
}

/**
 * The value of `webhook-signature` (Standard Webhooks 1.0): `v1,` and the base64 HMAC-SHA256 of
 * `id.timestamp.body`, once for each secret, separated by spaces.
 */
export function messageSignatures({ id, seconds, body }: SignedMessage, secrets: SigningSecret[]): string {
  const head = `${id}.${seconds}.`
  return secrets.map(({ bytesKey }) => `v1,${hmacSha256(bytesKey, { head, body }, 'base64')}`).join(' ')
}

/** Names of this service's headers. They contain the brand: `X-Svc-Event`, ... */
export interface HeaderNames {
  event: string
  delivery: string
  attempt: string
  signature: string
  agent: string
}

export function headerNames(brand: string): HeaderNames {
  const name = brand.charAt(0).toUpperCase() + brand.slice(1)
  const withBrand = (suffix: string): string => `X-${name}-${suffix}`
  return {
    event: withBrand('Event'),
    delivery: withBrand('Delivery'),
    attempt: withBrand('Attempt'),
    signature: withBrand('Signature'),
    agent: `${name}-Webhooks`
  }
}

/** `by` signs `X-Svc-Signature`, which holds one signature; `all` sign `webhook-signature`. */
export interface SigningSecrets {
  by: SigningSecret
  all: SigningSecret[]
}

/** The headers of an attempt: `sent`, and `logged`, which leaves out the signatures. */
export function requestHeaders(
  names: HeaderNames,
  message: WebhookMessage & { attempt: number },
  secrets: SigningSecrets
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
  const sent: Record<string, string> = { ...logged }
  sent[names.signature] = bodySignature(message.body, secrets.by)
  sent['webhook-signature'] = messageSignatures({ id: message.eventId, seconds, body: message.body }, secrets.all)
  return { sent, logged }
}
