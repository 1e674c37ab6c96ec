import ipaddr from 'ipaddr.js'
import { networkOf } from '../../lib/http/client-network.ts'

/** What some proxies write into X-Forwarded-For: an address with its port. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\]):\d+$/

/** The bucket of a client: its network, or `address:unknown`. */
export function addressBucket(address: string): string {
  const [, v4, v6] = WITH_PORT.exec(address) ?? []
  return `address:${networkOf(v4 ?? v6 ?? address)}`
}

/** The address of a client as it is shown: IPv4 if it is mapped into IPv6, without a port. Null if it is none. */
export function clientAddress(address: string): string | null {
  const [, v4, v6] = WITH_PORT.exec(address) ?? []
  const host = v4 ?? v6 ?? address
  return ipaddr.isValid(host) ? ipaddr.process(host).toString() : null
}
