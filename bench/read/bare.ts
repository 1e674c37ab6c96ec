import Fastify from 'fastify'

/** The measure: a Fastify that does nothing but return a prebuilt body. The bodies come by message, the address goes back the same way. */
process.once('message', (bodies: Record<string, { text: string, etag: string }>) => {
  const app = Fastify()
  for (const [path, { text, etag }] of Object.entries(bodies)) {
    const body = Buffer.from(text)
    app.get(path, (request, reply) => {
      if (request.headers['if-none-match'] === etag) reply.code(304).send()
      else reply.header('content-type', 'application/json; charset=utf-8').send(body)
    })
  }
  app.listen({ port: 0, host: '127.0.0.1' }).then((url) => process.send!({ url }), (error: unknown) => { throw error })
})
