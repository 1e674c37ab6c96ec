import { lookup, Resolver as DnsResolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/** How a name is resolved. */
export interface ResolveOptions {
  /** The operator allowed the name. It may be one that only this machine or its network knows. */
  isAllowListed: boolean
}

/** Resolves a name to all its addresses, in the order to try them. Rejects when there are none. */
export type Resolver = (name: string, options: ResolveOptions) => Promise<Array<{ address: string; family: number }>>

/** For the first of two attempts per name server, in milliseconds. A connection has five seconds. */
const QUERY_TIMEOUT_MS = 1500
const ATTEMPTS = 2
/** Changes of the machine's name servers and hosts file apply after this time, in milliseconds. */
const SETTINGS_MS = 10_000
const HOSTS_FILE = '/etc/hosts'

/**
 * Creates a resolver for names that customers choose. It sends DNS queries from the event loop:
 * `getaddrinfo` occupies one of the few threads that libuv allows it until the name server responds,
 * and cannot be canceled, so a few names with a silent name server would stop the resolution of all
 * others. The hosts file counts, search domains do not: public names are complete. Names in the
 * operator's allow list are resolved by `getaddrinfo`, with everything that the machine is
 * configured for. Default of `servers`: those of the machine.
 */
export function createResolver({
  servers,
  hostsFile = HOSTS_FILE
}: {
  servers?: string[]
  hostsFile?: string
} = {}): Resolver {
  const readSettings = async () => {
    const hosts = await readHosts(hostsFile)
    const resolver = new DnsResolver({ timeout: QUERY_TIMEOUT_MS, tries: ATTEMPTS })
    if (servers !== undefined) resolver.setServers(servers)
    return { hosts, resolver }
  }
  let settings: ReturnType<typeof readSettings> | null = null
  let readAtMs = 0

  return async (name, { isAllowListed }) => {
    if (isAllowListed) return await lookup(name, { all: true, verbatim: true })
    const nowMs = performance.now()
    if (settings === null || nowMs - readAtMs > SETTINGS_MS) {
      settings = readSettings()
      readAtMs = nowMs
    }
    const { hosts, resolver } = await settings
    const listed = hosts.get(name)
    if (listed !== undefined) return listed
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw moreSpecific(ipv4.reason, ipv6.reason)
    return alternate(valueOf(ipv4).map(toEntry), valueOf(ipv6).map(toEntry))
  }
}

/** The resolver with the settings of the machine. */
export const resolveWithSystem: Resolver = createResolver()

function toEntry(address: string): { address: string; family: number } {
  return { address, family: isIP(address) }
}

function valueOf(result: PromiseSettledResult<string[]>): string[] {
  return result.status === 'fulfilled' ? result.value : []
}

/** A name that has no addresses of one family may fail for another reason in the other one. */
function moreSpecific(first: NodeJS.ErrnoException, second: NodeJS.ErrnoException): Error {
  return first.code === 'ENODATA' ? second : first
}

/** Both families in turn: if one has no route, connecting fails at once, and the next address follows. */
function alternate<Value>(first: Value[], second: Value[]): Value[] {
  return Array.from({ length: Math.max(first.length, second.length) }, (_, index) => [
    ...first.slice(index, index + 1),
    ...second.slice(index, index + 1)
  ]).flat()
}

/** The addresses by name, in lower case (hosts(5)). Empty if there is no such file. */
async function readHosts(file: string): Promise<Map<string, Array<{ address: string; family: number }>>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const hosts = new Map<string, Array<{ address: string; family: number }>>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.split('#', 1)[0]!.trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names) {
      const key = name.toLowerCase()
      hosts.set(key, [...(hosts.get(key) ?? []), toEntry(address)])
    }
  }
  return hosts
}
