import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problem } from '../errors.ts'
import { createAccountSlots, createSharing, type AccountSlot } from '../lib/account-slots.ts'
import { networkOf } from '../lib/http/client-network.ts'
import { bodyBytes, isJson } from '../lib/http/request.ts'
import { readInTurns } from '../lib/http/upload-turns.ts'
import { processLoopUse } from '../lib/loop-use.ts'
import { createTurnQueue } from '../lib/turn-queue.ts'
import { processLoad } from '../services/account-load.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler waits for something outside of the service, such as a page, and has a limit of its own. */
    waitsForOthers?: boolean
    /**
     * The handler waits in a queue of all accounts, that of image processing. Such requests of an account have slots of
     * their own, so that others of it do not wait for them.
     */
    waitsInQueue?: boolean
    /**
     * How long a request may wait for others of its account, in milliseconds, before it gets 503. Default: 10 seconds.
     * Longer for uploads: the client would have to send the file again.
     */
    maxWaitMs?: number
  }
}

/**
 * Requests of an account whose handlers run at the same time, in this process. A store on a server takes
 * milliseconds for a command, so that this many still serve hundreds of requests in a second.
 */
const RUNNING_PER_ACCOUNT = 8
/**
 * A read of an account that uses much of the event loop counts as so many changes. It mostly uses the event loop, too,
 * for records that it decodes and serializes, where a change mostly waits for the store.
 */
const READ_WEIGHT = 4
/**
 * Large requests have a limit of their own, so that small ones of the account do not wait for them: JSON bodies of so
 * many bytes, and streamed uploads while their handlers work on what they received. Rows are counted or written, and
 * megabytes stored. Two at a time are as fast as more, which would only make turns longer.
 */
const LARGE_BYTES = 32 * 1024
const LARGE_PER_ACCOUNT = 2
/** Of those that wait in a queue: more than run in it at once, so that the next ones are there. */
const QUEUED_PER_ACCOUNT = 4
/** They have precedence for the time that a small image takes, in milliseconds: the rest of them is waiting. */
const QUEUED_PRECEDENCE_MS = 30
/**
 * Changes of such an account count so many times when others had requests in the last milliseconds, and one large
 * request at a time is worked on.
 */
const SHARED_FACTOR = 2
const SHARED_MS = 3_000
/** More requests of an account get 503. */
const WAITING_PER_ACCOUNT = 1_000
/**
 * What requests that waited may use of one turn of the event loop when they start, in milliseconds. Over the embedded
 * store, the next one would start in the turn in which another one ends, and so would all others.
 */
const STARTS_MS = 2
/** A request that waits longer gets 503 too, in milliseconds, unless its route has another limit. */
const MAX_WAIT_MS = 10_000

/**
 * Limits the requests that each account, or address without one, has in progress. A store serves commands in the
 * order of their arrival, and a turn of the event loop lasts as long as all work that is ready: hundreds of
 * requests of one account at the same time would delay every step of a request of another one.
 *
 * An account that uses little of the event loop, or less than another one, may have more at the same time. While
 * another account keeps the process busy, each of its requests takes longer, and it would wait for its own ones.
 *
 * Responses from the response cache, and handlers that wait for others, do not count, nor do streamed uploads while
 * they wait for their clients.
 */
