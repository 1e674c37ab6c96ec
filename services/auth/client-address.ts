import ipaddr from 'ipaddr.js'
import { addressWithoutPort, networkOf } from '../../lib/http/client-network.ts'

/** The bucket of a client: its network, or `address:unknown`. */
export const addressBucket = (address: string): string => `address:${networkOf(address)}`

/** The address of a client as it is shown: IPv4 if it is mapped into IPv6, without a port. Null if it is none. */
export function clientAddress(address: string): string | null {
  const host = addressWithoutPort(address)
  return ipaddr.isValid(host) ? ipaddr.process(host).toString() : null
}
