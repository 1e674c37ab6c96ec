import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createFairQueue } from '../fair-queue.ts'
import { networkOf } from './client-network.ts'

/** Steps of Node's parser in one turn of the event loop, after which the other connections wait: about 4 ms. */
const STEPS_PER_TURN = 6_000
/**
 * Turns between two expensive packets in which other connections are read: a short request takes several turns, an
 * upload 30. Fewer if they take longer than this, in milliseconds.
 */
const TURNS_BETWEEN = 16
const MAX_BETWEEN_MS = 24
/** What the end of a connection costs, in steps: 20 to 100 µs. So 100 of them end in one turn. */
const END_STEPS = 60
/** The same of each request that waits on it for an earlier one: about 9 µs. */
export const WAITING_END_STEPS = 13
/**
 * Connections of each kind that are read again in one turn, after they had to wait. Most of them have sent nothing, and
 * the others are stopped again once there are too many steps.
 */
const RESUMED_PER_TURN = 200

interface Connections {
  open: Set<Socket>
  /** Whether a credential was accepted on the connection. */
  isAuthenticated: (socket: Socket) => boolean
  /** The requests of the connection that wait for an earlier one. */
  countWaiting: (socket: Socket) => number
}

const connectionsOf = new WeakMap<Server, Connections>()

/**
 * Connections that are stopped although they have sent nothing expensive yet, by the network of their client: those on
 * which a credential was accepted, and the others, which thousands of clients may have.
 */
const stopped = { authenticated: createFairQueue<Socket>(), unknown: createFairQueue<Socket>() }
const stoppedQueues = Object.values(stopped)
/** Connections that have sent an expensive packet, with functions that read on, by the network of the client. */
const waiting = createFairQueue<{ socket: Socket; resume: () => void }>()
/** The connections that were read in this turn, as far as they reported it. */
const readInTurn = new Set<Socket>()
let stepsOfTurn = 0
let isScheduled = false
/** The turns since one of `waiting` was read, and when that was. */
const last = { turns: Infinity, atMs: 0 }

const clientOf = (socket: Socket): string => networkOf(socket.remoteAddress)

function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(beginTurn)
}

/** The kinds take turns, because libuv reads in this order, and those that come late may be stopped again. */
function resumeStopped(): void {
  for (let count = 0; count < RESUMED_PER_TURN; count++) {
    for (const queue of stoppedQueues) {
      const socket = queue.next()
      if (socket?.destroyed === false) socket.resume()
    }
  }
}

function beginTurn(): void {
  stepsOfTurn = 0
  readInTurn.clear()
  isScheduled = false
  resumeStopped()
  last.turns += 1
  const nowMs = performance.now()
  if (last.turns > TURNS_BETWEEN || nowMs - last.atMs > MAX_BETWEEN_MS) {
    let next = waiting.next()
    while (next?.socket.destroyed === true) next = waiting.next()
    if (next !== null) Object.assign(last, { turns: 0, atMs: nowMs })
    next?.resume()
  }
  if (!waiting.isEmpty() || stoppedQueues.some((queue) => !queue.isEmpty())) schedule()
}

/** Must be called once for each server whose connections are to take turns. */
export function takePacketTurns(server: Server, { isAuthenticated, countWaiting }: Omit<Connections, 'open'>): void {
  const open = new Set<Socket>()
  connectionsOf.set(server, { open, isAuthenticated, countWaiting })
  server.on('connection', (socket) => {
    open.add(socket)
    // A closed one has no address.
    const client = clientOf(socket)
    // Thousands may end at the same time.
    const onEnd = (): void => reportParsing(socket, END_STEPS + countWaiting(socket) * WAITING_END_STEPS)
    socket.once('end', onEnd)
    socket.once('error', onEnd)
    socket.once('close', () => {
      open.delete(socket)
      for (const queue of stoppedQueues) queue.remove(client, socket)
    })
  })
}

/** Stops all other connections of the server. Those that were not read in this turn come first in later ones. */
function stopOthers(socket: Socket): void {
  const { server } = socket as { server?: Server | null }
  const connections = server && connectionsOf.get(server)
  if (connections === undefined || connections === null) return
  const stop = (other: Socket): void => {
    other.pause()
    stopped[connections.isAuthenticated(other) ? 'authenticated' : 'unknown'].add(clientOf(other), other)
  }
  const read: Socket[] = []
  for (const other of connections.open) {
    // Node stops connections itself while nobody reads their request.
    if (other === socket || other.isPaused()) continue
    if (readInTurn.has(other)) read.push(other)
    else stop(other)
  }
  for (const other of read) stop(other)
}

/**
 * Must be called while a connection is parsed, with what that costs: a step is a small chunk of a body (0.7 µs), and
 * a request that was sent ahead of the response to an earlier one has ten. Node reads one packet of up to 64 KB from
 * every connection that has data before the event loop continues: 3,000 chunks of 16 bytes. After 6,000 steps in one
 * turn, all other connections are read in later turns. Clients take turns. Ends of connections count,
 * too.
 */
export function reportParsing(socket: Socket, steps: number): void {
  schedule()
  readInTurn.add(socket)
  const before = stepsOfTurn
  stepsOfTurn += steps
  if (before < STEPS_PER_TURN && stepsOfTurn >= STEPS_PER_TURN) stopOthers(socket)
}

/**
 * Calls a function that reads on from a connection: of all these functions, one in a turn of the event loop, with
 * turns for the others between two of them.
 */
export function resumeInTurn(socket: Socket, resume: () => void): void {
  waiting.add(clientOf(socket), { socket, resume })
  schedule()
}
