import fp from 'fastify-plugin'
import { problem } from '../errors.ts'
import { ownerOf } from '../lib/http/request-owner.ts'

/** Requests of an account that may wait. More get 503. */
const WAITING_PER_ACCOUNT = 1_000
/** A request that waits longer gets 503 too, in milliseconds. */
const MAX_WAIT_MS = 10_000

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * While the store takes no changes of an account, its requests that change something wait before they take a place
 * among its requests: its reads need these places. The disk of the embedded store may be slower than an account writes.
 */
export default fp(
  async (app) => {
    const { store } = app
    const waiting = new Map<string, number>()

    app.addHook('preHandler', async (request, { raw }) => {
      const delay = READS.has(request.method) ? null : store.writeDelay()
      if (delay === null) return
      const owner = ownerOf(request)
      const count = waiting.get(owner) ?? 0
      if (count >= WAITING_PER_ACCOUNT) {
        delay.release()
        throw tooSlow()
      }
      waiting.set(owner, count + 1)
      raw.once('close', delay.release)
      const timer = setTimeout(delay.release, MAX_WAIT_MS)
      const isReady = await delay.ready
      clearTimeout(timer)
      raw.off('close', delay.release)
      const left = waiting.get(owner)! - 1
      if (left === 0) waiting.delete(owner)
      else waiting.set(owner, left)
      if (!isReady) throw tooSlow()
    })
  },
  { name: 'write-delays', dependencies: ['account-load', 'auth', 'request-context', 'store'] }
)

const tooSlow = () =>
  problem('busy', 'The server has too many changes of yours to store. Try again.', { headers: { 'Retry-After': '1' } })
