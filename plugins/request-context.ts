import { AsyncLocalStorage } from 'node:async_hooks'
import fp from 'fastify-plugin'

export interface RequestContext {
  /**
   * The request that led to what is being done just now, directly or through jobs; null where none
   * did, or where it is a read.
   */
  requestId: () => string | null
  /** Does something in the name of a request; null: of none. */
  run: <T>(requestId: string | null, work: () => T) => T
}

declare module 'fastify' {
  interface FastifyInstance {
    requestContext: RequestContext
  }
}

/**
 * Remembers which request a piece of work is done for, so that the jobs it leads to say so in the
 * log. Reads lead to none, and are spared it.
 * It begins once the body is there, because what reads a body is called by the connection and
 * belongs to no request.
 */
export default fp(
  async (app) => {
    const storage = new AsyncLocalStorage<string | null>()
    const context: RequestContext = {
      requestId: () => storage.getStore() ?? null,
      run: (requestId, work) => storage.run(requestId, work)
    }
    app.decorate('requestContext', context)
    app.addHook('preValidation', (request, _reply, done) => {
      if (isRead(request.method)) done()
      else context.run(request.id, done)
    })
  },
  { name: 'request-context' }
)

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
