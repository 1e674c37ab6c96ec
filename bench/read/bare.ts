import Fastify from 'fastify'
import { Redis } from 'ioredis'

/** What one round trip to Redis costs at least: a script that counts. */
const COUNT = "return redis.call('INCR', KEYS[1])"

/**
 * The measure: a Fastify that does nothing but return a prebuilt body; with REDIS_URL, under
 * /redis… it asks Redis once before. The bodies come by message,
 * the address goes back the same way.
 */
process.once('message', (bodies: Record<string, { text: string; etag: string }>) => {
  const app = Fastify()
  const redis = process.env.REDIS_URL === undefined ? null : new Redis(process.env.REDIS_URL)
  for (const [path, { text, etag }] of Object.entries(bodies)) {
    const body = Buffer.from(text)
    app.get(path, (request, reply) => {
      if (request.headers['if-none-match'] === etag) reply.code(304).send()
      else reply.header('content-type', 'application/json; charset=utf-8').send(body)
    })
    if (redis !== null) {
      app.get(`/redis${path}`, async (_request, reply) => {
        await redis.eval(COUNT, 1, 'bench-read-bare')
        return await reply.header('content-type', 'application/json; charset=utf-8').send(body)
      })
    }
  }
  app.listen({ port: 0, host: '127.0.0.1' }).then(
    (url) => process.send!({ url }),
    (error: unknown) => {
      throw error
    }
  )
})
