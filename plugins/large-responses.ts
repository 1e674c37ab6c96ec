import fp from 'fastify-plugin'
import { problem } from '../errors.ts'
import { createRequestSlots } from '../lib/http/request-slots.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Much data is read or written. An account has a few such requests in progress at a time. */
    large?: boolean
  }
}

/** A list of 32 million characters needs about 100 MB while it is made, and a third of it until it has been sent. */
const RUNNING_PER_ACCOUNT = 4
/** More requests of an account get 503. */
const WAITING_PER_ACCOUNT = 100
/** A request that waits longer gets 503 too, in milliseconds: lists may wait for a store that does not respond. */
const MAX_WAIT_MS = 2000

/**
 * Limits the memory of large responses: each account has at most four in progress, until they have
 * been sent. A client that reads slowly, or not at all, delays only further requests of its account.
 */
export default fp(
  async (app) => {
    const slots = createRequestSlots({
      running: RUNNING_PER_ACCOUNT,
      waiting: WAITING_PER_ACCOUNT,
      maxWaitMs: MAX_WAIT_MS
    })

    app.addHook('preHandler', async (request, reply) => {
      const { routeConfig, caller } = request
      if (routeConfig.large !== true || caller.kind === 'anonymous') return
      if (await slots.start({ request, connection: reply.raw }, caller.accountId)) return
      throw problem('busy', 'Too many lists of this account are requested at the same time. Try again.', {
        headers: { 'Retry-After': '1' }
      })
    })

    app.addHook('onSend', async (request) => {
      slots.end(request)
    })
  },
  { name: 'large-responses', dependencies: ['auth', 'request-context'] }
)
