import fp from 'fastify-plugin'

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Sends the response to a change when all that it changed is on the disk: one wait for each request, after which its
 * place among the requests of its account is free, so that a slow disk delays nobody else.
 */
export default fp(
  async (app) => {
    const { store } = app

    // A read confirms nothing, and does not wait for what others change meanwhile.
    app.addHook('preHandler', (_request, _reply, done) => {
      store.deferDurability(done)
    })

    // Of the route, so that it follows all hooks that write, and the one that frees the place of the request. A request
    // may change nothing because another one made the same change, which is not durable yet.
    app.addHook('onRoute', (route) => {
      route.onSend = [
        ...[route.onSend ?? []].flat(),
        async ({ method }, { statusCode }) => {
          if (!READS.has(method) && statusCode < 500) await store.durable()
        }
      ]
    })
  },
  { name: 'durable-responses', dependencies: ['request-concurrency', 'store'] }
)
