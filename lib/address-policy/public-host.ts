import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Azure's platform address (name server, DHCP, agent): a public number that is reachable inside
 * Azure networks only.
 */
const AZURE_PLATFORM = '168.63.129.16'

/**
 * The range for public unicast (RFC 4291, section 2.4; IANA IPv6 address space registry). Excludes
 * 100:0:0:1::/64 (RFC 9780), ::/96 with its embedded IPv4 addresses, and unassigned ranges.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * An interface id `[02]00:5efe` is followed by an IPv4 address, to which a host may tunnel the
 * packet (ISATAP, RFC 5214, section 6.1).
 */
const ISATAP_HIGH = [0x0000, 0x0200]
const ISATAP_LOW = 0x5efe

/**
 * Whether a text is a public unicast address. False for every special range (private, loopback,
 * link-local, shared, documentation, benchmarking, multicast, reserved, ...) and for IPv6 addresses
 * with an embedded IPv4 address (mapped, NAT64, 6to4, Teredo, ISATAP), whatever that address is.
 */
export function isPublicAddress(text: string): boolean {
  // A zone names an interface of this machine; public addresses need none.
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv4) return text !== AZURE_PLATFORM
  const [, , , , high, low] = address.parts as [number, number, number, number, number, number]
  return address.match(GLOBAL_UNICAST) && !(ISATAP_HIGH.includes(high) && low === ISATAP_LOW)
}

/**
 * At least two labels, none of them empty. Excludes the other characters that WHATWG URL parsing
 * accepts (`*`, `$`, `~`, ...): host names do not contain them.
 */
const NAME = /^(?:[a-z0-9_-]{1,63}\.)+[a-z0-9_-]{1,63}$/
/** RFC 1035, section 2.3.4, without the dot of the root. */
const MAX_NAME_LENGTH = 253

/**
 * Suffixes outside the public DNS tree: RFC 6761 and 6762 (localhost, local, invalid), RFC 8375
 * (home.arpa), RFC 7686 (onion), ICANN's `internal`, and suffixes that are common in private
 * networks.
 */
const PRIVATE_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'lan',
  'home',
  'corp',
  'home.arpa',
  'invalid',
  'onion'
]

/**
 * Whether a lower-case name, without a dot at its end, can be a name of the public internet. The
 * name may still resolve to a private address: check its addresses with `isPublicAddress`.
 */
export function isPublicName(name: string): boolean {
  return (
    name.length <= MAX_NAME_LENGTH &&
    NAME.test(name) &&
    !PRIVATE_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))
  )
}
