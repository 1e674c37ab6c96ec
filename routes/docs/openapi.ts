import { hash } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'

/** The interface's document, for tools of any origin. */
const routes: FastifyPluginAsync = async (app) => {
  let kept: { document: object; text: string; etag: string } | null = null

  app.get('/openapi.json', { schema: { hide: true } as object }, async (_request, reply) => {
    const document = app.openApiDocument()
    if (kept?.document !== document) {
      const text = JSON.stringify(document)
      kept = { document, text, etag: `"${hash('sha1', text, 'base64url')}"` }
    }
    reply.type('application/json; charset=utf-8').headers({
      etag: kept.etag,
      vary: 'Accept-Encoding',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': app.exposedHeaders
    })
    return kept.text
  })
}
export default routes

/** Not below /docs: tools look for it here. */
export const prefixOverride = ''
