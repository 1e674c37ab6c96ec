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
    app.addHook('onRequest', (request, reply, done) => {
      const caller = request.auth?.caller
      const isRead = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
      if (!isRead && caller !== undefined && caller.kind !== 'anonymous') {
        // Not onResponse, which is not called if the client disconnects.
        reply.raw.once('close', processLoad.begin(caller.accountId))
      }
      done()
    })

    app.addHook('preHandler', (request, _reply, done) => {
      const { caller } = request
      if (caller.kind === 'anonymous') done()
      else runAsOwner(caller.accountId, done)
    })
  },
  { name: 'account-load', dependencies: ['auth'] }
)
