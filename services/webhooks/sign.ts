import { createHmac } from 'node:crypto'

/**
 * A signing secret in the clear: the whole text is the key of one signature, the bytes after
 * `whsec_` that of the other.
 */
export interface SigningSecret {
  id: string
  text: string
  bytes: Buffer
}

export const SECRET_PREFIX = 'whsec_'

/** The secret of this text, `whsec_` and base64. */
export function toSigningSecret(id: string, text: string): SigningSecret {
  return { id, text, bytes: Buffer.from(text.slice(SECRET_PREFIX.length), 'base64') }
}

/**
 * The value of `X-Svc-Signature`: `sha256=` and the lowercase hex HMAC-SHA256 of the body, keyed
 * with the secret's whole text as UTF-8.
 */
export function bodySignature(body: Buffer, secret: SigningSecret): string {
  return `sha256=${createHmac('sha256', secret.text).update(body).digest('hex')}`
}

/**
 * What a receiver that follows Standard Webhooks looks at; `seconds` since 1970 is when this
 * attempt is made.
 */
export interface SignedMessage {
  id: string
  seconds: number
  body: Buffer
}

/**
 * The value of `webhook-signature` (Standard Webhooks 1.0): `v1,` and the base64 HMAC-SHA256 of
 * `id.timestamp.body`, once for each secret, with a space between.
 */
export function messageSignatures({ id, seconds, body }: SignedMessage, secrets: SigningSecret[]): string {
  const head = `${id}.${seconds}.`
  return secrets
    .map(({ bytes }) => `v1,${createHmac('sha256', bytes).update(head).update(body).digest('base64')}`)
    .join(' ')
}
