import type { webhooks } from './openapi.ts'

type Webhooks = webhooks
/** An event as webhooks receive it. `type` says which fields `data` has. */
export type WebhookEvent = {
  [Name in keyof Webhooks]: Webhooks[Name] extends {
    post: { requestBody: { content: { 'application/json': infer Event } } }
  }
    ? Event
    : never
}[keyof Webhooks]

export type WebhookErrorCode = 'invalid_secret' | 'missing_header' | 'timestamp_out_of_range' | 'invalid_signature'

/** A request that is not a valid delivery: answer it with 401. With `invalid_secret`, your configuration is wrong. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** The headers of a request: `Headers` of the Fetch API, or an object such as `request.headers` of Node.js. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

export interface VerifyOptions {
  /** The whole secret (`whsec_…`), or several of them while it is replaced. */
  secret: string | readonly string[]
  /** How far the time of the signature may be from the clock. Default: 300. */
  toleranceSeconds?: number
  /** The current time in milliseconds. Default: `Date.now()`. */
  now?: number
}

/**
 * Verifies the signature of a webhook delivery and returns the event.
 *
 * `rawBody` is the body as it was received: a body that was parsed and serialized again has another
 * signature. `secret` is the whole secret (`whsec_…`), several of them while it is replaced, or
 * options. A delivery is valid if any of its signatures belongs to any of the secrets.
 *
 * @throws {WebhookVerificationError} if the delivery is not valid.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[] | VerifyOptions
): Promise<WebhookEvent> {
  const options: VerifyOptions = typeof secret === 'object' && 'secret' in secret ? secret : { secret }
  const { toleranceSeconds = 300, now = Date.now() } = options
  const secrets = [options.secret].flat().map(decodeSecret)
  if (secrets.length === 0) throw new WebhookVerificationError('invalid_secret', 'Pass at least one secret.')
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const given = header(headers, 'webhook-signature')
  const age = Math.abs(now / 1000 - Number(timestamp))
  if (!/^\d{1,12}$/.test(timestamp) || age > toleranceSeconds) {
    throw new WebhookVerificationError(
      'timestamp_out_of_range',
      `The header webhook-timestamp is not within ${toleranceSeconds} seconds of the clock. ` +
        'Synchronize the clock of the server; an old delivery may be a replay.'
    )
  }
  const body = toBytes(rawBody)
  const signed = joinBytes(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  const signatures = given.split(' ').flatMap((one) => (one.startsWith('v1,') ? [decodeBase64(one.slice(3))] : []))
  if (!(await isSigned(signed, signatures, secrets))) {
    throw new WebhookVerificationError(
      'invalid_signature',
      'No signature in webhook-signature belongs to the body and the secret. Pass the raw body, and the whole secret.'
    )
  }
  return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent
}

/** Whether any of the signatures was made with any of the secrets. Web Crypto compares in constant time. */
async function isSigned(signed: Bytes, signatures: Array<Bytes | null>, secrets: Bytes[]): Promise<boolean> {
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const signature of signatures) {
      if (signature !== null && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true
    }
  }
  return false
}

type Bytes = Uint8Array<ArrayBuffer>

function decodeSecret(secret: string): Bytes {
  const bytes = secret.startsWith('whsec_') ? decodeBase64(secret.slice('whsec_'.length)) : null
  if (bytes !== null && bytes.length > 0) return bytes
  throw new WebhookVerificationError(
    'invalid_secret',
    'The secret is not a signing secret. Pass the whole value that the service returned, from "whsec_" on.'
  )
}

/** The bytes; null if the text is not base64. */
function decodeBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

function header(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : valueIn(headers, name)
  if (typeof value === 'string' && value !== '') return value
  throw new WebhookVerificationError(
    'missing_header',
    `The header ${name} is missing. Pass all headers of the request.`
  )
}

function valueIn(headers: Record<string, string | string[] | undefined>, name: string): string | undefined {
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(value) ? value[0] : value
}

function toBytes(body: string | Uint8Array | ArrayBuffer): Bytes {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  return body instanceof ArrayBuffer ? new Uint8Array(body) : Uint8Array.from(body)
}

function joinBytes(first: Bytes, second: Bytes): Bytes {
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}
