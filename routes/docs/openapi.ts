import type { FastifyPluginAsync } from 'fastify'
import { createDocuments, sendDocument } from '../documents.ts'

/** The OpenAPI document, readable from any origin. */
const routes: FastifyPluginAsync = async (app) => {
  const documents = createDocuments()

  app.get('/openapi.json', { schema: { hide: true } as object }, async (_request, reply) => {
    // With PORT=0, the public URL changes when the server listens.
    const document = await documents(app.publicUrl, async () => JSON.stringify(await app.openApiDocument()))
    reply.type('application/json; charset=utf-8').headers({
      vary: 'Accept-Encoding',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': app.exposedHeaders
    })
    return sendDocument(reply, document)
  })
}
export default routes

/** Not below /docs: tools expect the document at /openapi.json. */
export const prefixOverride = ''
