import { problem } from '../../errors.ts'
import type { Outbound } from '../../ports/outbound/port.ts'

/**
 * The same words for what is refused and for what turns out to lead nowhere public, so that nobody
 * learns what stands behind the wall.
 */
export const NOT_ALLOWED = 'This address may not be checked: a page has to be on the public internet.'
const STANDARD_PORTS = ['', '80', '443']

/**
 * The address of a page as a browser reads it. Throws `url_not_allowed` for what may not be looked
 * at: what is no address, other schemes than http and https, credentials, other
 * ports than 80 and 443, and hosts that are not public; unless the operator allows the host and
 * port. Looks at the address alone: who it leads to is judged when it is opened.
 */
export function pageAddress(text: string, outbound: Pick<Outbound, 'refusal'>): string {
  const url = URL.parse(text)
  if (url === null || !isAllowed(url, outbound)) throw notAllowed()
  return url.href
}

function isAllowed(url: URL, { refusal }: Pick<Outbound, 'refusal'>): boolean {
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return false
  // The door takes plain http, and ports of its own choice, only where the operator has opened
  // them.
  if (refusal(`http://${url.hostname}:${url.port === '' && url.protocol === 'https:' ? '443' : url.port}/`) === null) {
    return true
  }
  return STANDARD_PORTS.includes(url.port) && refusal(`https://${url.hostname}/`) === null
}

const notAllowed = () =>
  problem('url_not_allowed', NOT_ALLOWED, {
    errors: [{ pointer: '/url', code: 'not_allowed', message: 'may not be checked' }]
  })
