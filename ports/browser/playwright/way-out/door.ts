import type { Socket } from 'node:net'
import { readAllowList } from '../../../outbound/judging/allow-list.ts'
import { blocked, NoAnswer } from '../../../outbound/judging/no-answer.ts'
import { type Connect, connectDirectly } from '../../../outbound/judging/open-socket.ts'
import { reachVetted } from '../../../outbound/judging/reach-vetted.ts'
import { createTargets, PAGE_PORTS, type Target } from '../../../outbound/judging/target.ts'
import { askSystem, type Resolve, vetAddresses } from '../../../outbound/judging/vet-addresses.ts'

/** Name server and TCP together. */
const CONNECT_MS = 5_000
/** RFC 9110, section 9.3.6: a host and a port, nothing else. */
const AUTHORITY = /^(?:\[[0-9a-f:.]+\]|[^\s:/?#@\\[\]]+):(?<port>\d{1,5})$/i

export interface DoorOptions {
  /** OUTBOUND_ALLOW. */
  allow: string
  /** Default: the system. */
  resolve?: Resolve
  /** Default: directly by TCP. */
  connect?: Connect
}

/** Judges where a browser wants to go, and leads there. */
export interface Door {
  /** What the absolute form of a plain http request names; null where it is not let out to. */
  readUrl: (url: string) => Target | null
  /** What a CONNECT names; null likewise. */
  readAuthority: (authority: string) => Target | null
  /**
   * A TCP connection to one of the target's addresses, all of which are vetted now. Rejects with a
   * NoAnswer, and with the signal's reason; after 5 s with `timeout`.
   */
  open: (target: Target, signal: AbortSignal) => Promise<Socket>
}

/**
 * Makes a door to public hosts on the ports 80 and 443, and to what the operator allows. Throws a
 * StartError for an allow list that cannot be read.
 */
export function createDoor({ allow: text, resolve = askSystem, connect = connectDirectly }: DoorOptions): Door {
  const allow = readAllowList(text)
  const targets = createTargets(allow, PAGE_PORTS)
  return {
    readUrl: (url) => (/^http:\/\//i.test(url) ? targets.read(url) : null),
    readAuthority(authority) {
      const port = AUTHORITY.exec(authority)?.groups?.port
      return port === undefined ? null : targets.read(`${Number(port) === 80 ? 'http' : 'https'}://${authority}/`)
    },
    async open(target, signal) {
      const connectBeforeMs = performance.now() + CONNECT_MS
      const over = new AbortController()
      const stop = () => over.abort(signal.reason)
      const late = setTimeout(
        () => over.abort(new NoAnswer('timeout', 'The connection was not made in time.')),
        CONNECT_MS
      )
      signal.addEventListener('abort', stop)
      try {
        if (signal.aborted) throw signal.reason
        const vetted = await unlessAborted(vetAddresses(target, allow, resolve), over.signal)
        if (vetted.length === 0) throw blocked()
        // TLS is between the browser and the site.
        return (
          await reachVetted({ ...target, secure: false }, vetted, { connect, connectBeforeMs, signal: over.signal })
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
