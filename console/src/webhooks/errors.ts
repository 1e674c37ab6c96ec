import type { AttemptError } from '../../../schemas/webhook.ts'

/** Why an attempt failed, in a few words. */
export const ERROR_TEXTS: Record<AttemptError, string> = {
  dns: 'Unknown host',
  blocked: 'Address not allowed',
  connect: 'No connection',
  tls: 'TLS failed',
  timeout: 'Timeout',
  reset: 'Connection lost',
  http_4xx: 'Client error',
  http_5xx: 'Server error',
  redirect: 'Redirect',
  too_large: 'Response too large'
}
