import fp from 'fastify-plugin'
import { runAsOwner } from '../lib/async.ts'
import { processLoad } from '../services/account-load.ts'

/**
 * Gives requests that change something precedence over the background work of accounts that used
 * more time in this process. Reads are short, and mostly come from the response cache. Long
 * computations of requests take turns by account.
 */
export default fp(
  async (app) => {
    app.addHook('preHandler', (request, reply, done) => {
      const { caller, method } = request
      if (caller.kind === 'anonymous') {
        done()
        return
      }
      // Not before the body has arrived: a client may send it as slowly as it likes.
      const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
      // Not onResponse, which is not called if the client disconnects.
      if (!isRead && !reply.raw.closed) reply.raw.once('close', processLoad.begin(caller.accountId))
      runAsOwner(caller.accountId, done)
    })
  },
  { name: 'account-load', dependencies: ['auth'] }
)
