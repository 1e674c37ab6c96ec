import { StartError } from '../../../errors.ts'
import { type AllowList, parseAllowList } from '../../../lib/address-policy/allow-list.ts'
import { type ConnectTcp, connectDirect } from '../../../lib/address-policy/connect.ts'
import { AllowListError, BLOCKED_DETAIL, blockedError, RequestError } from '../../../lib/address-policy/errors.ts'
import { type Resolver, resolveWithSystem } from '../../../lib/address-policy/resolve.ts'
import { createTargetParser, OUTBOUND_PORTS, type Target, vetAddresses } from '../../../lib/address-policy/target.ts'
import type { Outbound, OutboundRequest, OutboundResponse } from '../port.ts'
import { type Connection, openConnection, openIdleConnections } from './connections.ts'
import { type Deadline, openDeadlines, withDeadline } from './deadline.ts'
import { exchange, type RequestMessage, toRequestHeaders } from './exchange.ts'

const MAX_BYTES = 16_384
const MAX_IDLE_SOCKETS = 256

export interface SsrfSafeFetchOptions {
  /** The setting OUTBOUND_ALLOW. */
  allow: string
  /** URLs that are allowed besides those of `allow`. Default: none. */
  allowsUrl?: (url: URL) => boolean
  /** Resolves a name, for every request. Default: the system's resolver. */
  resolve?: Resolver
  /** Default: a direct TCP connection. */
  connect?: ConnectTcp
  /** PEM certificates of the authorities to trust instead of the system's. */
  ca?: string
  /** Limit of idle connections of all hosts together. Default 256. */
  maxIdleSockets?: number
}

/**
 * Opens an HTTP client, over undici, that is safe against server-side request forgery. Every
 * request is vetted: its URL by a single WHATWG parse, all addresses of its name, and the peer of
 * the connection before anything is sent. A connection is reused only for a request that was vetted
 * to the same address. Throws a StartError for an invalid allow list.
 */
export function openSsrfSafeFetch(options: SsrfSafeFetchOptions): Outbound {
  const { resolve = resolveWithSystem, connect = connectDirect, ca, maxIdleSockets = MAX_IDLE_SOCKETS } = options
  const listed = readAllowList(options.allow)
  const allow: AllowList = {
    ...listed,
    allowsUrl: (url) => listed.allowsUrl(url) || (options.allowsUrl?.(url) ?? false)
  }
  const targets = createTargetParser(allow, OUTBOUND_PORTS)
  const idle = openIdleConnections(maxIdleSockets)
  const deadlines = openDeadlines()

  function vet(target: Target, deadline: Deadline): Promise<string[]> {
    deadline.connecting()
    return withDeadline(deadline, () => vetAddresses(target, allow, resolve))
  }

  function open(
    target: Target,
    vetted: string[],
    { deadline, onTry }: { deadline: Deadline; onTry: (address: string) => void }
  ): Promise<Connection> {
    deadline.connecting()
    return withDeadline(deadline, (signal) =>
      openConnection(target, vetted, { connect, ca, onTry, signal, connectBeforeMs: deadline.connectBeforeMs })
    )
  }

  // One function, because each asynchronous one takes time, and this runs for every delivery.
  async function send(request: OutboundRequest): Promise<OutboundResponse> {
    const deadline = deadlines.start(request)
    let address: string | null = null
    try {
      const target = targets.parse(request.url)
      if (target === null) throw blockedError()
      const message = toMessage(request, target)
      // An address in the URL was vetted with the URL.
      const vetted = target.isAddress ? [target.host] : await vet(target, deadline)
      for (;;) {
        const reused = idle.take(target.origin, vetted)
        if (reused !== null) address = reused.address
        const connection = reused ?? (await open(target, vetted, { deadline, onTry: (tried) => (address = tried) }))
        deadline.connected()
        const response = await exchange(connection, message, deadline)
        if (response === null && reused === null) {
          throw new RequestError('reset', 'The server closed the connection at once.')
        }
        if (response === null) continue
        idle.keep(connection)
        const { status, headers, body, truncated } = response
        return { ok: true, status, headers, body, truncated, address: address ?? '', durationMs: elapsedMs(deadline) }
      }
    } catch (thrown) {
      const { error, detail, status } = toFailure(thrown)
      const reached = error === 'blocked' ? null : address
      return { ok: false, error, detail, status, address: reached, durationMs: elapsedMs(deadline) }
    } finally {
      deadlines.end(deadline)
    }
  }

  return {
    blockedReason: (url) => (targets.parse(url) === null ? BLOCKED_DETAIL : null),
    send,
    async close() {
      deadlines.close()
      idle.close()
    }
  }
}

const elapsedMs = ({ startedAtMs }: Deadline): number => Math.round(performance.now() - startedAtMs)

function readAllowList(text: string): AllowList {
  try {
    return parseAllowList(text)
  } catch (error) {
    if (!(error instanceof AllowListError)) throw error
    throw new StartError(`OUTBOUND_ALLOW cannot be parsed. ${error.message}`, { cause: error })
  }
}

function toMessage(
  { method, headers, body = '', maxBytes = MAX_BYTES, rejectLarger = false, isEnough }: OutboundRequest,
  { path }: Target
): RequestMessage {
  return { method, path, headers: toRequestHeaders(headers), body, maxBytes, rejectLarger, isEnough }
}

/** `send` never throws: an unexpected error is reported as a broken connection. */
function toFailure(thrown: unknown): { error: RequestError['code']; detail: string; status: number | null } {
  if (thrown instanceof RequestError) return { error: thrown.code, detail: thrown.message, status: thrown.status }
  return { error: 'reset', detail: 'The request failed unexpectedly.', status: null }
}
