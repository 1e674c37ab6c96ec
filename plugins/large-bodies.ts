import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import fp from 'fastify-plugin'
import { problem } from '../errors.ts'
import { createAccountSlots, type AccountSlot } from '../lib/account-slots.ts'
import { ownerOf } from '../lib/http/request-owner.ts'
import { createRequestSlots } from '../lib/http/request-slots.ts'
import { bodyBytes, isJson } from '../lib/http/request.ts'

/** Of smaller bodies, only those that have not been received yet count, and only if they are not tiny. */
const SMALL_BYTES = 65_536
const TINY_BYTES = 8_192
/**
 * Small bodies of an account that are received at a time, with up to 16 MB together. As much of one that waits is
 * buffered by its connection.
 */
const SMALL_PER_ACCOUNT = 256
/** Each account has so many times as much in memory, and several times as much while bodies are parsed. */
const UNIT_BYTES = 4 * 1024 * 1024
const UNITS_PER_ACCOUNT = 8
/** Uploads of an account that are received at a time. They are streamed to the disk, with up to 4 MB in memory. */
const UPLOADS_PER_ACCOUNT = 32
/** More requests of an account get 503. */
const WAITING_PER_ACCOUNT = 200
/** A request that waits longer gets 503 too, in milliseconds. Clients resend it after `Retry-After`. */
const MAX_WAIT_MS = 10_000
/** The same for an upload: earlier ones may have a slow connection. */
const MAX_UPLOAD_WAIT_MS = 60_000

interface Receiving {
  body: Readable
  response: ServerResponse
  maxWaitMs: number
}

/**
 * Limits the memory of bodies: of each account, large JSON bodies of 32 MiB together are read and handled at a time,
 * 32 other large bodies, which are streamed to the disk, are received, and 256 small ones. Nothing of another one is
 * read until it may start, so the sender waits. A client that sends slowly, or never ends, delays only further requests
 * of its account.
 */
export default fp(
  async (app) => {
    const jsonSlots = createRequestSlots({
      running: UNITS_PER_ACCOUNT,
      waiting: WAITING_PER_ACCOUNT,
      maxWaitMs: MAX_WAIT_MS
    })
    const enterUpload = createAccountSlots({ running: UPLOADS_PER_ACCOUNT, waiting: WAITING_PER_ACCOUNT })
    const enterSmall = createAccountSlots({ running: SMALL_PER_ACCOUNT, waiting: WAITING_PER_ACCOUNT })

    /** Waits for a slot, which the request has until its body was received. Resolves with false without one. */
    async function startReceiving(slot: AccountSlot | null, { body, response, maxWaitMs }: Receiving) {
      if (slot === null) return false
      // The client may have disconnected before this hook.
      if (response.closed) slot.release()
      response.once('close', slot.release)
      body.once('end', slot.release)
      const timer = setTimeout(slot.release, maxWaitMs)
      const isReady = await slot.ready
      clearTimeout(timer)
      return isReady
    }

    app.addHook('preParsing', async (request, reply, payload) => {
      const { headers, routeOptions } = request
      const bytes = bodyBytes(headers, routeOptions.bodyLimit)
      const isSmall = bytes <= SMALL_BYTES
      if (bytes <= TINY_BYTES || (isSmall && request.raw.complete)) return payload
      // Refused before it is read. The limits of uploads are those of their files.
      if (isJson(headers) && bytes > routeOptions.bodyLimit) return payload
      const owner = ownerOf(request)
      const received = { body: request.raw, response: reply.raw }
      const start = async (): Promise<boolean> => {
        if (isSmall) return await startReceiving(enterSmall(owner), { ...received, maxWaitMs: MAX_WAIT_MS })
        if (isJson(headers)) {
          return await jsonSlots.start({ request, connection: reply.raw }, owner, Math.ceil(bytes / UNIT_BYTES))
        }
        return await startReceiving(enterUpload(owner), { ...received, maxWaitMs: MAX_UPLOAD_WAIT_MS })
      }
      if (await start()) return payload
      throw problem('busy', 'Too many bodies are sent at the same time. Try again.', {
        headers: { 'Retry-After': '1' }
      })
    })

    app.addHook('onSend', async (request) => {
      jsonSlots.end(request)
    })
  },
  { name: 'large-bodies', dependencies: ['auth', 'json-bodies', 'request-context'] }
)
