import ipaddr from 'ipaddr.js'

/** The bucket of a client: an IPv4 address as it is (also when mapped into IPv6), an IPv6 address by its /64, because one client has all of that. */
export function addressBucket (address: string): string {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(address)) return `address:${address}`
  if (!ipaddr.isValid(address)) return 'address:unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return `address:${parsed.toString()}`
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16)).join(':')
  return `address:${network}::/64`
}
