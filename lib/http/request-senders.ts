import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { networkOf } from './client-network.ts'
import { requestPath } from './request.ts'

/** Who sent a request, as far as its head tells without a look at the store. */
export interface Sender {
  /** `account …`, `anonymous` or `health`: senders whose use of the event loop is limited together. */
  group: string
  /** Senders of a group take turns by this. */
  id: string
}

export interface Senders {
  /** The sender of a request. */
  of: (request: IncomingMessage) => Sender
  /** Must be called when a request has been authenticated: its credential belongs to this account. */
  remember: (request: IncomingMessage, accountId: string) => void
  /** Whether a request of this connection has been authenticated. */
  isAuthenticated: (socket: Socket) => boolean
}

/** Longer credentials are anonymous: session tokens have 200 to 1,500 characters. */
const MAX_CREDENTIAL_LENGTH = 2_000
/** Of the credentials in memory together, in characters: about 20,000 API keys. */
const MAX_LENGTH = 2_000_000

function credentialOf({ headers }: IncomingMessage): string | null {
  const credential = headers['x-api-key'] ?? headers.authorization
  return typeof credential === 'string' && credential.length <= MAX_CREDENTIAL_LENGTH ? credential : null
}

/** Probes are requested by an orchestrator that stops a process whose response is late. */
function isProbe({ url = '' }: IncomingMessage): boolean {
  const path = requestPath(url)
  return path === '/health' || path.startsWith('/health/')
}

/**
 * Tells who sent a request: the account whose credential it has, or its network. A credential that was never
 * accepted says nothing, because a client can invent one for each request. The credentials of an account are one
 * sender, and so are all clients without an account, who can have many addresses.
 */
export function createSenders(): Senders {
  const accounts = new LRUCache<string, string>({
    maxSize: MAX_LENGTH,
    sizeCalculation: (account, credential) => credential.length + account.length
  })
  const authenticated = new WeakSet<Socket>()
  return {
    of(request) {
      const credential = credentialOf(request)
      const account = credential === null ? undefined : accounts.get(credential)
      if (account !== undefined) return { group: `account ${account}`, id: account }
      return { group: isProbe(request) ? 'health' : 'anonymous', id: networkOf(request.socket.remoteAddress) }
    },
    remember(request, accountId) {
      authenticated.add(request.socket)
      const credential = credentialOf(request)
      if (credential !== null && accounts.get(credential) !== accountId) accounts.set(credential, accountId)
    },
    isAuthenticated: (socket) => authenticated.has(socket)
  }
}
