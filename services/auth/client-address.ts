import ipaddr from 'ipaddr.js'

/** What some proxies write into X-Forwarded-For: an address with its port. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\]):\d+$/

/**
 * The bucket of a client: an IPv4 address as it is (also when mapped into IPv6), an IPv6 address by
 * its /64, because one client has all of that.
 */
export function addressBucket(address: string): string {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(address)) return `address:${address}`
  const [, v4, v6] = WITH_PORT.exec(address) ?? []
  if (v4 !== undefined || v6 !== undefined) return addressBucket((v4 ?? v6)!)
  if (!ipaddr.isValid(address)) return 'address:unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return `address:${parsed.toString()}`
  const network = (parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
  return `address:${network}::/64`
}

/** The address of a client as it is shown: IPv4 if it is mapped into IPv6, without a port. Null if it is none. */
export function clientAddress(address: string): string | null {
  const [, v4, v6] = WITH_PORT.exec(address) ?? []
  const host = v4 ?? v6 ?? address
  return ipaddr.isValid(host) ? ipaddr.process(host).toString() : null
}
