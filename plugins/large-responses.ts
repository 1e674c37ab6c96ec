import fp from 'fastify-plugin'
import { problem } from '../errors.ts'
import { createAccountSlots, type AccountSlot } from '../lib/account-slots.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response may have megabytes. An account has a few such requests in progress at a time. */
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
    const enter = createAccountSlots({ running: RUNNING_PER_ACCOUNT, waiting: WAITING_PER_ACCOUNT })
    /** What has to be called when the handler has ended, for requests in progress. */
    const ends = new WeakMap<object, () => void>()

    app.addHook('preHandler', async (request, reply) => {
      const { routeConfig, caller } = request
      if (routeConfig.large !== true || caller.kind === 'anonymous') return
      const slot = enter(caller.accountId)
      if (slot === null) throw busy()
      if (!(await waitFor(slot, reply.raw))) throw busy()
      // Aborted requests go on until their handler ends; responses are in memory until the connection took them.
      let left = 2
      const end = (): void => {
        left -= 1
        if (left === 0) slot.release()
      }
      ends.set(request, end)
      if (reply.raw.closed) end()
      else reply.raw.once('close', end)
    })

    app.addHook('onSend', async (request) => {
      ends.get(request)?.()
      ends.delete(request)
    })
  },
  { name: 'large-responses', dependencies: ['auth', 'request-context'] }
)

const busy = () =>
  problem('busy', 'Too many lists of this account are requested at the same time. Try again.', {
    headers: { 'Retry-After': '1' }
  })

interface Closeable {
  closed: boolean
  once: (event: 'close', listener: () => void) => void
  off: (event: 'close', listener: () => void) => void
}

/** Waits for a slot. Resolves with false, without the slot, after `MAX_WAIT_MS` or if the client disconnects. */
async function waitFor({ ready, release }: AccountSlot, response: Closeable): Promise<boolean> {
  response.once('close', release)
  const timer = setTimeout(release, MAX_WAIT_MS)
  const isReady = await ready
  clearTimeout(timer)
  response.off('close', release)
  return isReady
}
