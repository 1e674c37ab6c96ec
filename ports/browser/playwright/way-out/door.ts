import type { Socket } from 'node:net'
import { StartError } from '../../../../errors.ts'
import { type AllowList, parseAllowList } from '../../../../lib/address-policy/allow-list.ts'
import { type ConnectTcp, connectDirect, connectVetted } from '../../../../lib/address-policy/connect.ts'
import { AllowListError, blockedError, RequestError } from '../../../../lib/address-policy/errors.ts'
import {
  createTargetParser,
  PAGE_PORTS,
  type Resolver,
  resolveWithSystem,
  type Target,
  vetAddresses
} from '../../../../lib/address-policy/target.ts'

/** Name server and TCP together. */
const CONNECT_MS = 5_000
/** RFC 9110, section 9.3.6: a host and a port, nothing else. */
const AUTHORITY = /^(?:\[[0-9a-f:.]+\]|[^\s:/?#@\\[\]]+):(?<port>\d{1,5})$/i

export interface DoorOptions {
  /** OUTBOUND_ALLOW. */
  allow: string
  /** Default: the system. */
  resolve?: Resolver
  /** Default: directly by TCP. */
  connect?: ConnectTcp
}

/** Judges where a browser wants to go, and leads there. */
export interface Door {
  /** What the absolute form of a plain http request names; null where it is not let out to. */
  readUrl: (url: string) => Target | null
  /** What a CONNECT names; null likewise. */
  readAuthority: (authority: string) => Target | null
  /**
   * A TCP connection to one of the target's addresses, all of which are vetted now. Rejects with a
   * RequestError, and with the signal's reason; after 5 s with `timeout`.
   */
  open: (target: Target, signal: AbortSignal) => Promise<Socket>
}

/**
 * Makes a door to public hosts on the ports 80 and 443, and to what the operator allows. Throws a
 * StartError for an allow list that cannot be read.
 */
export function createDoor({ allow: text, resolve = resolveWithSystem, connect = connectDirect }: DoorOptions): Door {
  const allow = readAllowList(text)
  const targets = createTargetParser(allow, PAGE_PORTS)
  return {
    readUrl: (url) => (/^http:\/\//i.test(url) ? targets.parse(url) : null),
    readAuthority(authority) {
      const port = AUTHORITY.exec(authority)?.groups?.port
      return port === undefined ? null : targets.parse(`${Number(port) === 80 ? 'http' : 'https'}://${authority}/`)
    },
    async open(target, signal) {
      const connectBeforeMs = performance.now() + CONNECT_MS
      const over = new AbortController()
      const stop = () => over.abort(signal.reason)
      const late = setTimeout(
        () => over.abort(new RequestError('timeout', 'The connection was not made in time.')),
        CONNECT_MS
      )
      signal.addEventListener('abort', stop)
      try {
        if (signal.aborted) throw signal.reason
        const vetted = await unlessAborted(vetAddresses(target, allow, resolve), over.signal)
        if (vetted.length === 0) throw blockedError()
        // TLS is between the browser and the site.
        return (
          await connectVetted({ ...target, secure: false }, vetted, { connect, connectBeforeMs, signal: over.signal })
        ).socket
      } finally {
        clearTimeout(late)
        signal.removeEventListener('abort', stop)
      }
    }
  }
}

function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

function readAllowList(text: string): AllowList {
  try {
    return parseAllowList(text)
  } catch (error) {
    if (!(error instanceof AllowListError)) throw error
    throw new StartError(`OUTBOUND_ALLOW cannot be parsed. ${error.message}`, { cause: error })
  }
}
