import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { AllowList } from './allow-list.ts'
import { blockedError, RequestError } from './errors.ts'
import { isPublicAddress, isPublicName } from './public-host.ts'
import type { Resolver } from './resolve.ts'

/** The ports of public hosts that may be connected to, by scheme. */
export interface AllowedPorts {
  https: readonly number[]
  http: readonly number[]
}
/** For requests of this service: never plain http. */
export const OUTBOUND_PORTS: AllowedPorts = { https: [443, 8443], http: [] }
/** For pages, as a visitor's browser opens them. */
export const PAGE_PORTS: AllowedPorts = { https: [443], http: [80] }

/** The destination of a request, as far as the URL alone tells. */
export interface Target {
  /** Scheme, host and port, as in the Host header. */
  origin: string
  secure: boolean
  /** A name without a dot at its end, or an address without brackets. */
  host: string
  isAddress: boolean
  port: number
  path: string
  /** The operator allowed this host and port, or this URL: plain http and any resolved address are allowed. */
  isAllowListed: boolean
}

/** Parsed URLs that are cached. */
const MAX_CACHED = 500

/** Returns a `parseTarget` that caches its results: they depend on the URL and the allow list only. */
export function createTargetParser(allow: AllowList, ports: AllowedPorts): { parse: (url: string) => Target | null } {
  const cache = new LRUCache<string, { target: Target | null }>({ max: MAX_CACHED })
  return {
    parse(url) {
      let entry = cache.get(url)
      if (entry === undefined) {
        entry = { target: parseTarget(url, allow, ports) }
        cache.set(url, entry)
      }
      return entry.target
    }
  }
}

/**
 * Parses a URL once, by WHATWG rules, and returns null if requests to it are not allowed. Ports
 * that are not in `ports` are allowed for names in the allow list, for addresses in the allow list or
 * in one of its networks, and for URLs in the allow list.
 */
export function parseTarget(text: string, allow: AllowList, ports: AllowedPorts): Target | null {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  if (url.username !== '' || url.password !== '') return null
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  const isAddress = isIP(host) !== 0
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  const isAllowListed =
    (isAddress ? allow.allowsAddress(host, port) : allow.allowsName(host, port)) || allow.allowsUrl(url)
  if (
    !isAllowListed &&
    !(ports[secure ? 'https' : 'http'].includes(port) && (isAddress ? isPublicAddress(host) : isPublicName(host)))
  ) {
    return null
  }
  const bracketed = host.includes(':') ? `[${host}]` : host
  const origin = `${url.protocol}//${bracketed}${url.port === '' ? '' : `:${url.port}`}`
  return { origin, secure, host, isAddress, port, path: url.pathname + url.search, isAllowListed }
}

/**
 * Resolves the target and returns the addresses that may be connected to now, in order. Throws a
 * RequestError: `dns` when the name has no address, `blocked` when any address is neither public
 * nor allowed. An address in the URL was checked by `parseTarget`.
 */
export async function vetAddresses(target: Target, allow: AllowList, resolve: Resolver): Promise<string[]> {
  if (target.isAddress) return [target.host]
  const found = await resolve(target.host, target).catch((error: NodeJS.ErrnoException) => {
    throw new RequestError('dns', `The host name could not be resolved (${error.code ?? 'no answer'}).`)
  })
  const addresses = found.map(({ address }) => address)
  if (addresses.length === 0) throw new RequestError('dns', 'The host name has no address.')
  const isAllowed = (address: string) =>
    isIP(address) !== 0 &&
    (target.isAllowListed || isPublicAddress(address) || allow.allowsAddress(address, target.port))
  if (!addresses.every(isAllowed)) throw blockedError()
  return addresses
}
