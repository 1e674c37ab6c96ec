import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Azure's platform address (its name server, DHCP and agent): a public number that answers inside
 * its network only.
 */
const AZURE_PLATFORM = '168.63.129.16'

/**
 * What is handed out for public unicast (RFC 4291, section 2.4; IANA's registry of IPv6 address
 * space). Leaves out 100:0:0:1::/64 (RFC 9780), ::/96 with its IPv4 addresses and all that has no
 * use yet.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * An interface id `[02]00:5efe` is followed by an IPv4 address, to which a host may tunnel the
 * packet (ISATAP, RFC 5214, section 6.1).
 */
const ISATAP_HIGH = [0x0000, 0x0200]
const ISATAP_LOW = 0x5efe

/**
 * Whether this text is a public unicast address, as far as numbers can tell: none of the special
 * ranges (private, loopback, link-local, shared, documentation,
 * benchmarks, multicast, reserved …), and no IPv6 address that carries an IPv4 address inside
 * (mapped, NAT64, 6to4, Teredo, ISATAP), whichever that is.
 */
export function isPublicAddress(text: string): boolean {
  // A zone names an interface of this machine; nothing public needs one.
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv4) return text !== AZURE_PLATFORM
  const [, , , , high, low] = address.parts as [number, number, number, number, number, number]
  return address.match(GLOBAL_UNICAST) && !(ISATAP_HIGH.includes(high) && low === ISATAP_LOW)
}
