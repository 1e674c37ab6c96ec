import { AsyncLocalStorage } from 'node:async_hooks'
import fp from 'fastify-plugin'

export interface RequestContext {
  /**
   * The id of the request that the current work belongs to, directly or through jobs. Null for
   * reads and for work without a request.
   */
  requestId: () => string | null
  /** Runs work on behalf of a request, or of none. */
  run: <T>(requestId: string | null, work: () => T) => T
}

declare module 'fastify' {
  interface FastifyInstance {
    requestContext: RequestContext
  }
  interface FastifyRequest {
    /** The config of the route; empty for unknown paths. Undefined until the first hook has run. */
    routeConfig: FastifyContextConfig
  }
}

/**
 * Remembers which request a piece of work belongs to, so that the log lines of its jobs carry the
 * request id. Reads start no jobs and are left out. The context starts after the body has been
 * read, because the body parser runs in the context of the connection.
 */
export default fp(
  async (app) => {
    const storage = new AsyncLocalStorage<string | null>()
    const context: RequestContext = {
      requestId: () => storage.getStore() ?? null,
      run: (requestId, work) => storage.run(requestId, work)
    }
    app.decorate('requestContext', context)
    app.decorateRequest('routeConfig')
    app.addHook('onRequest', (request, _reply, done) => {
      // Read once: Fastify creates `routeOptions` at every access.
      request.routeConfig = request.routeOptions.config ?? {}
      done()
    })
    app.addHook('preValidation', (request, _reply, done) => {
      if (isRead(request.method)) done()
      else context.run(request.id, done)
    })
  },
  { name: 'request-context' }
)

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
