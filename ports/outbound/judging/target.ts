import { isIP } from 'node:net'
import type { AllowList } from './allow-list.ts'
import { isPublicAddress } from './public-address.ts'
import { isPublicName } from './public-name.ts'

/** The ports of the public internet that a door leads to, by scheme. */
export interface OpenPorts {
  https: readonly number[]
  http: readonly number[]
}
/** For messages of ours to other people's servers: never plain http. */
export const MESSAGE_PORTS: OpenPorts = { https: [443, 8443], http: [] }
/** For a page as a reader's browser would open it. */
export const PAGE_PORTS: OpenPorts = { https: [443], http: [80] }

/** Where a request goes, as far as its address alone tells. */
export interface Target {
  /** Scheme, host and port, as the Host header and a connection's owner know them. */
  origin: string
  secure: boolean
  /** A name without a dot at its end, or an address without brackets. */
  host: string
  isAddress: boolean
  port: number
  path: string
  /** The operator named this host and port: it may be plain http, and lead anywhere. */
  listed: boolean
}

/** So many addresses are remembered as they were read. */
const KEPT_TARGETS = 500

/**
 * Reads addresses as `readTarget` does, and remembers the last ones: nothing but their text and the
 * allow list decides about them.
 */
export function createTargets(allow: AllowList, ports: OpenPorts): { read: (text: string) => Target | null } {
  const kept = new Map<string, Target | null>()
  return {
    read(text) {
      const known = kept.get(text)
      if (known !== undefined) return known
      const target = readTarget(text, allow, ports)
      if (kept.size >= KEPT_TARGETS) kept.delete(kept.keys().next().value as string)
      kept.set(text, target)
      return target
    }
  }
}

/**
 * Reads an address by one WHATWG parse, which alone decides what its text means, and gives null for
 * what is not to be tried. A name may use a port that is not open
 * only when it is listed itself; an address also when a listed network contains it.
 */
export function readTarget(text: string, allow: AllowList, ports: OpenPorts): Target | null {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  if (url.username !== '' || url.password !== '') return null
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  const isAddress = isIP(host) !== 0
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  const listed = isAddress ? allow.allowsAddress(host, port) : allow.allowsName(host, port)
  if (
    !listed &&
    !(ports[secure ? 'https' : 'http'].includes(port) && (isAddress ? isPublicAddress(host) : isPublicName(host)))
  ) {
    return null
  }
  const shown = host.includes(':') ? `[${host}]` : host
  const origin = `${url.protocol}//${shown}${url.port === '' ? '' : `:${url.port}`}`
  return { origin, secure, host, isAddress, port, path: url.pathname + url.search, listed }
}
