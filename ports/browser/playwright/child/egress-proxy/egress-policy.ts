import type { Socket } from 'node:net'
import { parseAllowList } from '../../../../../lib/address-policy/allow-list.ts'
import { type ConnectTcp, connectDirect, connectVetted } from '../../../../../lib/address-policy/connect.ts'
import { blockedError, RequestError } from '../../../../../lib/address-policy/errors.ts'
import { type Resolver, resolveWithSystem } from '../../../../../lib/address-policy/resolve.ts'
import { createTargetParser, PAGE_PORTS, type Target, vetAddresses } from '../../../../../lib/address-policy/target.ts'

/** For name resolution and TCP together. */
const CONNECT_TIMEOUT_MS = 5_000
/** RFC 9110, section 9.3.6: host and port, nothing else. */
const AUTHORITY = /^(?:\[[0-9a-f:.]+\]|[^\s:/?#@\\[\]]+):(?<port>\d{1,5})$/i

export interface EgressPolicyOptions {
  /** OUTBOUND_ALLOW. */
  allow: string
  /** Default: the system's resolver. */
  resolve?: Resolver
  /** Default: a direct TCP connection. */
  connect?: ConnectTcp
}

/** Decides which targets a browser may reach, and connects to them. */
export interface EgressPolicy {
  /** Parses the absolute URL of a plain HTTP request. Null if it is not allowed. */
  parseUrl: (url: string) => Target | null
  /** Parses the authority of a CONNECT request. Null if it is not allowed. */
  parseAuthority: (authority: string) => Target | null
  /**
   * Resolves and checks all addresses of the target, and connects to one by TCP. Rejects with a
   * RequestError (`timeout` after 5 seconds), and with the reason of the signal.
   */
  connect: (target: Target, signal: AbortSignal) => Promise<Socket>
}

/**
 * Creates a policy that allows public hosts on the ports 80 and 443, and the operator's allow list.
 * Throws an AllowListError if the list cannot be parsed.
 */
export function createEgressPolicy({
  allow: text,
  resolve = resolveWithSystem,
  connect = connectDirect
}: EgressPolicyOptions): EgressPolicy {
  const allow = parseAllowList(text)
  const targets = createTargetParser(allow, PAGE_PORTS)
  return {
    parseUrl: (url) => (/^http:\/\//i.test(url) ? targets.parse(url) : null),
    parseAuthority(authority) {
      const port = AUTHORITY.exec(authority)?.groups?.port
      return port === undefined ? null : targets.parse(`${Number(port) === 80 ? 'http' : 'https'}://${authority}/`)
    },
    async connect(target, signal) {
      const connectBeforeMs = performance.now() + CONNECT_TIMEOUT_MS
      const controller = new AbortController()
      const onAbort = () => controller.abort(signal.reason)
      const timer = setTimeout(
        () => controller.abort(new RequestError('timeout', 'The connection was not made in time.')),
        CONNECT_TIMEOUT_MS
      )
      signal.addEventListener('abort', onAbort)
      try {
        if (signal.aborted) throw signal.reason
        const vetted = await unlessAborted(vetAddresses(target, allow, resolve), controller.signal)
        if (vetted.length === 0) throw blockedError()
        // TLS is between the browser and the site.
        const insecure = { ...target, secure: false }
        const options = { connect, connectBeforeMs, signal: controller.signal }
        return (await connectVetted(insecure, vetted, options)).socket as Socket
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
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
