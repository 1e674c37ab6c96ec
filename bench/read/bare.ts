import Fastify from 'fastify'
import { Redis } from 'ioredis'

/** A minimal script for one round trip to Redis. */
const COUNT = "return redis.call('INCR', KEYS[1])"

/**
 * The baseline: a Fastify server that returns prebuilt bodies. With REDIS_URL, routes under /redis
 * call Redis once first. The bodies arrive as a process message, and the URL is sent back as one.
 */
process.once('message', (bodies: Record<string, { text: string; etag: string }>) => {
  const app = Fastify()
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send!({ cpu: user + system })
  })
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
