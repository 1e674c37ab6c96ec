import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problem } from '../errors.ts'
import { createRequestSlots } from '../lib/http/request-slots.ts'

/** Smaller bodies do not wait: a connection buffers about as much before anybody reads it. */
const SMALL_BYTES = 65_536
/** Each account has so many times as much in memory, and several times as much while bodies are parsed. */
const UNIT_BYTES = 4 * 1024 * 1024
const UNITS_PER_ACCOUNT = 8
/** More requests of an account get 503. */
const WAITING_PER_ACCOUNT = 200
/** A request that waits longer gets 503 too, in milliseconds. Clients resend it after `Retry-After`. */
const MAX_WAIT_MS = 10_000

/**
 * Limits the memory of JSON bodies: of each account, large ones of 32 MiB together are read and handled
 * at a time. Nothing of another one is read until it may start, so the sender waits. A client that sends
 * slowly, or never ends, delays only further requests of its account.
 */
export default fp(
  async (app) => {
    const slots = createRequestSlots({
      running: UNITS_PER_ACCOUNT,
      waiting: WAITING_PER_ACCOUNT,
      maxWaitMs: MAX_WAIT_MS
    })

    app.addHook('preParsing', async (request, reply, payload) => {
      const bytes = jsonBytes(request)
      if (bytes <= SMALL_BYTES || bytes > request.routeOptions.bodyLimit) return payload
      const { caller, ip } = request
      const owner = caller.kind === 'anonymous' ? `address ${ip}` : `account ${caller.accountId}`
      if (await slots.start({ request, connection: reply.raw }, owner, Math.ceil(bytes / UNIT_BYTES))) return payload
      throw problem('busy', 'Too many large bodies are sent at the same time. Try again.', {
        headers: { 'Retry-After': '1' }
      })
    })

    app.addHook('onSend', async (request) => {
      slots.end(request)
    })
  },
  { name: 'large-bodies', dependencies: ['auth', 'json-bodies', 'request-context'] }
)

/**
 * The most bytes that are read into memory for a body. 0 for other types, which are streamed to the disk.
 * A body above the limit is refused before it is read.
 */
function jsonBytes({ headers, routeOptions }: FastifyRequest): number {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) return 0
  const length = headers['content-length']
  if (length !== undefined) return Number(length)
  return headers['transfer-encoding'] === undefined ? 0 : routeOptions.bodyLimit
}
