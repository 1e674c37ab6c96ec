import ipaddr from 'ipaddr.js'
import { createGrowingLru } from '../growing-lru.ts'

/** Addresses whose network is remembered. Parsing one takes some microseconds. */
const MAX_ADDRESSES = 1_000
/** What some proxies write into X-Forwarded-For: an address with its port. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\]):\d+$/

const networks = createGrowingLru<string, string>(MAX_ADDRESSES)

/**
 * The network of one client: an IPv4 address as it is (also when mapped into IPv6), of an IPv6 address its /64, because
 * one client has all of that (RFC 6177). A port is ignored. `unknown` for anything else.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  if (/^\d+\.\d+\.\d+\.\d+$/.test(address)) return address
  const known = networks.get(address)
  if (known !== undefined) return known
  const network = parseNetwork(address)
  networks.set(address, network)
  return network
}

/** The address without a port. */
export function addressWithoutPort(address: string): string {
  const [, v4, v6] = WITH_PORT.exec(address) ?? []
  return v4 ?? v6 ?? address
}

function parseNetwork(text: string): string {
  const address = addressWithoutPort(text)
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const parts = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16))
  return `${parts.join(':')}::/64`
}
