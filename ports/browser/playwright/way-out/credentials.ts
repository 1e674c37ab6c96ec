import type { Ledger } from './pass.ts'

const BASIC = /^basic +(?<token>[A-Za-z0-9+/]+={0,2}) *$/i

/**
 * The ledger of the pass that a Proxy-Authorization names (RFC 7617), with its password; null for
 * any other.
 */
export function findLedger(ledgers: ReadonlyMap<string, Ledger>, header: string | undefined): Ledger | null {
  const token = BASIC.exec(header ?? '')?.groups?.token
  if (token === undefined) return null
  const [username = '', ...rest] = Buffer.from(token, 'base64').toString('latin1').split(':')
  const ledger = ledgers.get(username)
  return ledger !== undefined && ledger.matches(rest.join(':')) ? ledger : null
}
