import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'
import { StartError } from '../../../errors.ts'

/**
 * What the operator opened. An entry with a port opens that port alone, one without opens all;
 * either opens plain http too.
 */
export interface AllowList {
  /** Of a lower-case name without a dot at its end. */
  allowsName: (name: string, port: number) => boolean
  /** Of an address as text; false for a text that is none. */
  allowsAddress: (address: string, port: number) => boolean
}

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]
type Entry = { port: number | null } & ({ name: string } | { network: Network })

const BRACKETED = /^\[(?<host>[^\]]*)\](?::(?<port>\d{1,5}))?$/
const PLAIN = /^(?<host>[^:[\]]*)(?::(?<port>\d{1,5}))?$/
const NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/
const LAST_PORT = 65_535

/**
 * Reads OUTBOUND_ALLOW: a comma list of hosts, addresses and CIDRs, each alone or with `:port`
 * (IPv6 then in brackets). Throws a StartError that names the first entry that is none of these.
 */
export function readAllowList(text: string): AllowList {
  const entries = text.trim() === '' ? [] : text.split(',').map((part) => readEntry(part.trim()))
  const open = (entry: Entry, port: number) => entry.port === null || entry.port === port
  const networks = entries.filter((entry) => 'network' in entry)
  const names = entries.filter((entry) => 'name' in entry)
  return {
    allowsName: (name, port) => names.some((entry) => entry.name === name && open(entry, port)),
    allowsAddress(address, port) {
      if (networks.length === 0 || isIP(address) === 0) return false
      const parsed = ipaddr.parse(address)
      return networks.some((entry) => open(entry, port) && contains(entry.network, parsed))
    }
  }
}

/** An IPv4 network contains no IPv6 address, not even one that carries an IPv4 address inside. */
function contains([first, bits]: Network, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return first.kind() === address.kind() && (address as ipaddr.IPv6).match(first as ipaddr.IPv6, bits)
}

function readEntry(entry: string): Entry {
  // More than one colon and no brackets: IPv6 without a port.
  const parts =
    isIP(entry.split('/')[0] as string) === 6 ? { host: entry } : (BRACKETED.exec(entry) ?? PLAIN.exec(entry))?.groups
  if (!parts?.host) throw wrong(entry)
  const port = parts.port === undefined ? null : Number(parts.port)
  if (port !== null && (port < 1 || port > LAST_PORT)) throw wrong(entry, 'its port is not one of 1 to 65535')
  if (parts.host.includes('/')) return { port, network: readNetwork(parts.host, entry) }
  const family = isIP(parts.host)
  if (family !== 0) return { port, network: [ipaddr.parse(parts.host), family === 4 ? 32 : 128] }
  return { port, name: readName(parts.host, entry) }
}

function readNetwork(text: string, entry: string): Network {
  const [address = '', bits = '', ...rest] = text.split('/')
  const family = isIP(address)
  if (
    family === 0 ||
    address.includes('%') ||
    rest.length > 0 ||
    !/^\d{1,3}$/.test(bits) ||
    Number(bits) > (family === 4 ? 32 : 128)
  ) {
    throw wrong(entry)
  }
  const first = family === 4 ? ipaddr.IPv4.networkAddressFromCIDR(text) : ipaddr.IPv6.networkAddressFromCIDR(text)
  const given = ipaddr.parse(address)
  if (first.toString() !== given.toString()) {
    throw wrong(entry, `its address has bits beyond its prefix; the network is ${first.toString()}/${bits}`)
  }
  return [given, Number(bits)]
}

function readName(text: string, entry: string): string {
  const name = domainToASCII(text).replace(/\.$/, '')
  // A number in another notation would be an address that nobody meant.
  if (!NAME.test(name) || isIP(name) !== 0) throw wrong(entry)
  return name
}

function wrong(entry: string, why = 'it is not a host, an address or a CIDR, alone or with a port'): StartError {
  return new StartError(`OUTBOUND_ALLOW cannot be read at "${entry}": ${why}.`)
}
