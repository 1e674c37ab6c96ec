import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { AllowList } from './allow-list.ts'
import { blocked, NoAnswer } from './no-answer.ts'
import { isPublicAddress } from './public-address.ts'
import type { Target } from './target.ts'

/** Asks for every address of a name, in the order to try them. Rejects when there is none. */
export type Resolve = (name: string) => Promise<Array<{ address: string; family: number }>>

/** Asks what the machine asks: its hosts file and its name servers. */
export const askSystem: Resolve = (name) => lookup(name, { all: true, verbatim: true })

/**
 * The addresses that may be connected to now, in order. Throws NoAnswer: `dns` when the name has
 * none, `blocked` when any of them is neither public
 * nor allowed, whatever the others are. An address in the url itself was checked with it.
 */
export async function vetAddresses(target: Target, allow: AllowList, resolve: Resolve): Promise<string[]> {
  if (target.isAddress) return [target.host]
  const found = await resolve(target.host).catch((error: NodeJS.ErrnoException) => {
    throw new NoAnswer('dns', `The name could not be resolved (${error.code ?? 'no answer'}).`)
  })
  const addresses = found.map(({ address }) => address)
  if (addresses.length === 0) throw new NoAnswer('dns', 'The name has no address.')
  const mayReach = (address: string) =>
    isIP(address) !== 0 && (target.listed || isPublicAddress(address) || allow.allowsAddress(address, target.port))
  if (!addresses.every(mayReach)) throw blocked()
  return addresses
}
