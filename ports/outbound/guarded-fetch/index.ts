import { readAllowList } from '../judging/allow-list.ts'
import { blocked, NoAnswer, REFUSED } from '../judging/no-answer.ts'
import { type Connect, connectDirectly } from '../judging/open-socket.ts'
import { createTargets, MESSAGE_PORTS, type Target } from '../judging/target.ts'
import { askSystem, type Resolve, vetAddresses } from '../judging/vet-addresses.ts'
import type { Outbound, OutboundAnswer, OutboundRequest } from '../port.ts'
import { type Connection, ConnectionGone, openIdleConnections } from './connections.ts'
import { type Answer, exchange, type Message } from './exchange.ts'
import { type Lifetime, startLifetime, withinTime } from './lifetime.ts'
import { reach, takeWaiting } from './reach.ts'
import { requestHeaders } from './request-headers.ts'

const MAX_BYTES = 16_384
const MOST_IDLE = 256

export interface GuardedFetchOptions {
  /** OUTBOUND_ALLOW. */
  allow: string
  /** Asked for a name's addresses at every request. Default: the system. */
  resolve?: Resolve
  /** Default: directly by TCP. */
  connect?: Connect
  /** PEM; trusted instead of the system's authorities. */
  ca?: string
  /** Connections that are kept for a next request, all together; default 256. */
  maxIdleSockets?: number
}

/**
 * Opens the guarded door over undici. Every request is vetted anew: its url by one WHATWG parse,
 * the addresses of its name all together, and the other end of the connection
 * before a byte is written. A connection is used again only for a request that was vetted to the
 * very address it leads to. Throws a StartError for an allow list that cannot be read.
 */
export function openGuardedFetch(options: GuardedFetchOptions): Outbound {
  const { resolve = askSystem, connect = connectDirectly, ca, maxIdleSockets = MOST_IDLE } = options
  const allow = readAllowList(options.allow)
  const targets = createTargets(allow, MESSAGE_PORTS)
  const idle = openIdleConnections(maxIdleSockets)
  const running = new Set<Lifetime>()
  let closed = false

  async function attempt(request: OutboundRequest, life: Lifetime, onTry: (address: string) => void): Promise<Answer> {
    const target = targets.read(request.url)
    if (target === null) throw blocked()
    const message = messageOf(request, target)
    // An address in the url itself was vetted with it.
    const vetted = target.isAddress ? [target.host] : await vet(target, life)
    for (;;) {
      const waiting = takeWaiting(target, vetted, { idle, onTry })
      const connection = waiting ?? (await open(target, vetted, { life, onTry }))
      life.connected()
      try {
        const answer = await exchange(connection, message, life)
        idle.keep(connection)
        return answer
      } catch (error) {
        if (!(error instanceof ConnectionGone)) throw error
        if (waiting === null) throw new NoAnswer('reset', 'The server closed the connection at once.')
      }
    }
  }

  function vet(target: Target, life: Lifetime): Promise<string[]> {
    life.connecting()
    return withinTime(life, () => vetAddresses(target, allow, resolve))
  }

  function open(
    target: Target,
    vetted: string[],
    { life, onTry }: { life: Lifetime; onTry: (address: string) => void }
  ): Promise<Connection> {
    life.connecting()
    return withinTime(life, (signal) =>
      reach(target, vetted, { connect, ca, onTry, signal, connectBeforeMs: life.connectBeforeMs })
    )
  }

  async function send(request: OutboundRequest): Promise<OutboundAnswer> {
    const life = startLifetime(request)
    running.add(life)
    if (closed) life.breakOff()
    let address: string | null = null
    const durationMs = () => Math.round(performance.now() - life.startedAtMs)
    try {
      const answer = await attempt(request, life, (tried) => {
        address = tried
      })
      return { ok: true, ...answer, address: address ?? '', durationMs: durationMs() }
    } catch (reason) {
      const { error, detail, status } = noAnswer(reason)
      return {
        ok: false,
        error,
        detail,
        status,
        address: error === 'blocked' ? null : address,
        durationMs: durationMs()
      }
    } finally {
      life.end()
      running.delete(life)
    }
  }

  return {
    refusal: (url) => (targets.read(url) === null ? REFUSED : null),
    send,
    async close() {
      closed = true
      for (const life of running) life.breakOff()
      idle.close()
    }
  }
}

function messageOf(
  { method, headers, body = '', maxBytes = MAX_BYTES, refuseLarger = false }: OutboundRequest,
  { path }: Target
): Message {
  return { method, path, headers: requestHeaders(headers), body, maxBytes, refuseLarger }
}

/** The door answers whatever happens; a mistake of ours looks like a connection that broke. */
function noAnswer(reason: unknown): { error: NoAnswer['error']; detail: string; status: number | null } {
  if (reason instanceof NoAnswer) return { error: reason.error, detail: reason.message, status: reason.status }
  return { error: 'reset', detail: 'The request could not be carried out.', status: null }
}
