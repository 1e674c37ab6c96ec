import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import { RequestError } from '../../../../lib/address-policy/errors.ts'

/** More refused addresses are not told apart. */
const KEPT_REFUSALS = 100
const LONGEST_REFUSAL = 300

export interface PassLimits {
  /** Of both directions, headers and TLS included. */
  bytes: number /** A tunnel is one, whatever is asked in it. */
  requests: number
}

/** The right of one check to use the way out. */
export interface Pass {
  username: string
  password: string
  /** Who was refused, as `host:port`, each once. */
  refused: () => string[]
  spent: () => { bytes: number; requests: number }
  /** Over the bytes everything open is cut; over the requests no further one is let out. */
  overdrawn: () => boolean
  /** Cuts all that is open, and lets nothing more out. */
  revoke: () => void
}

/** The other side of a pass: what the way out writes down. */
export interface Ledger {
  /** Aborts when nothing may go on. Its reason is a RequestError. */
  signal: AbortSignal
  matches: (password: string) => boolean
  /** Counts one; false when there is no more room. */
  takeRequest: () => boolean
  refuse: (where: string) => void
  /** Cuts the socket when the pass ends. */
  hold: (socket: Socket) => void
  /**
   * Like `hold`, and counts its bytes: what is returned is to be called whenever some have passed.
   */
  meter: (socket: Socket) => () => void
}

/** Makes a pass of random credentials, and its ledger. `forget` is called when it is revoked. */
export function createPass(limits: PassLimits, forget: (username: string) => void): { pass: Pass; ledger: Ledger } {
  const username = randomBytes(9).toString('hex')
  const password = randomBytes(24).toString('hex')
  const over = new AbortController()
  const held = new Set<Socket>()
  const refused = new Set<string>()
  const spent = { bytes: 0, requests: 0 }
  let overdrawn = false

  function cut(why: string): void {
    over.abort(new RequestError('reset', why))
    for (const socket of held) socket.destroy()
  }

  function hold(socket: Socket): void {
    if (over.signal.aborted) {
      socket.destroy()
      return
    }
    if (held.has(socket)) return
    held.add(socket)
    socket.once('close', () => held.delete(socket))
  }

  function spend(bytes: number): void {
    spent.bytes += bytes
    if (spent.bytes <= limits.bytes || over.signal.aborted) return
    overdrawn = true
    cut('The check has read as much as it may.')
  }

  const ledger: Ledger = {
    signal: over.signal,
    matches: (given) =>
      given.length === password.length &&
      timingSafeEqual(Buffer.from(given, 'latin1'), Buffer.from(password, 'latin1')),
    takeRequest() {
      if (spent.requests < limits.requests) return ++spent.requests > 0
      overdrawn = true
      return false
    },
    refuse(where) {
      if (refused.size < KEPT_REFUSALS) refused.add(where.slice(0, LONGEST_REFUSAL))
    },
    hold,
    meter(socket) {
      let counted = 0
      const count = () => {
        const passed = socket.bytesRead + socket.bytesWritten
        spend(passed - counted)
        counted = passed
      }
      socket.once('close', count)
      hold(socket)
      return count
    }
  }
  const pass: Pass = {
    username,
    password,
    refused: () => [...refused],
    spent: () => ({ ...spent }),
    overdrawn: () => overdrawn,
    revoke() {
      forget(username)
      cut('The check is over.')
    }
  }
  return { pass, ledger }
}
