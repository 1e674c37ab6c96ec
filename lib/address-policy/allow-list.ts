import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'
import { AllowListError } from './errors.ts'

/**
 * Hosts, networks and URLs that the operator allows in addition to the public internet, also over
 * plain http. An entry with a port allows that port only, an entry without one allows every port. A
 * URL allows the URLs that start with it.
 */
export interface AllowList {
  /** `name`: lower-case, without a dot at its end. */
  allowsName: (name: string, port: number) => boolean
  /** False for a text that is not an address. */
  allowsAddress: (address: string, port: number) => boolean
  allowsUrl: (url: URL) => boolean
}

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]
type HostEntry = { port: number | null } & ({ name: string } | { network: Network })
type Entry = HostEntry | { urlPrefix: string }

const BRACKETED = /^\[(?<host>[^\]]*)\](?::(?<port>\d{1,5}))?$/
const PLAIN = /^(?<host>[^:[\]]*)(?::(?<port>\d{1,5}))?$/
const URL_ENTRY = /^https?:\/\//i
/** How often a path may be encoded. */
const MAX_DECODED = 4
const ENCODED = /%[\da-f]{2}/i
const NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/
const MAX_PORT = 65_535

/**
 * Parses a comma-separated list of hosts, addresses and CIDRs, each optionally followed by `:port`
 * (IPv6 then in brackets), and of http and https URLs that end with a slash. Throws an AllowListError
 * that names the first faulty entry.
 */
export function parseAllowList(text: string): AllowList {
  const entries = text.trim() === '' ? [] : text.split(',').map((part) => parseEntry(part.trim()))
  const matchesPort = (entry: HostEntry, port: number) => entry.port === null || entry.port === port
  const networks = entries.filter((entry) => 'network' in entry)
  const names = entries.filter((entry) => 'name' in entry)
  const urlPrefixes = entries.filter((entry) => 'urlPrefix' in entry).map(({ urlPrefix }) => urlPrefix)
  return {
    allowsName: (name, port) => names.some((entry) => entry.name === name && matchesPort(entry, port)),
    allowsAddress(address, port) {
      if (networks.length === 0 || isIP(address) === 0) return false
      const parsed = ipaddr.parse(address)
      return networks.some((entry) => matchesPort(entry, port) && contains(entry.network, parsed))
    },
    // Both are normalized: `href` contains no plain dot segments.
    allowsUrl: ({ href, pathname }) =>
      urlPrefixes.some((prefix) => href.startsWith(prefix)) && !hasEncodedDotSegment(pathname)
  }
}

/**
 * Whether a server may leave the folder of the path: some decode a path before they resolve its dot segments, some
 * several times, some take backslashes for slashes, and some ignore parameters of a segment (`..;a=1`).
 */
function hasEncodedDotSegment(pathname: string): boolean {
  let path = pathname
  for (let decoded = 0; ENCODED.test(path); decoded++) {
    // No server decodes a path so often, and an address may be encoded any number of times.
    if (decoded === MAX_DECODED) return true
    path = path.replaceAll(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
  }
  return path.split(/[/\\]/).some((segment) => /^\.\.(?:;|$)/.test(segment))
}

/** IPv4 networks never contain IPv6 addresses, not even those with an embedded IPv4 address. */
function contains([first, bits]: Network, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return first.kind() === address.kind() && (address as ipaddr.IPv6).match(first as ipaddr.IPv6, bits)
}

function parseEntry(entry: string): Entry {
  if (URL_ENTRY.test(entry)) return { urlPrefix: parseUrlPrefix(entry) }
  // More than one colon and no brackets: an IPv6 address without a port.
  const parts =
    isIP(entry.split('/')[0] as string) === 6 ? { host: entry } : (BRACKETED.exec(entry) ?? PLAIN.exec(entry))?.groups
  if (!parts?.host) throw invalid(entry)
  const port = parts.port === undefined ? null : Number(parts.port)
  if (port !== null && (port < 1 || port > MAX_PORT)) throw invalid(entry, 'its port must be between 1 and 65535')
  if (parts.host.includes('/')) return { port, network: parseNetwork(parts.host, entry) }
  const family = isIP(parts.host)
  if (family !== 0) return { port, network: [ipaddr.parse(parts.host), family === 4 ? 32 : 128] }
  return { port, name: parseName(parts.host, entry) }
}

function parseUrlPrefix(entry: string): string {
  const url = URL.parse(entry)
  if (url === null || url.username !== '' || url.password !== '') throw invalid(entry, 'it is not a URL of a page')
  // Without the slash, https://example.com/news would allow https://example.com/newsletters too.
  if (!entry.endsWith('/') || url.search !== '' || url.hash !== '') {
    throw invalid(entry, 'a URL must end with a slash')
  }
  return url.href
}

function parseNetwork(text: string, entry: string): Network {
  const [address = '', bits = '', ...rest] = text.split('/')
  const family = isIP(address)
  if (
    family === 0 ||
    address.includes('%') ||
    rest.length > 0 ||
    !/^\d{1,3}$/.test(bits) ||
    Number(bits) > (family === 4 ? 32 : 128)
  ) {
    throw invalid(entry)
  }
  const first = family === 4 ? ipaddr.IPv4.networkAddressFromCIDR(text) : ipaddr.IPv6.networkAddressFromCIDR(text)
  const given = ipaddr.parse(address)
  if (first.toString() !== given.toString()) {
    throw invalid(entry, `its address has bits beyond its prefix; the network is ${first.toString()}/${bits}`)
  }
  return [given, Number(bits)]
}

function parseName(text: string, entry: string): string {
  const name = domainToASCII(text).replace(/\.$/, '')
  // A number in another notation, such as 0x7f000001, would be an unintended address.
  if (!NAME.test(name) || isIP(name) !== 0) throw invalid(entry)
  return name
}

function invalid(entry: string, reason = 'it must be a host, an address or a CIDR, optionally with a port'): Error {
  return new AllowListError(`The entry "${entry}" is invalid: ${reason}.`)
}
