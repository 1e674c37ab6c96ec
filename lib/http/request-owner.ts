import { networkOf } from './client-network.ts'

interface Request {
  caller: { kind: 'anonymous' } | { kind: string; accountId: string }
  ip: string
}

/** Who has a part of what all requests share: an account, or everybody without one from the network of the client. */
export const ownerOf = ({ caller, ip }: Request): string =>
  'accountId' in caller ? `account ${caller.accountId}` : `address ${networkOf(ip)}`
