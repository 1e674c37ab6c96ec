import { isIP } from 'node:net'

/** Decides whether `address` is a trusted proxy. `hop` is 0 for the peer of the connection. */
export type TrustedProxies = boolean | string[] | ((address: string, hop: number) => boolean)

/** Networks that have a name, as in Express and Fastify. */
const NAMED_NETWORKS: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal'])

/**
 * Parses the setting TRUST_PROXY for the server option `trustProxy`: `off`, `on`, a number of hops,
 * or addresses and networks separated by commas. Throws an Error that names the first faulty entry.
 */
export function parseTrustedProxies(setting: string): TrustedProxies {
  const text = setting.trim()
  if (text === 'off' || text === 'on') return text === 'on'
  if (/^\d+$/.test(text)) return (_address, hop) => hop < Number(text)
  const entries = text.split(',').map((entry) => entry.trim())
  for (const entry of entries) {
    if (!NAMED_NETWORKS.has(entry) && !isNetwork(entry)) {
      throw new Error(
        `"${entry}" is not \`off\`, \`on\`, a number of hops, an address such as 10.0.0.1, or a network such as ` +
          '10.0.0.0/8.'
      )
    }
  }
  return entries
}

/** Whether the text is an address or a network in CIDR notation, of at least one bit. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || rest.length > 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128))
  )
}
