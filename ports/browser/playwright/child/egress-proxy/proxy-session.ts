import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import { RequestError } from '../../../../../lib/address-policy/errors.ts'

const MAX_BLOCKED = 100
const MAX_BLOCKED_LENGTH = 300
/** RFC 7617. */
const BASIC = /^basic +(?<token>[A-Za-z0-9+/]+={0,2}) *$/i

export interface SessionLimits {
  /** In both directions, including headers and TLS. */
  bytes: number
  /** A tunnel counts as one request. */
  requests: number
}

/** The right of one inspection to use the egress proxy. */
export interface ProxySession {
  username: string
  password: string
  /** The refused targets as `host:port`, without duplicates. At most 100. */
  refused: () => string[]
  usage: () => { bytes: number; requests: number }
  /** Above the byte limit all connections are closed; above the request limit requests are refused. */
  isOverLimit: () => boolean
  /** Closes all connections and invalidates the credentials. */
  revoke: () => void
}

/** The proxy's side of a session: checks credentials and counts usage. */
export interface UsageMeter {
  /** Aborted when the session ends. The reason is a RequestError. */
  signal: AbortSignal
  matches: (password: string) => boolean
  /** Counts a request. Returns false above the limit. */
  takeRequest: () => boolean
  recordBlocked: (target: string) => void
  /** Destroys the socket when the session ends. */
  closeWithSession: (socket: Socket) => void
  /**
   * Like `closeWithSession`, and counts the bytes of the socket. Call the returned function whenever
   * bytes have passed.
   */
  meter: (socket: Socket) => () => void
}

/** Creates a session with random credentials. `onRevoke` is called when it is revoked. */
export function createProxySession(
  limits: SessionLimits,
  onRevoke: (username: string) => void
): { session: ProxySession; meter: UsageMeter } {
  const username = randomBytes(9).toString('hex')
  const password = randomBytes(24).toString('hex')
  const ended = new AbortController()
  const sockets = new Set<Socket>()
  const refused = new Set<string>()
  const usage = { bytes: 0, requests: 0 }
  let isOverLimit = false

  function end(why: string): void {
    ended.abort(new RequestError('reset', why))
    for (const socket of sockets) socket.destroy()
  }

  function closeWithSession(socket: Socket): void {
    if (ended.signal.aborted) {
      socket.destroy()
      return
    }
    if (sockets.has(socket)) return
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }

  function countBytes(bytes: number): void {
    usage.bytes += bytes
    if (usage.bytes <= limits.bytes || ended.signal.aborted) return
    isOverLimit = true
    end('The inspection has transferred its maximum of bytes.')
  }

  const meter: UsageMeter = {
    signal: ended.signal,
    matches: (given) =>
      given.length === password.length &&
      timingSafeEqual(Buffer.from(given, 'latin1'), Buffer.from(password, 'latin1')),
    takeRequest() {
      if (usage.requests < limits.requests) return ++usage.requests > 0
      isOverLimit = true
      return false
    },
    recordBlocked(target) {
      if (refused.size < MAX_BLOCKED) refused.add(target.slice(0, MAX_BLOCKED_LENGTH))
    },
    closeWithSession,
    meter(socket) {
      let counted = 0
      const count = () => {
        const transferred = socket.bytesRead + socket.bytesWritten
        countBytes(transferred - counted)
        counted = transferred
      }
      socket.once('close', count)
      closeWithSession(socket)
      return count
    }
  }
  const session: ProxySession = {
    username,
    password,
    refused: () => [...refused],
    usage: () => ({ ...usage }),
    isOverLimit: () => isOverLimit,
    revoke() {
      onRevoke(username)
      end('The inspection is over.')
    }
  }
  return { session, meter }
}

/** The meter of the session that a Proxy-Authorization header authenticates. Null if it fails. */
export function authenticate(meters: ReadonlyMap<string, UsageMeter>, header: string | undefined): UsageMeter | null {
  const token = BASIC.exec(header ?? '')?.groups?.token
  if (token === undefined) return null
  const [username = '', ...rest] = Buffer.from(token, 'base64').toString('latin1').split(':')
  const meter = meters.get(username)
  return meter !== undefined && meter.matches(rest.join(':')) ? meter : null
}
