import ipaddr from 'ipaddr.js'
import { parseAllowList } from './allow-list.ts'
import { AllowListError } from './errors.ts'
import { parseTarget } from './target.ts'

/** Link-local addresses are not among them: metadata services of clouds use one. */
const PRIVATE_RANGES = ['private', 'uniqueLocal']

/**
 * A sentence with the setting that allows a URL whose host is the local machine or a private address; null for other
 * URLs. It depends on the text of the URL alone, so it discloses nothing about networks. `what`: what is at the URL.
 */
export function allowHint(text: string, what: string): string | null {
  const url = URL.parse(text)
  const place = url === null ? null : placeOf(url.hostname)
  if (url === null || place === null) return null
  const defaultPort = url.protocol === 'https:' ? 443 : 80
  const entry = `${url.hostname.replace(/\.$/, '')}:${url.port === '' ? defaultPort : url.port}`
  if (!isSufficient(entry, text)) return null
  return `For ${what} ${place}, start the service with OUTBOUND_ALLOW=${entry}.`
}

function placeOf(hostname: string): string | null {
  const host = hostname.replace(/^\[|\]$|\.$/g, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return 'on your machine'
  if (!ipaddr.isValid(host)) return null
  const range = ipaddr.parse(host).range()
  return range === 'loopback' ? 'on your machine' : PRIVATE_RANGES.includes(range) ? 'in your network' : null
}

/** Whether the entry allows the URL. No entry allows URLs with credentials, and those of other schemes. */
function isSufficient(entry: string, text: string): boolean {
  try {
    return parseTarget(text, parseAllowList(entry), { https: [], http: [] }) !== null
  } catch (error) {
    if (error instanceof AllowListError) return false
    throw error
  }
}
