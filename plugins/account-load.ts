import fp from 'fastify-plugin'
import { runAsOwner } from '../lib/async.ts'

/**
 * Long computations of requests take turns by account, and so does what they start. Requests that change something have
 * precedence over the background work of accounts that used more time in this process, from when they have their place
 * among those of their account (`request-concurrency.ts`): while they wait for others, nobody works on them, and their
 * time must not count as used.
 */
export default fp(
  async (app) => {
    app.addHook('preHandler', ({ caller }, _reply, done) => {
      if (caller.kind === 'anonymous') done()
      else runAsOwner(caller.accountId, done)
    })
  },
  { name: 'account-load', dependencies: ['auth'] }
)
