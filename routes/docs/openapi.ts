import { hash } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'

/** The OpenAPI document, readable from any origin. */
const routes: FastifyPluginAsync = async (app) => {
  let cached: { document: object; text: string; etag: string } | null = null

  app.get('/openapi.json', { schema: { hide: true } as object }, async (_request, reply) => {
    const document = await app.openApiDocument()
    if (cached?.document !== document) {
      const text = JSON.stringify(document)
      cached = { document, text, etag: `"${hash('sha1', text, 'base64url')}"` }
    }
    reply.type('application/json; charset=utf-8').headers({
      etag: cached.etag,
      vary: 'Accept-Encoding',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': app.exposedHeaders
    })
    return cached.text
  })
}
export default routes

/** Not below /docs: tools expect the document at /openapi.json. */
export const prefixOverride = ''