export default fp(
  async (app) => {
    const enter = createAccountSlots({ running: RUNNING_PER_ACCOUNT, waiting: WAITING_PER_ACCOUNT })
    const enterLarge = createAccountSlots({ running: LARGE_PER_ACCOUNT, waiting: WAITING_PER_ACCOUNT })
    const enterQueued = createAccountSlots({ running: QUEUED_PER_ACCOUNT, waiting: WAITING_PER_ACCOUNT })
    const isShared = createSharing(SHARED_MS)
    const starts = createTurnQueue(STARTS_MS)
    /** The functions that end the requests in progress, and their owners. */
    const running = new WeakMap<FastifyRequest, { owner: string; release: () => void }>()
    /** The functions that end the waiting requests, by owner. */
    const waiting = new Map<string, Set<() => void>>()
    /** Those of them that ended because the store does not respond. */
    const outages = new WeakSet<() => void>()

    async function waitFor({ ready, release }: AccountSlot, owner: string, maxWaitMs: number): Promise<boolean> {
      const ofOwner = waiting.get(owner) ?? new Set()
      waiting.set(owner, ofOwner.add(release))
      const timer = setTimeout(release, maxWaitMs)
      const isReady = await ready
      clearTimeout(timer)
      ofOwner.delete(release)
      if (ofOwner.size === 0 && waiting.get(owner) === ofOwner) waiting.delete(owner)
      return isReady
    }

    function enterSlot(request: FastifyRequest, owner: string): AccountSlot | null {
      const isLight = processLoopUse.isLight(owner)
      const isSlow = isShared(owner) && !isLight
      if (request.routeConfig.waitsInQueue === true) return enterQueued(owner)
      if (isLarge(request)) return enterLarge(owner, isSlow ? LARGE_PER_ACCOUNT : 1)
      return enter(owner, weightOf(request, { isLight, isSlow }))
    }

    /** Waits for a slot, and returns the function that frees it. Throws `busy` and `unavailable`. */
    async function start(request: FastifyRequest, { raw }: FastifyReply, owner: string): Promise<() => void> {
      const { routeConfig } = request
      const slot = enterSlot(request, owner)
      if (slot !== null) {
        raw.once('close', slot.release)
        const isReady = await waitFor(slot, owner, routeConfig.maxWaitMs ?? MAX_WAIT_MS)
        raw.off('close', slot.release)
        if (isReady) {
          if (slot.isDelayed) await new Promise<void>((resolve) => starts.add(owner, resolve))
          const endUse = processLoopUse.begin(owner)
          return () => {
            endUse()
            slot.release()
          }
        }
        if (outages.has(slot.release)) throw problem('unavailable', 'The store does not respond.')
      }
      throw problem('busy', 'Too many of your requests are in progress. Try again.', {
        headers: { 'Retry-After': '1' }
      })
    }

    /** Lets an upload have its slot only while its handler works. Returns the function that ends the upload. */
    function takeTurns(request: FastifyRequest, reply: FastifyReply, first: { owner: string; release: () => void }) {
      let { release } = first
      let isOver = false
      request.body = readInTurns(request.body as Readable, {
        end: () => release(),
        async begin() {
          // What follows a response is discarded.
          if (isOver) return
          release = await start(request, reply, first.owner)
          // While it waited, the response was sent.
          if (isOver) release()
        }
      })
      return () => {
        isOver = true
        release()
      }
    }

    app.addHook('preHandler', async (request, reply) => {
      const { caller, routeConfig } = request
      if (routeConfig.waitsForOthers === true) {
        beginLoad(request, reply)
        return
      }
      // Health checks and images are anonymous, too. Other anonymous requests are few, and some are as expensive.
      const isLight = routeConfig.access?.kind !== 'public' || routeConfig.access.image === true
      if (caller.kind === 'anonymous' && isLight) return
      const owner = caller.kind === 'anonymous' ? `address ${networkOf(request.ip)}` : caller.accountId
      const release = await start(request, reply, owner)
      beginLoad(request, reply)
      const isUpload = request.body instanceof Readable
      running.set(request, { owner, release: isUpload ? takeTurns(request, reply, { owner, release }) : release })
    })

    // While the store does not respond, those that wait would fail as well, one after another.
    app.addHook('onError', async (request, _reply, error) => {
      const owner = error.code === 'unavailable' ? running.get(request)?.owner : undefined
      if (owner === undefined) return
      for (const release of waiting.get(owner) ?? []) {
        outages.add(release)
        release()
      }
    })

    // Of the route, because these hooks run after those of plugins, which may still write to the store.
    app.addHook('onRoute', (route) => {
      route.onSend = [...[route.onSend ?? []].flat(), async (request) => running.get(request)?.release()]
    })
  },
  { name: 'request-concurrency', dependencies: ['auth', 'account-load', 'large-responses', 'request-context'] }
)

/**
 * Gives a request that changes something precedence over the background work of accounts that used more time. Reads are
 * short, and mostly come from the response cache.
 */
function beginLoad({ caller, method, routeConfig }: FastifyRequest, { raw }: FastifyReply): void {
  if (caller.kind === 'anonymous' || isRead(method) || raw.closed) return
  const precedenceMs = routeConfig.waitsInQueue === true ? QUEUED_PRECEDENCE_MS : undefined
  // Not onResponse, which is not called if the client disconnects.
  raw.once('close', processLoad.begin(caller.accountId, precedenceMs))
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

function weightOf(request: FastifyRequest, { isLight, isSlow }: { isLight: boolean; isSlow: boolean }): number {
  if (isRead(request.method)) return isLight ? 1 : READ_WEIGHT
  return isSlow ? SHARED_FACTOR : 1
}

const jsonBytes = ({ headers, routeOptions }: FastifyRequest): number =>
  isJson(headers) ? bodyBytes(headers, routeOptions.bodyLimit) : 0

/** Whether a request has a large JSON body, or is a streamed upload that is not known to be small. */
function isLarge(request: FastifyRequest): boolean {
  if (isRead(request.method)) return false
  if (!(request.body instanceof Readable)) return jsonBytes(request) >= LARGE_BYTES
  const { 'content-length': length, 'content-encoding': encoding } = request.headers
  return encoding !== undefined || !(Number(length) < LARGE_BYTES)
}
