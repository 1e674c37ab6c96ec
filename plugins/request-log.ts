import fp from 'fastify-plugin'

/**
 * Logs one line per request, as Fastify does, but at a level by outcome: successful reads at
 * `debug`, writes and 4xx at `info`, 5xx at `warn` (the cause is logged where the error occurs).
 */
export default fp(
  async (app) => {
    const debug = ['debug', 'trace'].includes(app.config.LOG_LEVEL)
    app.addHook('onResponse', (request, reply, done) => {
      const { statusCode } = reply
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      const level = statusCode >= 500 ? 'warn' : isRead && statusCode < 400 ? 'debug' : 'info'
      if (level === 'debug' && !debug) return done()
      const caller = request.auth?.caller
      request.log[level](
        {
          req: request,
          res: reply,
          responseTime: reply.elapsedTime,
          accountId: caller === undefined || caller.kind === 'anonymous' ? undefined : caller.accountId
        },
        'request completed'
      )
      done()
    })
  },
  { name: 'request-log', dependencies: ['config', 'auth'] }
)
