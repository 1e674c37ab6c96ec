import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import fp from 'fastify-plugin'
import { problem } from '../errors.ts'
import { createAccountSlots } from '../lib/account-slots.ts'
import { createRequestSlots } from '../lib/http/request-slots.ts'
import { bodyBytes, isJson } from '../lib/http/request.ts'

/** Smaller bodies do not wait: a connection buffers about as much before anybody reads it. */
const SMALL_BYTES = 65_536
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

/**
 * Limits the memory of bodies: of each account, large JSON bodies of 32 MiB together are read and handled at a time,
 * and 32 other large bodies, which are streamed to the disk, are received. Nothing of another one is read until it may
 * start, so the sender waits. A client that sends slowly, or never ends, delays only further requests of its account.
 */
export default fp(
  async (app) => {
    const jsonSlots = createRequestSlots({
      running: UNITS_PER_ACCOUNT,
      waiting: WAITING_PER_ACCOUNT,
      maxWaitMs: MAX_WAIT_MS
    })
    const enterUpload = createAccountSlots({ running: UPLOADS_PER_ACCOUNT, waiting: WAITING_PER_ACCOUNT })

    /** Waits for a slot, which the upload has until its body was received. Resolves with false without one. */
    async function startUpload(owner: string, { body, response }: { body: Readable; response: ServerResponse }) {
      const slot = enterUpload(owner)
      if (slot === null) return false
      // The client may have disconnected before this hook.
      if (response.closed) slot.release()
      response.once('close', slot.release)
      body.once('end', slot.release)
      const timer = setTimeout(slot.release, MAX_UPLOAD_WAIT_MS)
      const isReady = await slot.ready
      clearTimeout(timer)
      return isReady
    }

    app.addHook('preParsing', async (request, reply, payload) => {
      const { caller, ip, headers, routeOptions } = request
      const bytes = bodyBytes(headers, routeOptions.bodyLimit)
      if (bytes <= SMALL_BYTES) return payload
      // Refused before it is read. The limits of uploads are those of their files.
      if (isJson(headers) && bytes > routeOptions.bodyLimit) return payload
      const owner = caller.kind === 'anonymous' ? `address ${ip}` : `account ${caller.accountId}`
      const isStarted = isJson(headers)
        ? await jsonSlots.start({ request, connection: reply.raw }, owner, Math.ceil(bytes / UNIT_BYTES))
        : await startUpload(owner, { body: request.raw, response: reply.raw })
      if (isStarted) return payload
      throw problem('busy', 'Too many large bodies are sent at the same time. Try again.', {
        headers: { 'Retry-After': '1' }
      })
    })

    app.addHook('onSend', async (request) => {
      jsonSlots.end(request)
    })
  },
  { name: 'large-bodies', dependencies: ['auth', 'json-bodies', 'request-context'] }
)
