import { hasLongHost } from '../../schemas/formats.ts'
import { problem } from '../../errors.ts'
import { allowHint } from '../../lib/address-policy/allow-hint.ts'
import type { Outbound } from '../../ports/outbound/port.ts'

/**
 * One text for every URL that is not allowed, including those whose host turns out to be private:
 * the answer must not disclose anything about the internal network. A hint that depends on the text of the URL alone
 * may follow.
 */
export const NOT_ALLOWED = 'This URL cannot be checked: the page must be on the public internet.'
const MUST_BE_ALLOWED = 'must be on the public internet; the operator can allow other hosts with OUTBOUND_ALLOW'
const STANDARD_PORTS = ['', '80', '443']
/** By what is wrong with the text of a URL. */
const MESSAGES = {
  format: 'must be an absolute http or https URL',
  credentials: 'must not contain a user name or password'
} as const

/**
 * Parses and normalizes the URL of a page. Throws `url_not_allowed` for invalid URLs, schemes other
 * than http and https, credentials, ports other than 80 and 443, and private hosts, unless the
 * operator allows the host and port. Host names are resolved and checked only when the page is
 * opened.
 */
export function parsePageUrl(text: string, outbound: Pick<Outbound, 'blockedReason'>): string {
  const url = hasLongHost(text) ? null : URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) throw malformed('format')
  if (url.username !== '' || url.password !== '') throw malformed('credentials')
  if (!isAllowed(url, outbound)) throw notAllowed(url)
  return url.href
}

const malformed = (code: keyof typeof MESSAGES) =>
  problem('url_not_allowed', `This URL cannot be checked: it ${MESSAGES[code]}.`, {
    errors: [{ pointer: '/url', code, message: MESSAGES[code] }]
  })

function isAllowed(url: URL, { blockedReason }: Pick<Outbound, 'blockedReason'>): boolean {
  // The egress policy accepts plain http and other ports only for hosts that the operator allows.
  const port = url.port === '' && url.protocol === 'https:' ? '443' : url.port
  if (blockedReason(`http://${url.hostname}:${port}${url.pathname}`) === null) return true
  return STANDARD_PORTS.includes(url.port) && blockedReason(`https://${url.hostname}/`) === null
}

function notAllowed(url: URL) {
  const hint = allowHint(url.href, 'a page')
  return problem('url_not_allowed', hint === null ? NOT_ALLOWED : `${NOT_ALLOWED} ${hint}`, {
    errors: [{ pointer: '/url', code: 'not_allowed', message: MUST_BE_ALLOWED }]
  })
}
