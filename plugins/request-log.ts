import fp from 'fastify-plugin'

/**
 * One line a request, within a budget: reads that went well are said at `debug` (they are what a
 * busy site is made of), writes and refusals at `info`,
 * what is our fault at `warn` (its cause was logged where it happened).
 */
export default fp(
  async (app) => {
    const says = { debug: ['debug', 'trace'].includes(app.config.LOG_LEVEL) }
    app.addHook('onResponse', (request, reply, done) => {
      const { statusCode } = reply
      const read = request.method === 'GET' || request.method === 'HEAD'
      const level = statusCode >= 500 ? 'warn' : read && statusCode < 400 ? 'debug' : 'info'
      if (level === 'debug' && !says.debug) return done()
      const caller = request.auth?.caller
      request.log[level](
        {
          req: request,
          status: statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          account: caller === undefined || caller.kind === 'anonymous' ? undefined : caller.accountId
        },
        'answered'
      )
      done()
    })
  },
  { name: 'request-log', dependencies: ['config'] }
)
